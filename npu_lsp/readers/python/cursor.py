"""What can be completed at a place, told from the text of its statement: it need not parse."""

from __future__ import annotations

import re
from dataclasses import replace

from npu_lsp.catalog.model import Surface
from npu_lsp.document import Document
from npu_lsp.readers.model import Cursor, Reading, Wanted
from npu_lsp.readers.python.fragment import Bracket, Fragment, fragment
from npu_lsp.readers.python.source import source_of
from npu_lsp.spans import Span

_MAP_KEY = re.compile(r"(?P<receiver>[\w.()\[\]\"']*?)\.?(?P<map>\w+)\s*\[\s*\Z")
_MAP_ENTRY = re.compile(
    r"""(?P<map>\w+)\s*\[\s*[bru]?(["'])(?P<key>[^"'\]]*)\2\s*\]\s*\.\s*(?P<slot>\w*)\s*(?P<rest>=(?!=)\s*(?P<value>.*))?\Z""",
    re.DOTALL,
)
_CALLED = re.compile(r"(?P<name>[^\W\d][\w.]*)\s*\Z")
_KEYWORD = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*=(?!=)\s*(?P<value>.*)\Z", re.DOTALL)
_NAME = re.compile(r"\s*(?P<typed>[^\W\d]\w*|)\Z")
_WRAPPER = re.compile(r"[\w.]*as_bytes\b|[\w.]*\bsix\.b\b")
_OPEN_VALUE = re.compile(r"[^\s()\[\]{},;]*\Z")
_OPTIMIZER_NAME = re.compile(r"(?P<receiver>[\w.]*(?:custom_op|optimi[sz]er)\w*)\s*\.\s*name\s*=\s*\Z")

RUN_CONFIG = "NPURunConfig"
NESTED = frozenset(
    {
        "DumpConfig",
        "ProfilingConfig",
        "MemoryConfig",
        "ExperimentalConfig",
        "DynamicInputConfig",
        "GraphMemoryOptimizeConfig",
    }
)


