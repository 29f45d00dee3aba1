"""What is being typed in a script, told by the text of one command: no tree is asked, nothing else needs to be whole."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.json.flags import FLAG
from npu_lsp.languages.shell.env_passing import ASSIGNMENT, passing
from npu_lsp.languages.shell.environment import DECLARING
from npu_lsp.languages.shell.flags import STARTING, read_flags, stands_alone, tool_name
from npu_lsp.languages.shell.injections import inner_text
from npu_lsp.languages.shell.known import Argument
from npu_lsp.languages.shell.object_keys import key_of
from npu_lsp.languages.shell.program_names import TOOLS, surface_of
from npu_lsp.languages.shell.resolve import resolve
from npu_lsp.languages.shell.script import LONGEST, commands
from npu_lsp.languages.shell.training import is_of_family, may_train, script_at
from npu_lsp.languages.shell.triggers import tools
from npu_lsp.languages.shell.words import ShellWord, Simple, fields
from npu_lsp.languages.variable_names import assigned, is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, line_start

_OVERRIDE = re.compile(r"\+{0,2}(?P<name>(?:[A-Za-z_][\w.@/-]*)?)(?P<equals>=?)")
_LINES, _DEPTH = 400, 3
_FLAG_LINE = re.compile(r"[ \t]*-")
_FLAG = re.compile(r"--?[A-Za-z_]?[\w-]*")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPENED = re.compile(r"[ \t]*(?:(?:export|local|readonly)[ \t]+)?(?P<name>[A-Za-z_]\w*)\+?=[\"'(]")
"""A line that may begin a string or an array of several lines."""
_SCRIPT = re.compile(r"(?<![^\s\"'=])[^\s\"'=]+\.py(?![\w.])")
_COMMAND = re.compile(r"(?:[^\\\r\n]|\\(?:\r\n|[\s\S]))*")
"""A command to the end of its last line."""
_LINE_END = re.compile(r"\r\n|\n|\r")
_PROGRAM = re.compile(r"=[\"']?(?:\$\{\w+:?-)?(?:[^\s\"';|&]*/)?(?P<name>[\w.]+)\}?[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)


def cursor_at(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    line = document.line_of(offset)
    stored = _in_lines_stored(document, line, offset)
    if stored is not None:
        return stored
    start, end = _window(document, line)
    return _in_line(document.text, start, end, offset, 0)


def _in_lines_stored(document: Document, line: int, offset: int) -> CompletionContext | None:
    """Return what can be completed in the flags that a string or an array of several lines holds, which begins further up."""
    text = document.text
    for above in range(line - 1, max(-1, line - _LINES), -1):
        opened = _OPENED.match(document.line_text(above))
        if opened is None:
            continue
        start = document.line_span(above).start
        end = document.line_span(min(document.line_count - 1, line + _LINES)).end
        found = next(commands(text, start, end), None)
        surface = _used_by(text, opened["name"]) if found is not None and offset <= found.stop else None
        if found is None or surface is None:
            return None
        for array in found.arrays:
            if array.name.end < offset < array.end:
                return _in_array(text, list(array.words), surface, offset)
        for word in found.words:
            value = ASSIGNMENT.match(word.lead)
            if value is not None and word.start < offset < word.end:
                return _in_flags(text, word.after(value.end()), surface, offset)
        return None
    return None


def cursor_in(text: str, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset` in the text of a command that stands in another language."""
    return _in_line(text, 0, len(text), offset, 0)


def _window(document: Document, line: int) -> tuple[int, int]:
    """Return where the command around `line` stands: its line and those that backslashes join to it.

    A line of flags whose predecessor lacks its backslash belongs to the command above all the same: the backslash may
    be what comes next.
    """
    first = last = line
    lowest = max(0, line - _LINES)
    while first > lowest and (
        document.line_text(first - 1).endswith("\\")
        or (_FLAG_LINE.match(document.line_text(first)) and document.line_text(first - 1).strip())
    ):
        first -= 1
    highest = min(document.line_count - 1, line + _LINES)
    while last < highest and document.line_text(last).endswith("\\"):
        last += 1
    return document.line_span(first).start, document.line_span(last).end


