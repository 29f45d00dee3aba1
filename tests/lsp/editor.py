"""An editor as the tests need it: it opens texts, types, and does what it is told to, through pytest-lsp."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient

from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits
from tests.patience import PATIENCE

PROFILES = Path(__file__).with_name("profiles")
CLIENTS = {
    "emacs": "emacs-28.2-eglot-1.9",
    "vscode": "vscode-1.100",
    "vscode pulling": "vscode-1.100-pulling",
    "neovim": "neovim-0.12.4",
    "old neovim": "neovim-0.7.2",
    "helix": "helix-25.07",
    "kate": "kate-22.12",
    "vim": "vim-9.0-ale-3.3",
}
"""Clients and the recording of each. Other extensions of VS Code ask for diagnostics; ours doesn't."""
MARK = "¦"
"""Stands in a text where the cursor is."""
_numbers = count(1)


def recorded(profile: str) -> dict[str, Any]:
    """Return what the client `profile` (see CLIENTS) really sends to begin a session, without its paths."""
    found: dict[str, Any] = json.loads((PROFILES / f"{CLIENTS[profile]}.json").read_text(encoding="utf-8"))
    return found


@cache
def converter() -> Any:
    """Return what makes the protocol's types from JSON: one for all clients, since it writes and compiles a function for each type."""
    return default_converter()  # type: ignore[no-untyped-call]


def initialize_params(profile: str, **changes: Any) -> types.InitializeParams:
    """Return what the client `profile` sends, in the protocol's types."""
    params: types.InitializeParams = converter().structure(recorded(profile), types.InitializeParams)
    for name, value in changes.items():
        setattr(params, name, value)
    return params


