"""Files that start tests: variables and commands of tox and of pytest-env in `tox.ini`, `setup.cfg`, `pytest.ini`."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.injections import Injection, careful, hash_comments, host
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Span

_KEY = re.compile(r"(?P<key>set_?env|env|commands(?:_pre|_post)?)[ \t]*=[ \t]*")
# pytest-env: `D:` sets where nothing is set yet, `R:` leaves the value as it stands.
_PAIR = re.compile(r"(?:[DR]:){0,2}(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*(?P<value>(?:[^\s]|[ \t]+(?=[^\s]))*)[ \t]*")
_FILLED_IN = re.compile(r"\{[^{}\r\n]*\}")
_COMMENT = ("#", ";")


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    lines = VariableLines()
    for key, start, item in _items(document):
        if key.startswith("commands"):
            at = item.start + (2 if text.startswith("- ", item.start) else 0)
            said = _FILLED_IN.sub(lambda match: HOLE * len(match.group()), text[at : item.end])
            yield Injection(Kind.SHELL, said, SourceMap(at), careful, part=True)
            continue
        pair = _PAIR.fullmatch(text, *item)
        if pair is None:
            continue
        name, value, end = Span(*pair.span("name")), Span(*pair.span("value")), min(item.end + 1, len(text))
        # Quotes are a part of the value there.
        lines.export(text, Span(start, start), name, value, end, known=not set("{}\"'") & set(pair["value"]))
    yield from lines.script(careful)


def _items(document: Document) -> Iterator[tuple[str, int, Span]]:
    """Yield the lines of each key that matters: the key, where what belongs to the line alone starts, and what it says."""
    text, key = document.text, ""
    for number in range(document.line_count):
        line = document.line_span(number)
        said = text[line.start : line.end]
        if not said.strip() or said.lstrip().startswith(_COMMENT):
            continue
        start = line.start + len(said) - len(said.lstrip())
        if start == line.start:
            match = _KEY.match(text, *line)
            key = match["key"] if match is not None else ""
            start = match.end() if match is not None else start
        if key and start < line.end:
            yield key, start, Span(start, line.end)


LACKS = (Lack("=1", "="),)

read, cursor = host(_find, hash_comments)
