"""Writes the pages that are made from the program: `python -m tests.pages`."""

from __future__ import annotations

from tests.pages import ROOT, pages

for path, text in pages().items():
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