@dataclass(slots=True)
class Editor:
    """A client with a session that has begun."""

    client: LanguageClient
    result: types.InitializeResult
    name: str
    folder: Path
    """The folder that it works in."""
    encoding: str = "utf-16"

    def says(self, path: str) -> Any:
        """Return what the client says of itself under `path`, dotted, in its capabilities; `None`: nothing."""
        found: Any = recorded(self.name)["capabilities"]
        for step in path.split("."):
            found = found.get(step) if isinstance(found, dict) else None
        return found

    @property
    def pulls(self) -> bool:
        """Whether this client asks for diagnostics."""
        return self.result.capabilities.diagnostic_provider is not None

    @property
    def may_resolve_actions(self) -> bool:
        """Whether the server says that it takes actions back to complete them."""
        offered = self.result.capabilities.code_action_provider
        return isinstance(offered, types.CodeActionOptions) and bool(offered.resolve_provider)

    def open(self, text: str, name: str = "train.py", language: str = "", uri: str | None = None) -> Buffer:
        """Open a text; a mark in it is where the cursor is."""
        uri = uri or f"untitled:{next(_numbers)}/{name}"
        language = language or {"py": "python", "sh": "shellscript", "md": "markdown"}.get(name.rpartition(".")[2], "")
        at = text.find(MARK)
        buffer = Buffer(self, uri, text.replace(MARK, ""), cursor=max(at, 0))
        item = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=buffer.text)
        self.client.diagnostics.pop(uri, None)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    async def open_file(self, path: Path, text: str | None = None, language: str = "") -> Buffer:
        """Open a file; with `text`, write it first."""
        if text is not None:
            path.write_text(text.replace(MARK, ""), encoding="utf-8")
        return self.open(text or path.read_text(encoding="utf-8"), path.name, language, path.as_uri())

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request that no type is known for."""
        return await self.client.protocol.send_request_async(method, params)  # type: ignore[no-untyped-call]


@dataclass(slots=True)
class Buffer:
    """An open document."""

    editor: Editor
    uri: str
    text: str
    version: int = 1
    cursor: int = 0
    created: dict[str, str] = field(default_factory=dict)
    """Files that applied edits made, by URI."""

    # -- places -----------------------------------------------------------------------------------------

    def position(self, offset: int) -> types.Position:
        """Return where `offset` is, in the session's encoding."""
        encoding: Any = self.editor.encoding
        line, column = Document(self.text, kind=Kind.OTHER).position(offset, encoding)
        return types.Position(line, column)

    def range(self, text: str) -> types.Range:
        """Return where the only occurrence of `text` is."""
        assert self.text.count(text) == 1, f"{text!r} is there {self.text.count(text)} times"
        start = self.text.index(text)
        return types.Range(self.position(start), self.position(start + len(text)))

    def at(self, range_: types.Range) -> str:
        """Return the text in a range that the server named."""
        span = self._span(range_)
        return self.text[span.start : span.end]

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        """What the protocol calls the document."""
        return types.TextDocumentIdentifier(self.uri)

    def _span(self, range_: types.Range) -> Span:
        encoding: Any = self.editor.encoding
        document = Document(self.text, kind=Kind.OTHER)
        return Span(*(document.offset(p.line, p.character, encoding) for p in (range_.start, range_.end)))

    # -- typing -----------------------------------------------------------------------------------------

    def type(self, text: str, offset: int | None = None, length: int = 0) -> None:
        """Put `text` in the place of `length` characters at the cursor."""
        start = self.cursor if offset is None else offset
        range_ = types.Range(self.position(start), self.position(start + length))
        change = types.TextDocumentContentChangePartial(range=range_, text=text)
        self.text = self.text[:start] + text + self.text[start + length :]
        self.cursor = start + len(text)
        self.change(change)

    def replace(self, old: str, new: str) -> None:
        """Put `new` in the place of the only occurrence of `old`."""
        assert self.text.count(old) == 1
        self.type(new, self.text.index(old), len(old))

    def change(self, *changes: types.TextDocumentContentChangeEvent, version: int | None = None) -> None:
        """Tell the server of changes that `text` has already."""
        self.version = self.version + 1 if version is None else version
        identifier = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.editor.client.diagnostics.pop(self.uri, None)
        self.editor.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, list(changes)))

    def save(self) -> None:
        """Tell the server that the document is saved."""
        self.editor.client.diagnostics.pop(self.uri, None)
        self.editor.client.text_document_did_save(types.DidSaveTextDocumentParams(self.identifier))

    def close(self) -> None:
        """Close the document."""
        self.editor.client.diagnostics.pop(self.uri, None)
        self.editor.client.text_document_did_close(types.DidCloseTextDocumentParams(self.identifier))

    # -- asking -----------------------------------------------------------------------------------------

    async def diagnostics(self) -> Sequence[types.Diagnostic]:
        """Return what the client shows: what it asked for, or what it was sent since the last change."""
        if self.editor.pulls:
            params = types.DocumentDiagnosticParams(self.identifier)
            report = await self.editor.client.text_document_diagnostic_async(params)
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport), report
            return report.items
        return await self.sent()

    async def sent(self, seconds: float = PATIENCE) -> Sequence[types.Diagnostic]:
        """Return the diagnostics that come without being asked for."""
        for _ in range(int(seconds / 0.005)):
            if self.uri in self.editor.client.diagnostics:
                return self.editor.client.diagnostics[self.uri]
            await asyncio.sleep(0.005)
        raise AssertionError("no diagnostics came")

    async def codes(self) -> list[tuple[str, str]]:
        """Return code and underlined text of each diagnostic."""
        return [(str(d.code), self.at(d.range)) for d in await self.diagnostics()]

    async def hover(self, offset: int | None = None) -> types.Hover | None:
        """Return what is shown at the cursor."""
        place = self.position(self.cursor if offset is None else offset)
        return await self.editor.client.text_document_hover_async(types.HoverParams(self.identifier, place))

    async def hover_text(self, offset: int | None = None) -> str:
        """Return the text that is shown at the cursor."""
        shown = await self.hover(offset)
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        return shown.contents.value

    async def complete(self, trigger: str | None = None) -> list[types.CompletionItem]:
        """Return what is offered at the cursor, in the order in which a client lists it; `trigger` was just typed."""
        kind = types.CompletionTriggerKind.TriggerCharacter if trigger else types.CompletionTriggerKind.Invoked
        context = types.CompletionContext(kind, trigger)
        params = types.CompletionParams(self.identifier, self.position(self.cursor), context)
        found = await self.editor.client.text_document_completion_async(params)
        if found is None:
            return []
        assert isinstance(found, types.CompletionList)
        return sorted(found.items, key=lambda item: item.sort_text or item.label)

    async def labels(self, trigger: str | None = None) -> list[str]:
        """Return the labels of what is offered at the cursor."""
        return [item.label for item in await self.complete(trigger)]

    async def accept(self, label: str) -> str:
        """Take one of the offers and return the text that comes of it, with a mark behind what was put in."""
        item = next(item for item in await self.complete() if item.label == label)
        assert item.text_edit is not None
        where = item.text_edit.range if isinstance(item.text_edit, types.TextEdit) else item.text_edit.replace
        span = self._span(where)
        assert "\n" not in self.text[span.start : span.end]
        assert span.start <= self.cursor <= span.end
        typed = self.text[span.start : self.cursor]
        assert item.filter_text is not None
        assert typed.lower() in item.filter_text.lower(), "a client would not offer this"
        new = item.text_edit.new_text
        return self.text[: span.start] + new + MARK + self.text[span.end :]

    async def actions(
        self, where: types.Range | None = None, only: Sequence[str] | None = None
    ) -> list[types.CodeAction]:
        """Return what can be done at a range, by default at the cursor."""
        range_ = where or types.Range(self.position(self.cursor), self.position(self.cursor))
        shown = list(await self.diagnostics())
        context = types.CodeActionContext(diagnostics=shown, only=list(only) if only is not None else None)
        params = types.CodeActionParams(self.identifier, range_, context)
        found = await self.editor.client.text_document_code_action_async(params)
        return [action for action in found or () if isinstance(action, types.CodeAction)]

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """Return an action with its edit, asking for it where it isn't there."""
        if action.edit is None and self.editor.may_resolve_actions:
            action = await self.editor.client.code_action_resolve_async(action)
        return action

    async def applied(self, action: types.CodeAction) -> str:
        """Do what an action says to the text, as a client does, and return it."""
        edit = (await self.resolved(action)).edit
        assert edit is not None
        if edit.changes is not None:
            return self._edited(edit.changes[self.uri])
        text = self.text
        for change in edit.document_changes or ():
            if isinstance(change, types.CreateFile):
                assert change.uri not in self.created
                self.created[change.uri] = ""
            elif isinstance(change, types.TextDocumentEdit):
                made: list[types.TextEdit] = [e for e in change.edits if isinstance(e, types.TextEdit)]
                if change.text_document.uri in self.created:
                    self.created[change.text_document.uri] += "".join(e.new_text for e in made)
                    continue
                assert change.text_document.uri == self.uri
                assert change.text_document.version == self.version
                text = self._edited(made)
        return text

    def _edited(self, edits: Sequence[types.TextEdit]) -> str:
        return apply_edits(self.text, tuple(Edit(self._span(e.range), e.new_text) for e in edits))
