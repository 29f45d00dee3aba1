"""Which name was meant by a mistyped one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import begun_alike

_SEPARATORS = re.compile(r"[-_.\s]+")
_DIGITS = re.compile(r"\d+")
_PARTS = re.compile(r"[-_./:]")
_CAMEL = re.compile(r"(.*[a-z0-9])([A-Z][a-z]+)")
_SHORT = 5
"""Letters of a word that is another word with one letter changed."""
_STEM = 4
"""Letters that two forms of a word have in common: `retry`, `retries`."""
_FORMS = ("ED", "ER", "ES")
_VOWELS = re.compile(r"(?<=.)[aeiou](?=.)")
_ROUNDED = 1e-6
COMPARED = 200
"""So many words are compared with another one: a file that brings more of its own was made by a program."""


class NearNames:
    """Names, made ready for what is asked of them for each mistyped one."""

    __slots__ = ("_by_plain", "_letters", "_without_digits", "_words")

    def __init__(self, names: Iterable[str]) -> None:
        self._by_plain: dict[str, set[str]] = {}
        for each in names:
            self._by_plain.setdefault(_plain(each), set()).add(each)
        self._letters = {plain: frozenset(plain) for plain in self._by_plain}
        self._without_digits = frozenset(_DIGITS.sub("", plain) for plain in self._by_plain)
        self._words: dict[str, list[str]] = {}

    def nearest(self, name: str, *, careful: bool = False, wrong: bool = False) -> str | None:
        """Return the name that a mistyped one was meant to be, or `None` where that isn't clear.

        Case and separators are forgiven first, then a part that was typed twice, then a few slips of the fingers: a
        letter too many, missing, wrong, or swapped with its neighbour. Two names equally far away are no answer, and
        neither is one that has other digits (`precision_mode_v3`; `fp61` has those of `fp16`). `careful` is for sets
        that aren't complete, where the name may well be right: it forgives less, no word more, and a plural only where
        a long name lacks it (`ASCEND_RT_VISIBLE_DEVICE`; `DEVICE_IDS` beside `DEVICE_ID` is another thing).
        """
        wanted = _plain(name)
        for form in (wanted, _without_stutter(wanted)):
            if form in self._by_plain:
                return _only(self._by_plain[form])
        if _DIGITS.sub("", wanted) in self._without_digits:
            swapped = [plain for plain in self._by_plain if sorted(plain) == sorted(wanted)]
            return _only(self._by_plain[swapped[0]]) if len(swapped) == 1 else None
        closest, far = self._closest(name, wanted, careful=careful)
        from_memory = self._from_memory(name) if wrong and not (closest and far == 1) else None
        return from_memory or _only(closest) or _only({each for each in closest if ("_" in each) is ("_" in name)})

    def _from_memory(self, name: str) -> str | None:
        """Return the name that has all the words of one, in other forms, and one besides at most: `tensor_parallel`, `attn-backend`."""
        typed = _words_of(name)
        if not all(map(str.isalnum, typed)):
            return None
        if not self._words:
            self._words = {each: _words_of(each) for names in self._by_plain.values() for each in names}
        # What begins otherwise is further away than a word behind; with two words more it is another name: `num-gpu-blocks-override`.
        more = {
            each: (not _is_form_of(typed[0], words[0]), len(words), ("_" in each) is not ("_" in name))
            for each, words in self._words.items()
            if len({*words}) <= len({*typed}) + 1
            and _has_all(words, typed)
            and name.rpartition(".")[0] == each.rpartition(".")[0]
        }
        least = min(more.values(), default=None)
        return _only({each for each, far in more.items() if far == least})

    def _closest(self, name: str, wanted: str, *, careful: bool) -> tuple[set[str], int]:
        """Return the names that the fewest slips lead to, unless these are too many, and how many these are."""
        closest = _reach(_plain(name.rpartition(".")[2]), careful) + 1
        best: set[str] = set()
        letters = frozenset(wanted)
        for plain, names in self._by_plain.items():
            # Each letter that the other one lacks is a slip, which costs less to see than to count.
            if abs(len(plain) - len(wanted)) > closest or len(letters - self._letters[plain]) > closest:
                continue
            if careful and (_other_number(name, wanted, plain) or _has_more(name, names) or _other_word(name, names)):
                continue
            far = distance(wanted, plain, closest)
            if far is None or (far == closest and not best) or (far > 1 and _says_another_word(name, names)):
                continue
            best = best | names if far == closest else set(names)
            closest = far
        return best, closest


def nearest(name: str, known: Iterable[str], *, careful: bool = False, wrong: bool = False) -> str | None:
    """Return the one of `known` that `name` was meant to be, as `NearNames.nearest` does."""
    return NearNames(known).nearest(name, careful=careful, wrong=wrong)


def alike(word: str, words: Collection[str], least: float) -> str | None:
    """Return the one of `words` that is most like a word, by the share of letters that `difflib` finds in both: `least` or more."""
    if len(words) > COMPARED:
        return None
    size, letters = len(word), set(word)
    shortest, longest = size * least / (2 - least) - _ROUNDED, size * (2 - least) / least + _ROUNDED
    # Each letter that the other one lacks is none of both: most words are told apart by their lengths and by that.
    fitting = [
        each
        for each in words
        if shortest <= len(each) <= longest
        and len(letters.difference(each)) <= size - least * (size + len(each)) / 2 + _ROUNDED
    ]
    if not fitting:
        return None
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, fitting, 1, least)), None)


def slip_of(word: str, words: Collection[str]) -> str | None:
    """Return the one of `words` that a name put together of several parts was meant to be; `None` where that isn't clear.

    One part differs, which is no short one, by a letter or two, and no digit does (`server-p` is no slip of `server-d`), or what
    stands between two parts is missing.
    """
    if len(words) > COMPARED:
        return None
    parts = _PARTS.split(word)
    return _only({each for each in words if each != word and _is_slip(parts, _PARTS.split(each))})


def _is_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    if len(one) != len(other):
        return "".join(one) == "".join(other)
    differing = [(left, right) for left, right in zip(one, other, strict=True) if left != right]
    if len(differing) != 1 or any(len(part) < _SHORT - 1 for part in differing[0]):
        return False
    left, right = differing[0]
    return _DIGITS.findall(left) == _DIGITS.findall(right) and (
        distance(left, right, 1 if min(len(left), len(right)) <= _SHORT else 2) is not None
    )


def is_one_letter_off(name: str, other: str, words: Collection[str] = ()) -> bool:
    """Return whether a name of several words is another one but for a letter that makes no other word: `IMGAE_NAME`, `SCRIIPT_DIR`.

    A word that the other one begins with may be meant (`MODE`, `MODEL`), and so may one with another letter unless it is long, one of which both
    are among the known `words` (`HEIGHT`, `WEIGHT`), and another form (`TRAINED`, `TRAINER`).
    """
    if distance(name, other, 1) != 1 or _DIGITS.findall(name) != _DIGITS.findall(other):
        return False
    one, two = name.split("_"), other.split("_")
    if len(one) != len(two):
        return (
            len(name) >= 2 * _SHORT - 2
            and name.replace("_", "") == other.replace("_", "")
            and name.strip("_") != other.strip("_")
        )
    left, right = next((left, right) for left, right in zip(one, two, strict=True) if left != right)
    if left.startswith(right) or right.startswith(left) or are_apart(left, right, words):
        return False
    if len(left) == len(right) and sorted(left) != sorted(right):
        return len(left) > _SHORT
    return len(right) >= _SHORT - 1


def are_apart(left: str, right: str, words: Collection[str]) -> bool:
    """Return whether two words that are a letter from each other are both right: known `words`, or forms of one that end in `ED`, `ER` and `ES`."""
    return (left in words and right in words) or (
        left[:-1] == right[:-1] and left.endswith(_FORMS) and right.endswith(_FORMS)
    )


def is_another_form(word: str, known: str) -> bool:
    """Return whether one of two words is short for the other (`conn`, `connect`; `cnt`, `count`), or both come from one (`retry`, `retries`).

    A plural is none: both may be meant.
    """
    short, long = sorted((word.casefold(), known.casefold()), key=len)
    if len(short) < _SHORT - 2 or _DIGITS.findall(short) != _DIGITS.findall(long):
        return False
    if long.startswith(short):
        return len(long) > len(short) + 1 or long.endswith("ed")
    if (len(short) >= _STEM and long.startswith(short.removesuffix("s"))) or short == _VOWELS.sub("", long):
        return True
    alike = begun_alike(short, long)
    if alike >= max(_STEM, len(short) - 1):
        return True
    letters = iter(long)
    # A single letter that is missing is a slip, and no other form.
    return alike >= _STEM - 1 and len(long) > len(short) + 1 and all(each in letters for each in short)


class Ends:
    """What words begin and end with: of one that a slip changed, a half of all but two letters is left."""

    def __init__(self, words: Collection[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for word in words:
            by_length.setdefault(len(word), []).append(word)
        self._of: dict[int, tuple[int, frozenset[str], frozenset[str]]] = {}
        for length in range(max(by_length, default=0) + 2):
            near = [word for other in range(length - 1, length + 2) for word in by_length.get(other, ())]
            size = max(1, (length - 2) // 2)
            self._of[length] = size, frozenset(w[:size] for w in near), frozenset(w[-size:] for w in near)

    def alike(self, words: Iterable[str]) -> Iterator[str]:
        """Yield those of `words` that begin or end as one does that is one slip away; of others none is."""
        for word in words:
            size, heads, tails = self._of.get(len(word), (1, frozenset(), frozenset()))
            if word[:size] in heads or word[-size:] in tails:
                yield word


def distance(one: str, other: str, most: int) -> int | None:
    """Return the number of slips between two words (swapped neighbours are one), or `None` if more than `most`."""
    one, other = _differing(one, other)
    size = len(other)
    if abs(len(one) - size) > most or (most == 1 and len(one) + size > 4):
        return None  # Of two that are one slip apart, a letter or two neighbours are left.
    before: list[int] = []
    last = list(range(size + 1))
    for row, left in enumerate(one, 1):
        # So many slips lead no further from the diagonal: what is beside is too far in any case.
        line = [row, *[most + 1] * size]
        for column in range(max(1, row - most), min(size, row + most) + 1):
            right = other[column - 1]
            cost = min(last[column] + 1, line[column - 1] + 1, last[column - 1] + (left != right))
            if row > 1 and column > 1 and left == other[column - 2] and one[row - 2] == right:
                cost = min(cost, before[column - 2] + 1)
            line[column] = cost
        if min(line) > most and min(last) > most:
            return None
        before, last = last, line
    return last[-1] if last[-1] <= most else None


def _differing(one: str, other: str) -> tuple[str, str]:
    """Return what is left of two words without what they begin and end with alike: mostly a letter or two."""
    begin = begun_alike(one, other)
    one, other = one[begin:], other[begin:]
    end = begun_alike(one[::-1], other[::-1])
    return one[: len(one) - end], other[: len(other) - end]


def _words_of(name: str) -> list[str]:
    return _SEPARATORS.split(name[:200].casefold().strip("-_."))


def _has_all(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Return whether `words` has each of those that were `typed`, in their order and perhaps in another form."""
    rest = iter(words)
    return all(any(_is_form_of(word, each) for each in rest) for word in typed)


