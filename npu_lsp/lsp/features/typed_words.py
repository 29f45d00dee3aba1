"""What can be typed where no setting stands: codes in comments, variables that are used, whole commands to begin with.

Asked at every key stroke anywhere in a text: each way looks at the line in front of the cursor before it does anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol.types import CompletionItemKind, InsertTextFormat

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.usage import ranks
from npu_lsp.docs.snippets import SNIPPETS, Snippet
from npu_lsp.languages.registry import PAGES, kinds
from npu_lsp.languages.variable_names import assigned
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_LONGEST = 400
"""Characters in front of the cursor that are looked at."""
_CODE = re.compile(
    r"npu-lsp:[ \t]*(?:ignore-file|ignore|off|on)[ \t]*\[(?:[^\[\]]*,[ \t]*)?(?P<word>[\w-]*)\Z", re.IGNORECASE
)
_WORD = re.compile(r"#[ \t]*npu-lsp:[ \t]*(?P<word>[\w-]*)\Z", re.IGNORECASE)
_USED = re.compile(r"(?<![\\$])\$\{?(?P<word>(?:[A-Za-z_][A-Za-z0-9_]*)?)\Z")
_ASKED = re.compile(
    r"(?<![\w.])(?:os\.)?(?:getenv\(|environ\.(?:get|pop)\()[ \t]*(?P<quote>[\"'])(?P<word>[A-Za-z0-9_]*)\Z"
)
_BEGUN = re.compile(r"\A[ \t]*(?P<word>[a-z][a-z_]+)\Z")
_REST = re.compile(r"[A-Za-z0-9_-]*")
_SPOKEN = {
    "ignore": Text("this line, or the statement below", "本行，或下方的语句"),
    "ignore-file": Text("the whole file", "整个文件"),
    "off": Text("from here on", "从此处开始"),
    "on": Text("up to here", "到此处为止"),
}
_SHELLS = frozenset({Kind.SHELL}) | kinds(host=True)
_MOST_CHIPS = 30
_TELLING, _MOST_AT_FIRST = 2, 20
"""Letters of a name that tell enough of it, and how many are listed for fewer."""


def typed_words(view: DocumentView, offset: int) -> dict[str, Any] | None:
    """Answer what goes on at `offset`, as JSON; the first way that the text in front fits has the word."""
    line = view.document.line_span(view.document.line_of(offset))
    front = view.document.text[max(line.start, offset - _LONGEST) : offset]
    for form, way in _WAYS:
        found = form.search(front)
        if found is None:
            continue
        rest = _REST.match(view.document.text, offset, line.end)
        span = Span(offset - len(found["word"]), rest.end() if rest is not None else offset)
        made = [_finished(view, item, number, span) for number, item in enumerate(way(view, found["word"], span))]
        if made:
            short = form is _USED and len(found["word"]) < _TELLING
            return {"isIncomplete": short, "items": made}
    return None


def _finished(view: DocumentView, item: dict[str, Any], number: int, span: Span) -> dict[str, Any]:
    text = item.pop("text", item["label"])
    made = {**item, "sortText": f"!{number:04}", "filterText": item["label"]}
    return {**made, "textEdit": {"range": range_json(view, span), "newText": text}}


def _codes(view: DocumentView, _word: str, span: Span) -> Iterator[dict[str, Any]]:
    """Yield the codes of all rules, first those that find something in the lines around the comment."""
    if view.document.kind not in kinds(hash_comments=True):
        return
    here = view.document.line_of(span.start)
    known = view.project.findings(view.document) if view.session.work.ready(view.document, view.project) else ()
    near = [f for f in known if abs(view.document.line_of(f.span.start) - here) <= 1]
    first = {finding.code: finding.message for finding in near}
    closed = view.document.text[span.end : span.end + 1] in ("]", ",")
    for rule in sorted(view.project.analyzer.all_rules, key=lambda rule: (rule.code not in first, rule.code)):
        yield {
            "label": rule.code,
            "kind": CompletionItemKind.EnumMember.value,
            "detail": rule.title.to(view.language),
            "documentation": first.get(rule.code, rule.name),
            "text": rule.code if closed else f"{rule.code}]",
        }


def _spoken(view: DocumentView, _word: str, _span: Span) -> Iterator[dict[str, Any]]:
    if view.document.kind in kinds(hash_comments=True):
        for word, about in _SPOKEN.items():
            yield {"label": word, "kind": CompletionItemKind.Keyword.value, "detail": about.to(view.language)}


def _used(view: DocumentView, word: str, _span: Span) -> Iterator[dict[str, Any]]:
    """Yield variables that may be used: before two letters of a name are there, those that the text sets, and few others."""
    if view.document.kind not in _SHELLS:
        return
    every = _variables(view, word)
    if len(word) >= _TELLING:
        yield from every
        return
    there = {match.group() for match in assigned(view.document.text)}
    ranked = sorted(every, key=lambda item: item["label"] not in there)
    yield from ranked[: max(sum(item["label"] in there for item in ranked), _MOST_AT_FIRST if word else 0)]


def _asked(view: DocumentView, word: str, _span: Span) -> Iterator[dict[str, Any]]:
    if view.document.kind in PAGES | {Kind.PYTHON, Kind.NOTEBOOK}:
        yield from _variables(view, word)


def _variables(view: DocumentView, word: str) -> Iterator[dict[str, Any]]:
    """Yield the variables that are known and go on as it was typed, those that people set most first."""
    catalog = view.project.analyzer.catalog
    usage = ranks(catalog, Surface.ENV)
    names = [name for name in catalog.names(Surface.ENV) if name.startswith(word.upper())]
    for name in sorted(names, key=lambda name: (usage.get(name, len(usage)), name)):
        option = catalog.option(Surface.ENV, name)
        if option is not None and option.status not in ("internal", "no_effect"):
            data = {"project": view.project.number, "surface": Surface.ENV.value, "option": name}
            yield {"label": name, "kind": CompletionItemKind.Variable.value, "detail": option.type, "data": data}
    if len(word) >= _TELLING:
        others = set(catalog.plain("well_known")["variables"]) - set(names)
        yield from (
            {"label": name, "kind": CompletionItemKind.Variable.value}
            for name in sorted(others)
            if name.startswith(word)
        )


def _begun(view: DocumentView, word: str, span: Span) -> Iterator[dict[str, Any]]:
    """Yield whole commands and sessions, where nothing else stands on the line."""
    end = view.document.line_span(view.document.line_of(span.start)).end
    if not view.client.snippets or view.document.text[span.end : end].strip():
        return
    for snippet in SNIPPETS.get(view.document.kind, ()):
        if snippet.word.startswith(word) and _is_for(view, snippet):
            yield {
                "label": snippet.word,
                "kind": CompletionItemKind.Snippet.value,
                "detail": snippet.about.to(view.language),
                "insertTextFormat": InsertTextFormat.Snippet.value,
                "insertTextMode": 2,
                "text": snippet.body.replace("{chips}", ",".join(_chips(view))),
            }


def _is_for(view: DocumentView, snippet: Snippet) -> bool:
    """Return whether a target is one that a snippet is for; as long as nobody names a product, any may be meant."""
    wanted = view.project.analyzer.target.products
    known = products(view.project.analyzer.catalog)
    named = {known.of_soc(each) or each for each in wanted}
    return not snippet.products or not named or not snippet.products.isdisjoint(named)


def _chips(view: DocumentView) -> list[str]:
    known = products(view.project.analyzer.catalog)
    wanted = view.project.analyzer.target.products
    names = known.first(known.soc_versions, wanted)
    return [name for name in names if not wanted or known.of_soc(name) in wanted][:_MOST_CHIPS] or names[:_MOST_CHIPS]


_WAYS: tuple[tuple[re.Pattern[str], Callable[[DocumentView, str, Span], Iterator[dict[str, Any]]]], ...] = (
    (_CODE, _codes),
    (_WORD, _spoken),
    (_USED, _used),
    (_ASKED, _asked),
    (_BEGUN, _begun),
)
