"""Answers at the target of an assignment or as its value: an entry of a map, a variable, an attribute of options."""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.surfaces import ROWS, Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.python.completing import answers
from npu_lsp.languages.python.completing.fragment import Fragment
from npu_lsp.languages.python.source import Role, RoleKind
from npu_lsp.text import lazy_re as re

_OWNER = re.compile(r"(?<![\w.)\]])(?P<owner>[^\W\d][\w.]*(?:\(\)[\w.]*|\[[^\[\]]*\][\w.]*)*)\s*\Z")
_KEY = r"""\[\s*[bBuUrR]?(?P<quote>["'])(?P<key>[^"'\]\r\n]*)(?P=quote)\s*\]"""
_ENTRY = re.compile(
    rf"(?<![\w.)])(?P<owner>[^\W\d][\w.]*(?:\(\)[\w.]*)*)\s*{_KEY}\s*\.\s*(?P<slot>\w*)\s*(?P<assigned>=(?!=)\s*(?P<value>[\s\S]*))?\Z"
)
_VARIABLE = re.compile(rf"(?<![\w.])(?P<owner>[^\W\d][\w.]*)\s*{_KEY}\s*=(?!=)\s*(?P<value>[\s\S]*)\Z")
_OPTIMIZER_NAME = re.compile(r"(?<![\w.])(?P<receiver>[^\W\d][\w.]*)\s*\.\s*name\s*=\s*\Z")
_TYPED = re.compile(r"\s*(?P<typed>[^\W\d]\w*|)\Z")
_LIKELY = re.compile(r"custom_op|optimi[sz]er")
_OWN = frozenset({"os.environ", "environ"})


