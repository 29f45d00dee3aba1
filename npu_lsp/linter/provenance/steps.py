"""What one text does to the environment before a place in it, in the order in which it takes effect; sourced files are gone through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from npu_lsp.languages import read
from npu_lsp.languages.branches import Branch, dominates, exclusive, reaches
from npu_lsp.languages.hosts.services import Service, below, entries, scalars, services
from npu_lsp.languages.hosts.yaml_scopes import is_environment_of
from npu_lsp.languages.innermost import InnermostPlace, nested
from npu_lsp.languages.model import Block, FactKind, Setting
from npu_lsp.languages.shell.sourcing import of_tools, sourced
from npu_lsp.linter.provenance.model import Origin, Step, TakenOut, Unread, Why
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_DEPTH = 8
"""Files that source each other."""
_MOST = 10_000
"""Settings of a text that are looked at."""
_FROM = re.compile(
    r"^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<name>\S+))?", re.IGNORECASE | re.MULTILINE
)
_UNSET = re.compile(r"(?<![\w$-])(?P<word>unset)[ \t]+(?:-v[ \t]+)?(?P<names>[A-Za-z_]\w*(?:[ \t]+[A-Za-z_]\w*)*)")
_DELETED = re.compile(
    r"(?:^|(?<=[ \t]))(?:del[ ]+os\.environ\[[\"'](?P<del>\w+)|os\.environ\.pop\([\"'](?P<pop>\w+))", re.MULTILINE
)
_STARTS = re.compile(r"^[ \t]*(?:CMD|ENTRYPOINT|HEALTHCHECK)\b", re.IGNORECASE)
_FALLBACK = re.compile(r"\$\{(?P<name>\w+):?[-=](?P<value>[^${}`\\]*)\}\"?\Z")
_CONFIG_MAP = re.compile(
    r"^[ ]*(?:-[ ]+)?(?:configMapRef|secretRef):[ ]*(?:\{[ ]*name:[ ]*(?P<inline>[\w.-]+)|$)", re.MULTILINE
)
_NAME = re.compile(r"[ ]*name:[ ]*[\"']?(?P<name>[\w.-]+)")
_APART = re.compile(r"^---", re.MULTILINE)
_MAPS = frozenset({"ConfigMap", "Secret"})
_INLINE = re.compile(r"[{,][ ]*name:[ ]*[\"']?(?P<name>[\w.-]+)")


def before(document: Document, offset: int, texts: FileTexts, branch: Branch | None = None) -> list[Step]:
    """Return what `document` does to the environment of what stands at `offset`, with the files that it names.

    `branch` is that of the place, where somebody knows it. Places are those of the files that they stand in.
    """
    found: list[Step] = []
    # What a file sets itself is no text in it, though it is read as one: the lines of an `ENV`, the items of an `env:`.
    seen = {s.key for b in read(document).blocks if b.surface.row.environment and not b.text for s in b.settings}
    for place in nested(document, offset):
        inner = place.document is not document
        for step in _Text(place.document, texts, ()).steps(place.offset, None if inner else branch):
            step = _outside(step, place, document) if inner else step
            if not (inner and isinstance(step, Origin) and step.document is document and step.key in seen):
                found.append(step)
    return found


def _outside(step: Step, place: InnermostPlace, outer: Document) -> Step:
    """Return a step of a text in a file with its place in the file."""
    if not isinstance(step, TakenOut) and step.document is place.document:
        if isinstance(step, Origin):
            return step._replace(document=outer, key=place.span(step.key))
        return step._replace(document=outer, span=place.span(step.span))
    return step


class _Text:
    def __init__(self, document: Document, texts: FileTexts, on_the_way: tuple[str, ...]) -> None:
        self._document = document
        self._texts = texts
        self._on_the_way = (*on_the_way, document.path)

    def steps(self, offset: int, branch: Branch | None = None) -> Iterator[Step]:
        """Yield what takes effect before `offset`."""
        kind = self._document.kind
        if kind is Kind.DOCKERFILE:
            yield from self._image(offset)
        elif kind is Kind.YAML:
            yield from self._containers(offset)
        elif kind is Kind.SHELL:
            from npu_lsp.languages.shell.branches import branch_at

            yield from self._script(offset, branch_at(self._document, offset) if branch is None else branch)
        else:
            yield from self._script(offset, branch or ())

    # -- scripts ----------------------------------------------------------------------------------------

    # branches: one for each thing that changes the environment.
    def _script(self, offset: int, branch: Branch) -> Iterator[Step]:
        why = Why.ENV_FILE if self._document.kind is Kind.DOTENV else Why.EXPORT
        found: list[tuple[int, list[Step]]] = []
        for block, setting in self._settings():
            # A value is taken before its own name gets it: what asks inside of it, asks about the one before.
            asks = setting.value.span.start <= offset <= setting.value.span.end
            if setting.key.start < offset and not asks and not block.text and self._counts(setting.branch, branch):
                found.append((setting.key.start, [self._origin(setting, why, dominates(setting.branch, branch))]))
        for fact in (fact for block in read(self._document).blocks for fact in block.facts):
            if fact.kind not in (FactKind.UNSET, FactKind.UNSET_APART) or self._document.kind in (
                Kind.SHELL,
                Kind.PYTHON,
            ):
                continue
            if fact.value is not None and fact.span.start < offset and self._counts(fact.branch, branch):
                sure = dominates(fact.branch, branch) and fact.kind is FactKind.UNSET
                found.append((fact.span.start, [TakenOut(str(fact.value.data), sure)]))
        if self._document.kind is Kind.SHELL:
            found += self._sourced(offset, branch)
            found += self._unset(offset, branch)
        elif self._document.kind is Kind.PYTHON:
            for out in _DELETED.finditer(self._document.text, 0, min(offset, len(self._document.text))):
                found.append(
                    (out.start(), [TakenOut(out["del"] or out["pop"], self._document.line_column(out.start())[1] == 1)])
                )
        for _, steps in sorted(found, key=lambda each: each[0]):
            yield from steps

    def _unset(self, offset: int, branch: Branch) -> Iterator[tuple[int, list[Step]]]:
        from npu_lsp.languages.shell.branches import branch_at
        from npu_lsp.languages.shell.tree import tree_of

        for out in _UNSET.finditer(self._document.text, 0, min(offset, len(self._document.text))):
            at = out.start("word")
            node = tree_of(self._document).node_at(at, out.end("word"))
            its = branch_at(self._document, at)
            if node is not None and node.type == "unset" and self._counts(its, branch):
                yield at, [TakenOut(name, dominates(its, branch)) for name in out["names"].split()]

    def _sourced(self, offset: int, branch: Branch) -> Iterator[tuple[int, list[Step]]]:
        from npu_lsp.languages.shell.branches import branch_at

        for each in sourced(self._document):
            if each.span.end >= offset or of_tools(each.file):
                continue
            its = branch_at(self._document, each.span.start)
            if not self._counts(its, branch):
                continue
            other = self._texts.named(each.file, self._document)
            if other is None or other.path in self._on_the_way or len(self._on_the_way) > _DEPTH:
                yield each.span.start, [Unread(self._document, each.span, each.file)]
                continue
            inner = list(_Text(other, self._texts, self._on_the_way).steps(len(other.text) + 1, ()))
            yield each.span.start, inner if dominates(its, branch) else [_maybe(step) for step in inner]

    @staticmethod
    def _counts(its: Branch, branch: Branch) -> bool:
        return not exclusive(its, branch) and reaches(its, branch)

    # -- images -----------------------------------------------------------------------------------------

    def _image(self, offset: int) -> Iterator[Step]:
        """Yield the `ENV` lines of the stage at `offset`, and of those that it is built on; a start has all of its stage's."""
        document = self._document
        stages = [(each.start(), each["image"], each["name"] or "") for each in _FROM.finditer(document.text)]
        ends = [*(start for start, _, _ in stages[1:]), len(document.text) + 1]
        mine = max((i for i, each in enumerate(stages) if each[0] <= offset), default=-1)
        if mine < 0:
            return
        line = document.line_text(document.line_of(min(offset, len(document.text))))
        spans = [Span(stages[mine][0], ends[mine] if _STARTS.match(line) else offset)]
        at = mine
        while at >= 0:
            image = stages[at][1].lower()
            at = next((i for i in range(at - 1, -1, -1) if stages[i][2].lower() == image), -1)
            if at >= 0:
                spans.insert(0, Span(stages[at][0], ends[at]))
        for span in spans:
            for _, setting in self._settings():
                if span.start <= setting.key.start < span.end:
                    yield self._origin(setting, Why.IMAGE, True)

    # -- containers -------------------------------------------------------------------------------------

    def _containers(self, offset: int) -> Iterator[Step]:
        service = next((each for each in services(self._document) if each.has(offset)), None)
        if service is not None:
            yield from self._service(service)
            return
        yield from self._config_maps(offset)
        for block, setting in self._settings():
            if not block.text and is_environment_of(self._document, setting.key.start, offset):
                yield self._origin(setting, Why.SERVICE, True)

    def _service(self, service: Service) -> Iterator[Step]:
        image = built(self._document, service, self._texts)
        if isinstance(image, Document):
            yield from _Text(image, self._texts, self._on_the_way).steps(len(image.text))
        elif image is not None:
            yield image
        for scalar in scalars(self._document, service.keys["env_file"]) if "env_file" in service.keys else ():
            if scalar.key not in ("", "path"):
                continue
            file = self._texts.named(scalar.text, self._document)
            if file is None:
                yield Unread(self._document, scalar.span, scalar.text)
            else:
                inner = _Text(file, self._texts, self._on_the_way).steps(len(file.text) + 1)
                yield from (step._replace(why=Why.ENV_FILE) if isinstance(step, Origin) else step for step in inner)
        for block, setting in self._settings():
            if service.holds("environment", setting.key.start) and not block.command:
                yield self._origin(setting, Why.SERVICE, True)

    def _config_maps(self, offset: int) -> Iterator[Step]:
        """Yield what the maps hold that the container at `offset` takes all of, where they stand in the same file."""
        document = self._document
        for use in _CONFIG_MAP.finditer(document.text):
            if not is_environment_of(document, use.start(), offset):
                continue
            below = _NAME.match(document.text, document.line_end(document.line_of(use.start())))
            name = use["inline"] or (below["name"] if below is not None else "")
            data = _data_of(document, name)
            if data is None:
                yield Unread(document, Span(*use.span()), name or "configMapRef")
                continue
            for _, setting in self._settings():
                if data.covers(setting.key.start):
                    yield self._origin(setting, Why.CONFIG_MAP, True)

    # -- both -------------------------------------------------------------------------------------------

    def _settings(self) -> list[tuple[Block, Setting]]:
        """Return what the text sets for all that runs behind it, in order."""
        found = [
            (block, setting)
            for block in read(self._document).blocks
            if block.surface.row.environment and block.command is None
            for setting in block.settings
        ]
        return sorted(found, key=lambda pair: pair[1].key)[:_MOST]

    def _origin(self, setting: Setting, why: Why, sure: bool) -> Origin:
        return origin(self._document, setting, why, sure)


