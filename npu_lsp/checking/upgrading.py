"""What an upgrade changes for the settings of a folder: what is found on the new versions and not on the old ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.availability import as_one, standing
from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Change, Option
from npu_lsp.catalog.surfaces import ENVIRONMENT, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.linter.severity import Severity
from npu_lsp.linter.values import shown
from npu_lsp.rules.default_changed import DefaultChanged
from npu_lsp.text.bilingual import Language, Text

_PASSING = frozenset({"NPU301", "NPU305", "NPU306"})
"""The rules about what still works and has a successor."""
_VERSIONED = _PASSING | {"NPU302", "NPU401", "NPU402"}
"""The rules whose findings rest on a version alone."""


class Effect(Enum):
    """What an upgrade does to a setting, the worst first."""

    STOPS = Text("stops", "报错退出")
    IGNORED = Text("is ignored", "不再生效")
    DEFAULT = Text("default changes", "默认值变化")
    DEPRECATED = Text("deprecated", "已废弃")
    OTHER = Text("to look at", "需要确认")


class Step(NamedTuple):
    """One thing that an upgrade changes."""

    effect: Effect
    path: str
    line: int
    """1-based."""
    option: str
    code: str
    """The rule that finds it; empty for a default."""
    message: str
    fix: str = ""
    """What mends it, where something does."""
    safe: bool = False
    """The fix is made by `--fix`."""


class Upgrade(NamedTuple):
    """All that an upgrade changes."""

    steps: tuple[Step, ...]
    """The worst first, then by place."""
    new: tuple[Option, ...]
    """The options that come with the new versions, on the surfaces that the folder uses."""


class Versions(NamedTuple):
    """The versions that an upgrade starts from and leads to."""

    old: Target
    new: Target

    def reach(self, version: str | None, component: str) -> bool:
        """Return whether something that holds since `version` comes with this upgrade."""
        return self.old.lacks(version, component) and not self.new.lacks(version, component)


def plan(
    before: Iterable[ReportedFinding],
    after: Iterable[ReportedFinding],
    rows: Sequence[Row],
    versions: Versions,
    catalog_of: Callable[[str], Catalog],
    language: Language,
) -> Upgrade:
    """Return what the upgrade changes, from the findings on both versions and the settings.

    `catalog_of` returns the catalog that holds for a path: configurations may add to it.
    """
    known = {_identity(entry) for entry in before}
    surfaces = {(row.path, row.line): Surface(row.surface) for row in rows}
    steps = [_step(entry, surfaces) for entry in after if not entry.silenced and _identity(entry) not in known]
    steps += _defaults(rows, versions, catalog_of, language)
    order = list(Effect)
    used = {row.surface: catalog_of(row.path) for row in rows}
    new = (
        option
        for surface, catalog in sorted(used.items())
        for option in catalog.options(Surface(surface))
        if versions.reach(option.since, option.component)
    )
    return Upgrade(tuple(sorted(steps, key=lambda step: (order.index(step.effect), step[1:]))), tuple(new))


def unversioned(entries: Iterable[ReportedFinding]) -> Iterator[ReportedFinding]:
    """Yield what would be found on any version, where nobody says which one is the old one."""
    return (entry for entry in entries if entry.code not in _VERSIONED)


def _identity(entry: ReportedFinding) -> tuple[object, ...]:
    return (entry.path, entry.place, entry.code, entry.option)


def _step(entry: ReportedFinding, surfaces: dict[tuple[str, int], Surface]) -> Step:
    surface = surfaces.get((entry.path, entry.place.line))
    if entry.code in _PASSING:
        effect = Effect.DEPRECATED
    elif surface is not None and surface.row.silent:
        effect = Effect.IGNORED
    else:
        effect = Effect.STOPS if entry.severity is Severity.ERROR else Effect.OTHER
    fix = entry.reported_fixes[0] if entry.reported_fixes else None
    title, safe = (fix.title, fix.safe) if fix is not None else ("", False)
    return Step(effect, entry.path, entry.place.line, entry.option or "", entry.code, entry.message, title, safe)


def _defaults(
    rows: Sequence[Row], versions: Versions, catalog_of: Callable[[str], Catalog], language: Language
) -> Iterator[Step]:
    """Yield the defaults that change and that a file relies on, once for each file.

    The environment is that of the whole folder: what one file exports, another one may rely on.
    """
    blocks: dict[tuple[str, Surface], list[Row]] = {}
    for row in rows:
        surface = Surface(row.surface)
        blocks.setdefault(("" if surface in ENVIRONMENT else row.path, surface), []).append(row)
    for (path, surface), block in blocks.items():
        names = {row.option for row in block}
        for option in catalog_of(block[0].path).options(surface):
            change = _changed(option, versions)
            if change is None or option.name in names:
                continue
            said = DefaultChanged.messages["changed" if change.was is None else "changed-from"]
            text = said.to(language).format(
                component=title_of(option.component),
                version=change.version,
                option=option.name,
                value=shown(change.default),
                was=shown(change.was),
            )
            first = min(block, key=lambda row: row[:3])
            yield Step(Effect.DEFAULT, path or first.path, first.line, option.name, "", text)


def _changed(option: Option, versions: Versions) -> Change | None:
    """Return what becomes of the default of an option that is there on both sides."""
    if not standing(option, versions.old).usable or not standing(option, versions.new).usable:
        return None
    return as_one(change for change in option.changes if versions.reach(change.version, option.component))