def cursor_at(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    source = source_of(document)
    index = source.skeleton.before(offset)
    if index < 0:
        return None
    open_at = fragment(document.text, source.skeleton.starts[index], offset)
    if open_at is None:
        return None
    found = _map_key(open_at) or _map_entry(open_at) or _optimizer_name(open_at) or _argument(open_at)
    if found is None or found.wanted is not Wanted.KEY or found.present:
        return found
    return replace(found, present=_present(document, found, offset))


def _map_key(at: Fragment) -> Cursor | None:
    """Answer in `op.parameter_map["pre|`."""
    if not at.brackets or at.brackets[-1].sign != "[":
        return None
    before = at.before(at.brackets[-1]).rstrip()
    if not before.endswith("parameter_map"):
        return None
    if at.quote:
        if at.text[at.brackets[-1].at + 1 : at.literal].strip():
            return None
        return _in_literal(at, Wanted.KEY, Surface.SESSION, after="]." if not at.rest.strip("\"'") else "")
    typed = _NAME.match(at.argument(at.brackets[-1]))
    if typed is None:
        return None
    span = _word_span(at, typed["typed"])
    after = '"' if at.rest.lstrip("\"'").startswith("]") else '"].'
    return Cursor(Wanted.KEY, Surface.SESSION, span, typed["typed"], before='"', after=after)


def _map_entry(at: Fragment) -> Cursor | None:
    """Answer in `op.parameter_map["key"].|` and `op.parameter_map["key"].s = |`."""
    entry = _MAP_ENTRY.search(at.code)
    if entry is None or entry["map"] != "parameter_map":
        return None
    if entry["rest"] is None:
        if at.quote:
            return None
        span = _word_span(at, entry["slot"])
        after = "" if at.rest.lstrip("\\w").lstrip().startswith("=") else " = "
        return Cursor(Wanted.SLOT, Surface.SESSION, span, entry["slot"], entry["key"], after=after)
    return _value(at, entry["value"], Surface.SESSION, entry["key"], entry["slot"])


def _optimizer_name(at: Fragment) -> Cursor | None:
    """Answer in `custom_op.name = "|`."""
    if not at.quote or at.brackets or not _OPTIMIZER_NAME.search(at.code):
        return None
    return _in_literal(at, Wanted.NAME, Surface.SESSION)


def _argument(at: Fragment) -> Cursor | None:
    """Answer in `NPURunConfig(pre|` and `NPURunConfig(dump_config=DumpConfig(dump_mode="|`."""
    for bracket in reversed(at.brackets):
        if bracket.sign != "(":
            continue
        called = _CALLED.search(at.before(bracket))
        name = called["name"].rpartition(".")[2] if called else ""
        if name != RUN_CONFIG and name not in NESTED:
            continue
        prefix = "" if name == RUN_CONFIG else name + "."
        argument = at.argument(bracket)
        keyword = _KEYWORD.match(argument)
        if keyword is not None:
            return _value(at, keyword["value"], Surface.RUN_CONFIG, prefix + keyword["name"])
        typed = _NAME.match(argument)
        if typed is None or at.quote:
            return None
        span = _word_span(at, typed["typed"])
        after = "" if at.text[span.end :].lstrip(" \t").startswith("=") else "="
        present = frozenset(prefix + n for n in _keywords(at, bracket))
        return Cursor(Wanted.KEY, Surface.RUN_CONFIG, span, typed["typed"], after=after, present=present, prefix=prefix)
    return None


def _value(at: Fragment, value: str, surface: Surface, option: str, slot: str | None = None) -> Cursor | None:
    """Return the cursor for a value whose text so far is `value`."""
    if at.quote:
        if value.strip() and not value.rstrip().endswith("("):
            return None
        return _in_literal(at, Wanted.VALUE, surface, option, slot)
    typed = _OPEN_VALUE.search(value)
    if typed is None or value[: typed.start()].strip():
        return None
    span = _word_span(at, typed.group())
    before = after = ""
    if slot == "s":
        wrapper = _WRAPPER.search(at.text)
        before, after = (wrapper.group() + '("', '")') if wrapper else ('b"', '"')
    elif slot is None:
        before = after = '"'
    return Cursor(Wanted.VALUE, surface, span, typed.group(), option, slot, before, after)


def _in_literal(
    at: Fragment, wanted: Wanted, surface: Surface, option: str | None = None, slot: str | None = None, after: str = ""
) -> Cursor:
    """Return the cursor for what is typed between quotes; what is missing behind comes with it."""
    span, closed = at.typed_text()
    typed = at.text[span.start : at.cursor]
    if closed:
        after = ""
    elif wanted is Wanted.KEY:
        after = at.quote + (after or "")
    else:
        after = at.quote + at.closers()
    return Cursor(wanted, surface, span, typed, option, slot, "", after)


def _word_span(at: Fragment, typed: str) -> Span:
    """Return the place of the word under the cursor, of which `typed` stands in front of it."""
    rest = re.match(r"\w*", at.text[at.cursor : at.line_end])
    return Span(at.cursor - len(typed), at.cursor + (rest.end() if rest else 0))


def _keywords(at: Fragment, bracket: Bracket) -> list[str]:
    """Return the keywords of a call, without the one under the cursor."""
    found: list[str] = []
    for start in bracket.arguments[:-1]:
        keyword = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)").match(at.text, start, at.cursor)
        if keyword:
            found.append(keyword[1])
    return found


def _present(document: Document, cursor: Cursor, offset: int) -> frozenset[str]:
    """Return what the nearest block of the surface sets, as it was last read."""
    reading = document.memo.get("reading")
    if reading is None and document.ancestor is not None:
        reading = document.ancestor.memo.get("reading")
    if not isinstance(reading, Reading):
        return frozenset()
    blocks = [b for b in reading.blocks if b.surface is cursor.surface]
    if not blocks:
        return frozenset()
    nearest = min(blocks, key=lambda b: max(b.span.start - offset, offset - b.span.end, 0))
    typed = cursor.typed
    return frozenset(s.name for s in nearest.settings if s.name != typed)
