"""Makes `FusionRule`s of what the compiled catalog holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_lsp.catalog import build, links
from npu_lsp.catalog.model import Docs, FusionRule
from npu_lsp.text.bilingual import Text


def rules(data: Mapping[str, Mapping[str, Any]], sources: Mapping[str, Any]) -> tuple[FusionRule, ...]:
    """Return the rules by name."""
    return tuple(_rule(name, data[name], sources) for name in sorted(data))


def _rule(name: str, data: Mapping[str, Any], sources: Mapping[str, Any]) -> FusionRule:
    docs = Docs(
        summary=build.text(data["summary"]) or Text("", ""),
        text=build.text(data.get("text")),
        note=build.text(data.get("note")),
        page=links.page(data.get("page"), sources),
    )
    return FusionRule(
        name=name,
        kind=data["kind"],
        docs=docs,
        switchable=data.get("switchable"),
        default=data.get("default"),
        stability=data.get("stability", "stable"),
        products=tuple(data.get("products", ())),
        since=data.get("since"),
        sources=tuple(data.get("sources", ())),
    )
