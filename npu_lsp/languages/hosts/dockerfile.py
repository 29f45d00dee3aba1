"""Dockerfiles: `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK CMD` in both forms, and `ENV`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.hosts.word_lists import items_of, listed
from npu_lsp.languages.injections import Injection, hash_comments, host
from npu_lsp.languages.model import Block, Form, ParseResult, Setting, Value, ValueKind, renumbered
from npu_lsp.languages.shell.program_names import interpreted_by
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import slices_of
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import in_lines_with

_INSTRUCTION = re.compile(
    r"[ \t]*(?:ONBUILD[ \t]+)?(?:HEALTHCHECK[ \t]+(?:--[\w-]+=\S+[ \t]+)*)?(?P<word>RUN|CMD|ENTRYPOINT|ENV)\b"
    r"(?:[ \t]+--[\w-]+(?:=\S+)?)*[ \t]*",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"[ \t]*#")
_HEREDOC = re.compile(r"<<(?<!<<<)-?[ \t]*[\"']?(?P<tag>[A-Za-z_]\w*)[\"']?")
_INTERPRETER = re.compile(r"[ \t]*(?:\S*/)?(?P<name>[^\s/&|;<>]+)")
_VARIABLE = re.compile(
    r"(?<!\w)(?P<name>[A-Za-z_]\w*)=(?P<value>\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?P<open>[\"'].*\Z)|(?:[^\s\"'\\]|\\.)*)",
    re.DOTALL,
)
_OLD_FORM = re.compile(r"(?P<name>[A-Za-z_]\w*)[ \t]+(?P<value>[^\r\n]*?)[ \t]*(?:\r|\n|$)")
_EXPORT = re.compile(r"\bexport(?=[ \t])")


class _Instruction(NamedTuple):
    """An instruction with the lines that belong to it."""

    word: str
    start: int
    """Where its arguments start."""
    lines: list[Span]
    """What of its lines counts, line ends included: comments in between don't."""
    line: Span
    kind: Kind = Kind.SHELL
    """The language of its here-document."""


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not may_match(text) and "ENV" not in text.upper():
        return
    variables = VariableLines()
    entry: Span | None = None
    for instruction in _instructions(document):
        if instruction.word == "ENV":
            _add_variables(text, instruction, variables)
            continue
        first = text[instruction.start : instruction.start + 1]
        inner, places = slices_of(text, instruction.lines)
        whole = Span(instruction.start, instruction.lines[-1].end)
        if first != "[":
            yield Injection(instruction.kind, inner, places)
        elif instruction.word == "ENTRYPOINT":
            entry = whole
        elif instruction.word == "CMD" and entry is not None:
            # The words of both are one command.
            yield from listed(text, Span(entry.start, whole.end), [*_items(text, entry), *_items(text, whole)])
            entry = None
        else:
            yield from listed(text, whole)
    if entry is not None:
        # Whoever starts the container adds more.
        yield from listed(text, entry, part=True)
    yield from variables.script(lambda text: _EXPORT.sub("ENV", text))


def _items(text: str, span: Span) -> Iterator[Span]:
    closed = text.rfind("]", *span)
    return items_of(text, Span(span.start + 1, closed if closed >= 0 else span.end))


def _instructions(document: Document) -> Iterator[_Instruction]:
    line = 0
    unclosed: set[str] = set()
    while line < document.line_count:
        span = document.line_span(line)
        match = _INSTRUCTION.match(document.text, span.start, span.end)
        line += 1
        if match is None:
            while line < document.line_count and document.line_text(line - 1).endswith("\\"):
                line += 1
            continue
        lines = [Span(match.end(), document.line_end(line - 1))]
        heredoc = _HEREDOC.match(document.text, match.end(), span.end)
        if heredoc:
            last = _mark_below(document, line, heredoc["tag"], unclosed)
            body = Span(document.line_end(line - 1), document.line_end(last - 1))
            line = last + 1
            by = _INTERPRETER.match(document.text, heredoc.end(), span.end)
            kind = Kind.SHELL if by is None else interpreted_by(by["name"])
            if kind is not None:
                yield _Instruction(match["word"].upper(), body.start, [body], span, kind)
            continue
        goes_on = _is_joined(document, line - 1)
        while line < document.line_count and goes_on:
            # Comments and empty lines are passed over before lines are joined.
            if not _COMMENT.match(document.text, document.line_starts[line]) and document.line_text(line).strip():
                lines.append(Span(document.line_starts[line], document.line_end(line)))
                goes_on = _is_joined(document, line)
            line += 1
        line = _take_document(document, lines, line, unclosed)
        yield _Instruction(match["word"].upper(), match.end(), lines, span)


