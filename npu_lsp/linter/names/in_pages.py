"""Names in the text of a page that are close to those of variables, and of arguments of MindSpeed and its family."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from npu_lsp.catalog.near import NearNames, distance
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages import read
from npu_lsp.languages.variable_names import meant, named
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_VARIABLE = re.compile(r"[A-Z](?<![\w$./\\{(-].)[A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,12}(?![\w./\\(*-])")
_FLAG = re.compile(
    r"-(?:(?<![\w-]-)-{1,3}|(?<=[`'\"]-))(?P<name>[a-z][a-z0-9]{0,40}(?:[-_][a-z0-9]{1,40}){1,12})(?![\w.*{-]|<(?!/))"
)
"""A flag; with one dash alone behind quotes."""
_MAKER = "Ascend"
_CHIP = re.compile(r"(?P<maker>A(?<![\w.-]A)[a-z]{3,7})(?P<model>\d{2,3}[A-Z]?\d?)(?![a-z\d])")
_MODELS = ("310", "310P", "310B", "610", "710", "910", "910A", "910B", "910C", "910D", "950", "920")
"""What the names of chips go on with: `Append100` is none."""
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}|~{3,})")
_SIGN = re.compile(r"[`~](?:(?<=`)``|(?<=~)~~)")
_OLD = re.compile(
    r"renam|typo|misspel|deprecat|remov|instead|replac|fix|\bold\b|former|旧|改名|更名|重命名|拼写|废弃|弃用|移除|替换|替代|修复",
    re.IGNORECASE,
)
"""A line with such a word may name what is wrong."""
_READ = 1000
"""Code points of a line around a name that are looked at."""
_ENOUGH = 2
"""Arguments of the family that a page names, so that others on it are the family's, too."""
_LONG = 3
"""Hyphens in the name of an argument that nobody else has by accident."""
_FAMILY = re.compile(r"mindspeed|megatron", re.IGNORECASE)
_OTHER_FORK = re.compile(r"[Mm](?i:egatron-deepspeed)")
"""What has arguments of its own beside those of Megatron."""


class Misnamed(NamedTuple):
    """A name with a slip in the text of a page."""

    span: Span
    near: str
    """What was meant; empty for a variable: which one the target says."""
    called: str = "argument"
    """What it is a name of; `former`: of a chip that is called otherwise since."""


@Memoized
def misnamed(document: Document) -> tuple[Misnamed, ...]:
    """Return such names, where no reader takes them for a setting."""
    if document.kind is not Kind.MARKDOWN:
        return ()
    return (*_variables(document), *_arguments(document), *_chips(document))


def _variables(document: Document) -> Iterator[Misnamed]:
    for match in named(_VARIABLE, document.text):
        span = Span(*match.span())
        if meant(match.group()) is not None and _is_prose(span, document):
            yield Misnamed(span, "")


def _chips(document: Document) -> Iterator[Misnamed]:
    """Yield the names of chips; in code, too, since nobody else looks at comments."""
    for match in _CHIP.finditer(document.text):
        maker, model, span = match["maker"], match["model"], Span(*match.span())
        if "://" in around(span, document)[0].rpartition(" ")[2]:
            continue
        if maker != _MAKER:
            if model.startswith(_MODELS) and distance(maker, _MAKER, 2) is not None:
                yield Misnamed(span, f"{_MAKER}{model}", "chip")
        elif (former := _former().get(match.group())) is not None and _is_prose(span, document):
            yield Misnamed(span, former, "former")
        elif not model.startswith(_MODELS):
            meant = [each for each in _MODELS if sorted(each) == sorted(model)]
            if len(meant) == 1:
                yield Misnamed(span, f"{_MAKER}{meant[0]}", "chip")


@cache
def _former() -> Mapping[str, str]:
    from npu_lsp.catalog.load import load

    families = load().plain("products").values()
    return {old: new for family in families for old, new in family.get("former", {}).items()}


def _arguments(document: Document) -> Iterator[Misnamed]:
    text = document.text
    found = list(_FLAG.finditer(text)) if "-" in text else []
    if not found or _OTHER_FORK.search(text):
        return
    family = _family()
    names = {match["name"] for match in found} & family.names
    is_of_family = not names.isdisjoint(family.own) or (
        len(names) >= _ENOUGH and _FAMILY.search(document.path + text) is not None
    )
    for match in filter(lambda each: not _is_code(each.start(), document), found):
        name, dashes = match["name"], match.start("name") - match.start()
        if name in family.names:
            near = name if dashes != 2 and (is_of_family or name.count("-") >= _LONG) else None
        elif dashes < 2 or "-" not in name or family.begins_one(name) or name.replace("_", "-") in family.others:
            # With underscores alone it is an argument of a tool that writes all of its own so, such as ms-swift.
            near = None
        else:
            near = _meant(name, is_of_family=is_of_family)
        # Of what stands around a name much is looked at: only where there is something to say of it.
        if near is not None and _is_prose(span := Span(match.start(), match.end("name")), document):
            yield Misnamed(span, f"--{near}")


