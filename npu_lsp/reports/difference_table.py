"""Settings that differ, as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Scalar
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
_DIFFERS = Text("not set (the default differs by product or use)", "未配置（默认值因产品或场景而异）")
_SAME = Text("No difference: that is the default.", "无差异：该取值即为默认值。")
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
    if option is None or not option.defaults:
        return _UNSET.to(language)
    default = _default(option)
    if default is None:
        return _DIFFERS.to(language)
    shown = default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)
    return _DEFAULT.to(language).format(value=one_line(shown))


def about(difference: Difference, catalog: Catalog, language: Language) -> Iterator[str]:
    """Yield what the option does, and what each of the two values means, where the catalog says so."""
    surface = Surface(difference.surface)
    option = catalog.option(surface, difference.option)
    if option is None:
        return
    yield one_line(catalog.docs(surface, option.name).summary.to(language))
    sides = [
        row.value if row is not None and row.known else _default(option) if row is None else None
        for row in (difference.left, difference.right)
    ]
    if None not in sides and str(sides[0]) == str(sides[1]):
        yield _SAME.to(language)
        return
    for data in sides:
        if isinstance(data, (str, int, float, bool)):
            said = catalog.value_text(surface, option.name, _spelled(option, data))
            if said is not None:
                yield f"{one_line(str(data))}: {one_line(said.to(language))}"


def _default(option: Option) -> Scalar:
    """Return the default of an option that has the same one everywhere."""
    values = {default.value for default in option.defaults}
    return values.pop() if len(values) == 1 else None


def _spelled(option: Option, data: Scalar) -> Scalar:
    """Return a value as the catalog writes it, where the tool doesn't look at upper and lower case."""
    if not isinstance(data, str) or option.case_sensitive:
        return data
    return next((each.value for each in option.values if str(each.value).lower() == data.lower()), data)
