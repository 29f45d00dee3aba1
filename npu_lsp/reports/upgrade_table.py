"""What an upgrade changes, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.components import title_of
from npu_lsp.checking.upgrading import Effect, Upgrade
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line

_TITLE = Text("npu-lsp: upgrade", "npu-lsp：升级影响")
_COLUMNS = (
    Column(Text("effect", "影响"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
    Column(Text("message", "说明")),
    Column(Text("fix", "修复")),
)
_NOTHING = Text("The upgrade changes nothing that is set here.", "升级不影响此处的配置。")
_COUNTED = {
    Effect.STOPS: Text("{count} setting{s} rejected", "{count} 项配置报错退出"),
    Effect.IGNORED: Text("{count} setting{s} ignored", "{count} 项配置不再生效"),
    Effect.DEFAULT: Text("{count} default{s} changed", "{count} 项默认值变化"),
    Effect.DEPRECATED: Text("{count} setting{s} deprecated", "{count} 项配置已废弃"),
    Effect.OTHER: Text("{count} setting{s} to look at", "{count} 项配置需要确认"),
}
_CHANGES = Text("After the upgrade: {counts}.", "升级后：{counts}。")
_NEW = Text(
    "New in {component} where this is set ({count}): {names}.", "{component} 在所用入口上新增 {count} 项：{names}。"
)
_MOST = 20
"""Names that are listed in a sentence."""


def table(upgrade: Upgrade, language: Language) -> Table:
    """Return the steps, a row each, and in sentences how many there are and what is new."""
    rows = [
        (
            step.effect.value.to(language),
            one_line(step.option),
            step.path.replace("\\", "/"),
            str(step.line),
            one_line(step.message) + (f" [{step.code}]" if step.code else ""),
            one_line(step.fix),
        )
        for step in upgrade.steps
    ]
    return Table(_TITLE, _COLUMNS, rows, tuple(lead(upgrade, language)))


def lead(upgrade: Upgrade, language: Language) -> Iterator[str]:
    """Yield the sentences that sum an upgrade up."""
    counts = [(effect, sum(step.effect is effect for step in upgrade.steps)) for effect in Effect]
    told = [_COUNTED[each].many(n, language) for each, n in counts if n]
    joined = (", " if language == "en" else "、").join(told)
    yield _CHANGES.to(language).format(counts=joined) if told else _NOTHING.to(language)
    for component in dict.fromkeys(option.component for option in upgrade.new):
        names = list(dict.fromkeys(option.name for option in upgrade.new if option.component == component))
        listed = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
        yield _NEW.to(language).format(component=title_of(component), count=len(names), names=listed)
