"""What else can be typed, where no option of the catalog is: flags of a project's own scripts, fields of Kubernetes, words of other tools.

Whatever is told to have a slip is known by its right name, so that can be listed. Each way looks at the line before it reads anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from lsprotocol.types import CompletionItemKind

from npu_lsp.catalog.known_words import known_words
from npu_lsp.catalog.well_known import ABOUT
from npu_lsp.languages.innermost import innermost
from npu_lsp.languages.registry import kinds
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_LONGEST, _LARGEST = 1_000, 200_000
_FLAG = re.compile(r"(?:^|[\s\"'])(?P<word>--?[A-Za-z][\w.-]{0,80}|--)\Z")
_VALUE = re.compile(r"(?<![\w.-])--?[A-Za-z][\w.-]{0,80}(?:=|[ \t]{1,9})[\"']?(?P<word>[\w.-]{0,80})\Z")
_KEY = re.compile(r"^[ ]*(?:-[ ]+)*(?P<word>(?:[A-Za-z][\w./-]*)?)\Z")
_FIELD = re.compile(r"^[ ]*(?:-[ ]+)*\"?[A-Za-z][\w./-]*\"?:[ ]+[\"']?(?P<word>[\w./-]*)\Z")
_PART = re.compile(r"[{,\s]\"(?P<word>m[io]\w*)\Z")
_REST = re.compile(r"[\w./-]*")
_RESTS = {"path": re.compile(r"[\w.-]*"), "command": re.compile(r"[\w-]*"), "option": re.compile(r"[\w-]*")}
_NAME = re.compile(r"\w*")
_GOES_ON = re.compile(r"\\\r?\n\Z")
_MOST_LINES = 60
_SPEAKS = {Kind.PYTHON: "python", Kind.SHELL: "shell", Kind.NOTEBOOK: "python", Kind.DOCKERFILE: "shell"}
_AS = {
    "command": CompletionItemKind.Keyword,
    "module": CompletionItemKind.Module,
    "function": CompletionItemKind.Function,
    "option": CompletionItemKind.Property,
    "path": CompletionItemKind.Folder,
    "value": CompletionItemKind.Value,
}


class _Words(NamedTuple):
    """What may stand in the place of a word."""

    typed: str
    words: Iterable[str]
    kind: CompletionItemKind
    behind: str = ""
    """What is written behind the word, where nothing stands there."""
    rest: re.Pattern[str] = _REST
    """What the word replaces of what stands behind the cursor: its own rest, not what follows it in a path or a module."""


def other_words(view: DocumentView, offset: int) -> dict[str, Any] | None:
    """Answer what goes on at `offset`, as JSON; the first way that knows a word has it."""
    document = view.document
    if len(document.text) > _LARGEST or document.kind is Kind.OTHER:
        return None
    line = document.line_span(document.line_of(offset))
    front = document.text[max(line.start, offset - _LONGEST) : offset]
    for way in (_of_script, _of_kubernetes, _of_deployment, _of_tools):
        found = way(view, offset, front)
        made = (
            [word for word in dict.fromkeys(found.words) if word.startswith(found.typed)] if found is not None else []
        )
        if found is not None and made:
            rest = found.rest.match(document.text, offset, line.end)
            end = rest.end() if rest is not None else offset
            behind = found.behind if not document.text[end : line.end].strip() else ""
            edit = range_json(view, Span(offset - len(found.typed), end))
            items = [
                {
                    "label": word,
                    "kind": found.kind.value,
                    "filterText": word,
                    "sortText": f"!{number:04}",
                    "textEdit": {"range": edit, "newText": word + behind},
                }
                for number, word in enumerate(made)
            ]
            return {"isIncomplete": False, "items": items}
    return None


def _of_script(view: DocumentView, offset: int, front: str) -> _Words | None:
    """Return the flags of a script that the text starts, or the words that one of them takes."""
    flag, value = _FLAG.search(front), _VALUE.search(front)
    if flag is None and value is None:
        return None
    from npu_lsp.linter.names.script_flags import longer, parsers

    context = view.context
    begun = flag["word"] if flag is not None else value["word"] if value is not None else ""
    if begun in ("", "--"):
        # What isn't there yet is no word for those who read commands.
        text = f"{view.document.text[:offset]}x{view.document.text[offset:]}"
        context = view.project.analyzer.context(Document(text, path=view.document.path, kind=view.document.kind))
    for given, parser in parsers(context):
        for each in given:
            if flag is not None and each.key.covers(offset):
                return _Words(flag["word"], parser.flags, CompletionItemKind.Property)
            words = (each.word, *each.values) if each.glued else each.values
            if value is not None and any(word.span.covers(offset) for word in words):
                name = longer(each.name, parser)
                said = parser.flags[name] if name is not None else None
                return _Words(value["word"], said.choices, CompletionItemKind.Value) if said is not None else None
    return None


def _of_kubernetes(view: DocumentView, offset: int, front: str) -> _Words | None:
    """Return the fields of an object, or what the field takes that the cursor is behind."""
    document = view.document
    key = _KEY.search(front)
    value = _FIELD.search(front) if key is None else None
    found = key or value
    if document.kind is not Kind.YAML or found is None:
        return None
    from npu_lsp.linter.deployment.kubernetes import words_at
    from npu_lsp.linter.deployment.manifests import every_key

    end = document.line_span(document.line_of(offset)).end
    lacks = "" if document.text[offset:end].strip() else ": x" if key is not None else "" if found["word"] else "x"
    lacks = f"x{lacks}" if key is not None and not found["word"] else lacks
    asked = Document(document.text[:offset] + lacks + document.text[offset:], path=document.path, kind=Kind.YAML)
    start = offset - len(found["word"])
    for part in every_key(asked):
        for entry in part:
            place = entry.key if key is not None else entry.span
            if place.start <= start <= place.end and place.covers(offset):
                words = words_at(part, entry, view.project.analyzer.catalog, value=key is None)
                kind = CompletionItemKind.Field if key is not None else CompletionItemKind.EnumMember
                return _Words(found["word"], words, kind, ": " if key is not None else "")
    return None


def _of_deployment(view: DocumentView, _offset: int, front: str) -> _Words | None:
    """Return the parts of a file that sets the variables, or all, of a deployment of MindIE."""
    found = _PART.search(front)
    if found is None or view.document.kind not in (Kind.JSON, Kind.MINDIE):
        return None
    from npu_lsp.linter.deployment.parts import ROLES

    return _Words(found["word"], ROLES, CompletionItemKind.Property)


def _of_tools(view: DocumentView, offset: int, front: str) -> _Words | None:
    """Return words of other tools, in a text that is about NPUs; in another one those that are about them."""
    document = view.document
    kind = (
        innermost(document, offset).document.kind
        if document.kind in kinds(host=True) and view.parsed
        else document.kind
    )
    found = known_words(_statement(document, offset, front), _SPEAKS.get(kind, ""))
    if found is None:
        return None
    about = ABOUT.search(document.text) is not None
    words = [word for word in found.words if about or ABOUT.search(word)]
    return _Words(found.typed, words, _AS[found.kind], rest=_RESTS.get(found.kind, _NAME))


def _statement(document: Document, offset: int, front: str) -> str:
    """Return the line up to the cursor, with those above that it goes on from."""
    number = document.line_of(offset)
    lines = [front]
    while number > 0 and len(lines) < _MOST_LINES and _GOES_ON.search(document.text, 0, document.line_starts[number]):
        number -= 1
        lines.append(document.line_text(number).rstrip("\\\r\n"))
    return "\n".join(reversed(lines)) if len(lines) > 1 else front
