"""Where a value comes from, in one line: `200, from env.sh:1; overrides 512 in Dockerfile:7`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from npu_lsp.linter.provenance.model import Origin, Provenance, Unread, Why
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.document import Document

Show = Callable[[str], str]
"""Returns a value as it is to be seen: as code, within a length."""

_FROM = Text("{value}, from {place}", "{value}，来自 {place}")
_FALLBACK = Text("{value}, from {place}, where nothing else sets it", "{value}，来自 {place}（仅在未另行设置时生效）")
_PERHAPS = Text("perhaps {value}, from {place}: a branch decides", "可能为 {value}，来自 {place}：取决于分支")
_OR = Text("or {value}, from {place}: a branch decides", "或 {value}，来自 {place}：取决于分支")
_OVERRIDES = Text("overrides {value} in {place}", "覆盖 {place} 中的 {value}")
_UNREAD = Text("{file} may set it, and isn't read ({place})", "{file} 可能设置该变量，但未被读取（{place}）")
_UNSET = Text("or unset: a branch decides", "或被取消设置：取决于分支")
_UNKNOWN = Text("a value that isn't known", "未知的值")
_LINE = Text("line {line}", "第 {line} 行")
_BETWEEN = Text("; ", "；")
_SHOWN = 5
"""Settings of each sort that are told."""


def told(found: Provenance, folder: str, language: Language, show: Show = str) -> str:
    """Return where the value of a variable comes from; files are shown as they are seen from `folder`."""

    def said(text: Text, origin: Origin) -> str:
        value = show(origin.value) if origin.value is not None else _UNKNOWN.to(language)
        return text.to(language).format(value=value, place=place(origin, folder, language))

    parts: list[str] = []
    for origin in found.found[-_SHOWN:] if len(found.found) > _SHOWN else found.found:
        if not origin.certain:
            parts.append(said(_OR if parts else _PERHAPS, origin))
        else:
            parts.append(said(_FALLBACK if origin.why is Why.DEFAULT else _FROM, origin))
    if found.may_be_unset:
        parts.append(_UNSET.to(language))
    parts += [said(_OVERRIDES, each) for each in found.overridden[::-1][:_SHOWN]]
    parts += [unread(each, folder, language) for each in found.unread[:_SHOWN]]
    return _BETWEEN.to(language).join(parts)


def unread(one: Unread, folder: str, language: Language) -> str:
    """Return what is said of a file that isn't read."""
    file = one.written.strip("\"'")
    return _UNREAD.to(language).format(file=file, place=_at(one.document, one.span.start, folder, language))


def place(origin: Origin, folder: str, language: Language) -> str:
    """Return `env.sh:1`; in a text that has no name, `line 1`."""
    return _at(origin.document, origin.key.start, folder, language)


def _at(document: Document, offset: int, folder: str, language: Language) -> str:
    line = document.line_of(offset) + 1
    return f"{shown(document.path, folder)}:{line}" if document.path else _LINE.to(language).format(line=line)


def shown(path: str, folder: str) -> str:
    """Return a path as it is seen from `folder`, with `/`."""
    with suppress(ValueError):  # another drive
        path = os.path.relpath(path, folder) if path else path
    return path.replace(os.sep, "/")
