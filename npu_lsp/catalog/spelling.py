"""Which variable was meant by a name that nobody reads, and how sure that is.

Of environment variables not every one is known, and a name that is close to another one may well be right. So it is asked what
people get wrong: a letter, a part that is typed twice, a word that is left out or in another form, blanks of another kind between
words. What they don't get wrong by accident is another name: another number, another short word, another tool's first letter (`NCCL_`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from npu_lsp.catalog.near import distance, is_another_form
from npu_lsp.text import lazy_re as re

_SEPARATORS = re.compile(r"[-_.]+")
_SHORTEST = 12
"""Characters of a name in which a slip can be told from another name."""
_LONG = 19
"""Characters from which on two slips can."""
_WORD = 4
"""Letters of a word in which one that is wrong or missing makes no other word."""
_SHORT = 3
"""Letters of such a word where all others of a long name are right."""
_HEAD = 6
"""Letters of a first word in which one that is wrong or missing isn't another tool's name: `NCCL_`, `HCL_`."""
_KEPT_WORDS = 3
"""Words that are left of a name of which one was left out."""
_DIGITS = re.compile(r"\d+")
_BEGINNING = 15
"""Characters of what a name begins with, from which on another last word makes no other name."""
_KIND = 8
"""Names that end in a word which says what their values are: `PATH`, `TIMEOUT`."""
_AS_CLOSE = 2
"""Names that may lack the same word, and are told as what was meant."""
_FAMILY = 4
"""Known names that begin with one word, so that those which begin so are of one tool."""
_GAP = 2
"""Neighbours that one slip changes at most."""
_OURS = ("ASCEND", "NPU")
"""Second words behind which a name is nobody else's: `VLLM_ASCEND_`, `PYTORCH_NPU_`."""


class Guess(NamedTuple):
    """The known names that a misspelt one is closest to."""

    names: tuple[str, ...]
    """All that are as close, in the order of the alphabet."""
    sure: bool
    """One slip of the fingers, or a word in another form; False: two slips, or a word that is missing."""


class _Pieces:
    """Names by what is left of them behind slips, made for names of about one length when they are first asked for."""

    def __init__(self, of_length: Callable[[int], Iterable[str]], slips: int) -> None:
        self.slips = slips
        self._of_length = of_length
        self._made: dict[int, Mapping[str, tuple[str, ...]]] = {}

    def of_size(self, size: int) -> Mapping[str, tuple[str, ...]]:
        """Return the names by their pieces of so many letters."""
        known = self._made.get(size)
        if known is None:
            least = size * (self.slips + 1) + _GAP * self.slips
            names = (name for length in range(least, least + self.slips + 1) for name in self._of_length(length))
            known = self._made[size] = _pieces(names, self.slips)
        return known


