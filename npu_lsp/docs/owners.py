"""What people read about the tools, calls and objects that take options."""

from __future__ import annotations

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Target
from npu_lsp.docs.markdown import code, plain
from npu_lsp.text.bilingual import Language, Text

_COUNT = Text("{count} options are known.", "已知 {count} 个配置项。")
_REQUIRED = Text("Always needed: {names}.", "必选：{names}。")
_SET = Text("Set here: {names}.", "此处已设置：{names}。")
_SHOWN = 12
"""Names that are listed."""


def owner(catalog: Catalog, surface: Surface, head: str, present: list[str], language: Language) -> str | None:
    """Return the Markdown about what takes the options of `surface`, called `head` in the text; `None` for files and variables.

    What is set there comes first.
    """
    about = catalog.about(surface)
    if about is None:
        return None
    lines = [f"**{code(head)}** · {plain(catalog.title(surface).to(language))}", about.to(language)]
    if present:
        lines.insert(1, _listed(_SET, present, language))
    always = [each.name for each in catalog.options(surface) if any(condition.always for condition in each.required)]
    if always:
        lines.append(_listed(_REQUIRED, always, language))
    lines.append(_COUNT.to(language).format(count=len(catalog.names(surface))))
    return "\n\n".join(lines)


def _listed(said: Text, names: list[str], language: Language) -> str:
    shown = [code(name) for name in list(dict.fromkeys(names))[:_SHOWN]]
    more = "…" if len(set(names)) > _SHOWN else ""
    return said.to(language).format(names=("、" if language == "zh" else ", ").join(shown) + more)


_SAME = Text("Of the products that the configuration names.", "属于配置中的目标产品。")
_OTHER = Text("Not of the products that the configuration names.", "不属于配置中的目标产品。")
_ALIKE = Text("Others of this family: {names}.", "同系列的其他芯片：{names}。")
_MOST_ALIKE = 8


def chip(catalog: Catalog, name: str, target: Target, language: Language) -> str | None:
    """Return the Markdown about the chip that `--soc_version` calls `name`; `None` where it isn't known."""
    known = products(catalog)
    family = known.of_soc(name)
    if family is None:
        return None
    lines = [f"**{code(name)}** · {plain(known.text(family).to(language))}"]
    if target.products:
        lines.append((_SAME if family in target.products else _OTHER).to(language))
    alike = [each for each in known.soc_versions if each != name and known.of_soc(each) == family]
    if alike:
        names = ("、" if language == "zh" else ", ").join(code(each) for each in alike[:_MOST_ALIKE])
        more = "…" if len(alike) > _MOST_ALIKE else ""
        lines.append(_ALIKE.to(language).format(names=names + more))
    return "\n\n".join(lines)
