"""What a regular expression can be fed with: texts made from its own literals and classes, and ways into its loops."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice, product
from typing import Any, NamedTuple

# The only account of a pattern's parts that cannot differ from what is run; it has no types that could be told.
_OLD = sys.version_info < (3, 11)
op: Any = import_module("sre_constants" if _OLD else "re._constants")
parser: Any = import_module("sre_parse" if _OLD else "re._parser")
_LOOPS = (op.MAX_REPEAT, op.MIN_REPEAT, getattr(op, "POSSESSIVE_REPEAT", None))

_ORDINARY = "a0_ -.,:=/\\\"'([{<>|#$%&*+@~\t\n\r中"
_CATEGORIES = {
    op.CATEGORY_DIGIT: "0",
    op.CATEGORY_NOT_DIGIT: "a ",
    op.CATEGORY_SPACE: " \t\n",
    op.CATEGORY_NOT_SPACE: "a0.",
    op.CATEGORY_WORD: "a0_",
    op.CATEGORY_NOT_WORD: " .",
}
_MOST_PAIRS = 120
_PAIRS_BEHIND = 3
"""So many ways into loops are tried with pairs, too; the others with single parts."""
_MOST_WAYS = 4


class Fed(NamedTuple):
    """What leads up to a part of a pattern, and what may be repeated from there."""

    prefix: str
    unit: str


def feeds(pattern: re.Pattern[Any]) -> Iterator[Fed]:
    """Yield every unit of a pattern, alone and in pairs, at its beginning and behind what leads into each of its loops."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(written, pattern.flags & ~re.UNICODE & ~re.LOCALE)
    atoms = list(dict.fromkeys(_atoms(tree)))
    signs = [atom for atom in atoms if len(atom) == 1]
    words = [atom for atom in atoms if len(atom) > 1]
    pairs = list(islice((a + b for a, b in _mixed(signs, words) if a != b), _MOST_PAIRS))
    prefixes = list(dict.fromkeys(["", *_ways(tree, "")]))
    for number, prefix in enumerate(prefixes):
        yield from (Fed(prefix, unit) for unit in atoms)
        if number <= _PAIRS_BEHIND:
            yield from (Fed(prefix, unit) for unit in pairs)
        # What a search begins anew at every step.
        if prefix:
            yield Fed("", prefix)
            yield from (Fed("", prefix + sign) for sign in signs)


def _mixed(signs: list[str], words: list[str]) -> Iterator[tuple[str, str]]:
    yield from product(words, repeat=2)
    yield from product(signs, repeat=2)
    yield from product(words, signs)
    yield from product(signs, words)


def _children(code: Any, argument: Any) -> Sequence[Any]:
    """Return the patterns that a part holds."""
    if code in _LOOPS:
        return [argument[2]]
    if code is op.BRANCH:
        return list(argument[1])
    if code is op.SUBPATTERN:
        return [argument[3]]
    if code is getattr(op, "ATOMIC_GROUP", None):
        return [argument]
    if code in (op.ASSERT, op.ASSERT_NOT):
        return [argument[1]]
    if code is op.GROUPREF_EXISTS:
        return [each for each in argument[1:] if each is not None]
    return []


def _atoms(tree: Any) -> Iterator[str]:
    """Yield what the pattern's smallest parts take: characters, words, and one turn of each loop."""
    run = ""
    for code, argument in tree:
        if code is op.LITERAL:
            run += chr(argument)
            yield chr(argument)
            continue
        if len(run) > 1:
            yield run
        run = ""
        yield from _signs(code, argument)
        for child in _children(code, argument):
            yield from _atoms(child)
            if code in _LOOPS:
                yield from (said for said in islice(_samples(child), _MOST_WAYS) if said)
    if len(run) > 1:
        yield run


def _signs(code: Any, argument: Any) -> str:
    """Return characters that a part takes which takes one: some of each of its members."""
    if code is op.LITERAL:
        return chr(argument)
    if code is op.NOT_LITERAL:
        return "".join(sign for sign in _ORDINARY if ord(sign) != argument)[:3]
    if code is op.ANY:
        return "a "
    if code is not op.IN:
        return ""
    if argument[0][0] is op.NEGATE:
        taken = {sign for sign in _ORDINARY if _is_in(sign, argument[1:])}
        # What it does not take ends it, and is where the next part begins.
        return "".join(sign for sign in _ORDINARY if sign not in taken)[:4] + "".join(sorted(taken))
    found = ""
    for kind, value in argument:
        if kind is op.LITERAL:
            found += chr(value)
        elif kind is op.RANGE:
            found += chr(value[0])
        elif kind is op.CATEGORY:
            found += _CATEGORIES[value]
    return found


def _is_in(sign: str, members: Any) -> bool:
    return any(
        (kind is op.LITERAL and ord(sign) == value)
        or (kind is op.RANGE and value[0] <= ord(sign) <= value[1])
        or (kind is op.CATEGORY and sign in _CATEGORIES[value])
        for kind, value in members
    )


def _samples(tree: Any) -> Iterator[str]:
    """Yield some texts that a pattern takes, where it looks at nothing around them."""
    parts = [list(islice(_part(code, argument), 3)) for code, argument in tree]
    if all(parts):
        yield "".join(part[0] for part in parts)
        for number, part in enumerate(parts):
            for other in part[1:]:
                yield "".join(p[0] for p in parts[:number]) + other + "".join(p[0] for p in parts[number + 1 :])


def _part(code: Any, argument: Any) -> Iterator[str]:
    if code in _LOOPS:
        least, most, child = argument
        # One turn more than it needs shows what it is about.
        for times in dict.fromkeys((max(least, min(1, most)), least)):
            for said in islice(_samples(child), 2):
                yield said * times
    elif code in (op.AT, op.ASSERT, op.ASSERT_NOT, op.GROUPREF, op.GROUPREF_EXISTS):
        yield ""
    elif code is op.BRANCH:
        for branch in argument[1]:
            yield from islice(_samples(branch), 1)
    elif _children(code, argument):
        yield from islice(_samples(_children(code, argument)[0]), 3)
    else:
        signs = _signs(code, argument)
        if code is op.IN and argument[0][0] is op.NEGATE:
            signs = signs[-3:]
        yield from signs


def _ways(tree: Any, before: str) -> Iterator[str]:
    """Yield what leads to each loop in a pattern."""
    for number, (code, argument) in enumerate(tree):
        leading = [before]
        if number:
            leading = [before + said for said in islice(_samples(tree[:number]), _MOST_WAYS)] or [before]
        if code in _LOOPS:
            yield from leading
        for child in _children(code, argument):
            yield from _ways(child, leading[0])
