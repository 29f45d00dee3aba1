"""What a relation must say about the effect that it takes away, and the words that it must not use for that.

One text is shown with both options. Words such as "here" or 该参数 mean another option on either side, so that what is
right on one is reversed on the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from npu_lsp.text.toml_shape import ShapeProblem

SILENT = frozenset({"ignored_when", "overrides", "requires", "together"})
"""Kinds by which an option loses its effect where the tool doesn't stop."""

_FOLDER = re.compile(r"[:/]docs?/")
_PAGE = re.compile(r"\.(?:md|rst|html)")

_ENGLISH = re.compile(
    r"\b(here|this|these|the former|the latter|the other(?: one)?|"
    r"the (?:same )?(?:option|flag|parameter|variable|switch|key|setting)s?)\b(?! [`\"-]?\w*_)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"[本该此](?:参数|配置|环境变量|变量|开关|选项|字段|键|项|列表|目录|路径|处)|这里|前者|后者|以参数|旧变量"
)


def problems(relation: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """Yield what a relation of the catalog leaves open, or says so that it is wrong on one side."""
    yield from _extent(relation, at)
    if ("stays" in relation) is not (relation.get("extent") == "partial"):
        yield ShapeProblem(at, "'stays' tells what keeps its effect: a partial relation has it, and no other")
    if relation["kind"] == "conflicts" and not relation.get("rejected") and "result" not in relation:
        yield ShapeProblem(at, "'result' is missing: what happens where the tool doesn't stop")
    for key in ("result", "stays"):
        text: Mapping[str, str] = relation.get(key, {})
        for language, pattern in (("en", _ENGLISH), ("zh", _CHINESE)):
            found = pattern.search(text.get(language, ""))
            if found is not None:
                yield ShapeProblem(
                    f"{at}.{key}.{language}", f"{found.group()!r} is another option on either side: name it"
                )


def _extent(relation: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """Yield what is wrong with how much of an effect is said to go, and with what that rests on."""
    stops = bool(relation.get("rejected"))
    silent = relation["kind"] in SILENT and not stops
    extent = relation.get("extent")
    if silent and extent is None:
        yield ShapeProblem(at, "'extent' is missing: 'total' where nothing of the effect stays, else 'partial'")
    conflict = relation["kind"] == "conflicts" and not stops
    if (silent or conflict) and extent in (None, "total") and _of_docs(relation.get("source", "")):
        yield ShapeProblem(at, "only docs show it: 'extent' is 'documented', and there is no finding")
    if not silent and extent is not None and not (conflict and extent == "documented"):
        yield ShapeProblem(f"{at}.extent", "only a relation that takes an effect away has an extent")


def _of_docs(source: str) -> bool:
    """Return whether a source is a page, and not the code of a tool."""
    folder = _FOLDER.search(source)
    return "hiascend.com/" in source or (folder is not None and _PAGE.search(source, folder.end()) is not None)
