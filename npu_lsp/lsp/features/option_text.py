"""What an option means, and one of its values: Markdown that is made once for each of them."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.lsp.project import Project
from npu_lsp.text.memo import MemoTable

CHIPS = frozenset({"soc_version", "ge.socVersion"})
"""The options that take the name of a chip."""
_OPTIONS: MemoTable[Project, tuple[Surface, str, Target | None], str] = MemoTable()


def option_text(project: Project, option: Option, target: Target | None = None) -> str:
    """Return the Markdown about an option on `target`, by default that of the project; it is made once."""
    texts, key = _OPTIONS.of(project), (option.surface, option.name, target)
    text = texts.get(key)
    if text is None:
        from npu_lsp.docs.render import render

        analyzer = project.analyzer
        text = texts[key] = render(analyzer.catalog, option, project.language, target or analyzer.target, folded=True)
    return text


_VALUES: MemoTable[Project, tuple[Surface, str, type, Scalar, Target | None], str | None] = MemoTable()


def value_text(project: Project, option: Option, value: Scalar, target: Target | None = None) -> str | None:
    """Return the Markdown about one value of an option on `target`; it is made once."""
    texts, key = _VALUES.of(project), (option.surface, option.name, type(value), value, target)
    if key not in texts:
        from npu_lsp.docs.render import render_value

        analyzer = project.analyzer
        texts[key] = render_value(analyzer.catalog, option, value, project.language, target or analyzer.target)
    return texts[key]