def origin(document: Document, setting: Setting, why: Why, sure: bool) -> Origin:
    """Return a setting as an origin; one that only stands in for a value that isn't there says so."""
    value = str(setting.value.data) if setting.value.known else None
    around = document.text[setting.statement.start : setting.key.start]
    if why is Why.EXPORT and document.kind is Kind.PYTHON and "setdefault" in around:
        why = Why.DEFAULT
    fallback = _FALLBACK.search(document.text, *setting.value.span) if value is None else None
    if fallback is not None and fallback["name"] == setting.name:
        why, value = Why.DEFAULT, fallback["value"]
    return Origin(setting.name, document, setting.key, value, why, sure)


def built(document: Document, service: Service, texts: FileTexts) -> Document | Unread | None:
    """Return the Dockerfile that a service's image is built from; `None` where none is built."""
    if "build" not in service.keys:
        return None
    given = {each.key or "context": each for each in scalars(document, service.keys["build"])}
    context = given["context"].text if "context" in given else "."
    name = given["dockerfile"].text if "dockerfile" in given else "Dockerfile"
    found = texts.named(f"{context}/{name}", document)
    if found is not None and found.kind is Kind.DOCKERFILE:
        return found
    at = given.get("context")
    return Unread(document, at.span if at is not None else service.keys["build"], f"{context}/{name}")


