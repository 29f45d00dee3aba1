"""The value of each variable at a place of a file: from the image to the prefix of the command, by all files that a setting names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.branches import Branch
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.provenance.model import Origin, Provenance, Step, Unread, Why, names, settled
from npu_lsp.linter.provenance.starting import around
from npu_lsp.linter.provenance.steps import before, given, origin
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_CONTAINER = re.compile(r"(?<![\w.-])(?:docker|podman|nerdctl)[ \t]+(?:container[ \t]+)?(?:run|exec|create)\b")
_WHY = {Kind.DOCKERFILE: Why.IMAGE, Kind.YAML: Why.SERVICE, Kind.DOTENV: Why.ENV_FILE}
_ENV_FILE = re.compile(r"--env-file(?:=|[ \t]+)(?P<file>[^\s;&|]+)")


class Asked(NamedTuple):
    """A place of a file that somebody asks about."""

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
    holding = next((b for b in blocks if b.command is not None and b.command.covers(offset)), None)
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


def steps(asked: Asked, texts: FileTexts, others: Iterable[Document] = ()) -> list[Step]:
    """Return what happens to the environment before a place, in the order in which it takes effect."""
    document = asked.document
    found = [*_merged(around(document, texts, others)), *before(document, asked.offset, texts, asked.branch)]
    block = asked.launch
    if block is not None and block.command is not None:
        text = document.text[slice(*block.command)]
        container = _CONTAINER.search(text)
        if container is not None and block.command.start + container.start() < block.head.start:
            # A container gets what it is given, and nothing of what the shell has.
            found = list(_env_files(document, block.command, block.head.start, texts))
        found += given(document, block.head.start, block.branch)
    if asked.setting is not None:
        own = [step for step in found if isinstance(step, Origin) and _is(step, document, asked.setting)]
        if own:
            found = found[: found.index(own[0]) + 1]
        else:
            why = Why.PREFIX if _is_given(document, asked.setting) else _WHY.get(document.kind, Why.EXPORT)
            found.append(origin(document, asked.setting, why, True))
    return found


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
