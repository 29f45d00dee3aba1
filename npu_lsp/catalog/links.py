"""Web addresses of the sources that catalog files name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_lsp.text.bilingual import Language, Text


def address(source: str, sources: Mapping[str, Any], language: Language) -> str:
    """Return the address of `prefix:path#anchor` at the commit that was read, or the source itself if it is one.

    In `prefix:path@tag#anchor` the source is that of another commit.
    """
    prefix, colon, rest = source.partition(":")
    home = sources.get(prefix)
    if not colon or home is None:
        return source
    path, sign, anchor = rest.replace("{lang}", language).partition("#")
    path, _, commit = path.partition("@")
    return f"{home['repository']}/blob/{commit or home['commit']}/{path}{sign}{anchor}"


def page(written: str | Mapping[str, str] | None, sources: Mapping[str, Any]) -> Text | None:
    """Return the addresses of a page that a file names once, or once per language."""
    if written is None:
        return None
    by_language = {"en": written, "zh": written} if isinstance(written, str) else written
    return Text(address(by_language["en"], sources, "en"), address(by_language["zh"], sources, "zh"))
