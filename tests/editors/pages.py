"""The configurations that the editors' pages give: what the tests run is what users read."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "editors"


def configuration(page: str, language: str, under: str = "") -> str:
    """Return the first block of code in `language` on the page `editors/<page>`, or below one of its headings."""
    text = (PAGES / page).read_text(encoding="utf-8")
    text = text[text.index(f"## {under}\n") :] if under else text
    found = re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{page} has no block of {language}"
    return found[1]
