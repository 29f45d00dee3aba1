"""Variables that a script takes out of the environment again: what is set later has nothing to do with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages.branches import Arm, Branch, exclusive, in_order, reaches, subshells
from npu_lsp.languages.model import Block, Fact, FactKind, Setting, Value, ValueKind
from npu_lsp.languages.shell.environment import environment_block
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_STATEMENTS = ("unset", "export", "declare", "typeset")
_BLANK = re.compile(r"[ \t]+")
_NO_LONGER = re.compile(r"-[A-Za-mo-z]*n[A-Za-z]*|\+[A-Za-wyz]*x[A-Za-z]*")
_FUNCTIONS = re.compile(r"-[A-Za-eg-z]*f[A-Za-z]*")
_MOST = 100
"""Statements that are told of each variable; a script that has more of them does nothing else."""


class Unset(NamedTuple):
    """One variable that a statement takes out."""

    name: str
    span: Span
    branch: Branch


def taking_out(text: str) -> Iterator[int]:
    """Yield where statements seem to start that take variables out of the environment."""
    for word in _STATEMENTS:
        at = text.find(word)
        while at >= 0:
            blank = _BLANK.match(text, at + len(word))
            if blank is not None and (word == "unset" or text[blank.end() : blank.end() + 1] in ("-", "+")):
                yield at
            at = text.find(word, at + 1)


def unset_by(words: Sequence[ShellWord], branch: Branch) -> Iterator[Unset]:
    """Yield the variables that `unset X`, `export -n X` or `declare +x X` takes out of the environment."""
    options = [word.lead for word in words[1:] if word.lead.startswith(("-", "+"))]
    if words[0].text == "unset":
        if any(_FUNCTIONS.fullmatch(each) for each in options):
            return
    elif not any(_NO_LONGER.fullmatch(each) for each in options):
        return
    for word in words[1:]:
        text = word.text
        if text and text.isidentifier():
            yield Unset(text, word.span, branch)


def environments(settings: Sequence[Setting], gone: Sequence[Unset], *, open_: bool) -> Iterator[Block]:
    """Yield the blocks of the exports of a script: those that stay, and those that are taken out together.

    What a subshell exports is taken out where it ends.
    """
    taken: dict[str, list[tuple[Unset, Fact, Fact]]] = {}
    for each in gone[:_MOST]:
        ended, apart = (_fact(kind, each) for kind in (FactKind.UNSET, FactKind.UNSET_APART))
        taken.setdefault(each.name, []).append((each, ended, apart))
    found: dict[int, list[Setting]] = {}
    facts: dict[int, dict[int, Fact]] = {}
    left: dict[tuple[str, Arm], Fact] = {}
    last = max((setting.key.start for setting in settings), default=0)
    for setting in settings:
        named = taken.get(setting.name, ())
        ends = [fact for each, fact, _ in named if _takes(each, setting)]
        others = [fact for each, _, fact in named if _is_apart(each, setting)]
        times = len(ends)
        for arm in subshells(setting.branch)[-1:]:
            times += arm.arm <= last  # Nothing that stands before it is apart from what stands in it.
            if len(left) < _MOST:
                gone_there = Unset(setting.name, Span(arm.arm - 1, arm.arm), setting.branch)
                ends.append(left.setdefault((setting.name, arm), _fact(FactKind.UNSET, gone_there)))
        found.setdefault(times, []).append(setting)
        facts.setdefault(times, {}).update((id(fact), fact) for fact in (*ends, *others))
    for times, together in found.items():
        block = environment_block(together, open_=open_ or len(found) > 1)
        yield block._replace(facts=tuple(facts[times].values()))


def _fact(kind: FactKind, unset: Unset) -> Fact:
    return Fact(kind, unset.span, Value(ValueKind.WORD, unset.span, True, unset.name), unset.branch)


def _is_apart(unset: Unset, setting: Setting) -> bool:
    """Return whether `unset` stands in another branch, or in a subshell that the setting outlives."""
    return exclusive(unset.branch, setting.branch) or not reaches(unset.branch, setting.branch)


def _takes(unset: Unset, setting: Setting) -> bool:
    """Return whether `unset` may run after `setting`, and in the same shell."""
    if not reaches(unset.branch, setting.branch):
        return False
    if exclusive(unset.branch, setting.branch):
        # Functions count as arms of one branching, and one may well clean up after the other.
        return not in_order(unset.branch, setting.branch)
    return unset.span.start > setting.key.start or not in_order(unset.branch, setting.branch)
