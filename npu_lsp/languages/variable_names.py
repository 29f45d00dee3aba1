"""Which environment variables are worth reading: those of the catalog, and those that look like one of CANN's.

Without the second kind a mistyped name would never be seen. One looks so by its prefix, or by a slip that nobody makes on
purpose: where the name it stands for has no prefix of ours (`CPU_AFFINITY_CONF`), and in the prefix itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from npu_lsp.text.word_search import Words

_PREFIXES = (
    "ACLNN",
    "ACLOP",
    "ACL_",
    "AOE_",
    "ASCEND",
    "ATB_",
    "CANN_",
    "DEEPEP_",
    "DEEP_NORMAL_",
    "DUMP_G",
    "GE_",
    "HCCL_",
    "HCCS_",
    "HCOM_",
    "LCAL_",
    "LCCL_",
    "MIES_",
    "MINDIE_",
    "NPU_",
    "PYTORCH_NPU_",
    "RANK_TABLE",
    "SGLANG_NPU_",
    "SLOG_",
    "TASK_QUEUE",
    "TBE_",
    "TE_PARALLEL",
    "TFA_",
    "TORCH_HCCL_",
    "TORCH_NPU_",
)
_LONG = 12
"""Characters of a name from which on a slip can be told from another name."""
_LONG_HEAD = 6
"""Characters of what a name starts with from which on a letter too many or missing is a slip."""
# `GLOG_v` and its kin end in small letters. What must not stand before is asked behind the first letter, so that only capital
# letters are looked at.
_ASSIGNED = re.compile(r"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=[ \t]*:?=)")
_KEY = re.compile(r"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=\\?\"[ \t]*:)")
_WORD = re.compile(r"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
_EXPORT = re.compile(r"^[ \t]*export[ \t]+(?P<name>[A-Z]\w*)=", re.MULTILINE)


_own: frozenset[str] = frozenset()
"""Names that users' catalogs add, of all configurations together: to read one too many does no harm."""


def learn(names: Iterable[str]) -> None:
    """Have the variables of a user's catalog read, too, and those that a slip makes of their names."""
    global _own
    new = frozenset(filter(_WORD.fullmatch, names)) - _names()
    if new:
        _own |= new
        for known in (_names, is_variable, stems, _parts, _lines, _by_half, _heads, assigned):
            known.cache_clear()


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.model import Surface

    try:
        return load().names(Surface.ENV) | _own
    except CatalogError:
        # Whoever uses the catalog next tells the user.
        return frozenset()


@lru_cache(maxsize=4096)
def is_variable(name: str) -> bool:
    """Tell whether a variable is worth reading."""
    if name.startswith(_PREFIXES) or name in _names():
        return True
    return any(name in _slips(known) for known in _alike(name)) or _slips_in_head(name)


@lru_cache(maxsize=1)
def stems() -> Words[str]:
    """Return texts of which each name that `is_variable` knows holds one."""
    short = (name for name in _names() if not name.startswith(_PREFIXES) and not _is_long(name))
    return Words({*_PREFIXES, *_by_half(), *short, *(f"_{tail}" for tail in _heads())})


