"""Jupyter notebooks: the cells of an `.ipynb` file, or one cell, as an editor shows it.

The Python of all cells is one text, as they run in one process. `!command`, `%env X=v` and `%%bash` are shell.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages import read as read_inner
from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.cells import Cell, cells_of, looks_like_notebook
from npu_lsp.languages.injections import Injection, Write, as_it_is, find_regions, host, read_regions
from npu_lsp.languages.model import ParseResult, SyntaxFault, SyntaxFinding
from npu_lsp.languages.python import LACKS as OF_CELLS
from npu_lsp.languages.shell.syntax_findings.exports import lost_export
from npu_lsp.languages.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Edit, Span

_MAGIC = re.compile(r"^[ \t]*(?:(?:[\w.]+[ \t]*=[ \t]*)?!|%(?!%)|\?)", re.MULTILINE)
_SHELL_LINE = re.compile(r"(?:[\w.]+[ \t]*=[ \t]*)?!{1,2}|%(?:sx|system|sc)[ \t]+")
_ENV = re.compile(r"%(?P<word>set_env|env)[ \t]+(?P<name>[A-Za-z_]\w*)(?P<gap>[ \t]*=[ \t]*|[ \t]+)(?P<value>[^\r\n]*)")
_CELL_MAGIC = re.compile(r"[ \t]*%%(?P<name>!|\w+)(?P<rest>[^\r\n]*)(?:\r\n|\n|\r|$)")
_SHELL_CELLS = frozenset({"bash", "sh", "!", "sx", "system"})
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun"})
_LINE = re.compile(r"[^\r\n]*")
# In a cell, and in the strings of a notebook's file.
_LINE_START = re.compile(r"(?:\A|[\r\n\"]|\\n)[ \t]*\Z")
_FILLED_IN = re.compile(r"(?<!\$)\{[^{}\r\n]*\}")


def read(document: Document) -> ParseResult:
    """Return what the cells of a notebook set."""
    parsed = read_regions(document, _find)
    lost = tuple(_lost(document))
    return parsed._replace(syntax=(*parsed.syntax, *lost)) if lost else parsed


def _lost(document: Document) -> Iterator[SyntaxFinding]:
    """Yield the mistake of each `!export X=v`, which sets a variable in a shell of its own."""
    text = document.text
    for region in find_regions(document, _find):
        if region.document.kind is not Kind.SHELL:
            continue
        start = region.span(Span(0, 1)).start
        if text[start - 1 : start] != "!":
            continue
        lost = lost_export(region.document.text, read_inner(region.document).blocks)
        if lost is None:
            continue
        edits: tuple[Edit, ...] = ()
        if lost.value is not None and _LINE_START.search(text[max(0, start - 50) : start - 1]):
            whole = region.span(Span(0, len(region.document.text)))
            edits = (Edit(Span(start - 1, whole.end), f"%env {lost.name}={lost.value}"),)
        yield SyntaxFinding(
            SyntaxFault.LOST_EXPORT, region.span(lost.span), {"name": lost.name, "instead": "%env"}, edits
        )


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not may_match(Kind.NOTEBOOK, text):
        return
    if looks_like_notebook(text):
        cells = list(cells_of(text))
    else:
        places = list(range(len(text)))
        cells = [Cell(text, places, [place + 1 for place in places], as_it_is)]
    python: list[Cell] = []
    for cell in cells:
        if not cell.code:
            yield _part(cell, 0, len(cell.text), Kind.MARKDOWN)
            continue
        magic = _CELL_MAGIC.match(cell.text)
        if magic is None or magic["name"] in _PYTHON_CELLS:
            start = 0 if magic is None else magic.end()
            yield from _shell_lines(cell, start)
            python.append(_without_magic(cell, start))
        elif magic["name"] in _SHELL_CELLS or (magic["name"] == "script" and "sh" in magic["rest"]):
            yield _part(cell, magic.end(), len(cell.text), Kind.SHELL)
    yield from _joined(python)


def _part(cell: Cell, start: int, end: int, kind: Kind, text: str | None = None) -> Injection:
    said = cell.text[start:end] if text is None else text
    return Injection(kind, said, SourceMap(0, cell.starts[start:end], cell.ends[start:end]), cell.write)


def _shell_lines(cell: Cell, start: int) -> Iterator[Injection]:
    """Yield the lines of a cell that go to a shell, and variables that it sets."""
    text = cell.text
    for match in _MAGIC.finditer(text, start):
        first = match.start() + len(match.group()) - len(match.group().lstrip(" \t"))
        end = _line_end(text, first)
        shell = _SHELL_LINE.match(text, first)
        env = _ENV.match(text, first)
        if shell:
            said = _FILLED_IN.sub(lambda filled: HOLE * len(filled.group()), text[shell.end() : end])
            yield _part(cell, shell.end(), end, Kind.SHELL, said)
        elif env:
            yield _variable(cell, env)


def _line_end(text: str, at: int) -> int:
    """Return where the line ends that holds `at`, with those that backslashes join to it."""
    while True:
        match = _LINE.match(text, at)
        end = match.end() if match else len(text)
        if end >= len(text) or not text.startswith("\\", end - 1):
            return end
        at = end + (2 if text.startswith("\r\n", end) else 1)


def _variable(cell: Cell, env: re.Match[str]) -> Injection:
    """Return `%env X=v` as an `export` line."""
    value = env["value"].rstrip()
    known = re.fullmatch(r"[\w./:,@%+=^-]*", value) is not None
    word_start, word_end = env.start(), env.end("word")
    name, stop = env.span("name"), env.start("value") + len(value)
    starts = [cell.starts[word_start]] + [cell.ends[word_end - 1]] * 6
    ends = [cell.ends[word_end - 1]] * 7
    starts += cell.starts[name[0] : name[1]]
    ends += cell.ends[name[0] : name[1]]
    starts.append(cell.starts[env.start("gap")])
    ends.append(cell.ends[env.end("gap") - 1])
    starts += cell.starts[env.start("value") : stop]
    ends += cell.ends[env.start("value") : stop]
    said = value if known else HOLE * len(value)
    return Injection(Kind.SHELL, f"export {env['name']}={said}", SourceMap(0, starts, ends), _careful(cell.write))


def _careful(write: Write) -> Write:
    """Return a way to write that adds no `export` line to a cell."""

    def careful(text: str) -> str | None:
        return None if "\n" in text or "export" in text else write(text)

    return careful


def _without_magic(cell: Cell, start: int) -> Cell:
    """Return a cell in which the lines that aren't Python are blank."""
    chars = list(cell.text)
    chars[:start] = [char if char in "\r\n" else " " for char in chars[:start]]
    for match in _MAGIC.finditer(cell.text, start):
        end = _line_end(cell.text, match.start())
        chars[match.start() : end] = [c if c in "\r\n" else " " for c in chars[match.start() : end]]
    return cell._replace(text="".join(chars))


def _joined(cells: list[Cell]) -> Iterator[Injection]:
    """Yield the Python of all cells as one text; no edit reaches from one into another."""
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    walls: set[int] = set()
    for cell in cells:
        walls.add(len(starts))
        texts.append(cell.text)
        starts += cell.starts
        ends += cell.ends
        if cell.text and not cell.text.endswith(("\n", "\r")):
            texts.append("\n")
            starts.append(ends[-1])
            ends.append(ends[-1])
    if starts:
        exact = len(cells) == 1 and cells[0].write is as_it_is
        places = SourceMap(starts[0]) if exact else SourceMap(0, starts, ends, frozenset(walls))
        yield Injection(Kind.PYTHON, "".join(texts), places, cells[0].write)


LACKS = (Lack("=1", "="), *OF_CELLS)

_, cursor = host(_find)