def _in_line(text: str, start: int, end: int, offset: int, depth: int) -> CompletionContext | None:
    found: Simple | None = None
    words: list[ShellWord] = []
    for simple in commands(text, start, end):
        first = simple.words[0].start if simple.words else simple.arrays[0].name.start
        if _is_flag_line(simple, found):
            # The flags of a line whose predecessor lacks its backslash.
            words, found = words + simple.words, simple
        elif first <= offset and (found is None or offset > found.stop or offset <= simple.stop):
            # What stands inside a command comes behind it.
            words, found = simple.words, simple
    if found is None or offset > found.stop or 0 <= found.comment < offset:
        return None
    for array in found.arrays:
        if array.name.end < offset < array.end or (offset == array.end and text[offset - 1] != ")"):
            surface = _used_by(text, text[slice(*array.name)])
            return _in_array(text, list(array.words), surface, offset) if surface else None
    return _in_command(text, words, offset, depth)


def _in_array(text: str, words: Sequence[ShellWord], surface: Surface, offset: int) -> CompletionContext | None:
    """Return a cursor in the flags of an array, unless it is in a remark behind them."""
    ends = (min(word.end, offset) for word in words if word.start <= offset)
    behind = max((line_start(text, offset), *ends))
    return _flag_or_value(text, words, 0, surface, offset) if "#" not in text[behind:offset] else None


def _is_flag_line(simple: Simple, before: Simple | None) -> bool:
    return bool(before is not None and before.words and simple.words and simple.words[0].lead.startswith("-"))


def _in_command(text: str, words: Sequence[ShellWord], offset: int, depth: int) -> CompletionContext | None:
    if not words:
        return None
    started = resolve(words, lambda name: _program(text, name))
    if started.script is Kind.SHELL and depth < _DEPTH:
        word = words[started.at]
        if word.start <= offset <= word.end:
            inner, places = inner_text(text, word)
            at = places.inner(offset)
            found = _in_line(inner, 0, len(inner), at, depth + 1) if at is not None and at <= len(inner) else None
            return found._replace(replace=places.span(found.replace)) if found is not None else None
    own = words[: started.stop]
    behind = words[len(own)].start if len(own) < len(words) else len(text) + 1
    if started.surface is not None and words[started.at].end < offset < behind:
        return _behind_tool(text, own, started.at + 1, started.surface, offset)
    at, surface = _beside_others(words)
    if surface is not None and offset > words[at].end:
        return _flag_or_value(text, words, at + 1, surface, offset)
    first = 1 if ASSIGNMENT.match(words[0].lead) is not None else 0
    if len(words) > first and words[first].lead.startswith("--"):
        # Lines of flags in quotes that begin further up.
        surface = _only_tool(text)
        return _flag_or_value(text, words, first, surface, offset) if surface is not None else None
    return _variable(text, words, offset)


def _beside_others(words: Sequence[ShellWord]) -> tuple[int, Surface | None]:
    """Return behind which word a program has flags of ours among others, and whose they are."""
    trained = script_at(words)
    if trained is not None:
        return trained, Surface.MINDSPEED
    return 0, Surface.VLLM if any(FLAG.match(word.lead) for word in words) else None


def _behind_tool(
    text: str, words: Sequence[ShellWord], first: int, surface: Surface, offset: int
) -> CompletionContext | None:
    """Return a cursor in what a tool is given; a variable that it passes on, `-x NAME=v`, is found as soon as that is whole."""
    front = next((word.text for word in reversed(words[first:]) if word.end < offset), None)
    return None if front in passing(surface) else _flag_or_value(text, words, first, surface, offset)


# -- flags ------------------------------------------------------------------------------------------------


def _flag_or_value(
    text: str, words: Sequence[ShellWord], first: int, surface: Surface, offset: int
) -> CompletionContext | None:
    index = next((i for i in range(first, len(words)) if words[i].start <= offset <= words[i].end), None)
    word = words[index] if index is not None else None
    before = index if index is not None else sum(w.end <= offset for w in words)
    others = [Argument(w, w.span) for i, w in enumerate(words) if i >= first and i != index]
    present = frozenset(s.name for s in read_flags(others, surface).settings)
    key = _object_key(text, words[first:], word, surface, offset)
    if key is not None:
        return key
    if word is not None and surface.row.flags == "overrides":
        return _in_override(text, word, surface, offset, present)
    previous = words[before - 1].lead if before > first else ""
    if word is None or not word.lead.startswith("-"):
        takes = previous.startswith("-") and "=" not in previous and not stands_alone(previous, surface)
        if takes and _on_line(text, words[before - 1].end, offset):
            value = ShellWord(offset, offset, ()) if word is None else word
            return _value(
                text, value, surface, tool_name(previous, surface), offset, present - {tool_name(previous, surface)}
            )
        if word is None:
            return CompletionContext(CompletionKind.FLAG, surface, Span(offset, offset), "", after="=", present=present)
        return None
    return _in_flag(text, words, before, surface, offset, present)


