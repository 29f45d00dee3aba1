"""What starts a script or sources it: files that tools look for by their names, and the scripts that these name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.hosts.services import services
from npu_lsp.languages.injections import regions
from npu_lsp.linter.provenance.model import Step
from npu_lsp.linter.provenance.steps import before, built
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NAMES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile")
"""The files that `docker compose up` and `docker build` look for."""
_ABOVE = 4
"""Folders above that of a script that are looked into."""
_MOST = 30
"""Files that are gone through."""
_MOST_CHAINS = 8
_MOST_WORDS = 200
_SCRIPT = re.compile(r"(?<![\w./$-])[\w./${}~-]{0,200}\.(?:sh|bash|py)(?![\w.-])")
_MOVES = re.compile(r"(?:COPY|ADD)\b|(?:chmod|cp|mv|ln|cat|ls|rm|echo|install|dos2unix|sed)\s", re.IGNORECASE)
"""What names a script without running it."""
_IMAGES = frozenset({Kind.DOCKERFILE, Kind.YAML})


class _Node(NamedTuple):
    """A file, and where the one before names it."""

    document: Document
    above: tuple[_Node, int] | None = None

    def steps(self, offset: int, texts: FileTexts) -> list[Step]:
        outer = self.above[0].steps(self.above[1], texts) if self.above is not None else []
        return [*outer, *before(self.document, offset, texts)]


# branches: one for each reason to go on or to stop.
def around(document: Document, texts: FileTexts, others: Iterable[Document] = ()) -> list[list[Step]]:
    """Return for each file that starts `document` what is in force where it does so.

    `others` are files that may do so besides those that tools look for.
    """
    if not document.path:
        return []
    mine = os.path.abspath(document.path)
    waiting = [_Node(root) for root in [*_roots(mine, texts), *others] if os.path.abspath(root.path) != mine]
    done = {mine}
    built_by_others: set[str] = set()
    found: list[list[Step]] = []
    while waiting and len(done) < _MOST and len(found) < _MOST_CHAINS:
        node = waiting.pop(0)
        path = os.path.abspath(node.document.path)
        if path in done or path in built_by_others:
            continue
        done.add(path)
        starts: dict[str, int] = {}
        # Whose image a service has says with the service what it starts.
        built_by_others.update(os.path.abspath(image.path) for image in _images(node.document, texts))
        for offset, target in _scripts(node.document, texts):
            # The last one of a file counts: what stands above it is in force there, too.
            if target == mine and node.document.kind in _IMAGES and target in starts:
                found.append(node.steps(starts[target], texts))
            starts[target] = offset
        for target, offset in starts.items():
            if target == mine:
                found.append(node.steps(offset, texts))
                continue
            script = texts.at(target) if target not in done else None
            if script is not None and script.kind is Kind.SHELL:
                waiting.append(_Node(script, (node, offset)))
    return found


def _roots(path: str, texts: FileTexts) -> Iterator[Document]:
    folder = os.path.dirname(path)
    for _ in range(_ABOVE):
        for name in _NAMES:
            found = texts.at(os.path.join(folder, name))
            if found is not None:
                yield found
        if folder == texts.root or not folder.startswith(texts.root):
            return
        folder = os.path.dirname(folder)


def _images(document: Document, texts: FileTexts) -> Iterator[Document]:
    """Yield the Dockerfiles of the services of a Compose file."""
    for service in services(document):
        image = built(document, service, texts)
        if isinstance(image, Document):
            yield image


def _scripts(document: Document, texts: FileTexts) -> Iterator[tuple[int, str]]:
    """Yield where a file starts which scripts, by path; a service without a command starts what its image does."""
    if document.kind is not Kind.YAML:
        yield from _named(document, Span(0, len(document.text)), texts)
        return
    for service in services(document):
        commands = [service.keys[key] for key in ("command", "entrypoint") if key in service.keys]
        for span in commands:
            yield from ((service.span.start, path) for _, path in _named(document, span, texts))
        image = None if commands else built(document, service, texts)
        if isinstance(image, Document):
            whole = Span(0, len(image.text))
            yield from ((service.span.start, path) for _, path in _named(image, whole, texts))
    for span in _inside(document) if not services(document) else ():
        yield from ((span.start, path) for _, path in _named(document, span, texts))


def _inside(document: Document) -> list[Span]:
    read(document)
    return [region.span(Span(0, len(region.document.text))) for region in regions(document)]


def _named(document: Document, span: Span, texts: FileTexts) -> Iterator[tuple[int, str]]:
    count = 0
    for each in _SCRIPT.finditer(document.text, *span):
        line = document.line_text(document.line_of(each.start())).strip()
        if line.startswith("#") or _MOVES.match(line):
            continue
        count += 1
        if count > _MOST_WORDS:
            return
        for written in (each.group(), os.path.basename(each.group())):
            path = texts.located(written, document)
            # In an image a script lies elsewhere; it is copied from beside the Dockerfile as a rule.
            if path is not None and texts.at(path) is not None:
                yield each.start(), path
                break
            if document.kind not in _IMAGES:
                break
