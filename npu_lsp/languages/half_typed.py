"""What is being typed where a reader finds a setting as soon as it is whole.

The reader is asked again, on a text in which a placeholder stands at the cursor with the signs behind it that are still to be typed:
so whoever finds the setting says what is here, too, in whatever host. Which signs that may be is a table of each reader, `LACKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple

from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind, Lack
from npu_lsp.languages.injections import cursor_in_regions, regions
from npu_lsp.languages.model import PARSE_RESULT, Form, Setting
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.languages.variable_names import begins_variable, names_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NAMES = {
    Surface.ENV: "HCCL_BUFFSIZE",
    Surface.PACKAGE: "torch-npu",
    Surface.CONTAINER: "--device",
    Surface.VLLM: "tensor_parallel_size",
    Surface.SGLANG: "mem_fraction_static",
    Surface.LLAMAFACTORY: "lora_rank",
}
"""A name of each surface that every reader takes for one that matters."""
_AS_ARGUMENTS = {Surface.VLLM: Surface.VLLM_ARGS, Surface.SGLANG: Surface.SGLANG_ARGS}
_VALUE = "1"
_LINES = 3
"""Lines around a value in which its name stands: Kubernetes has it in the line above."""
_LINES_ABOVE = 12
"""Lines above a name that may say what it is."""
_TYPED = {
    True: re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*\Z"),
    False: re.compile(r"(?<![\w-])-{0,2}[A-Za-z_][\w-]*\Z"),
}
"""Names of variables, and those of others."""
_REST = {True: re.compile(r"[A-Za-z0-9_]*"), False: re.compile(r"[\w-]*")}
_MAY_BEGIN = re.compile(r"(?:\A|[\s\"'{,=:\[;&|(-])\Z")
"""What stands in front of a name."""
_INDENT = re.compile("[ -]*")
_SIGN = re.compile(r"\\.|[\"'()\[\]{}]")
_LONGEST_KEY = 80
_KEY_ALONE = re.compile(r"(?:^|[\r\n])[ ]*[\w-]+:[ ]+\Z")
_SAID = re.compile("env|variables", re.IGNORECASE)
_CLOSERS = "\"'])}"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class _Word(NamedTuple):
    """The word under a cursor."""

    span: Span
    typed: str
    quote: str
    """The quote that is open in front of it."""


_ABOVE, _BELOW = 40, 15
"""Lines around the place."""
_FURTHER = 2_000
"""Lines above these that are looked through for what they are a part of."""
_LONGEST = 20_000
"""Characters of the largest part that is made."""
_FENCE = re.compile(r"[ \t>]*(?:```|~~~)")
_IMPORT = re.compile(r"(?:import|from)[ \t]")


def excerpt(document: Document, offset: int) -> tuple[Document, int] | None:
    """Return the part of `document` that says what stands at `offset`, and where `offset` is in it; `None`: it can't be cut.

    Lines stay whole and in their order.
    """
    line = document.line_of(offset)
    first, last = max(0, line - _ABOVE), min(document.line_count, line + _BELOW + 1)
    if document.kind is Kind.NOTEBOOK and document.text.lstrip().startswith("{"):
        # One line too few, and it isn't JSON.
        first, last = 0, document.line_count
    kept = [document.text[slice(document.line_starts[n], document.line_end(n))] for n in _above(document, first, line)]
    start, end = document.line_starts[first], document.line_end(last - 1)
    before = "".join(kept)
    if len(before) + end - start > _LONGEST:
        return None
    if not kept and start == 0 and end == len(document.text):
        return document, offset
    return Document(before + document.text[start:end], kind=document.kind), len(before) + offset - start


def _above(document: Document, first: int, line: int) -> list[int]:
    """Return the lines above `first` that what stands below is a part of: less deep ones, the fence that is open, imports."""
    found: list[int] = []
    fences = 0
    depth = min((_depth(document, n) for n in range(first, line + 1)), default=0)
    for number in range(first - 1, max(-1, first - 1 - _FURTHER), -1):
        said = document.line_text(number)
        indent = _depth(document, number)
        if document.kind is Kind.MARKDOWN and _FENCE.match(said):
            fences += 1
            found += [number] if fences == 1 else []
        elif indent < depth:
            depth = indent
            found.append(number)
        elif document.kind is Kind.PYTHON and _IMPORT.match(said):
            found.append(number)
    inside = sum(bool(_FENCE.match(document.line_text(n))) for n in range(first)) % 2 if fences else 0
    if fences and not inside:
        found = [n for n in found if not _FENCE.match(document.line_text(n))]
    return found[::-1]


def _depth(document: Document, number: int) -> int:
    """Return how deep a line stands; one that says nothing stands as deep as any."""
    said = document.line_text(number)
    bare = said.lstrip()
    return len(said) - len(bare) if bare and not bare.startswith("#") else 1 << 20


def completed_at(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`, as `languages.cursor` does, and where only a setting to be is.

    No more than the lines around it are read anew: nobody waits at a key stroke for all of a text.
    """
    found = _right(document, offset, cursor) or _right(document, offset, _in_regions)
    if found is None and PARSE_RESULT.known(document) is not None:
        found = _right(document, offset, _as_it_stands)
    near = excerpt(document, offset) if found is None else None
    if near is None:
        return found
    part, at = near
    ways = (_right(part, at, way) for way in (_closed, _as_it_stands, _name, _value))
    found = next((each for each in ways if each is not None), None)
    return found._replace(replace=found.replace.shifted(offset - at)) if found is not None else None