def _in_override(
    text: str, word: ShellWord, surface: Surface, offset: int, present: frozenset[str]
) -> CompletionContext | None:
    """Return a cursor in the name that a word `a.b=c` changes, or in what it gets."""
    match = _OVERRIDE.match(word.lead)
    if match is None:
        return None
    start = _place(word, match.start("name"))
    # A quote behind it is no part of it.
    end = _place(word, match.end("name") - 1) + 1 if match["name"] else start
    if offset > end and not match["equals"]:
        return None
    if offset > end:
        return _value(text, word.after(match.end()), surface, match["name"], offset, present)
    span, after = _clipped(text, Span(start, end), offset), "" if match["equals"] else "="
    typed = text[span.start : offset]
    return CompletionContext(CompletionKind.FLAG, surface, span, typed, after=after, present=present)


def _object_key(
    text: str, words: Sequence[ShellWord], word: ShellWord | None, surface: Surface, offset: int
) -> CompletionContext | None:
    """Return a cursor in a key of an object that has a word of its own, or in its value."""
    before = next((each for each in reversed(words) if each.end < offset), None)
    for each, follows in ((word, False), (before, True)):
        key = key_of(each, surface) if each is not None else None
        if each is None or key is None or not key.name.strip("."):
            continue
        if not follows and offset <= _place(each, key.end):
            span = _clipped(text, Span(_place(each, key.start), _place(each, key.end)), offset)
            lead = key.name[: key.name.rfind(".") + 1]
            after = "=" if surface is Surface.VERL and not key.equals else ""
            kind = CompletionKind.KEY
            return CompletionContext(kind, key.surface, span, text[span.start : offset], after=after, prefix=lead)
        if key.equals != follows:
            value = each.after(key.end + 1) if not follows else word or ShellWord(offset, offset, ())
            return _value(text, value, key.surface, key.name, offset, frozenset())
    return None


def _in_flag(
    text: str, words: Sequence[ShellWord], at: int, surface: Surface, offset: int, present: frozenset[str]
) -> CompletionContext | None:
    """Return a cursor in the flag that a word is, or in its value behind the sign."""
    word = words[at]
    lead = word.lead
    equals = lead.find("=")
    if equals >= 0 and offset > _place(word, equals):
        return _value(text, word.after(equals + 1), surface, tool_name(lead[:equals], surface), offset, present)
    start = word.pieces[0].start
    match = _FLAG.match(text, start)
    end = match.end() if match else word.end
    if offset > end:
        return None
    span = _clipped(text, Span(start, end), offset)
    follows = equals >= 0 or (at + 1 < len(words) and not words[at + 1].lead.startswith("-"))
    typed, after = text[span.start : offset], "" if follows else "="
    return CompletionContext(CompletionKind.FLAG, surface, span, typed, after=after, present=present)


def _place(word: ShellWord, count: int) -> int:
    """Return where the literal character number `count` of `word` stands."""
    for piece in word.pieces:
        if count < len(piece.text):
            return piece.start + count
        count -= len(piece.text)
    return word.end


def _value(
    text: str, word: ShellWord, surface: Surface, option: str, offset: int, present: frozenset[str]
) -> CompletionContext:
    """Return a cursor in a value; `word` is the value with its quotes."""
    start, end = word.start, max(word.end, offset)
    quote = text[start] if start < len(text) and text[start] in "\"'" and offset > start else ""
    after = ""
    if quote:
        start += 1
        if end - 1 >= start and text[end - 1] == quote and end - 1 >= offset:
            end -= 1
        else:
            after = quote
    elif start > 0 and text[start - 1] in "\"'" and not word.pieces:
        end = offset
    span = _clipped(text, Span(start, end), offset)
    return CompletionContext(
        CompletionKind.VALUE, surface, span, text[span.start : offset], option=option, after=after, present=present
    )


def _clipped(text: str, span: Span, offset: int) -> Span:
    """Return the part of `span` that lies on the cursor's line."""
    start = max(span.start, line_start(text, offset))
    match = _LINE_END.search(text, offset, max(offset, span.end))
    return Span(min(start, offset), max(offset, match.start() if match else span.end))


def _on_line(text: str, start: int, offset: int) -> bool:
    between = text[start:offset]
    return "\\" not in between or not between.replace("\\", "").strip()


