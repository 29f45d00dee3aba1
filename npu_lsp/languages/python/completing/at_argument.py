"""Answers between the brackets of calls: `NPURunConfig(...)`, `set_option({...})`, `os.environ.update({...})`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS, DictCall
from npu_lsp.catalog.surfaces import ARGUMENTS, CALLS, Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.python.completing import answers
from npu_lsp.languages.python.completing.fragment import Bracket, Fragment
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.languages.python.tree.statement import parsed
from npu_lsp.text import lazy_re as re

_CALLED = re.compile(r"(?<![\w.)])(?P<name>[^\W\d][\w.]*(?:\(\)[\w.]*)*)\s*\Z")
_KEYWORD = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*=(?!=)\s*(?P<value>[\s\S]*)\Z")
_NEW_LINE = re.compile(r"(?:\r\n|\n|\r)(?=[ \t]*(?:[^\W\d]\w*[ \t]*=(?!=)|\w*\Z))")
_MOST_LINES, _LONGEST = 10, 1_000
"""Lines and characters that are looked through for an argument without its comma."""
_NAME = re.compile(r"\s*(?P<typed>[^\W\d]\w*|)\Z")
_PAIR = re.compile(r"""\s*[bBuUrR]?(["'])(?P<key>[^"'\r\n]*)\1\s*(?P<sign>[:,])\s*(?P<value>[\s\S]*)\Z""")
_ENVIRONMENT = re.compile(r"(?:^|\W)env\s*=\s*\Z")
_CONFIG = re.compile(r"""\badditional_config(?:\s*=\s*|["']\s*:\s*)\Z""")
_PROVIDER = re.compile(r"""["']CANNExecutionProvider["']\s*,\s*\Z""")
_OWNER = re.compile(r"""["'](?P<key>[^"'\r\n]*)["']\s*:\s*\Z""")
_PUTS = frozenset({"os.putenv", "putenv", "os.environ.setdefault", "environ.setdefault"})
_UPDATES = frozenset({"os.environ.update", "environ.update"})


class _Call(NamedTuple):
    """What a call's arguments, or the entries of a dict in it, mean."""

    surface: Surface
    options: Literal["keywords", "entries", "pair"]
    """What they are: its keywords, keys of a dict, or the first argument, whose value is the second one."""
    prefix: str = ""
    module: str = ""
    """What stands before the call's name, with its dot."""
    argument: DictCall | None = None
    """Which argument is the dict; `None`: any."""
    parameters: tuple[str, ...] = ()
    """The options that may stand without their names, in order."""


def answer(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
    """Return what is wanted in the innermost call that sets options."""
    dicts: list[Bracket] = []
    for bracket in at.innermost:
        before = at.before(bracket)
        if bracket.sign == "{":
            if not dicts and _ENVIRONMENT.search(before):
                return _entry(at, bracket, _Call(Surface.ENV, "entries"))
            if not dicts and _PROVIDER.search(before):
                return _entry(at, bracket, _Call(Surface.ONNXRUNTIME, "entries"))
            if _CONFIG.search(before):
                return _grouped(at, [*dicts, bracket])
            dicts.append(bracket)
            continue
        if bracket.sign != "(":
            continue
        called = _CALLED.search(before)
        call = _meaning(called["name"], roles) if called else None
        if call is None:
            continue
        return _in_call(at, bracket, dicts, call)
    return None


def _in_call(at: Fragment, bracket: Bracket, dicts: list[Bracket], call: _Call) -> CompletionContext | None:
    """Return what is wanted in a call, within the `dicts` that are open there."""
    if dicts and call.argument is not None:
        return _dict(at, bracket, dicts, call, call.argument)
    if dicts and call.options == "keywords" and call.surface.row.nested == "entries":
        return _argument(at, bracket, dicts, call)
    if dicts and call.options != "pair":
        return _entry(at, dicts[0], call)
    if call.options == "pair":
        return _pair(at, bracket, call)
    return _keyword(at, bracket, call) if call.options == "keywords" else None


def _meaning(name: str, roles: Mapping[str, Role]) -> _Call | None:
    last = name.rpartition(".")[2]
    role = roles.get(name)
    if role is not None and role.kind is RoleKind.CALL:
        last = role.group
    if last == RUN_CONFIG:
        return _Call(Surface.RUN_CONFIG, "keywords")
    if last in RUN_CONFIG_PARTS:
        return _Call(Surface.RUN_CONFIG, "keywords", prefix=last + ".")
    if name in _PUTS:
        return _Call(Surface.ENV, "pair")
    return _Call(Surface.ENV, "entries") if name in _UPDATES else _of_rows(name, last, known=role is not None)


def _of_rows(name: str, last: str, *, known: bool) -> _Call | None:
    """Return the call of a surface's row that `name` is; one that isn't `known` by a role needs its module."""
    module = name.rpartition(".")[0]
    for surface, taking in ARGUMENTS:
        if last == taking.name and (known or module in taking.modules):
            given = () if taking.keywords else taking.parameters
            return _Call(surface, "keywords", taking.prefix, module and f"{module}.", parameters=given)
    for surface, meant in CALLS:
        if last == meant.name and (known or not {*module.split(".")}.isdisjoint(meant.modules)):
            return _Call(surface, "entries", argument=meant)
    return None


def _keyword(at: Fragment, bracket: Bracket, call: _Call) -> CompletionContext | None:
    """Answer in `Call(name=value)`."""
    *before, argument = _parted(at.argument(bracket))
    keyword = _KEYWORD.match(argument)
    if keyword is not None:
        found = answers.value(at, keyword["value"], call.surface, call.prefix + keyword["name"])
        return found._replace(module=call.module) if found is not None else None
    typed = _NAME.match(argument)
    if typed is None or at.quote:
        return _positional(at, bracket, call, argument) if not before else None
    behind = at.text[answers.word_span(at, typed["typed"]).end :]
    after = "" if behind[:80].lstrip(" \t").startswith("=") else "="
    there = (_KEYWORD.match(each) for each in before)
    present = at.keywords(bracket) | {found["name"] for found in there if found}
    return answers.key(at, call.surface, typed["typed"], after=after, present=present, prefix=call.prefix)


def _positional(at: Fragment, bracket: Bracket, call: _Call, argument: str) -> CompletionContext | None:
    """Answer in `call(value)`, where nothing but its place says which option the value is for."""
    place = len(bracket.arguments) - 1
    if place >= len(call.parameters) or at.keywords(bracket):
        return None
    found = answers.value(at, argument, call.surface, call.prefix + call.parameters[place])
    return found._replace(module=call.module) if found is not None else None


def _parted(argument: str) -> list[str]:
    """Return the arguments in what stands between two commas: one between two lines is what people forget most.

    A line that begins with a name, behind an argument that is whole, can't go on with it.
    """
    parts: list[str] = []
    start = 0
    for line in list(_NEW_LINE.finditer(argument))[:_MOST_LINES]:
        if _is_whole(argument[start : line.start()]):
            parts.append(argument[start : line.start()])
            start = line.end()
    return [*parts, argument[start:]]


def _is_whole(argument: str) -> bool:
    return bool(argument.strip()) and len(argument) <= _LONGEST and parsed(f"f({argument}\n)") is not None


def _dict(
    at: Fragment, bracket: Bracket, dicts: list[Bracket], call: _Call, meant: DictCall
) -> CompletionContext | None:
    """Answer in the dict that is an argument of a call, or in one in it, whose keys are options, too."""
    keyword = _KEYWORD.match(at.argument(bracket))
    if keyword["name"] != meant.keyword if keyword is not None else len(bracket.arguments) - 1 != meant.position:
        return None
    owners = [_OWNER.search(at.before(each)) for each in reversed(dicts[:-1])]
    if owners and call.surface.row.nested != "entries":
        return None
    path = "".join(f"{owner['key']}." for owner in owners if owner is not None)
    return _entry(at, dicts[0], call._replace(prefix=path)) if None not in owners else None


def _argument(at: Fragment, bracket: Bracket, dicts: list[Bracket], call: _Call) -> CompletionContext | None:
    """Answer in a dict that is the value of an argument, or in one in it."""
    keyword = _KEYWORD.match(at.argument(bracket))
    owners = [_OWNER.search(at.before(each)) for each in reversed(dicts[:-1])]
    if keyword is None or None in owners:
        return None
    path = ".".join((f"{call.prefix}{keyword['name']}", *(owner["key"] for owner in owners if owner is not None)))
    other = dict(call.surface.row.inner).get(path)
    return _entry(
        at, dicts[0], _Call(Surface(other), "entries") if other is not None else call._replace(prefix=f"{path}.")
    )


def _grouped(at: Fragment, dicts: list[Bracket]) -> CompletionContext | None:
    """Answer in a dict of vLLM-Ascend's keys, or in one of the groups in it."""
    owners = [_OWNER.search(at.before(each)) for each in reversed(dicts[:-1])]
    if None in owners:
        return None
    path = "".join(f"{owner['key']}." for owner in owners if owner is not None)
    return _entry(at, dicts[0], _Call(Surface.ADDITIONAL_CONFIG, "entries", prefix=path))


def _entry(at: Fragment, bracket: Bracket, call: _Call) -> CompletionContext | None:
    """Answer in `{"NAME": value}`."""
    argument = at.argument(bracket)
    pair = _PAIR.match(argument)
    if pair is not None and pair["sign"] == ":":
        return answers.value(at, pair["value"], call.surface, call.prefix + pair["key"])
    if at.quote and not argument.strip():
        return answers.key_in_literal(at, call.surface, ": ", call.prefix)
    return None


def _pair(at: Fragment, bracket: Bracket, call: _Call) -> CompletionContext | None:
    """Answer in `setdefault("NAME", value)`."""
    if len(bracket.arguments) == 1:
        return answers.key_in_literal(at, call.surface, ", ") if at.quote and not at.argument(bracket).strip() else None
    end = at.literal if at.quote else at.cursor
    pair = _PAIR.match(at.text[bracket.arguments[0] : end])
    if pair is None or len(bracket.arguments) != 2:
        return None
    return answers.value(at, pair["value"], call.surface, pair["key"])