def _right(
    document: Document, offset: int, way: Callable[[Document, int], CompletionContext | None]
) -> CompletionContext | None:
    """Return what `way` tells, where it is about what was typed.

    In the middle of an escape, or in the signs of the text around a script, no place of the script is meant.
    """
    found = way(document, offset)
    return found if found is not None and found.typed == document.text[found.replace.start : offset] else None


def _closed(document: Document, offset: int) -> CompletionContext | None:
    """Return what is typed in quotes and brackets that are still open."""
    end = document.line_span(document.line_of(offset)).end
    closing = _closing(document, Span(end, end), _word(document, offset).quote, "") if offset == end else ""
    return cursor(_changed(document, Span(end, end), closing), offset) if closing else None


def _in_regions(document: Document, offset: int) -> CompletionContext | None:
    """Return what a text in this one says; what the host sets itself is the host's matter."""
    return cursor_in_regions(offset, (each for each in regions(document) if not each.found.own), completed_at)


def _word(document: Document, offset: int, *, variable: bool = True) -> _Word:
    text = document.text
    line = document.line_span(document.line_of(offset))
    typed = _TYPED[variable].search(text, line.start, offset)
    rest = _REST[variable].match(text, offset, line.end)
    start = typed.start() if typed is not None else offset
    end = rest.end() if rest is not None else offset
    return _Word(Span(start, end), text[start:offset], _open(text, line.start, start)[0])


def _open(text: str, start: int, end: int) -> tuple[str, list[str]]:
    """Return the quote that is open at `end` of a line, and what closes its brackets, the outermost first."""
    quote, closers = "", list[str]()
    for match in _SIGN.finditer(text, start, end):
        sign = match.group()
        if sign in ("'", '"'):
            quote = sign if not quote else "" if sign == quote else quote
        elif not quote and sign in _BRACKETS:
            closers.append(_BRACKETS[sign])
        elif not quote and closers and sign == closers[-1]:
            closers.pop()
    return quote, closers


# -- names ------------------------------------------------------------------------------------------------


def _name(document: Document, offset: int) -> CompletionContext | None:
    for surface, lacks in _lacks(document.kind).items():
        word = _word(document, offset, variable=surface is Surface.ENV)
        if _may_be(document, word, surface, offset):
            tried = (_lacking(document, word, lack) for lack in lacks)
            found = next((cursor for cursor in tried if cursor is not None), None)
            if found is not None:
                return found
    return None


