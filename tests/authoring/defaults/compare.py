"""Where the catalog says otherwise than the versions do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Change, Option, Surface
from npu_lsp.catalog.target import Version
from tests.authoring.defaults.history import History, Run, is_same

JUDGED = {
    (Surface.SESSION, "jit_compile", "6.3.RC2"): "the plugin sets `auto` where it looks for the key, not before",
    (
        Surface.GLOBAL_OPTIONS,
        "profiling_config.profiling_options",
        "9.0.0",
    ): "`task_time` is the new name of `task_trace`",
}
"""Where the versions and the catalog rightly differ, and why."""


def missing(history: History, option: Option) -> Iterator[tuple[Run, Run]]:
    """Yield each change of a default that the catalog lacks, or has with another version or value.

    A default that comes or goes is none where the other side says nothing: what holds then isn't in the table.
    """
    for old, new in history.changes():
        judged = (history.surface, history.name, new.version) in JUDGED or None in (old.default, new.default)
        if not judged and not any(_tells(option, change, old, new) for change in option.changes):
            yield old, new


def unproven(history: History, option: Option) -> Iterator[Change]:
    """Yield each change of a default in the catalog that the versions don't show, though they show that option."""
    for change in option.changes:
        judged = (history.surface, history.name, change.version) in JUDGED or change.default is None
        if not judged and not any(_tells(option, change, old, new) for old, new in history.changes()):
            yield change


def _tells(option: Option, change: Change, old: Run, new: Run) -> bool:
    """Return whether a change of the catalog is the one from `old` to `new`; the versions are CANN's where torch_npu's are dated."""
    version, before = Version.parse(new.version), Version.parse(old.version)
    cann = _cann() if option.component == "torch-npu" else {}
    firsts = [Version.parse(cann.get(each, each)) for each in change.version.split(", ")]
    dated = any(
        version.reaches(since) and not before.reaches(since) if since.is_line else since == version for since in firsts
    )
    return dated and is_same(new.default, change.default) and is_same(old.default, change.was)


@cache
def _cann() -> dict[str, str]:
    """Return the CANN that each release of torch_npu goes with."""
    lines = load().plain("versions")["torch-npu"].values()
    return {
        release: cann
        for line in lines
        if "cann" in line
        for release, cann in zip(line["releases"], line["cann"], strict=False)
    }