class Spelling:
    """Known names, made ready for what is asked of them for each unknown one."""

    def __init__(
        self,
        known: Iterable[str],
        others: Collection[str] = (),
        heads: Iterable[str] = (),
        mistaken: Mapping[str, str] | None = None,
    ) -> None:
        """`others` are names, and first words followed by `_`, that are other tools', however close they look.

        `heads` are first words that others use as well; `mistaken` are names that people make up, with those that they mean.
        """
        self._mistaken = mistaken or {}
        self._known = frozenset(known)
        self.heads = frozenset(heads)
        self._others = frozenset(others)
        self._longest = 2 * max(map(len, self._known), default=0)
        self._halves = _Pieces(self._of_length, 1)
        self._thirds = _Pieces(lambda length: self._of_length(length) if length >= _LONG else (), 2)
        self._cut_halves = _Pieces(self._cut, 1)
        self._cuts: dict[int, Mapping[str, tuple[str, ...]]] = {}
        self._less: dict[str, Mapping[str, tuple[tuple[str, str], ...]]] = {}

    def guess(self, name: str) -> Guess | None:
        """Return what an unknown name is close to; `None` where it may be right."""
        if name in self._mistaken:
            return Guess((self._mistaken[name],), sure=True)
        if len(name) < _SHORTEST or len(name) > self._longest or name in self._known:
            return None
        if "_" not in name:
            return self._in_one_word(name)
        if name in self._others or f"{name.partition('_')[0]}_" in self._others:
            return None
        plain = _SEPARATORS.sub("_", name).upper().strip("_")
        for form in (plain, _without_stutter(plain), _without_echo(plain), self._without_past(plain)):
            if form in self._by_upper and form != name:
                return Guess((self._by_upper[form],), sure=True)
        sure = self._with_a_slip(plain, self._halves) or self._with_another_form(plain)
        near = sure or self._with_a_slip(plain, self._thirds) or sorted(self._lacking(plain))
        near = near or self._with_another_end(plain)
        return Guess(tuple(near), sure=bool(sure)) if near else None

    def _in_one_word(self, name: str) -> Guess | None:
        """Return the name of which nothing but what stands between the words is missing: `HCCLBUFFSIZE`."""
        found = [each for each in self._candidates(name, self._halves) if each.replace("_", "") == name]
        return Guess((found[0],), sure=True) if len(found) == 1 else None

    @property
    def parts(self) -> set[str]:
        """Texts of which every name that `guess` says something about has one."""
        # Those of names with small letters are looked up in large ones.
        mixed = _pieces((name for name in self._by_upper.values() if not name.isupper()), 1, as_written=True)
        cut = _pieces({cut for length in self._words_to_cut for cut in self._cut(length)}, 1)
        halves = _pieces(self._by_upper, 1)
        thirds = _pieces((name for name in self._by_upper if len(name) >= _LONG), 2)
        ends = {begin for name in self._by_upper if self._beginning_so(begin := name.rpartition("_")[0] + "_")}
        return {*self._mistaken, *halves, *thirds, *cut, *ends, *mixed}

    def has_parts(self, name: str) -> bool:
        """Return whether a known name is one that others are taken for: `parts` has some of it."""
        return self._by_upper.get(name.upper()) == name

    @cached_property
    def _by_upper(self) -> Mapping[str, str]:
        return {each.upper(): each for each in self._known if len(each) >= _SHORTEST and "_" in each}

    @cached_property
    def _by_length(self) -> Mapping[int, Sequence[str]]:
        found: dict[int, list[str]] = {}
        for name in self._by_upper.values():
            found.setdefault(len(name), []).append(name)
        return found

    def _of_length(self, length: int) -> Iterable[str]:
        return self._by_length.get(length, ())

    @cached_property
    def _words_to_cut(self) -> Mapping[int, Sequence[tuple[str, int]]]:
        """Return which word of which name may be left out, by the length of what is left: where that is enough to tell the name."""
        found: dict[int, list[tuple[str, int]]] = {}
        for name in self._by_upper:
            words = name.split("_")
            if len(words) <= _KEPT_WORDS:
                continue
            rest = len(name) - 1
            short = _SHORTEST if words[0] in self._families else _LONG - 2
            for at, word in enumerate(words):
                # Without a first word that others have as well, it is anybody's.
                least = short if at else _LONG - 2
                if rest - len(word) >= least and len(word) > 2 and (at or f"{word}_" not in self.heads):
                    found.setdefault(rest - len(word), []).append((name, at))
        return found

    def _cut(self, length: int) -> Mapping[str, tuple[str, ...]]:
        """Return the known names without one of their words, of that length, where that is no name of its own: two at most."""
        known = self._cuts.get(length)
        if known is None:
            found: dict[str, tuple[str, ...]] = {}
            for name, at in self._words_to_cut.get(length, ()):
                words = name.split("_")
                cut = "_".join((*words[:at], *words[at + 1 :]))
                if cut not in self._by_upper:
                    found[cut] = (*found.get(cut, ()), self._by_upper[name])
            known = self._cuts[length] = {cut: names for cut, names in found.items() if len(names) <= _AS_CLOSE}
        return known

    def _lacking(self, plain: str) -> Iterator[str]:
        """Yield the names that one without a word may stand for, a slip in what is left forgiven."""
        exact = self._cut(len(plain)).get(plain)
        if exact is not None:
            yield from exact
            return
        for cut in {each for each in self._candidates(plain, self._cut_halves) if _is_slip(plain, each)}:
            yield from self._cut(len(cut))[cut]

    @cached_property
    def _in_order(self) -> Sequence[str]:
        return sorted(self._by_upper)

    @cached_property
    def _ends(self) -> Mapping[str, int]:
        """Return how many names end in a word."""
        return Counter(name.rpartition("_")[2] for name in self._by_upper)

    def _beginning_so(self, begin: str) -> str | None:
        """Return the known name that is `begin`, which ends in `_`, and one word, where that tells this one alone."""
        if len(begin) < _BEGINNING or begin.count("_") < _KEPT_WORDS or f"{begin.partition('_')[0]}_" in self.heads:
            return None
        first = bisect_left(self._in_order, begin)
        name, *more = [*self._in_order[first : first + 2], ""]
        if not name.startswith(begin) or more[0].startswith(begin) or name.count("_") != begin.count("_"):
            return None
        # What many names end in says of what kind the value is.
        return self._by_upper[name] if self._ends[name.rpartition("_")[2]] >= _KIND else None

    def _with_another_end(self, plain: str) -> list[str]:
        """Return the only name that begins as one does, and ends in another word: `ASCEND_CUSTOM_OPP_RUN`."""
        begin, _, last = plain.rpartition("_")
        known = self._beginning_so(f"{begin}_")
        same = known is not None and _DIGITS.findall(known.upper()) == _DIGITS.findall(plain)
        return [known] if known is not None and same and last.isalpha() else []

    def _with_a_slip(self, plain: str, pieces: _Pieces) -> list[str]:
        """Return the names that `plain` is, with so many slips that make no other name of it."""
        candidates = self._candidates(plain, pieces)
        return sorted({each for each in candidates if _is_slip(plain, each.upper(), pieces.slips)})

    def _without_past(self, plain: str) -> str:
        """Return `TASK_QUEUE_ENABLE` for `TASK_QUEUE_ENABLED`."""
        own = f"{_head(plain)}_" not in self.heads
        return plain.removesuffix("D") if own and plain.endswith("ED") else plain

    @cached_property
    def _heads(self) -> Mapping[str, Sequence[str]]:
        """Return the known names, in large letters, by the words that tell whose they are."""
        found: dict[str, list[str]] = {}
        for name in self._known:
            found.setdefault(_head(name.upper()), []).append(name)
        return found

    @cached_property
    def _families(self) -> frozenset[str]:
        """Return the first words of names of one tool, which has several: others have none that begin so."""
        count = Counter(map(_head, self._by_upper))
        return frozenset(
            head for head, names in count.items() if "_" in head or (names >= _FAMILY and f"{head}_" not in self.heads)
        )

    def _but_one(self, head: str) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Return by each name less one of its words which word that is, and the whole name; only for families with an open list of names."""
        known = self._less.get(head)
        if known is None:
            found: dict[str, list[tuple[str, str]]] = {}
            for name in self._heads.get(head, ()) if head in self._families else ():
                words = _split(name.upper())[1]
                for at, word in enumerate(words):
                    found.setdefault(_without(head, words, at), []).append((word, name))
            known = self._less[head] = {rest: tuple(names) for rest, names in found.items()}
        return known

    def _with_another_form(self, plain: str) -> list[str]:
        """Return the only name of a family of which one word has another form: `HCCL_CONN_TIMEOUT`, `HCCL_RDMA_RETRY_COUNT`."""
        head, words = _split(plain)
        but_one = self._but_one(head)
        found = {
            name
            for at, word in enumerate(words)
            for known, name in but_one.get(_without(head, words, at), ())
            if is_another_form(word, known)
        }
        return list(found) if len(found) == 1 else []

    def _candidates(self, plain: str, pieces: _Pieces) -> set[str]:
        """Return the names that `plain` may be with so many slips: one of their pieces stands where it would."""
        found: set[str] = set()
        slips = pieces.slips
        for size in {_size(length, slips) for length in range(len(plain) - slips, len(plain) + slips + 1)}:
            if size <= 0:
                continue
            known = pieces.of_size(size)
            inner = (slice(at, at + size) for at in range(size, size + 2 * slips + 1)) if slips > 1 else ()
            for place in (slice(size), slice(len(plain) - size, None), *inner):
                found.update(known.get(plain[place], ()))
        return found


def spelling(known: Iterable[str], others: Mapping[str, Mapping[str, str]]) -> Spelling:
    """Return what asks about `known` names, with the tables of `other_variables.toml`: what is kin to them is known, too."""
    tools = {*others.get("tools", ()), *others.get("names", ())}
    return Spelling((*known, *others.get("kin", ())), tools, others.get("heads", ()), others.get("mistaken"))


def _split(name: str) -> tuple[str, list[str]]:
    """Return the words that tell whose a name is, and the others."""
    first, _, rest = name.partition("_")
    second, *words = rest.split("_")
    return (f"{first}_{second}", words) if words and second in _OURS else (first, [second, *words] if rest else [])


def _head(name: str) -> str:
    return _split(name)[0]


def _size(length: int, slips: int) -> int:
    """Return how long the pieces of a name are if at least one of them is to survive so many slips."""
    return (length - _GAP * slips) // (slips + 1)


def _pieces(names: Iterable[str], slips: int, *, as_written: bool = False) -> dict[str, tuple[str, ...]]:
    """Return names by their pieces: of each name, at least one piece stands unchanged in what so many slips make of it.

    Letters between two pieces belong to none, so that two letters that change places break one piece at most.
    """
    found: dict[str, dict[str, None]] = {}
    for name in names:
        size = _size(len(name), slips)
        for index in range(slips + 1):
            start = len(name) - size if index == slips else index * (size + _GAP)
            found.setdefault((name if as_written else name.upper())[start : start + size], {})[name] = None
    return {piece: tuple(names) for piece, names in found.items()}


def _is_slip(name: str, known: str, slips: int = 1) -> bool:
    """Return whether `known` is written wrong by so many slips that make no other name of it."""
    if abs(len(name) - len(known)) > slips or distance(name, known, slips) != slips:
        return False
    if name.replace("_", "") == known.replace("_", ""):
        return True  # `PYTORCHN_PU_ALLOC_CONF`: a letter is on the other side of a sign.
    mine, theirs = name.split("_"), known.split("_")
    if len(mine) != len(theirs):
        return _DIGITS.findall(name) == _DIGITS.findall(known)
    last = len(mine) - 1
    if f"{name}S" == known and (len(name) < _LONG - 2 or last < _KEPT_WORDS - 1):
        return False  # One of a short name may be meant.
    plural = len(known) >= _LONG - 3 and last >= _KEPT_WORDS - 1
    pairs = [(at, one, other) for at, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other]
    # Of a name whose other words are all there, a short one may lack a letter: `PYTORCH_NU_ALLOC_CONF`, `TAK_QUEUE_ENABLE`.
    rest = len(known) - sum(len(other) + 1 for _, _, other in pairs)
    least = _SHORT if slips == 1 and last >= _KEPT_WORDS - 1 and rest >= _SHORTEST else _WORD
    return all(
        _is_harmless(
            *(one, other, least),
            first=at == 0,
            inner=0 < at < last and last >= _KEPT_WORDS,
            plural=plural and at == last,
        )
        for at, one, other in pairs
    )


def _is_harmless(word: str, known: str, least: int, *, first: bool, inner: bool, plural: bool) -> bool:
    """Return whether `word` is a misspelling of `known`, which has at least `least` letters, and isn't another word that is like it."""
    if _DIGITS.findall(word) != _DIGITS.findall(known):
        return False
    if sorted(word) == sorted(known):
        return len(known) > 2
    if _is_doubled(word, known):
        return not word.endswith("SS")
    if word.startswith(known) or word.endswith(known):
        # `CONFIG` for `CONF` is a word of its own, and so may the plural of a short name be.
        return plural and word == f"{known}S" and len(known) >= _HEAD - 1
    if len(word) == len(known):
        return _has_another_letter(word, known, inner=inner)
    shortest = least if least < _WORD or not first else _HEAD
    return min(len(word), len(known)) >= shortest - 1 and len(known) >= least