def _lacking(document: Document, word: _Word, lack: Lack) -> CompletionContext | None:
    """Return what is typed as `word` if it is the name of a setting that lacks what `lack` says."""
    text, (start, end) = document.text, word.span
    lead = '"' if lack.quoted and not word.quote else ""
    quote = lead or word.quote
    signs = lack.signs.replace("q", quote)
    behind = _shared(text, end, signs)
    indent = _INDENT.match(text, document.line_span(document.line_of(start)).start)
    said = lead + _NAMES[lack.surface] + signs + _closing(document, Span(start, end + behind), quote, signs)
    said = said.replace("\n", "\n" + " " * len(indent.group() if indent else ""))
    setting = _found(document, Span(start, end + behind), said, start + len(lead), value=False)
    if setting is None or setting.surface is not lack.surface:
        return None
    closers = signs[: len(signs) - len(signs.lstrip(_CLOSERS))]
    after = closers + lack.after if behind == 0 else ""
    wanted, surface = _named(setting, said, word.typed)
    return CompletionContext(wanted, surface, word.span, word.typed, before=lead, after=after)


def _may_be(document: Document, word: _Word, surface: Surface, offset: int) -> bool:
    """Return whether a word may be the beginning of a name, before anything is read."""
    start = word.span.start
    if not _MAY_BEGIN.search(document.text[max(0, start - 1) : start]):
        return False
    if surface is not Surface.ENV:
        said = _bare(word.typed)
        return bool(said) and any(_bare(name).startswith(said) for name in _known(surface))
    return begins_variable(word.typed) and (word.typed.isupper() or _is_said(document, offset))


def _bare(name: str) -> str:
    """Return a name without dashes: they are written in more than one way."""
    return name.lstrip("-").replace("-", "_")


def _named(setting: Setting, written: str, typed: str) -> tuple[CompletionKind, Surface]:
    """Return what a setting's name is completed as: a flag is an argument in a call of Python, and a key in a file of arguments.

    A key that is `typed` with `_` is one that a program in Python hands on.
    """
    if setting.form is Form.FLAG and written.startswith("-"):
        return CompletionKind.FLAG, setting.surface
    if setting.form is Form.FLAG and ("_" not in typed or "-" in typed):
        return CompletionKind.KEY, setting.surface
    return CompletionKind.KEY, _AS_ARGUMENTS.get(setting.surface, setting.surface)


@cache
def _known(surface: Surface) -> frozenset[str]:
    try:
        return load().names(surface) | {*load().plain("other_flags").get(surface.value, {}).get("flags", ())}
    except CatalogError:
        # Whoever uses the catalog next tells the user.
        return frozenset()


def _is_said(document: Document, offset: int) -> bool:
    """Return whether the lines above speak of an environment: the placeholder alone would make one of anything."""
    line = document.line_of(offset)
    above = document.text[document.line_span(max(0, line - _LINES_ABOVE)).start : offset]
    return _SAID.search(above) is not None or names_variable(above)


def _closing(document: Document, span: Span, quote: str, signs: str) -> str:
    """Return what closes a `quote` and the brackets of the line in front of `span`, unless `signs` or what stands behind do."""
    text, line = document.text, document.line_span(document.line_of(span.start))
    if text[span.end : line.end].strip():
        return ""
    opened = _open(text, line.start, span.start)[1]
    closed = sum(signs.count(sign) for sign in set(opened))
    return ("" if quote and quote in signs else quote) + "".join(reversed(opened))[closed:]


def _shared(text: str, at: int, signs: str) -> int:
    """Return how many of the closing `signs` stand at a place already."""
    count = 0
    while count < len(signs) and signs[count] in _CLOSERS and text[at + count : at + count + 1] == signs[count]:
        count += 1
    return count


# -- values -----------------------------------------------------------------------------------------------


