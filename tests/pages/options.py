"""The page of all options: a table for each surface, a row for each option, each with a link to its official page."""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.docs.markdown import code
from npu_lsp.docs.wording import heading, shown
from npu_lsp.text.bilingual import Language, Text

_HEAD = Text(
    en="# Options\n\nMade by `python -m tests.pages`. `npu-lsp options show NAME` tells all that is known about one; "
    "`npu-lsp options --format markdown` makes a page with all of that, for a target of your choice.\n",
    zh="# 配置项\n\n由 `python -m tests.pages` 生成。`npu-lsp options show 名称` 显示某个配置项的全部信息；"
    "`npu-lsp options --format markdown --lang zh` 可按指定的版本与产品生成完整参考。\n",
)
_COLUMNS = Text(en="| option | type | default | what it does |", zh="| 配置项 | 类型 | 默认值 | 说明 |")
_GONE = {
    "removed": Text(en="removed", zh="已删除"),
    "deprecated": Text(en="deprecated", zh="已废弃"),
}


def whole(language: Language) -> str:
    """Return the page in one language."""
    catalog = load()
    lines = [_HEAD.to(language)]
    by_surface = {surface: sorted(catalog.options(surface), key=lambda each: each.name) for surface in Surface}
    lines += [
        f"- [{heading(surface, catalog, language)}](#{surface.value}) ({len(options)})"
        for surface, options in by_surface.items()
        if options
    ]
    for surface, options in by_surface.items():
        if options:
            lines += ["", f'<a id="{surface.value}"></a>', "", f"## {heading(surface, catalog, language)}", ""]
            lines += [_COLUMNS.to(language), "| --- | --- | --- | --- |"]
            lines += [f"| {' | '.join(_row(catalog, option, language))} |" for option in options]
    return "\n".join(lines) + "\n"


def _row(catalog: Catalog, option: Option, language: Language) -> Iterator[str]:
    docs = catalog.docs(option.surface, option.name)
    name = code(shown(option.surface, option.name))
    yield f"[{name}]({docs.page.to(language)})" if docs.page is not None else name
    yield option.type + (f" (`.{option.slot.value}`)" if option.slot is not None else "")
    yield "" if option.default is None else code(json.dumps(option.default, ensure_ascii=False)).replace("|", "\\|")
    gone = "removed" if option.removed is not None else "deprecated" if option.deprecated is not None else None
    mark = f"**{_GONE[gone].to(language)}** " if gone is not None else ""
    yield mark + docs.summary.to(language).replace("|", "\\|").replace("\n", " ")