def _has_another_letter(word: str, known: str, *, inner: bool) -> bool:
    """Return whether a word of the same length is no word of its own; the first letter tells whose it is: `NCCL` and `HCCL`, `UCC` and `HCC`."""
    if len(known) < _WORD:
        return inner
    return len(known) >= _HEAD or word[0] == known[0]


def _without(head: str, words: Sequence[str], at: int) -> str:
    return "_".join((head, *words[:at], "", *words[at + 1 :]))


def _is_doubled(word: str, known: str) -> bool:
    """Return whether a letter of a word stands twice."""
    return len(word) == len(known) + 1 and any(
        word == known[: at + 1] + known[at] + known[at + 1 :] for at in range(len(known))
    )


def _without_stutter(plain: str) -> str:
    """Return a name without the words that stand again right behind themselves."""
    words = plain.split("_")
    return "_".join(word for at, word in enumerate(words) if at == 0 or word != words[at - 1])


def _without_echo(plain: str) -> str:
    """Return a name without its end, where that is what stands before it once more: what was pasted behind a name."""
    words = plain.split("_")
    for at, word in enumerate(words):
        # The first word of what was pasted stands right behind the last one of the name: `…_DEVICESVISIBLE_DEVICES`.
        last = "_".join(words[at + 1 :])
        begin = "_".join(words[: at + 1])
        for cut in range(1, len(word)):
            echo = f"{word[cut:]}_{last}" if last else word[cut:]
            known = begin[: len(begin) - len(word) + cut]
            if len(echo) >= _WORD and known.endswith(f"_{echo}"):
                return known
    return plain
