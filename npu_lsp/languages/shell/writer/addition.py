"""Sets another option in a command or a script, written as its neighbours are."""

from __future__ import annotations

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.shell.writer.layout import comment_end, lines_of
from npu_lsp.languages.shell.writer.quoting import Quoting, open_quote, quoting_of, scalar, written
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_CONTINUED = re.compile(r"\\(?:\r\n|\n|\r)(?P<indent>[ \t]*)")
_REDIRECTION = re.compile(r"[ \t]*[0-9]?[<>|&][^\r\n]*")
_EXPORTING = re.compile(r"(?:export|declare|typeset|readonly)(?:[ \t]+-\w+)*[ \t]+")


def addition(document: Document, block: Block, after: Setting | None, name: str, value: Scalar) -> tuple[Edit, ...]:
    """Return what sets `name` below `after`, or below the last setting of `block`."""
    if after is None and block.settings:
        after = block.settings[-1]
    if block.surface.row.environment:
        return _variable(document, after, name, scalar(value)) if after is not None else ()
    if after is None:
        return _first(document, block, name, scalar(value))
    quoting = quoting_of(document, after)
    quoted_word = after.own.start < after.key.start and not quoting.strict
    said = written(scalar(value), Quoting("", strict=False) if quoted_word else quoting)
    if said is None:
        return ()
    flag = like(document.text, after, name) + (" " if after.separator == " " else "=") + said
    return _below(document, after, flag)


def like(text: str, setting: Setting, name: str) -> str:
    """Return `name` as a flag in the style of `setting`: as many dashes, and dashes in it where that one has them."""
    key = text[setting.key.start : setting.key.end]
    if setting.surface.row.flags == "overrides":
        return name
    bare = key.lstrip("-")
    if setting.surface.row.flags == "argparse":
        return name if name.startswith("-") else f"--{name}"
    dashes = key[: len(key) - len(bare)] or "--"
    if "-" in bare and "_" not in bare:
        name = name.replace("_", "-")
    return ("--" if len(name) < 2 else dashes) + name


def _first(document: Document, block: Block, name: str, value: str) -> tuple[Edit, ...]:
    strict = document.kind is not Kind.SHELL
    said = written(value, Quoting("", strict=strict))
    if said is None:
        return ()
    at = block.head.end
    if document.text[at : at + 1] in ("'", '"') and not strict:
        at += 1
    return (Edit(Span(at, at), f" --{name}={said}"),)


def _below(document: Document, after: Setting, flag: str) -> tuple[Edit, ...]:
    text = document.text
    own = after.own
    if document.kind is not Kind.SHELL:
        neighbours = text[own.start - 1 : own.start], text[own.end : own.end + 1]
        if text[own.start] in "\"'" or all(char in ("'", '"') for char in neighbours):
            # An element of a list: its language knows how to add one.
            return ()
        return (Edit(Span(own.end, own.end), f" {flag}"),)
    lines = lines_of(text, own)
    at = Span(own.end, own.end)
    quote = open_quote(text, after.statement, own.start)
    tail = lines.last or _REDIRECTION.match(text, own.end)
    newline = document.newline_at(own.end)
    if lines.first and tail and not quote:
        joined = lines.continued or lines.above is not None
        if joined or text[after.statement.start : own.start].rstrip().endswith(("\\", "(")) or _in_array(text, after):
            joint = "" if _in_array(text, after) and not joined else " \\"
            return (Edit(at, f"{joint}{newline}{lines.indent}{flag}"),)
    following = _CONTINUED.search(text, own.end, after.statement.end)
    if following and lines.continued and not quote:
        # Behind the command's own line: the flags below tell how far to indent.
        return (Edit(at, f" \\{newline}{following['indent']}{flag}"),)
    return (Edit(at, f" {flag}"),)


def _in_array(text: str, setting: Setting) -> bool:
    return re.match(r"[\w \t-]*\w\+?=\(", text[setting.statement.start : setting.own.start]) is not None


def _variable(document: Document, after: Setting, name: str, value: str) -> tuple[Edit, ...]:
    text = document.text
    quoting = quoting_of(document, after)
    said = written(value, Quoting("", strict=quoting.strict))
    if said is None:
        return ()
    statement = after.statement
    lines = lines_of(text, statement)
    end = comment_end(text, statement.end)
    exporting = _EXPORTING.match(text, statement.start)
    given = not exporting and text[after.own.end : statement.end].strip() != ""
    if given or not lines.first or end is None or lines.above is not None or document.kind is not Kind.SHELL:
        if not given and not exporting:
            return ()
        return (Edit(Span(after.own.end, after.own.end), f" {name}={said}"),)
    start = exporting.group() if exporting else "export "
    newline = document.newline_at(statement.end)
    line = f"{lines.indent}{start.rstrip()} {name}={said}"
    ended = text[end - 1 : end] in ("\n", "\r")
    return (Edit(Span(end, end), line + newline if ended else newline + line),)
