"""`requirements.txt` and its kin, a package a line, and the lists of packages in `pyproject.toml`."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, Lack
from npu_lsp.languages.config_formats.entries import block, comments, lines
from npu_lsp.languages.model import Block, ParseResult, Setting
from npu_lsp.languages.requirements import may_require, requirement
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_SECTION = re.compile(r"^[ \t]*\[(?P<name>[\w.\"-]+)\]", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*(?P<key>[\w.-]+)[ \t]*=[ \t]*\[", re.MULTILINE)
_ITEM = re.compile(r"#[^\n]*|\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|\]")
_OF_POETRY = re.compile(
    r"^(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:\{[^}\n]*?\bversion[ \t]*=[ \t]*)?[\"'](?P<said>(?:==)?\d[\w.+]*)[\"']",
    re.MULTILINE,
)
"""A package of Poetry's with one version alone: a bare one is exact."""


def read(document: Document) -> ParseResult:
    """Return all packages as one block: one command installs them. Each list of a `pyproject.toml` is one of its own."""
    if not may_require(document.text):
        return ParseResult(comments=comments(document))
    if document.path.endswith(".toml"):
        return ParseResult(tuple(_of_project(document)), comments=comments(document))
    found: list[Setting] = []
    more = False
    for _, span in lines(document):
        said = document.text[slice(*span)]
        more = more or said.startswith(("-r", "--requirement"))
        setting = requirement(said, span, span, span)
        if setting is not None:
            found.append(setting)
    if not found:
        return ParseResult(comments=comments(document))
    one = block(0, Surface.PACKAGE, found[0].key, found)._replace(open=more)
    return ParseResult((one,), comments=comments(document))


def _of_project(document: Document) -> Iterator[Block]:
    """Yield the lists of packages that are installed together: those of the project, each group, those of Poetry."""
    text, number = document.text, 0
    sections = [*_SECTION.finditer(text)]
    ends = [each.start() for each in sections[1:]] + [len(text)]
    for section, end in zip(sections, ends, strict=True):
        name = section["name"]
        if name.startswith("tool.poetry") and name.endswith("dependencies"):
            lists = [
                [
                    requirement(f"{each['name']}=={each['said'].lstrip('=')}", span, span, span, written=False)
                    for each in _OF_POETRY.finditer(text, section.end(), end)
                    for span in (Span(*each.span()),)
                ]
            ]
        else:
            grouped = name in ("project.optional-dependencies", "dependency-groups")
            lists = [
                list(_listed(text, each.end(), end))
                for each in _LIST.finditer(text, section.end(), end)
                if grouped or (name == "project" and each["key"] == "dependencies")
            ]
        for found in lists:
            known = [each for each in found if each is not None]
            if known:
                yield block(number, Surface.PACKAGE, known[0].key, known)
                number += 1


def _listed(text: str, start: int, end: int) -> Iterator[Setting | None]:
    """Yield the requirements of one list."""
    for item in _ITEM.finditer(text, start, end):
        if item.group() == "]":
            return
        if item.lastgroup is not None:
            span = Span(*item.span(item.lastgroup))
            yield requirement(text[slice(*span)], span, Span(*item.span()), span)


def cursor(_document: Document, _offset: int) -> CompletionContext | None:
    """Return nothing: the names of packages are those of an index, of which few are known here."""
    return None


LACKS = (Lack("==1", surface=Surface.PACKAGE),)