def _is_form_of(word: str, known: str) -> bool:
    return word.removesuffix("s") == known.removesuffix("s") or is_another_form(word, known)


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name[:200]).casefold()


def _without_stutter(plain: str) -> str:
    """Return the word without the first part of three letters or more that stands twice in a row."""
    for start in range(len(plain)):
        for size in range(3, (len(plain) - start) // 2 + 1):
            if plain.startswith(plain[start : start + size], start + size):
                return plain[:start] + plain[start + size :]
    return plain


def _has_more(name: str, names: Iterable[str]) -> bool:
    """Return whether a name is one of others with whole words between or behind: `MINDIE_RT_LOG_LEVEL`, `HCCL_BUFFSIZE_EP`."""
    words = _SEPARATORS.split(name[:200].casefold())
    for each in names:
        rest = iter(words)
        fewer = _SEPARATORS.split(each.casefold())
        if len(fewer) < len(words) and all(word in rest for word in fewer):
            return True
    return False


def _other_number(name: str, wanted: str, plain: str) -> bool:
    """Return whether two names differ in their plural alone, and may both be meant."""
    if plain.rstrip("s") != wanted.rstrip("s"):
        return False
    return plain != f"{wanted}s" or len(wanted) < 14 or len(_SEPARATORS.findall(name)) < 2


def _other_word(name: str, names: Iterable[str]) -> bool:
    """Return whether a name ends in another short word than each of `names`: `tlsCrl` beside `tlsCert`."""
    head, last = _last_word(name)
    if not 0 < len(last) < _SHORT:
        return False
    others = [_last_word(each) for each in names]
    return all(head == begin and sorted(last) != sorted(end) for begin, end in others)


def _says_another_word(name: str, names: Iterable[str]) -> bool:
    """Return whether a name has another word at a place of each of `names`, most of its letters being others: `log_level`, `oo_level`."""
    typed = _words_of(name)
    return all(
        len(typed) == len(words)
        and any(distance(*pair, max(map(len, pair)) // 2) is None for pair in zip(typed, words, strict=True))
        for words in map(_words_of, names)
    )


def _last_word(name: str) -> tuple[str, str]:
    """Return what stands before the last word of a name in camel case, and that word; no word of another name."""
    found = _CAMEL.fullmatch(name[:200])
    return (found[1], found[2]) if found is not None else (name, "")


def _reach(plain: str, careful: bool) -> int:
    """Return how many slips a word of this length forgives."""
    size = len(plain)
    if careful:
        return 0 if size < 7 else 1 if size < 14 else 2
    return 0 if size < 4 else 1 if size < 8 else 2 if size < 14 else 3


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None
