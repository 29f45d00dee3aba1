"""What people read about a chip."""

from __future__ import annotations

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Target
from npu_lsp.docs.markdown import code, plain
from npu_lsp.text.bilingual import Language, Text

_SAME = Text("Of the products that the configuration names.", "属于配置中的目标产品。")
_OTHER = Text("Not of the products that the configuration names.", "不属于配置中的目标产品。")
_ALIKE = Text("Others of this family: {names}.", "同系列的其他芯片：{names}。")
_SHOWN = 8


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
        names = ("、" if language == "zh" else ", ").join(code(each) for each in alike[:_SHOWN])
        more = "…" if len(alike) > _SHOWN else ""
        lines.append(_ALIKE.to(language).format(names=names + more))
    return "\n\n".join(lines)
