"""What each statement about an option rests on: `npu-lsp options show NAME --sources`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Removal, Surface
from npu_lsp.catalog.target import Target, Version
from npu_lsp.docs.markdown import code, plain
from npu_lsp.docs.wording import shown
from npu_lsp.text.bilingual import Language, Text

_TITLE = Text("Sources", "来源")
_CODE = Text("Read in the code", "源码")
_PAGE = Text("Read in the documentation", "文档")
_THREAD = Text("Told in a thread or change", "讨论或变更记录")
_DEFAULT = Text("Default {value}", "默认值 {value}")
_REQUIRED = Text("Required", "必选")
_ONLY_WHEN = Text("When it has an effect", "生效条件")
_RELATION = Text("With {other}", "与 {other} 的关系")
_CHANGE = Text("Change in {component} {version}", "{component} {version} 的变化")
_DEPRECATED = Text("Deprecated", "废弃")
_REMOVED = Text("Removed", "移除")
_ABSENT = Text(
    "Removed: looked for in {there} and not found, last found in {before}",
    "移除：在 {there} 中未找到，最后一次见于 {before}",
)
_AT_TARGET = Text("{address} (for {release}: {other})", "{address}（{release}：{other}）")
_PREFERRED = Text("{other} is recommended", "推荐使用 {other}")


_TAGGED = re.compile(r"(?P<file>(?P<prefix>vllm|vllm-ascend|sglang):[^@#]{1,200})@(?P<tag>v\d[\w.]{0,30})")
"""A file of a repository whose tags are the releases that a target names, or go with them."""
_SOURCE_CODE = re.compile(r"\.(?:py|cpp|cc|c|h|hpp|go|rs|sh|ya?ml|json|toml|txt|in)(?=$|[@#])|[\w-]:[\w/-]+@v\d")
_CHANGES = re.compile(r"/(?:issues|pull|commit|discussions|releases)/")


def cited(catalog: Catalog, options: Sequence[Option], language: Language, target: Target) -> str:
    """Return Markdown with the sources of options; what several share stands once.

    Each is at the commit or tag that was read, and at the release of the target besides, as far as its file is known to be there.
    """
    read = _read(catalog) if target.versions else {}
    holders: dict[tuple[str, ...], list[Option]] = {}
    for option in options:
        lines = tuple(dict.fromkeys(_lines(catalog, option, language, _at(catalog, option, target, read))))
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


def _lines(catalog: Catalog, option: Option, language: Language, at: Mapping[str, str]) -> Iterator[str]:
    colon = "：" if language == "zh" else ": "
    for statement, source in (
        *_statements(option, language),
        *((_kind(each).to(language), each) for each in option.sources),
    ):
        address = catalog.link(source).to(language)
        if source in at:
            other = catalog.link(at[source]).to(language)
            address = _AT_TARGET.to(language).format(
                address=address, release=at[source].rpartition("@")[2], other=other
            )
        yield f"{statement}{colon}{address}"


def _kind(source: str) -> Text:
    """Return what a source is: what a tool does, what is said of it, or what somebody met and changed."""
    if _CHANGES.search(source):
        return _THREAD
    return _CODE if _SOURCE_CODE.search(source) else _PAGE


def _read(catalog: Catalog) -> dict[str, list[Version]]:
    """Return the releases at which each file was read."""
    found: dict[str, list[Version]] = {}
    for surface in Surface:
        for option in catalog.options(surface):
            named = [
                *option.sources,
                *(each.source for each in option.changes),
                *([option.removed.source] if option.removed else []),
            ]
            for tagged in filter(None, map(_TAGGED.fullmatch, named)):
                found.setdefault(tagged["file"], []).append(Version.parse(tagged["tag"]))
    return found


def _at(catalog: Catalog, option: Option, target: Target, read: Mapping[str, Sequence[Version]]) -> dict[str, str]:
    """Return sources of an option as they are named at the target's release: between two releases at which a file was read, it is there."""
    version = target.version(option.component)
    if version is None:
        return {}
    text = f"{version.text}.0" if version.is_line else version.text
    pair = catalog.plain("pairs").get("vllm-ascend", {}).get(text, {}).get("vllm", [])
    found = {}
    for tagged in filter(None, map(_TAGGED.fullmatch, option.sources)):
        known = read.get(tagged["file"], ())
        name = next(iter(pair[-1:]), None) if tagged["prefix"] == "vllm" else text
        if name and f"v{name}" != tagged["tag"] and known and min(known) <= Version.parse(name) <= max(known):
            found[tagged[0]] = f"{tagged['file']}@v{name}"
    return found


def _release(source: str) -> str:
    """Return the repository and the commit or tag of a source: `vllm v0.16.0`."""
    path, _, tag = source.partition("@")
    return f"{path.partition(':')[0]} {tag}"


def _absence(option: Option, removal: Removal, language: Language) -> str:
    """Return what a removal rests on: a release without the option behind one that has it, or a page that tells of it."""
    source = removal.source
    before = [each for each in option.sources if each.partition(":")[0] == source.partition(":")[0] and "@" in each]
    if source.startswith("http") or "@" not in source or not before:
        return _REMOVED.to(language)
    if source not in before:
        return _ABSENT.to(language).format(there=_release(source), before=_release(before[0]))
    if removal.version is None:
        return _REMOVED.to(language)
    there = f"{title_of(option.component)} {removal.version}"
    return _ABSENT.to(language).format(there=there, before=_release(source))


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
        yield _absence(option, option.removed, language), option.removed.source
