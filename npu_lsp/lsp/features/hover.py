"""What a key, a slot, a value or a flag means."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.target import Target
from npu_lsp.languages.model import FactKind
from npu_lsp.linter.values import allowed_value
from npu_lsp.lsp.features.markup import markup
from npu_lsp.lsp.features.option_text import CHIPS, option_text, value_text
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.features.setting_at import SettingAt, SettingPart, setting_at
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_UNKNOWN = Text("{name} is not known. Did you mean {near}?", "未知配置项 {name}。是否应为 {near}？")
_OPTIMIZER = Text(
    "**`NpuOptimizer`**\n\nThe name of the optimizer that moves the graph to the NPU. TF Adapter looks for this name, letter "
    "for letter; with any other one, everything in `parameter_map` is ignored.",
    "**`NpuOptimizer`**\n\n将计算图迁移到 NPU 的优化器名称。TF Adapter 按此名称精确匹配（区分大小写），名称不符时 `parameter_map` 中的配置全部不生效。",
)


def hover(view: DocumentView, params: types.HoverParams) -> dict[str, Any] | None:
    """Answer what stands under the mouse, in the client's markup."""
    if view.configures:
        from npu_lsp.lsp.features import configuration_file

        found = configuration_file.hover(view, params)
        if found is not None or view.document.kind is Kind.OTHER:
            return found
    offset = view.source.offset(params.position)
    place = setting_at(view, offset)
    text, span = (_text(view, place, offset), place.span) if place is not None else _elsewhere(view, offset)
    if text is None or span is None or not view.source.holds(span):
        return None
    return {"contents": markup(text, view.client.hover_markdown), "range": range_json(view, span)}


def _target(view: DocumentView) -> Target | None:
    """Return the target that the text names itself, if it does."""
    target = view.project.analyzer.target_of(view.document)
    return target if target.stated else None


def _text(view: DocumentView, place: SettingAt, offset: int) -> str | None:
    if place.option is None:
        return _unknown(view, place)
    about = option_text(view.project, place.option, _target(view))
    if place.part is not SettingPart.VALUE:
        return _from(view, place, offset) + about
    from npu_lsp.lsp.features.word_hover import variable

    used = variable(view, offset)
    first = used[0] if used is not None else _chip(view, place, place.option) or _value(view, place, place.option)
    if first is None:
        return about
    for line in first.splitlines():
        # What the value means stands above: the list of values need not say it again.
        about = about.replace(f" — {line}\n", "\n", 1) if line else about
    return f"{first}\n\n---\n\n{about}"


def _from(view: DocumentView, place: SettingAt, offset: int) -> str:
    """Return where a variable has its value from, where more than the setting at hand has to do with that."""
    setting = place.setting
    if setting is None or place.part is not SettingPart.KEY or not setting.surface.row.environment:
        return ""
    from npu_lsp.lsp.features import provenance

    known = provenance.known(view, offset, setting.name)
    if known is None or (known.is_certain and len(known.found) == 1 and not known.overridden):
        return ""
    return f"{provenance.told_of(view, known)}\n\n---\n\n"


def _chip(view: DocumentView, place: SettingAt, option: Option) -> str | None:
    """Return what is known of the chip that a value names: whoever asks about it wants that first."""
    if option.name not in CHIPS:
        return None
    from npu_lsp.docs.owners import chip

    name = place.setting.value.data if place.setting is not None and place.setting.value.known else place.text
    target = _target(view) or view.project.analyzer.target
    return chip(view.project.analyzer.catalog, str(name), target, view.language)


def _value(view: DocumentView, place: SettingAt, option: Option) -> str | None:
    if place.setting is None:
        return next(
            (
                value_text(view.project, option, a.value, _target(view))
                for a in option.values
                if str(a.value) == place.text
            ),
            None,
        )
    allowed = allowed_value(option, place.setting.value)
    return value_text(view.project, option, allowed.value, _target(view)) if allowed is not None else None


def _unknown(view: DocumentView, place: SettingAt) -> str | None:
    catalog = view.project.analyzer.catalog
    rule = catalog.fusion_rule(place.name) if place.surface.row.named == "rules" else None
    if rule is not None:
        from npu_lsp.docs.render import render_rule

        return render_rule(catalog, rule, view.language)
    near = catalog.near(place.surface, place.name)
    option = catalog.option(place.surface, near) if near is not None else None
    if option is None:
        return None
    from npu_lsp.docs.markdown import code
    from npu_lsp.docs.wording import shown

    name, meant = (code(shown(place.surface, n)) for n in (place.name, option.name))
    said = _UNKNOWN.to(view.language).format(name=name, near=meant)
    return f"{said}\n\n---\n\n{option_text(view.project, option)}"


def _elsewhere(view: DocumentView, offset: int) -> tuple[str | None, Span | None]:
    text, span = _setup(view, offset)
    if text is None:
        from npu_lsp.lsp.features.word_hover import about_word

        text, span = about_word(view, offset) or (None, None)
    return text, span


def _setup(view: DocumentView, offset: int) -> tuple[str | None, Span | None]:
    for block in view.parsed.blocks:
        for setup in block.facts:
            if setup.kind == FactKind.OPTIMIZER_NAME and setup.value is not None and setup.value.span.covers(offset):
                return _OPTIMIZER.to(view.language), setup.value.span
    return None, None
