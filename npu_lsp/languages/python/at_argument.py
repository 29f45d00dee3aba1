"""Answers between the brackets of calls: `NPURunConfig(...)`, `set_option({...})`, `os.environ.update({...})`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Cursor
from npu_lsp.languages.python import answers
from npu_lsp.languages.python.fragment import Bracket, Fragment
from npu_lsp.languages.python.roles import Part, Role
from npu_lsp.languages.python.run_config import NESTED, RUN_CONFIG

_CALLED = re.compile(r"(?<![\w.)])(?P<name>[^\W\d][\w.]*(?:\(\)[\w.]*)*)\s*\Z")
_KEYWORD = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*=(?!=)\s*(?P<value>[\s\S]*)\Z")
_NAME = re.compile(r"\s*(?P<typed>[^\W\d]\w*|)\Z")
_PAIR = re.compile(r"""\s*[bBuUrR]?(["'])(?P<key>[^"'\r\n]*)\1\s*(?P<sign>[:,])\s*(?P<value>[\s\S]*)\Z""")
_ENVIRONMENT = re.compile(r"(?:^|\W)env\s*=\s*\Z")
_PUTS = frozenset({"os.putenv", "putenv", "os.environ.setdefault", "environ.setdefault"})
_UPDATES = frozenset({"os.environ.update", "environ.update"})


class _Call(NamedTuple):
    """What a call's arguments, or the entries of a dict in it, mean."""

    surface: Surface
    keywords: bool = False
    """Options are keywords."""
    entries: bool = False
    """Options are keys of a dict."""
    pair: bool = False
    """The first argument is the option, the second one its value."""
    prefix: str = ""


def answer(at: Fragment, roles: Mapping[str, Role]) -> Cursor | None:
    """Return what is wanted in the innermost call that sets options."""
    entry: Bracket | None = None
    for bracket in at.innermost:
        before = at.before(bracket)
        if bracket.sign == "{" and entry is None:
            if _ENVIRONMENT.search(before):
                return _entry(at, bracket, _Call(Surface.ENV, entries=True))
            entry = bracket
            continue
        if bracket.sign != "(":
            continue
        called = _CALLED.search(before)
        call = _meaning(called["name"], roles) if called else None
        if call is None:
            continue
        if entry is not None and (call.entries or call.keywords):
            return _entry(at, entry, call)
        if call.pair:
            return _pair(at, bracket, call)
        return _keyword(at, bracket, call) if call.keywords else None
    return None


def _meaning(name: str, roles: Mapping[str, Role]) -> _Call | None:
    last = name.rpartition(".")[2]
    role = roles.get(name)
    if role is not None and role.part is Part.CALL:
        last = role.group
    if last == RUN_CONFIG:
        return _Call(Surface.RUN_CONFIG, keywords=True)
    if last in NESTED:
        return _Call(Surface.RUN_CONFIG, keywords=True, prefix=last + ".")
    if last == "set_compile_mode":
        return _Call(Surface.TORCH_NPU, keywords=True)
    if last == "set_option" and "npu" in name:
        return _Call(Surface.TORCH_NPU, entries=True)
    if name in _PUTS:
        return _Call(Surface.ENV, pair=True)
    return _Call(Surface.ENV, entries=True) if name in _UPDATES else None


def _keyword(at: Fragment, bracket: Bracket, call: _Call) -> Cursor | None:
    """Answer in `Call(name=value)`."""
    argument = at.argument(bracket)
    keyword = _KEYWORD.match(argument)
    if keyword is not None:
        return answers.value(at, keyword["value"], call.surface, call.prefix + keyword["name"])
    typed = _NAME.match(argument)
    if typed is None or at.quote:
        return None
    behind = at.text[answers.word_span(at, typed["typed"]).end :]
    after = "" if behind[:80].lstrip(" \t").startswith("=") else "="
    return answers.key(at, call.surface, typed["typed"], after=after, present=at.keywords(bracket), prefix=call.prefix)


def _entry(at: Fragment, bracket: Bracket, call: _Call) -> Cursor | None:
    """Answer in `{"NAME": value}`."""
    argument = at.argument(bracket)
    pair = _PAIR.match(argument)
    if pair is not None and pair["sign"] == ":":
        return answers.value(at, pair["value"], call.surface, pair["key"])
    if at.quote and not argument.strip():
        return answers.key_in_literal(at, call.surface, ": ")
    return None


def _pair(at: Fragment, bracket: Bracket, call: _Call) -> Cursor | None:
    """Answer in `setdefault("NAME", value)`."""
    if len(bracket.arguments) == 1:
        return answers.key_in_literal(at, call.surface, ", ") if at.quote and not at.argument(bracket).strip() else None
    end = at.literal if at.quote else at.cursor
    pair = _PAIR.match(at.text[bracket.arguments[0] : end])
    if pair is None or len(bracket.arguments) != 2:
        return None
    return answers.value(at, pair["value"], call.surface, pair["key"])