# -- variables --------------------------------------------------------------------------------------------


def _variable(text: str, words: Sequence[ShellWord], offset: int) -> CompletionContext | None:
    """Return a cursor in the name or the value of an environment variable, or in flags that a variable holds."""
    index = next((i for i, word in enumerate(words) if word.start <= offset <= word.end), None)
    first = words[0].lead
    exporting = first in (*DECLARING, "unset")
    if index is None:
        if exporting and offset > words[0].end:
            return _name(text, Span(offset, offset), offset, "" if first == "unset" else "=")
        return None
    word = words[index]
    match = ASSIGNMENT.match(word.lead)
    if match is not None and not word.pieces[0].quoted and offset >= word.pieces[0].start + match.end():
        return _assigned(text, match["name"], word.after(match.end()), offset, exporting=exporting)
    end_of_name = word.start + (match.end("name") if match is not None else len(word.lead))
    named = exporting and index > 0 and _NAME.fullmatch(word.lead[: end_of_name - word.start])
    if named or (index == 0 and _CAPITALS.fullmatch(text, word.start, end_of_name)):
        if offset > end_of_name:
            return None
        after = "" if match is not None or first == "unset" else "="
        return _name(text, Span(word.start, end_of_name), offset, after)
    return None


def _assigned(text: str, name: str, value: ShellWord, offset: int, *, exporting: bool) -> CompletionContext | None:
    """Return a cursor in what a variable is given: a value, or flags for a tool."""
    if is_variable(name) or (exporting and name.isupper()):
        return _value(text, value, Surface.ENV, name, offset, _others(text, name))
    surface = _used_by(text, name) if value.lead.lstrip().startswith("-") else None
    return _in_flags(text, value, surface, offset) if surface else _in_stored(text, value, offset)


def _name(text: str, span: Span, offset: int, after: str) -> CompletionContext:
    typed, present = text[span.start : offset], _others(text, text[slice(*span)])
    return CompletionContext(CompletionKind.KEY, Surface.ENV, span, typed, after=after, present=present)


def _others(text: str, name: str) -> frozenset[str]:
    return frozenset(match.group() for match in assigned(text)) - {name}


def _in_flags(text: str, value: ShellWord, surface: Surface, offset: int) -> CompletionContext | None:
    """Return a cursor in `opts="--x=y --z"`."""
    found = _flag_or_value(text, list(fields(value.pieces)), 0, surface, offset)
    # The quotes are those of the whole string.
    return found._replace(after=found.after.replace('"', "").replace("'", "")) if found is not None else None


def _in_stored(text: str, value: ShellWord, offset: int) -> CompletionContext | None:
    """Return a cursor in `convert="atc --x=y"`."""
    words = list(fields(value.pieces))
    started = resolve(words)
    if started.surface is None or offset <= words[started.at].end:
        return None
    return _flag_or_value(text, words, started.at + 1, started.surface, offset)


def _used_by(text: str, name: str) -> Surface | None:
    """Return the surface of the tool that gets the flags in a variable: that on whose lines it stands, or the only one."""
    found: Surface | None = None
    used = re.compile(rf"\$\{{?{name}(?!\w)")
    for start, end in tools(text):
        command = _COMMAND.match(text, start, start + LONGEST)
        given = used.search(text, start, command.end()) if command is not None else None
        surface = surface_of(text[start:end])
        if given is not None:
            # Behind the script that it starts, a variable holds the flags of that one.
            script = _SCRIPT.search(text, start, given.start()) if surface in STARTING else None
            return surface if script is None else _trained(text, script.group())
        found = found or surface
    return found or _only_tool(text)


def _trained(text: str, script: str) -> Surface | None:
    """Return the surface of the flags of a script that trains a model, which its name or other flags tell."""
    return Surface.MINDSPEED if is_of_family(script) or may_train(text) else None


def _only_tool(text: str) -> Surface | None:
    """Return the surface of the first tool that a script names, or of a script that it starts to train a model."""
    start, end = next(iter(tools(text)), (0, 0))
    surface = surface_of(text[start:end]) if end else None
    return Surface.MINDSPEED if (surface is None or surface in STARTING) and may_train(text) else surface


def _program(text: str, name: str) -> str | None:
    """Return the tool that a variable of the script names, from its first assignment."""
    match = re.search(rf"(?<![\w$]){name}(?==)", text)
    found = _PROGRAM.match(text, match.end()) if match else None
    return found["name"] if found is not None and found["name"] in TOOLS else None
