"""What must not matter changes no finding: other names, comments, line ends, indentation, a byte order mark."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product

from npu_lsp.languages.python.lines.logical_lines import scan
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.decoding import decode
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.case_files import case_files
from tests.languages.python.told import told
from tests.together import together

_FILES = {path.name: path for path in case_files(suffix=".py")}
_NAMES = {
    name: name + "_1"
    for name in (
        "flags",
        "FLAGS",
        "custom_op",
        "put",
        "put_all",
        "Trainer",
        "Defaults",
        "words",
        "second",
        "run",
        "opts",
    )
}
_RENAMED = re.compile(rf"(?<!\.)\b(?:{'|'.join(_NAMES)})\b")


def _with_comments(text: str) -> str:
    """Return `text` with a comment above each statement and behind each one that ends its line."""
    found = scan(text)
    for start, end in reversed(list(zip(found.starts, found.ends, strict=True))):
        rest = re.compile(r"[ \t]*(?:\n|\Z)").match(text, end)
        if rest is not None and end > start and text[end - 1] != "\\":
            text = text[:end] + "  # a comment" + text[end:]
        line = text.rfind("\n", 0, start) + 1
        above = text[text.rfind("\n", 0, max(line - 1, 0)) + 1 : line]
        if not text[line:start].strip() and "#" not in above and start not in found.ends:
            text = f'{text[:line]}{text[line:start]}# a comment, with " and (\n{text[line:]}'
    return text


def _indented(by: str) -> Callable[[str], str]:
    return lambda text: re.sub(r"^(?: {4})+", lambda m: by * (len(m.group()) // 4), text, flags=re.MULTILINE)


_MUTATIONS: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "tabs": _indented("\t"),
    "two blanks": _indented("  "),
    "eight blanks": _indented(" " * 8),
    "mark": lambda text: "\ufeff" + text.removeprefix("\ufeff"),
    "comments": _with_comments,
    "blank lines": lambda text: re.sub(r"(?<=\n)(?=[a-z@])", "\n\n \t\n", text),
    "names": lambda text: _RENAMED.sub(lambda m: _NAMES[m.group()], text),
}


def _text(name: str) -> str:
    return re.sub(r"\r\n?", "\n", decode(_FILES[name].read_bytes()).text)


@cache
def _analyzer() -> Analyzer:
    return Analyzer(Config(), all_rules)


@cache
def _plain(name: str) -> tuple[str, list[tuple[str, object]], list[tuple[str, str, str]]]:
    """Return a sample, what it sets, and what is found in it."""
    text = _text(name)
    return text, told(text), _findings(text, name)


def _findings(text: str, name: str) -> list[tuple[str, str, str]]:
    """Return code, message and underlined text of each finding, with new names as the old ones were."""
    found = _analyzer().findings(Document(text, path=str(_FILES[name]), kind=Kind.PYTHON))

    def plain(said: str) -> str:
        said = re.sub(r"\b(\w+)_1\b", r"\1", re.sub(r"\bline \d+", "line", said))
        return re.sub(r"\s+", " ", said.replace("  # a comment", ""))

    return [(f.code, plain(f.message), plain(text[f.span.start : f.span.end])) for f in found]


@together(("name", "mutation"), product(sorted(_FILES), _MUTATIONS))
def test_no_finding_changes(name: str, mutation: str) -> None:
    text, settings, findings = _plain(name)
    changed = _MUTATIONS[mutation](text)
    assert told(changed) == settings
    assert _findings(changed, name) == findings