_PLAIN = 18
"""Characters of an argument's name in which one slip makes no name of another program."""
_FILLERS = ("model", "num")
"""Words that names of the family have, and that people put in or leave out."""


class _Family(NamedTuple):
    names: frozenset[str]
    """The arguments of MindSpeed and its family, those of Megatron included."""
    own: frozenset[str]
    """Those that nobody else has."""
    others: frozenset[str]
    """Those of servers and launchers, with hyphens."""
    near: NearNames
    in_order: tuple[str, ...]
    """The names once more."""

    def begins_one(self, name: str) -> bool:
        """Return whether an argument begins with `name`."""
        at = bisect_left(self.in_order, name)
        return at < len(self.in_order) and self.in_order[at].startswith(name)

    def with_other_word(self, name: str) -> str | None:
        """Return the argument that a name is with one of the words between others put in or left out."""
        words = name.split("-")
        less = ("-".join((*words[:at], *words[at + 1 :])) for at, word in enumerate(words) if word in _FILLERS)
        more = ("-".join((*words[:at], word, *words[at:])) for at in range(1, len(words)) for word in _FILLERS)
        found = {each for each in (*less, *more) if each in self.names and each.count("-") >= _LONG}
        return min(found) if len(found) == 1 else None


@cache
def _family() -> _Family:
    from npu_lsp.catalog.load import load

    catalog = load()
    beside, scripts = catalog.plain("other_flags").get("mindspeed", {}), catalog.plain("script_flags")
    own = catalog.names(Surface.MINDSPEED)
    names = own.union(
        beside.get("flags", ()), beside.get("fields", ()), *(script.get("flags", ()) for script in scripts.values())
    )
    options = ((name, catalog.option(Surface.MINDSPEED, name)) for name in own)
    tools = (Surface.VLLM, Surface.SGLANG, Surface.TORCHRUN, Surface.ATC)
    return _Family(
        frozenset(names),
        frozenset(name for name, option in options if option is not None and not option.shared),
        frozenset(name.replace("_", "-") for surface in tools for name in catalog.names(surface)),
        NearNames(names),
        tuple(sorted(names)),
    )


def _meant(name: str, *, is_of_family: bool) -> str | None:
    """Return the argument that a name is a slip of, on a page of the family or not."""
    family, near = _family(), _nearest(name)
    if is_of_family:
        return near or family.with_other_word(name)
    if near is None or near in family.own or near.count("-") >= _LONG:
        return near
    return near if len(name) >= _PLAIN and distance(name, near, 1) is not None else None


@lru_cache(maxsize=1_000)
def _nearest(name: str) -> str | None:
    # A page says a name again and again, and each version of it that is typed says all of them.
    return _family().near.nearest(name, careful=True)


def _is_prose(span: Span, document: Document) -> bool:
    """Return whether a place is no code, no setting, and its line doesn't speak of names that were."""
    before, behind = around(span, document)
    if "://" in before or _OLD.search(before) or _OLD.search(behind):
        return False
    return not _is_code(span.start, document)


def _is_code(at: int, document: Document) -> bool:
    starts, ends = _code(document)
    last = bisect_right(starts, at) - 1
    return last >= 0 and ends[last] > at


def around(span: Span, document: Document) -> tuple[str, str]:
    """Return what stands before and behind a place on its line, as far as somebody reads who looks at it."""
    start, end = document.line_span(document.line_of(span.start))
    return document.text[max(start, span.start - _READ) : span.start], document.text[
        span.end : min(end, span.end + _READ)
    ]


@Memoized
def _code(document: Document) -> tuple[list[int], list[int]]:
    """Return where fences and settings start, in order, and how far those up to each go: rules of their own look at these."""
    found, opened = [(each.statement.start, each.statement.end) for each in read(document).settings], -1
    for number in dict.fromkeys(document.line_of(sign.start()) for sign in _SIGN.finditer(document.text)):
        if _FENCE.match(document.line_text(number)):
            span = document.line_span(number)
            if opened < 0:
                opened = span.start
            else:
                found.append((opened, span.end))
                opened = -1
    found.sort()
    return [start for start, _ in found], list(accumulate((end for _, end in found), max))