def _value(document: Document, offset: int) -> CompletionContext | None:
    text, line = document.text, document.line_of(offset)
    first, last = document.line_span(max(0, line - _LINES)), document.line_span(min(document.line_count - 1, line + 1))
    if not (
        names_variable(text[first.start : last.end]) or (len(_lacks(document.kind)) > 1 and _lacks_value(text, offset))
    ):
        return None
    quote = _word(document, offset).quote
    for lead, closing in dict.fromkeys((("", ""), ("", quote), ('"', '"'))):
        said = lead + _VALUE + closing
        setting = _found(document, Span(offset, offset), said, offset + len(lead), value=True)
        if setting is not None:
            start, end = setting.value.inside
            return _in_value(document, setting, Span(start, end - len(said)), offset, lead, closing)
    return None


def _lacks_value(text: str, offset: int) -> bool:
    """Return whether nothing but a key stands in front of a place of a line, and nothing behind it."""
    return (
        _KEY_ALONE.search(text, max(0, offset - _LONGEST_KEY), offset) is not None
        and text[offset : offset + 1] in "\r\n"
    )


def _as_it_stands(document: Document, offset: int) -> CompletionContext | None:
    """Return what is typed in a setting that is whole: its name may be one that nobody knows yet."""
    for setting in read(document).settings:
        # A value that stands alone is all that says which option is meant.
        named = setting.key.start < setting.key.end and setting.key != setting.value.span
        if named and setting.key.covers(offset):
            return _in_key(document, setting, offset)
        if setting.value.inside.covers(offset) and (not named or setting.value.span.start >= setting.key.end):
            return _in_value(document, setting, setting.value.inside, offset)
    return None


def _in_key(document: Document, setting: Setting, offset: int) -> CompletionContext | None:
    written = document.text[slice(*setting.key)]
    if "\n" in written or "\r" in written:
        return None
    wanted, surface = _named(setting, written, written)
    prefix = setting.name.removesuffix(written) if setting.name.endswith(f".{written}") else ""
    typed = document.text[setting.key.start : offset]
    return CompletionContext(wanted, surface, setting.key, typed, prefix=prefix)


def _in_value(
    document: Document, setting: Setting, span: Span, offset: int, before: str = "", after: str = ""
) -> CompletionContext:
    line = document.line_span(document.line_of(offset))
    start, end = max(span.start, line.start), min(span.end, line.end)
    if document.text[start : start + 1] in ("'", '"') and start < offset:
        start += 1
    span = Span(min(start, offset), max(end, offset))
    typed = document.text[span.start : offset]
    return CompletionContext(
        CompletionKind.VALUE, setting.surface, span, typed, setting.name, before=before, after=after
    )


# -- asking again -----------------------------------------------------------------------------------------


def _lacks(kind: Kind) -> Mapping[Surface, tuple[Lack, ...]]:
    return _of_reader(BY_KIND[kind].reader) if kind in BY_KIND else {}


@cache
def _of_reader(name: str) -> Mapping[Surface, tuple[Lack, ...]]:
    lacks: tuple[Lack, ...] = getattr(import_module(f"npu_lsp.languages.{name}"), "LACKS", ())
    surfaces = dict.fromkeys(lack.surface for lack in lacks)
    return {each: (Lack("", surface=each), *(lack for lack in lacks if lack.surface is each)) for each in surfaces}


def _found(document: Document, span: Span, said: str, at: int, *, value: bool) -> Setting | None:
    """Return the setting whose key, or value, stands at `at` where the text says `said` in the place of `span`."""
    for setting in read(_changed(document, span, said)).settings:
        place = setting.value.span if value else setting.key
        if place.start <= at < place.end and (value or setting.key.start == at):
            return setting
    return None


def _changed(document: Document, span: Span, said: str) -> Document:
    text = document.text
    return _asked(text[: span.start] + said + text[span.end :], document.kind)


@lru_cache(maxsize=64)
def _asked(text: str, kind: Kind) -> Document:
    """Return a text to ask about: at the next key stroke of a word that is the same one."""
    return Document(text, kind=kind)