def _take_document(document: Document, lines: list[Span], line: int, unclosed: set[str]) -> int:
    """Add the here-document that an instruction's last line starts, if one does; return the line behind it."""
    heredoc = _HEREDOC.search(document.text, *lines[-1])
    last = _mark_below(document, line, heredoc["tag"], unclosed) if heredoc is not None else document.line_count
    if last == document.line_count:
        return line
    lines.extend(Span(document.line_starts[each], document.line_end(each)) for each in range(line, last + 1))
    return last + 1


def _mark_below(document: Document, line: int, tag: str, unclosed: set[str]) -> int:
    """Return the first line from `line` on that is the mark `tag` alone, or the number of lines.

    `unclosed` are the marks that don't come any more: each is looked for in vain once.
    """
    if tag not in unclosed:
        for each in range(line, document.line_count):
            if document.line_text(each).strip() == tag:
                return each
        unclosed.add(tag)
    return document.line_count


def _is_joined(document: Document, line: int) -> bool:
    """Return whether a line goes on below."""
    return document.line_text(line).rstrip(" \t").endswith("\\")


def _add_variables(text: str, instruction: _Instruction, variables: VariableLines) -> None:
    """Add the variables of one `ENV`, in either form."""
    start, end = instruction.line.start, instruction.lines[-1].end
    word = text[start : instruction.start].upper().index("ENV") + start
    old = _OLD_FORM.match(text, instruction.start, end)
    found = [match for match in _VARIABLE.finditer(text, instruction.start, end) if match["open"] is None]
    if old is not None and "=" not in text[old.start("name") : old.end("name") + 1]:
        if "=" in old["value"] and found and found[0].start() == instruction.start:
            old = None
    else:
        old = None
    variables.wall()
    variables.take(text, Span(start, word))
    variables.put("export", word, word + 3)
    at = word + 3
    if old is not None:
        variables.take(text, Span(at, old.end("name")))
        variables.put("=", old.end("name"), old.start("value"))
        variables.value(text, Span(*old.span("value")))
        at = old.end("value")
    for match in found if old is None else ():
        variables.take(text, Span(at, match.start("value")))
        variables.value(text, Span(*match.span("value")))
        at = match.end()
    variables.take(text, Span(at, end))


LACKS = (Lack("=1", "="), Lack("=1 x", "="), Lack("==1", surface=Surface.PACKAGE))

_read, cursor = host(_find, hash_comments)


_FROM = re.compile(r"^[ \t]*FROM[ \t]+(?:--[\w-]+=\S+[ \t]+)*(?P<image>[^\s]+)", re.MULTILINE | re.IGNORECASE)
_ARGUMENT = re.compile(r"^[ \t]*ARG[ \t]+(?P<name>\w+)=[\"']?(?P<value>[^\s\"']*)", re.MULTILINE | re.IGNORECASE)
_USED = re.compile(r"\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+))")
_NPU = re.compile(r"davinci|[aA]scend/|vllm[-_]ascend|torch[-_]npu|huawei\.com/")
"""The words of `triggers` that tell: without one of them no such file is read."""
_MOST = 50


def _base_images(document: Document) -> Iterator[Block]:
    """Yield a block for each `FROM` whose image has to do with NPUs; arguments count with their defaults."""
    text = document.text
    if not _NPU.search(text):
        return
    arguments: list[re.Match[str]] | None = None
    for number, found in enumerate(in_lines_with(_FROM, text, "FROM", "from", "From")):
        if number >= _MOST:
            return
        if arguments is None and "$" in found["image"]:
            arguments = list(_ARGUMENT.finditer(text))
        span = Span(*found.span("image"))
        said = _filled(arguments or (), found["image"], found.start())
        if not _NPU.search(said or found["image"]):
            continue
        content = span if said == found["image"] else None
        value = Value(ValueKind.WORD, span, known=said is not None, data=said, content=content)
        line = Span(found.start(), span.end)
        setting = Setting(Surface.CONTAINER, "image", span, value, Form.ENTRY, line, line)
        yield Block(0, Surface.CONTAINER, span, line, (setting,), open=True, command=line)


def _filled(arguments: Iterable[re.Match[str]], image: str, at: int) -> str | None:
    """Return an image with the defaults of the arguments above it; `None` where one has none."""
    if "$" not in image:
        return image
    defaults = {each["name"]: each["value"] for each in arguments if each.end() <= at}
    names = [each["braced"] or each["plain"] for each in _USED.finditer(image)]
    if not names or any(not defaults.get(name) or "$" in defaults[name] for name in names):
        return None
    filled = _USED.sub(lambda each: defaults[each["braced"] or each["plain"]], image)
    return filled if "$" not in filled else None


def read(document: Document) -> ParseResult:
    """Return what the regions of a file set, with all places in it, and the images that it starts from."""
    parsed, images = _read(document), tuple(_base_images(document))
    return parsed._replace(blocks=renumbered((*parsed.blocks, *images))) if images else parsed
