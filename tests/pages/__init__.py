"""Pages, and parts of pages, that are made from the program; `python -m tests.pages` writes them.

A part stands between `<!-- made: NAME -->` and `<!-- made: end -->` in a page that is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.pages import architecture, configuration, editors, examples, launches, methods, options, repository, rules

ROOT = Path(__file__).parents[2]
WHOLE: dict[str, Callable[[], str]] = {
    "docs/rules.md": lambda: rules.whole("en"),
    "docs/rules.zh.md": lambda: rules.whole("zh"),
    "docs/launches.md": lambda: launches.whole("en"),
    "docs/launches.zh.md": lambda: launches.whole("zh"),
    "docs/lsp.md": lambda: methods.whole("en"),
    "docs/lsp.zh.md": lambda: methods.whole("zh"),
    "docs/options.md": lambda: options.whole("en"),
    "editors/vscode/src/languages.ts": editors.vscode,
    "editors/jetbrains/template.json": editors.jetbrains,
    "docs/options.zh.md": lambda: options.whole("zh"),
}
PARTS: dict[str, Callable[[], str]] = {
    "rooms": architecture.picture,
    "examples": examples.shown,
    "report": lambda: examples.report("en"),
    "report-zh": lambda: examples.report("zh"),
    "keys": lambda: configuration.keys("en"),
    "keys-zh": lambda: configuration.keys("zh"),
    "house-keys": lambda: configuration.house_keys("en"),
    "house-keys-zh": lambda: configuration.house_keys("zh"),
    "pre-commit": repository.pre_commit,
    "github": repository.github,
    "mason": repository.mason,
}
_PART = re.compile(r"(?P<begin><!-- made: (?P<name>[\w-]+) -->\n).*?(?P<end><!-- made: end -->)", re.DOTALL)
_PAGES = ("*.md", "docs/**/*.md", "editors/neovim/**/*.md")


def pages(begin: str = "") -> dict[Path, str]:
    """Return what the pages should hold, by their paths; only of those whose path begins so."""
    made = {ROOT / name: make() for name, make in WHOLE.items() if name.startswith(begin)}
    for pattern in _PAGES:
        for path in sorted(ROOT.glob(pattern)):
            written = path.read_text(encoding="utf-8")
            wanted = path.relative_to(ROOT).as_posix()
            if wanted not in WHOLE and wanted.startswith(begin) and _PART.search(written):
                made[path] = _PART.sub(_filled, written)
    return made


def _filled(part: re.Match[str]) -> str:
    return f"{part['begin']}{PARTS[part['name']]()}{part['end']}"
