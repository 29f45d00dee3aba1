"""Requirements of Python packages, as PEP 508 writes them: `vllm-ascend==0.11.0`, with what they are read as."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_CLAUSE = r"(?:===?|~=|!=|<=?|>=?)[ \t]{0,8}[\w.*+!-]{1,60}"
_REQUIREMENT = re.compile(
    rf"(?P<name>[A-Za-z0-9](?:[\w.-]{{0,80}}[A-Za-z0-9])?)[ \t]{{0,8}}(?:\[[\w ,.-]{{0,80}}\])?[ \t]{{0,8}}"
    rf"(?P<said>\(?[ \t]{{0,8}}{_CLAUSE}(?:[ \t]{{0,8}},[ \t]{{0,8}}{_CLAUSE}){{0,8}}[ \t]{{0,8}}\)?)?(?=[ \t]*(?:;|\#|$))"
)
"""A package and which of its versions will do; an environment marker may follow."""
_SEPARATORS = re.compile(r"[-_.]+")
_MARKER = re.compile(r"[ \t]*;")


@cache
def _known() -> frozenset[str]:
    """Return the packages that the catalog knows."""
    from npu_lsp.catalog.load import load

    return load().names(Surface.PACKAGE)


def _normalized(name: str) -> str:
    """Return the name of a package as indexes compare it: small letters, with one `-` for each run of `-`, `_` and `.`."""
    return _SEPARATORS.sub("-", name).lower()


def may_require(text: str) -> bool:
    """Return whether a text seems to name a package that the catalog knows and that only goes with NPUs; False is certain."""
    lower = text.lower()
    return any(word in lower for word in ("ascend", "torch-npu", "torch_npu", "torch.npu", "mindspore"))


def requirement(text: str, at: Span, own: Span, statement: Span, *, written: bool = True) -> Setting | None:
    """Return what a requirement sets whose text is `text`; `None` where the catalog doesn't know the package.

    `at` is where the text stands, letter by letter where `written`; `own` is what goes with it when it is removed.
    """
    found = _REQUIREMENT.match(text)
    name = _normalized(found["name"]) if found is not None else ""
    if found is None or name not in _known():
        return None
    said = (found["said"] or "").strip("() \t")
    start = found.start("said") + (found["said"] or "").index(said) if said else found.end("name")
    key = Span(at.start, at.start + found.end("name")) if written else at
    span = Span(at.start + start, at.start + start + len(said)) if written else at
    value = Value(ValueKind.WORD, span, known=True, data=said, content=span if written else None)
    # With a marker it holds for some machines only: that is told by whom it belongs to.
    receiver = text[found.end() :].strip() if _MARKER.match(text, found.end()) else ""
    return Setting(Surface.PACKAGE, name, key, value, Form.ENTRY, statement, own, receiver=receiver)


def known(settings: Iterable[Setting | None]) -> tuple[Setting, ...]:
    """Return those of `settings` that there are."""
    return tuple(each for each in settings if each is not None)
