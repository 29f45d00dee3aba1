"""What can be completed at a place, told from the text of its statement: it need not parse.

Inside the text of a command that the script starts the shell's reader answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.catalog.surfaces import ROWS, Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.python.completing import answers, at_argument
from npu_lsp.languages.python.completing.fragment import Fragment, fragment, texts_in
from npu_lsp.languages.python.source import Role, RoleKind, source_of
from npu_lsp.languages.shell.expansions import HOLE
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

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


def _answer_entry(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
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


def _answer_attribute(at: Fragment, roles: Mapping[str, Role]) -> CompletionContext | None:
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


_STARTS = re.compile(
    r"(?:^|[^\w.])(?:os\s*\.\s*(?:system|popen\d?)|get_ipython\(\)\s*\.\s*(?:system|getoutput)|popen"
    r"|(?:\w+\s*\.\s*)?(?:Popen|check_call|check_output|getoutput|getstatusoutput|create_subprocess_shell)"
    r"|(?:subprocess|sp|sub)\s*\.\s*\w+|run|call)\s*\Z"
)
_TOOL = re.compile(r"\s*(?:[\w./-]*/)?(?:" + "|".join((*PROGRAMS, *SERVERS)) + r")(?:\s|\Z)")
_FIELD = re.compile(r"\{[^{}\r\n]*\}|%\(\w+\)[a-z]|%[a-z]")


def cursor_at(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    source = source_of(document)
    index = source.logical_lines.before(offset)
    if index < 0:
        return None
    at = fragment(document.text, source.logical_lines.starts[index], offset)
    if at is None:
        return None
    roles = source.roles
    return (
        _answer_entry(at, roles)
        or at_argument.answer(at, roles)
        or _answer_attribute(at, roles)
        or _in_command(at, source.logical_lines.ends[index])
    )


def _in_command(at: Fragment, end: int) -> CompletionContext | None:
    """Return what is wanted in the command that the open literal is a part of; its statement ends at `end`."""
    if not at.quote:
        return None
    start = _command_start(at)
    if start is None:
        return None
    limit = max(end, at.line_end)
    shown = [" "] * (limit - start)
    for text in texts_in(at.text, start, limit):
        written = at.text[text.start : text.end]
        holes = _FIELD.sub(lambda m: HOLE * len(m.group()), written) if "{" in written or "%" in written else written
        shown[text.start - start : text.end - start] = holes
    from npu_lsp.languages.shell.at_cursor import cursor_in

    found = cursor_in("".join(shown), at.cursor - start)
    if found is None:
        return None
    span = found.replace.shifted(start)
    if span.start < at.content or span.start < at.line_start:
        return None
    behind = at.text[span.start : span.end].find(at.quote)
    if behind >= 0:
        span = Span(span.start, max(span.start + behind, at.cursor))
    # Quotes of the shell would end the text of the script.
    before, after = ("" if at.quote[0] in part else part for part in (found.before, found.after))
    return found._replace(replace=span, typed=at.text[span.start : at.cursor], before=before, after=after)


def _command_start(at: Fragment) -> int | None:
    """Return where the texts of the command begin, or `None` where the literal is no command."""
    for bracket in at.innermost:
        if bracket.sign == "(" and _STARTS.search(at.before(bracket)):
            return bracket.at + 1
    first = next(iter(texts_in(at.text, at.start, at.cursor)), None)
    if first is not None and _TOOL.match(at.text, first.start):
        return at.start
    return at.literal if _TOOL.match(at.text, at.content) else None
