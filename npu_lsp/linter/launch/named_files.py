"""The variables that a launch gets from files which its text names: `docker run --env-file`, `env_file:` of Compose, `source ./env.sh`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.hosts.services import scalars, services
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.shell.sourcing import of_tools, sourced
from npu_lsp.linter.context import Context
from npu_lsp.text import dependencies
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_GIVEN = re.compile(r"--env-file(?:=|[ \t]+)[\"']?(?P<file>[^\s;&|\"'$]+)")
CONTAINER = re.compile(r"(?<![\w.-])(?:docker|podman|nerdctl)[ \t]+(?:container[ \t]+)?(?:run|exec|create)\b")
_UNKNOWN = re.compile(r"[$*?~`{]")
_LARGEST = 1 << 16
"""Bytes of a file that is read."""


class _NamedFile(NamedTuple):
    """A file with variables, where it is named, and what it is."""

    file: str
    span: Span
    kind: Kind


class _AtName(NamedTuple):
    """Puts what a file sets where that file is named."""

    place: Span

    def span(self, _span: Span) -> Span:
        return self.place

    def content(self, _span: Span) -> Span | None:
        return None

    def edits(self, _edits: Iterable[Edit]) -> tuple[Edit, ...]:
        return ()

    @property
    def region(self) -> int | None:
        return None


def from_files(block: Block, context: Context) -> Mapping[str, Setting]:
    """Return what the files that are named for a command set, by name; what they may set to several values is left out."""
    document = context.document
    if not document.path or (document.kind is not Kind.SHELL and document.kind is not Kind.YAML):
        return {}
    found: dict[str, Setting] = {}
    folder = Path(document.path).parent
    for each in _named(block, document):
        at = _AtName(each.span)
        variables = dependencies.once(_variables, folder, each.file, each.kind)
        found.update({name: setting.mapped(at) for name, setting in variables.items()})
    return found


def _named(block: Block, document: Document) -> Iterator[_NamedFile]:
    start = block.head.start
    if document.kind is Kind.SHELL:
        # What runs in a container gets nothing of what the shell has.
        alone = block.command is not None and CONTAINER.search(document.text, block.command.start, start) is not None
        for source in () if alone else sourced(document):
            if source.span.end < start and not of_tools(source.file):
                name = source.file.strip("\"'")
                yield _NamedFile(name, Span(source.span.end - len(source.file), source.span.end), Kind.SHELL)
        for found in _GIVEN.finditer(document.text, *(block.command or block.span)):
            yield _NamedFile(found["file"], Span(*found.span("file")), Kind.DOTENV)
        return
    service = next((each for each in services(document) if each.has(start)), None)
    for scalar in scalars(document, service.keys["env_file"]) if service and "env_file" in service.keys else ():
        if scalar.key in ("", "path"):
            yield _NamedFile(scalar.text, scalar.span, Kind.DOTENV)


def _variables(folder: Path, name: str, kind: Kind) -> Mapping[str, Setting]:
    """Return what a file sets for sure, by name."""
    data = None if _UNKNOWN.search(name) else dependencies.content_below(folder, name, _LARGEST)
    if data is None:
        return {}
    text = data.decode("utf-8", errors="replace")
    inner = Document(text, kind=kind, path=str(folder / name))
    found: dict[str, list[Setting]] = {}
    for block in read(inner).blocks:
        for setting in block.settings if block.surface.row.environment and block.command is None else ():
            found.setdefault(setting.name, []).append(setting)
    return {
        name: each[-1]
        for name, each in found.items()
        if all(one.value.known and not one.branch for one in each) and len({str(one.value.data) for one in each}) == 1
    }