def _data_of(document: Document, name: str) -> Span | None:
    """Return where the data of the map `name` stands."""
    starts = [0, *(each.end() for each in _APART.finditer(document.text)), len(document.text)]
    for start, end in pairwise(starts):
        keys = dict(entries(document, Span(start, end)))
        is_map = "kind" in keys and any(each.text in _MAPS for each in scalars(document, keys["kind"]))
        data = keys.get("data", keys.get("stringData"))
        if is_map and data is not None and "metadata" in keys and _name_in(document, keys["metadata"]) == name:
            return data
    return None


def _name_in(document: Document, metadata: Span) -> str | None:
    own = dict(entries(document, below(document, metadata))).get("name")
    named = next(scalars(document, own), None) if own is not None else None
    if named is not None:
        return named.text
    inline = _INLINE.search(document.text, *metadata)
    return inline["name"] if inline is not None else None


def _maybe(step: Step) -> Step:
    return step if isinstance(step, Unread) else step._replace(certain=False)


def given(document: Document, start: int, branch: Branch | None) -> Iterator[Origin]:
    """Yield what the command at `start` gives itself: `X=1 command`, `docker run -e X=1 image command`; `None`: in any branch of it."""
    for block in read(document).blocks:
        if block.surface.row.environment and block.command is not None and block.command.covers(start):
            for setting in block.settings:
                text = document.text[setting.own.start : setting.own.end]
                why = Why.SERVICE if text.startswith("-") else Why.PREFIX
                if branch is None or dominates(setting.branch, branch):
                    yield origin(document, setting, why, True)