def answer_entry(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
    """Return what is wanted in a subscript, behind one, or in an optimizer's name."""
    if at.brackets and at.brackets[-1].sign == "[":
        return _subscript(at, roles)
    code = at.code
    entry = _ENTRY.search(code)
    if entry is not None and _part(entry["owner"], roles) is RoleKind.MAP:
        return _entry(at, entry, code)
    variable = _VARIABLE.search(code)
    if variable is not None and _part(variable["owner"], roles) is RoleKind.ENVIRONMENT:
        return answers.value(at, variable["value"], Surface.ENV, variable["key"])
    if at.quote and not at.brackets:
        named = _OPTIMIZER_NAME.search(code)
        if named is not None and _is_optimizer(named["receiver"], roles):
            return answers.optimizer_name(at)
    return None


def _part(owner: str, roles: Mapping[str, Role]) -> RoleKind | None:
    if owner.rpartition(".")[2] == "parameter_map":
        return RoleKind.MAP
    if owner in _OWN:
        return RoleKind.ENVIRONMENT
    role = roles.get(owner)
    return role.kind if role is not None else None


def _is_optimizer(receiver: str, roles: Mapping[str, Role]) -> bool:
    role = roles.get(receiver)
    return (role is not None and role.kind is RoleKind.OPTIMIZER) or bool(_LIKELY.search(receiver))


def _subscript(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
    bracket = at.brackets[-1]
    owner = _OWNER.search(at.before(bracket))
    part = _part(owner["owner"], roles) if owner else None
    if part not in (RoleKind.MAP, RoleKind.ENVIRONMENT):
        return None
    surface = Surface.SESSION if part is RoleKind.MAP else Surface.ENV
    behind = "]." if part is RoleKind.MAP else "]"
    if at.quote:
        inside = at.text[bracket.at + 1 : at.literal].strip()
        return answers.key_in_literal(at, surface, behind) if not inside else None
    typed = _TYPED.match(at.argument(bracket))
    if typed is None:
        return None
    rest = at.rest.lstrip("\"'")
    after = '"' if rest.startswith("]") else '"' + behind
    return answers.key(at, surface, typed["typed"], before='"', after=after)


def _entry(at: Fragment, entry: re.Match[str], code: str) -> CompletionContext | None:
    if entry["assigned"] is not None:
        return answers.value(at, entry["value"], Surface.SESSION, entry["key"], entry["slot"])
    if at.quote or not code.endswith(entry["slot"]):
        return None
    span = answers.word_span(at, entry["slot"])
    after = "" if at.text[span.end : at.line_end].lstrip().startswith("=") else " = "
    return CompletionContext(CompletionKind.SLOT, Surface.SESSION, span, entry["slot"], entry["key"], after=after)


_NAME = r"[^\W\d]\w*(?:\s*\(\s*\))?"
_TARGET = re.compile(
    rf"(?<![\w.])(?P<owner>{_NAME}(?:\s*\.\s*{_NAME}){{0,9}}?)\s*\.\s*(?P<typed>\w*)(?P<assigned>(?:(?<=\w)\s*)?=(?!=)(?P<value>[^=]*))?\Z"
)
_LONGEST = 1_000
"""Characters of a statement before the cursor that are looked at."""
_SETATTR = re.compile(r"\bsetattr\s*\Z")
_ARGUMENTS = re.compile(
    r"""\s*(?P<owner>[^,\s](?:[^,]*[^,\s])?)\s*,\s*(?:(?P<key>["'][\w.]*["'])\s*,\s*(?P<value>[\s\S]*))?\Z"""
)
_ROOTS = tuple((f"{root}.", surface) for surface, row in ROWS.items() for root in row.roots)
_GLOBAL = re.compile(r"(?:^|\.)global_options\(\)")


def answer_attribute(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
    """Return what is wanted at the attribute of an options object, or as its value."""
    if at.brackets and at.brackets[-1].sign == "(" and _SETATTR.search(at.before(at.brackets[-1])):
        return _set(at, roles)
    code = at.code
    if ";" in code and not at.brackets:
        code = code[code.rfind(";") + 1 :]
    target = _TARGET.search(code, max(0, len(code) - _LONGEST))
    if target is None:
        return None
    found = _group(re.sub(r"\s", "", target["owner"]), roles)
    if found is None:
        return None
    surface, group = found
    prefix = group + "." if group else ""
    if target["assigned"] is not None:
        return answers.value(at, target["value"].lstrip(), surface, prefix + target["typed"])
    if at.quote:
        return None
    span = answers.word_span(at, target["typed"])
    rest = at.text[span.end : at.line_end].strip()
    begins = not at.brackets and not code[: target.start()].strip()
    return answers.key(at, surface, target["typed"], after=" = " if begins and not rest else "", prefix=prefix)


def _group(written: str, roles: Mapping[str, Role]) -> tuple[Surface, str] | None:
    """Return the surface and the group of options that a dotted expression means."""
    call = _GLOBAL.search(written)
    if call is not None:
        return Surface.GLOBAL_OPTIONS, written[call.end() :].strip(".")
    for root, surface in _ROOTS:
        if written.startswith(root):
            return surface, written[len(root) :]
    name, rest = written, ""
    while name:
        role = roles.get(name)
        if role is not None and role.kind is RoleKind.OPTIONS:
            return role.surface, ".".join(part for part in (role.group, rest) if part)
        name, _, last = name.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return None


def _set(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
    """Answer in `setattr(options, "name", value)`."""
    bracket = at.brackets[-1]
    end = at.literal if at.quote else at.cursor
    arguments = _ARGUMENTS.match(at.text[bracket.at + 1 : end])
    found = _group(re.sub(r"\s", "", arguments["owner"]), roles) if arguments else None
    if arguments is None or found is None:
        return None
    surface, group = found
    prefix = group + "." if group else ""
    if arguments["key"]:
        return answers.value(at, arguments["value"] or "", surface, prefix + arguments["key"][1:-1])
    if not at.quote:
        return None
    answered = answers.key_in_literal(at, surface, ", ")
    return CompletionContext(
        answered.wanted, surface, answered.replace, answered.typed, after=answered.after, prefix=prefix
    )
