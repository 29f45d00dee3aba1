"""The value of each variable at a place of a file: from the image to the prefix of the command, by all files that a setting names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.branches import Branch
from npu_lsp.languages.hosts.services import services
from npu_lsp.languages.injections import regions
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.launch.named_files import CONTAINER
from npu_lsp.linter.provenance.model import Origin, Provenance, Step, Unread, Why, names, settled
from npu_lsp.linter.provenance.steps import before, built, given, origin
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_WHY = {Kind.DOCKERFILE: Why.IMAGE, Kind.YAML: Why.SERVICE, Kind.DOTENV: Why.ENV_FILE}
_ENV_FILE = re.compile(r"--env-file(?:=|[ \t]+)(?P<file>[^\s;&|]+)")


class Asked(NamedTuple):
    """A question which settings are in force: at a place of a file, for a command or behind a setting there."""

    document: Document
    offset: int
    branch: Branch | None = None
    launch: Block | None = None
    """The command there, where it is asked what that gets."""
    setting: Setting | None = None
    """The setting of a variable there, where it is asked what that leaves."""


def place(document: Document, offset: int) -> Asked:
    """Return what there is to ask about at `offset`: a setting of a variable, a command, or the place alone."""
    blocks = read(document).blocks
    for block in blocks:
        for setting in block.settings if block.surface.row.environment else ():
            if setting.key.covers(offset):
                return Asked(document, setting.key.start, setting.branch, None, setting)
    commands = [b for b in blocks if b.command is not None and b.head.covers(offset) and not b.surface.row.environment]
    if commands:
        return Asked(document, commands[0].head.start, commands[0].branch, commands[0])
    holding = _holding(document, offset)
    return Asked(document, offset, holding.branch if holding is not None else None)


def on_line(document: Document, line: int) -> Asked:
    """Return what there is to ask about on a line, counted from 0: its command, its last setting of a variable, or the line."""
    span = document.line_span(line)
    text = document.text[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    blocks = read(document).blocks
    commands = [b for b in blocks if b.command is not None and b.command.start <= span.end and b.command.end > start]
    if commands:
        # A program before its variables, what it starts before the launcher around it.
        best = max(commands, key=lambda b: (not b.surface.row.environment, b.head.start))
        return Asked(document, best.head.start, best.branch, best)
    kept = [s for b in blocks if b.surface.row.environment for s in b.settings if span.covers(s.key.start)]
    if kept:
        return Asked(document, kept[-1].key.start, kept[-1].branch, None, kept[-1])
    return Asked(document, start)


def provenance(asked: Asked, name: str, texts: FileTexts, others: Iterable[Document] = ()) -> Provenance:
    """Return what is known of the variable `name` at a place."""
    return settled(name, steps(asked, texts, others))


def provenances(asked: Asked, texts: FileTexts, others: Iterable[Document] = ()) -> list[Provenance]:
    """Return what is known of all variables that something sets for a place."""
    taken = steps(asked, texts, others)
    found = (settled(name, taken) for name in names(taken))
    return [each for each in found if each.found]


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
        found = [*outer, *before(self.document, offset, texts)]
        holding = _holding(self.document, offset)
        return _started(self.document, offset, holding.command if holding is not None else None, found, texts)


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


def steps(asked: Asked, texts: FileTexts, others: Iterable[Document] = ()) -> list[Step]:
    """Return what happens to the environment before a place, in the order in which it takes effect."""
    document = asked.document
    found = [*_merged(around(document, texts, others)), *before(document, asked.offset, texts, asked.branch)]
    block = asked.launch
    if block is not None and block.command is not None:
        found = _started(document, block.head.start, block.command, found, texts, block.branch)
    if asked.setting is not None:
        own = [step for step in found if isinstance(step, Origin) and _is(step, document, asked.setting)]
        if own:
            found = found[: found.index(own[0]) + 1]
        else:
            why = Why.PREFIX if _is_given(document, asked.setting) else _WHY.get(document.kind, Why.EXPORT)
            found.append(origin(document, asked.setting, why, True))
    return found


def _started(
    document: Document,
    offset: int,
    command: Span | None,
    found: list[Step],
    texts: FileTexts,
    branch: Branch | None = None,
) -> list[Step]:
    """Return what a program at `offset` of a command gets where `found` is in force."""
    if command is None:
        return found
    container = CONTAINER.search(document.text, *command)
    if container is not None and container.start() < offset:
        # A container gets what it is given, and nothing of what the shell has.
        found = list(_env_files(document, command, offset, texts))
    return [*found, *given(document, offset, branch)]


def _holding(document: Document, offset: int) -> Block | None:
    """Return the first block of the command that `offset` is in."""
    blocks = read(document).blocks
    return next((each for each in blocks if each.command is not None and each.command.covers(offset)), None)


def _is(step: Origin, document: Document, setting: Setting) -> bool:
    return step.document is document and step.key == setting.key


def _is_given(document: Document, setting: Setting) -> bool:
    return any(block.command is not None and setting in block.settings for block in read(document).blocks)


def _env_files(document: Document, command: Span, end: int, texts: FileTexts) -> Iterable[Step]:
    for each in _ENV_FILE.finditer(document.text, command.start, end):
        file = texts.named(each["file"], document)
        if file is None:
            yield Unread(document, Span(*each.span()), each["file"])
        else:
            inner = before(file, len(file.text) + 1, texts)
            yield from (step._replace(why=Why.ENV_FILE) if isinstance(step, Origin) else step for step in inner)


def _merged(chains: Sequence[list[Step]]) -> list[Step]:
    """Return what is in force before a file begins: of several that start it, nobody knows which one does."""
    if len(chains) == 1:
        return chains[0]
    found: list[Step] = []
    seen: set[tuple[str, Span]] = set()
    for chain in chains:
        for name in names(chain):
            for each in settled(name, chain).found:
                if (each.document.path, each.key) not in seen:
                    seen.add((each.document.path, each.key))
                    found.append(each._replace(certain=False))
        found += [step for step in chain if isinstance(step, Unread)]
    return found
