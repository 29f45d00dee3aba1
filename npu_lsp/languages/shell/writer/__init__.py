"""Writes flags and variables in shell scripts; where a command stands in a string of Python, only what is safe there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.hosts.writer import Hosted
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.languages.shell.environment import DECLARING
from npu_lsp.languages.shell.writer.layout import blanks_before, blanks_behind, comment_end, lines_of
from npu_lsp.languages.shell.writer.quoting import (
    Quoting,
    inside,
    is_half_quoted,
    open_quote,
    quoting_of,
    scalar,
    written,
)
from npu_lsp.languages.shell.writer.quoting import expression as as_expression
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

_BETWEEN = re.compile(r"(?:[ \t]|\\(?:\r\n|\n|\r))*")
_OPENER = r"(?:(?:^|[\s;&|])(?:then|do|else|\{)|[({])"
_OPENS = re.compile(rf"{_OPENER}[\s;]*$|[^\s]\)\s*$")
_OPENS_BEFORE_COMMENT = re.compile(rf"{_OPENER}[ \t]*#")
_CLOSES = re.compile(r"[\s;]*(?:(?:fi|done|elif|else|esac)\b|[)}]|;;)")
_LOOK_BACK = 400


def removal(document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
    """Return what takes `settings` out; nothing where one of them can't go for sure."""
    text = document.text
    flags = sorted({s.own for s in settings if s.form is Form.FLAG})
    variables = [s for s in settings if s.form is Form.ASSIGNMENT]
    if document.kind is Kind.PYTHON:
        # A command that is a list of words: one in a text is shell, and a document of its own.
        from npu_lsp.languages.python.writer.removal import remove_words

        return remove_words(document, flags) if not variables else ()
    edits: list[Edit] = []
    for group in _groups(text, flags):
        if any(text[slice(*group)].count(quote) % 2 for quote in "\"'"):
            # `"atc --x="a" --y"`: the quotes in it are not its own.
            return ()
        edits.append(_words(text, group))
    for statement in sorted({s.statement for s in variables}):
        edits += _variables(text, statement, sorted({s.own for s in variables if s.statement == statement}))
    return tuple(edits)