def named(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Yield what `pattern`, which finds names and never a line's end, finds of variables worth reading, in the order of the text.

    It is only tried in lines with a part of such a name: that is known ten times sooner.
    """
    last = len(text) if end is None else end
    whole = last - start == len(text)
    for begin, behind in _lines(text) if whole else _lines_around(stems().places(text, start, last), text, start, last):
        for match in pattern.finditer(text, begin, behind):
            if is_variable(match.group()):
                yield match


def most_names(text: str) -> int:
    """Return how many names of variables worth reading `text` has at most."""
    return len(_parts(text))


# Several readers ask about one text, one after the other.
@lru_cache(maxsize=2)
def _parts(text: str) -> list[tuple[int, int]]:
    return stems().places(text)


@lru_cache(maxsize=2)
def _lines(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_lines_around(_parts(text), text, 0, len(text)))


def _lines_around(parts: Iterable[tuple[int, int]], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each line that holds one of `parts` begins and ends, as far as it stands between `start` and `end`."""
    done = start
    for _, place in parts:
        if place >= done:
            begin = max(done, text.rfind("\n", start, place) + 1)
            done = text.find("\n", place, end)
            done = done if done >= 0 else end
            yield begin, done


def _is_long(name: str) -> bool:
    """Tell whether a slip in a name of the catalog without a prefix of ours is told."""
    return len(name) >= _LONG and "_" in name and not name.startswith(_PREFIXES)


@lru_cache(maxsize=1)
def _by_half() -> Mapping[str, frozenset[str]]:
    """Return the long names by each of their halves, of which a slip leaves one: it takes two neighbours at most."""
    found: dict[str, set[str]] = {}
    for name in filter(_is_long, _names()):
        half = (len(name) - 2) // 2
        for part in (name[:half], name[-half:]):
            found.setdefault(part, set()).add(name)
    return {part: frozenset(names) for part, names in found.items()}


def _alike(name: str) -> frozenset[str]:
    """Return the long names that `name` may be a slip in."""
    long = _by_half()
    halves = range(max(_LONG, len(name) - 1) // 2 - 1, (len(name) + 1) // 2)
    return frozenset().union(*(long.get(part, ()) for half in halves for part in (name[:half], name[-half:])))


@lru_cache(maxsize=256)
def _slips(name: str) -> frozenset[str]:
    """Return a name with a letter missing, doubled, or swapped with its neighbour.

    Another letter, or one more, may be another name.
    """
    found: set[str] = set()
    for at in range(len(name)):
        if not name[at].isdigit():
            here, rest = name[: at + 1], name[at + 1 :]
            found |= {here[:-1] + rest, here + here[-1] + rest, here[:-1] + rest[:1] + here[-1] + rest[1:]}
    return frozenset(found - {name, f"{name}{name[-1]}", name.removesuffix("S")})


@lru_cache(maxsize=1)
def _heads() -> dict[str, frozenset[str]]:
    """Return what our names start with, up to the first `_`, by what stands behind that."""
    found: dict[str, set[str]] = {}
    for name in _names():
        head, _, tail = name.partition("_")
        if len(name) >= _LONG - 1 and name.startswith(_PREFIXES) and tail:
            found.setdefault(tail, set()).add(head)
    return {tail: frozenset(heads) for tail, heads in found.items()}


def _slips_in_head(name: str) -> bool:
    """Tell whether a name differs from one of ours by a slip in what it starts with: `ASCNED_`, `PYTHORCH_`.

    Another letter may be another program's name (`NCCL_` beside `HCCL_`), and so may a letter more or less of a short one
    (`CCL_`, `HCL_`).
    """
    head, _, tail = name.partition("_")
    return len(name) >= _LONG and any(_is_slip(head, right) for right in _heads().get(tail, ()))


def _is_slip(head: str, right: str) -> bool:
    if len(head) == len(right):
        return head[:1] == right[:1] and any(
            head == right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(1, len(right) - 1)
        )
    longer, shorter = (head, right) if len(head) > len(right) else (right, head)
    if len(right) < _LONG_HEAD or len(longer) != len(shorter) + 1:
        return False
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer)))


@lru_cache(maxsize=2)
def assigned(text: str) -> tuple[re.Match[str], ...]:
    """Return the places at which variables worth reading seem to get a value, in the order of the text."""
    return tuple(named(_ASSIGNED, text))


def names_variable(text: str) -> bool:
    """Tell whether a variable worth reading is named in `text`."""
    return next(named(_WORD, text), None) is not None


def exports_variable(script: str) -> bool:
    """Tell whether a line of `script` exports a variable worth reading."""
    return any(is_variable(match["name"]) for match in _EXPORT.finditer(script))


def keys(text: str, start: int = 0, end: int | None = None) -> list[re.Match[str]]:
    """Return the places at which such variables are keys of an environment in JSON: `'{"env_vars": {"X": "v"}}'`."""
    stop = len(text) if end is None else end
    if text.find("env", start, stop) < 0 and text.find("Env", start, stop) < 0:
        return []
    return list(named(_KEY, text, start, stop))
