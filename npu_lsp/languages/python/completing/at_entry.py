"""Answers in `op.parameter_map["key"].slot = value`, in `os.environ["NAME"] = value` and in `op.name = "..."`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.python.completing import answers
from npu_lsp.languages.python.completing.fragment import Fragment
from npu_lsp.languages.python.roles import Role, RoleKind
from npu_lsp.languages.wanted import Cursor, Wanted

_OWNER = re.compile(r"(?<![\w.)\]])(?P<owner>[^\W\d][\w.]*(?:\(\)[\w.]*|\[[^\[\]]*\][\w.]*)*)\s*\Z")
_KEY = r"""\[\s*[bBuUrR]?(?P<quote>["'])(?P<key>[^"'\]\r\n]*)(?P=quote)\s*\]"""
_ENTRY = re.compile(
    rf"(?<![\w.)])(?P<owner>[^\W\d][\w.]*(?:\(\)[\w.]*)*)\s*{_KEY}\s*\.\s*(?P<slot>\w*)\s*(?P<assigned>=(?!=)\s*(?P<value>[\s\S]*))?\Z"
)
_VARIABLE = re.compile(rf"(?<![\w.])(?P<owner>[^\W\d][\w.]*)\s*{_KEY}\s*=(?!=)\s*(?P<value>[\s\S]*)\Z")
_NAME = re.compile(r"(?<![\w.])(?P<receiver>[^\W\d][\w.]*)\s*\.\s*name\s*=\s*\Z")
_TYPED = re.compile(r"\s*(?P<typed>[^\W\d]\w*|)\Z")
_LIKELY = re.compile(r"custom_op|optimi[sz]er")
_OWN = frozenset({"os.environ", "environ"})


def answer(at: Fragment, roles: Mapping[str, Role]) -> Cursor | None:
    """Return what is wanted in a subscript, behind one, or in an optimizer's name."""
    if at.brackets and at.brackets[-1].sign == "[":
        return _key(at, roles)
    code = at.code
    entry = _ENTRY.search(code)
    if entry is not None and _part(entry["owner"], roles) is RoleKind.MAP:
        return _entry(at, entry, code)
    variable = _VARIABLE.search(code)
    if variable is not None and _part(variable["owner"], roles) is RoleKind.ENVIRONMENT:
        return answers.value(at, variable["value"], Surface.ENV, variable["key"])
    if at.quote and not at.brackets:
        named = _NAME.search(code)
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


def _key(at: Fragment, roles: Mapping[str, Role]) -> Cursor | None:
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


def _entry(at: Fragment, entry: re.Match[str], code: str) -> Cursor | None:
    if entry["assigned"] is not None:
        return answers.value(at, entry["value"], Surface.SESSION, entry["key"], entry["slot"])
    if at.quote or not code.endswith(entry["slot"]):
        return None
    span = answers.word_span(at, entry["slot"])
    after = "" if at.text[span.end : at.line_end].lstrip().startswith("=") else " = "
    return Cursor(Wanted.SLOT, Surface.SESSION, span, entry["slot"], entry["key"], after=after)