def _groups(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield `spans` with neighbours taken together."""
    current: Span | None = None
    for span in spans:
        if current is not None and _BETWEEN.fullmatch(text, current.end, span.start):
            current = Span(current.start, span.end)
            continue
        if current is not None:
            yield current
        current = span
    if current is not None:
        yield current


def _words(text: str, span: Span, *, ends: bool = False) -> Edit:
    """Return what takes words out of a command, with their line where they have it to themselves.

    `ends` tells that nothing of the command stands behind them.
    """
    lines = lines_of(text, span)
    if lines.first and lines.last and (lines.continued or lines.above is None):
        return Edit(Span(lines.start, lines.end), "")
    if lines.above is not None and (ends or lines.last):
        # The last line of the command: the backslash above would join what follows.
        return Edit(Span(lines.above, span.end), "")
    return _within_line(text, span)


def _within_line(text: str, span: Span) -> Edit:
    before = blanks_before(text, span.start)
    if text[span.start] == ",":
        # Of a list within a word.
        return Edit(span, "")
    if before == span.start or text[before - 1 : before] in ("\n", "\r", ""):
        return Edit(Span(span.start, blanks_behind(text, span.end)), "")
    return Edit(Span(before, span.end), "")


# -- variables --------------------------------------------------------------------------------------------


def _variables(text: str, statement: Span, own: list[Span]) -> Iterator[Edit]:
    """Yield what takes assignments out of one statement, or the statement when nothing else is in it."""
    rest = text[statement.start : own[0].start]
    for one, other in zip(own, [*own[1:], Span(statement.end, statement.end)], strict=True):
        rest += text[one.end : other.start]
    words = rest.split()
    alone = not words or words[0] == ":" or words[0] in DECLARING
    if alone and all(word[0] == "-" for word in words[1:]):
        yield _statement(text, statement)
        return
    for span in _groups(text, own):
        yield (
            _words(text, span, ends=span.end == statement.end)
            if span.start != statement.start or lines_of(text, span).first
            else _leading(text, span)
        )


def _opens(before: str) -> bool:
    """Return whether a list of commands begins here: there must be at least one in it."""
    said = before.rstrip(" \t\r\n\f\v;")
    line = said[max(said.rfind("\n"), said.rfind("\r")) + 1 :]
    return _OPENS.search(before) is not None or _OPENS_BEFORE_COMMENT.search(line) is not None


def _leading(text: str, span: Span) -> Edit:
    behind = _BETWEEN.match(text, span.end)
    return Edit(Span(span.start, behind.end() if behind is not None else span.end), "")


def _statement(text: str, statement: Span) -> Edit:
    """Return what takes a whole statement out; `:` takes its place where the shell must have one."""
    lines = lines_of(text, statement)
    end = comment_end(text, statement.end)
    before = text[max(0, statement.start - _LOOK_BACK) : statement.start]
    needed = bool(_opens(before) and _CLOSES.match(text, statement.end))
    if lines.first and end is not None and not needed and lines.above is None:
        return Edit(Span(lines.start, end), "")
    behind = blanks_behind(text, statement.end)
    if text[behind : behind + 1] == ";" and text[behind : behind + 2] != ";;" and not needed:
        return Edit(Span(statement.start, blanks_behind(text, behind + 1)), "")
    ahead = blanks_before(text, statement.start)
    ends_here = end is not None and not needed
    if ends_here and text[ahead - 1 : ahead] == ";" and text[ahead - 2 : ahead] != ";;":
        return Edit(Span(blanks_before(text, ahead - 1), statement.end), "")
    return Edit(statement, ":")


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
    if setting.surface.row.flags == "argparse" or setting.name.startswith("-"):
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


_KEY = re.compile(r"[\w.-]+")


_BESIDE = '$(dirname "$0")'
_GOES_HOME = re.compile(r"^[ \t]*cd[ \t][^\n]*(?:dirname|BASH_SOURCE|%/\*)", re.MULTILINE)


def _folder_of(document: Document, setting: Setting, base: str) -> str:
    """Return source text for the folder `base`, or nothing where a plain path does.

    `script` is the script's own folder. A script that first goes there itself needs no folder, and neither does one that
    has none: a command in a manual, a step of a pipeline.
    """
    if base != "script":
        return f"${{{base}}}" if base else ""
    if document.kind is not Kind.SHELL or not document.path:
        return ""
    return "" if _home(document) <= setting.statement.start else _BESIDE


@Memoized
def _home(document: Document) -> int:
    """Return where a script has gone to its own folder; every command of it asks."""
    found = _GOES_HOME.search(document.text)
    return found.end() if found is not None else len(document.text) + 1


class ShellWriter(Writer):
    """See `npu_lsp.languages.writers.Writer`."""

    def rename(self, document: Document, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Give the setting another key, with as many dashes, and dashes inside it where they were."""
        key = document.text[setting.key.start : setting.key.end]
        if _KEY.fullmatch(key) is None:
            return ()
        new = like(document.text, setting, name) if setting.form is Form.FLAG else name
        return (Edit(setting.key, new),)

    def set_value(self, document: Document, setting: Setting, value: Scalar, *, slot: str | None = None) -> Edits:
        """Write another value; quotes that are there stay, others come where they must."""
        text = scalar(value)
        quoting = quoting_of(document, setting)
        content = setting.value.content
        span = setting.value.span
        if content is not None and content != span and not quoting.strict:
            quote = document.text[content.start - 1]
            said = inside(text, quote) if quote in "\"'" else None
            if said is not None:
                return (Edit(content, said),)
        return _put(
            document, setting, content if quoting.strict and content is not None else span, written(text, quoting)
        )

    def set_expression(self, document: Document, setting: Setting, expression: str) -> tuple[Edit, ...]:
        """Write source text with variables in it, in double quotes, so that they are expanded and nothing is split."""
        quoting = quoting_of(document, setting)
        return _put(document, setting, setting.value.span, as_expression(expression, quoting))

    def set_path(
        self, document: Document, setting: Setting, path: str, *, base: str = "", slot: str | None = None
    ) -> tuple[Edit, ...]:
        """Point the setting to a file."""
        folder = _folder_of(document, setting, base)
        if not folder:
            return self.set_value(document, setting, path)
        return self.set_expression(document, setting, f"{folder}/{path}")

    def remove(self, document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
        """Take settings out with their lines and their backslashes."""
        return removal(document, settings)

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another option: a flag on a line of its own where the others have one, or a variable below another."""
        return addition(document, block, after, new.name, new.value)


def _put(document: Document, setting: Setting, span: Span, said: str | None) -> tuple[Edit, ...]:
    if said is None or is_half_quoted(document.text, span):
        return ()
    if setting.form is Form.FLAG and not setting.separator:
        said = f"={said}"
    return (Edit(span, said),)


WRITER: Writer = Hosted(ShellWriter())
