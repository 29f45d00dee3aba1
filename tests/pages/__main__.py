"""Writes the pages that are made from the program: `python -m tests.pages`, or `python -m tests.pages docs/rules` for some."""

from __future__ import annotations

import sys

from tests.pages import ROOT, pages

for path, text in pages(sys.argv[1] if len(sys.argv) > 1 else "").items():
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
