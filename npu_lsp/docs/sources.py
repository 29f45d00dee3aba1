"""What each statement about an option rests on: `npu-lsp options show NAME --sources`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option
from npu_lsp.docs.markdown import code, plain
from npu_lsp.docs.wording import shown
from npu_lsp.text.bilingual import Language, Text

_TITLE = Text("Sources", "来源")
_ALL_ELSE = Text("All that is said besides", "其余说明")
_DEFAULT = Text("Default {value}", "默认值 {value}")
_REQUIRED = Text("Required", "必选")
_ONLY_WHEN = Text("When it has an effect", "生效条件")
_RELATION = Text("With {other}", "与 {other} 的关系")
_CHANGE = Text("Change in {component} {version}", "{component} {version} 的变化")
_DEPRECATED = Text("Deprecated", "废弃")
_REMOVED = Text("Removed", "移除")
_PREFERRED = Text("{other} is recommended", "推荐使用 {other}")


def cited(catalog: Catalog, options: Sequence[Option], language: Language) -> str:
    """Return Markdown with the sources of options, each at the commit or tag that was read; what several share stands once."""
    holders: dict[tuple[str, ...], list[Option]] = {}
    for option in options:
        lines = tuple(dict.fromkeys(_lines(catalog, option, language)))
        holders.setdefault(lines, []).append(option)
    return "\n\n".join(
        "\n".join(
            [
                f"**{_TITLE.to(language)}** · {', '.join(_named(catalog, each, language) for each in held)}",
                "",
                *(f"- {line}" for line in lines),
            ]
        )
        for lines, held in holders.items()
    )


def _named(catalog: Catalog, option: Option, language: Language) -> str:
    return f"{code(shown(option.surface, option.name))} ({plain(catalog.title(option.surface).to(language))})"


def _lines(catalog: Catalog, option: Option, language: Language) -> Iterator[str]:
    colon = "：" if language == "zh" else ": "
    for statement, source in (*_statements(option, language), *((_ALL_ELSE.to(language), s) for s in option.sources)):
        yield f"{statement}{colon}{catalog.link(source).to(language)}"


def _statements(option: Option, language: Language) -> Iterator[tuple[str, str]]:
    """Yield (statement, source) of what has a source of its own."""

    def say(text: Text, **parts: object) -> str:
        return text.to(language).format(**parts)

    for default in option.defaults:
        if default.source:
            yield say(_DEFAULT, value=code(default.value)), default.source
    for conditions, text in ((option.required, _REQUIRED), (option.only_when, _ONLY_WHEN)):
        yield from ((say(text), condition.source) for condition in conditions)
    for relation in option.relations:
        other = code(shown(relation.other_surface or option.surface, relation.other))
        yield say(_RELATION, other=other), relation.source
    for change in option.changes:
        yield say(_CHANGE, component=title_of(option.component), version=change.version), change.source
    if option.preferred is not None:
        other = code(shown(option.surface, option.preferred.replacement or ""))
        yield say(_PREFERRED, other=other), option.preferred.source
    if option.deprecated is not None:
        yield say(_DEPRECATED), option.deprecated.source
    if option.removed is not None:
        yield say(_REMOVED), option.removed.source
