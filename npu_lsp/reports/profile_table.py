"""How far settings follow a profile or a recipe, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.profiles import Profile
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.profile_state import ProfileStanding, ProfileState
from npu_lsp.reports.settings_table import value
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import shown_path

_COLUMNS = (
    Column(Text("state", "状态"), filter=True),
    Column(Text("surface", "入口"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("value", "取值"), code=True),
    Column(Text("where", "位置"), code=True),
    Column(Text("why", "作用"), prose=True),
    Column(Text("source", "来源")),
)
_DONE = Text("{done} of {count} switches are as the profile has them.", "{count} 个开关中有 {done} 个符合该方案。")
MORE = Text("not in the recipe", "配方中没有")
NO_RECIPE = Text("No recipe is about a model that this file starts.", "没有与该文件所启动模型相符的官方配方。")
_MOST = 5
"""Places that are listed for one switch."""


def table_of(profile: Profile, found: Sequence[ProfileStanding], language: Language, more: Sequence[Row] = ()) -> Table:
    """Return a row for each switch, and for what is set besides."""
    rows = [
        (
            each.state.value.to(language),
            each.switch.surface.value,
            each.switch.option,
            each.switch.value,
            places(each),
            each.switch.reason.to(language) if each.switch.reason is not None else "",
            each.source.to(language) if each.source is not None else "",
        )
        for each in found
    ]
    rows += [
        (MORE.to(language), row.surface, row.option, value(row), f"{shown_path(row.path)}:{row.line}", "", "")
        for row in more
    ]
    lead = [profile.what.to(language)] if profile.what.en else []
    # A recipe is one page, whose address stands above the table.
    shown = len(_COLUMNS) - ("/" in profile.name)
    return Table(profile.title, _COLUMNS[:shown], [row[:shown] for row in rows], (*lead, done(found, language)))


def done(found: Sequence[ProfileStanding], language: Language) -> str:
    """Return in a sentence how many switches are as they should be."""
    right = sum(each.state in (ProfileState.SET, ProfileState.DEFAULT) for each in found)
    return _DONE.to(language).format(done=right, count=len(found))


def places(standing: ProfileStanding) -> str:
    """Return where a switch is set, and to what where it contradicts."""
    listed = [
        f"{shown_path(row.path)}:{row.line}"
        + (f" ({value(row)})" if standing.state is ProfileState.CONTRADICTS else "")
        for row in standing.rows[:_MOST]
    ]
    return ", ".join(listed) + (", …" if len(standing.rows) > _MOST else "")
