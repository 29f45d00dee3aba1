"""JSON in a value."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, Problem, whole
from npu_lsp.catalog.model import Surface


def json(text: str, surface: Surface) -> Iterator[Problem]:
    """A JSON object.

    Yield where the text stops being JSON, or that it is no object.
    """
    from json import JSONDecodeError, loads

    try:
        found = loads(text, parse_int=str)
    except JSONDecodeError as error:
        if not text.lstrip().startswith("{"):
            yield _no_object(text)
            return
        at = min(error.pos, max(len(text) - 1, 0))
        before = text[:at].rstrip()
        if text[at : at + 1] in "}]" and before.endswith(","):
            at = len(before) - 1  # as Python tells it from 3.13 on
        near = text[at : at + 1]
        if near == "," and text[at + 1 :].lstrip()[:1] in ("}", "]"):
            yield Part(near, at).problem("nothing comes behind this comma", "此逗号之后没有内容")
            return
        yield Part(near, at).problem(f"this is no JSON from here on ({error.msg})", "从此处起不是合法的 JSON")
    except RecursionError:
        yield whole(text).problem("the JSON is nested too deeply", "JSON 嵌套过深")
    else:
        if not isinstance(found, dict):
            yield _no_object(text)


def _no_object(text: str) -> Problem:
    return whole(text).problem('the value must be a JSON object, {"key": ...}', '取值须为 JSON 对象，形如 {"key": ...}')
