"""Settings that differ, as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.checking.comparing import Difference
from npu_lsp.checking.inventory import Row
from npu_lsp.reports.settings_table import value
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line

_TITLE = Text("npu-lsp: differences", "npu-lsp：配置差异")
_UNSET = Text("not set", "未配置")
_DEFAULT = Text("not set (default: {value})", "未配置（默认值：{value}）")
_UNKNOWN = Text("not known", "无法确定")


def table(found: Iterable[Difference], names: tuple[str, str], catalog: Catalog, language: Language) -> Table:
    """Return a row for each difference; `names` are those of the two sides."""
    columns = (
        Column(Text("surface", "入口"), filter=True),
        Column(Text("option", "配置项"), code=True),
        Column(Text("file", "文件"), code=True),
        *(Column(Text(name, name), code=True) for name in names),
        Column(Text("what it does", "作用")),
    )
    rows = [
        (
            each.surface,
            one_line(each.option),
            each.path.replace("\\", "/"),
            side(each, each.left, catalog, language),
            side(each, each.right, catalog, language),
            " ".join(about(each, catalog, language)),
        )
        for each in found
    ]
    return Table(_TITLE, columns, rows)


def side(difference: Difference, row: Row | None, catalog: Catalog, language: Language) -> str:
    """Return what one side sets, or that it doesn't, with the default where there is one."""
    if row is not None:
        return value(row) if row.known else _UNKNOWN.to(language)
    option = catalog.option(Surface(difference.surface), difference.option)
    if option is None or option.default is None:
        return _UNSET.to(language)
    default = option.default
    shown = default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)
    return _DEFAULT.to(language).format(value=one_line(shown))


def about(difference: Difference, catalog: Catalog, language: Language) -> Iterator[str]:
    """Yield what the option does, and what each of the two values means, where the catalog says so."""
    surface = Surface(difference.surface)
    option = catalog.option(surface, difference.option)
    if option is None:
        return
    yield one_line(catalog.docs(surface, option.name).summary.to(language))
    for row in (difference.left, difference.right):
        data = row.value if row is not None and row.known else option.default if row is None else None
        if isinstance(data, (str, int, float, bool)):
            said = catalog.value_text(surface, option.name, data)
            if said is not None:
                yield f"{one_line(str(data))}: {one_line(said.to(language))}"
