"""Fuzzes a server through the protocol: storms of changes, odd ranges, requests of all kinds, cancelled or not."""

from __future__ import annotations

import random
import time
from hashlib import sha256
from typing import Any

from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.kinds import Kind
from tests.lsp.wire import Wire
from tests.patience import PATIENCE
from tests.robustness.aimed import aimed
from tests.robustness.texts import edit, edited, is_too_long, texts

LANGUAGES = {Kind.PYTHON: "python", Kind.SHELL: "shellscript"}
_POSITIONAL = ("hover", "completion", "definition")
_WHOLE = ("documentSymbol", "documentLink", "diagnostic")
_NONSENSE: tuple[tuple[str, Any], ...] = (
    ("nobody/knows", {"x": [1, {}]}),
    ("$/unknown", None),
    ("textDocument/didSave", {"textDocument": {"uri": "file:///nowhere.py"}}),
    ("textDocument/didClose", {"textDocument": {"uri": "untitled:never-opened"}}),
    ("textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 3}, "contentChanges": [{"text": ""}]}),
    ("textDocument/didChange", {"contentChanges": 7}),
    ("workspace/didChangeConfiguration", {"settings": {"npu-lsp": {"select": 3, "unknown": []}}}),
    ("workspace/didChangeConfiguration", {"settings": None}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///nowhere/npu-lsp.toml", "type": 99}]}),
    ("initialized", {}),
    ("$/cancelRequest", {"id": "nobody"}),
    ("$/setTrace", {"value": "loud"}),
)


class Mirror:
    """What the client believes a document to be."""

    def __init__(self, uri: str, kind: Kind, text: str) -> None:
        self.uri = uri
        self.document = Document(text, kind=kind)
        self.version = 1

    @property
    def digest(self) -> str:
        """The digest that the server must show for the text."""
        return sha256(self.document.text.encode("utf-8", "surrogatepass")).hexdigest()


class Storm:
    """One client that does what no client should.

    `closely`: it edits what hangs together, and compares what is found in the end; that takes it time of its own.
    """

    def __init__(
        self,
        wire: Wire,
        seed: int,
        documents: int = 4,
        encoding: PositionEncoding = "utf-16",
        *,
        closely: bool = False,
    ) -> None:
        self.wire = wire
        self.rng = random.Random(f"session {seed}")
        self.encoding = encoding
        self.open: list[Mirror] = []
        self.waiting: set[int] = set()
        self._made = 0
        self._documents = documents
        self._closely = closely

    def run(self, operations: int) -> None:
        """Do so many things, and prove after some of them that both sides have the same texts."""
        for _ in range(operations):
            self.step()
        self.settle()

    def step(self) -> None:
        """Do one thing."""
        rng, wire = self.rng, self.wire
        if len(self.open) < self._documents:
            self._open()
            return
        mirror = rng.choice(self.open)
        what = rng.random()
        if what < 0.55:
            self.change(mirror)
        elif what < 0.85:
            self.ask(mirror)
        elif what < 0.9:
            method, params = rng.choice(_NONSENSE)
            wire.notify(method, params)
        elif what < 0.93:
            self.open.remove(mirror)
            wire.notify("textDocument/didClose", {"textDocument": {"uri": mirror.uri}})
        elif what < 0.95:
            self.waiting.add(wire.begin(rng.choice(("initialize", "nobody/knows", "textDocument/hover")), {"a": 1}))
        else:
            self._compare(mirror)

    def _open(self) -> None:
        kind, text = self.rng.choice(texts())
        kind = kind if kind in LANGUAGES else Kind.SHELL
        self._made += 1
        mirror = Mirror(f"file:///nowhere/file%20{self._made}", kind, text)
        self.open.append(mirror)
        self.wire.open(mirror.uri, text, LANGUAGES[kind])

    def change(self, mirror: Mirror) -> None:
        """Make one to four edits in one message, sometimes with a range that lies outside of the text."""
        changes: list[dict[str, Any]] = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 4))):
            document = mirror.document
            aims = self._closely and self.rng.random() < 0.4
            start, end, new = aimed(self.rng, document) if aims else edit(self.rng, document.text)
            start, end = (_outside_line_end(document.text, offset) for offset in (start, end))
            if is_too_long(document.text) or self.rng.random() < 0.03:
                new = self.rng.choice(texts())[1]
                changes.append({"text": new})
                text = new
            else:
                changes.append({"range": self._range(document, start, end), "text": new})
                text = edited(document.text, (start, end, new))
            mirror.document = Document(text, kind=document.kind)
        mirror.version += self.rng.choice((1, 1, 1, 5))
        self.wire.change(mirror.uri, mirror.version, *changes)

    def _range(self, document: Document, start: int, end: int) -> dict[str, Any]:
        first, last = (_place(document.position(offset, self.encoding)) for offset in (start, end))
        if end == len(document.text) and self.rng.random() < 0.3:
            last = self.rng.choice((_place((1 << 30, 0)), _place((last["line"], (1 << 31) - 1))))
        return {"start": first, "end": last}

    def ask(self, mirror: Mirror) -> None:
        """Send a request; sometimes take it back."""
        rng, wire = self.rng, self.wire
        place = {"line": rng.randrange(-1, 60), "character": rng.randrange(-1, 90)}
        about: dict[str, Any] = {"textDocument": {"uri": mirror.uri}}
        if rng.random() < 0.05:
            about = {"textDocument": {"uri": "file:///not/open"}}
        what = rng.choice((*_POSITIONAL, *_WHOLE, "codeAction"))
        if what in _POSITIONAL:
            about["position"] = place
        elif what == "codeAction":
            about |= {"range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        identity = wire.begin(f"textDocument/{what}", about)
        self.waiting.add(identity)
        if rng.random() < 0.2:
            wire.notify("$/cancelRequest", {"id": identity})

    def close(self) -> None:
        """Close all documents, and wait until that is done."""
        for mirror in self.open:
            self.wire.notify("textDocument/didClose", {"textDocument": {"uri": mirror.uri}})
        self.open.clear()
        self.wire.status()

    def settle(self) -> None:
        """Wait for all answers, and compare all texts."""
        begun = time.monotonic()
        answered = {m.get("id") for m in self.wire.seen if "method" not in m}
        waiting = self.waiting - answered
        while waiting:
            # In the order in which they come: what is analysed beside everything else is answered later.
            message = self.wire.until(lambda m: "method" not in m and m.get("id") in waiting, PATIENCE)
            waiting.discard(message["id"])
        self.waiting.clear()
        for mirror in self.open:
            self._compare(mirror)
            if self._closely:
                self._look_anew(mirror)
        assert time.monotonic() - begun < PATIENCE, "the server hangs"
        self._look_at_diagnostics()
        self.wire.seen.clear()

    def _compare(self, mirror: Mirror) -> None:
        shown = self.wire.status(mirror.uri)["document"]
        assert shown["digest"] == mirror.digest, f"{mirror.uri} has another text: {mirror.document.text!r}"
        assert shown["version"] == mirror.version, mirror.uri

    def _look_anew(self, mirror: Mirror) -> None:
        """What is found after all these changes is what is found in the same text when it is opened."""
        uri = mirror.uri + "%20again"
        self.wire.open(uri, mirror.document.text, LANGUAGES[mirror.document.kind])
        edited, fresh = (
            self.wire.request("textDocument/diagnostic", {"textDocument": {"uri": each}})["result"]["items"]
            for each in (mirror.uri, uri)
        )
        assert edited == fresh, f"read anew, there is something else to say about {mirror.document.text!r}"
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def _look_at_diagnostics(self) -> None:
        """No word about an old version after one about a newer version, and no errors of ours in the log."""
        newest: dict[str, int] = {}
        for message in self.wire.messages("textDocument/publishDiagnostics"):
            params = message["params"]
            version = params.get("version")
            if version is not None:
                assert version >= newest.get(params["uri"], 0), f"diagnostics of an old version: {params}"
                newest[params["uri"]] = version
        for message in self.wire.messages("window/logMessage"):
            text = message["params"]["message"]
            assert "Traceback" not in text, text
            assert " failed" not in text, text
        assert not self.wire.messages("window/showMessage")


def _place(position: tuple[int, int]) -> dict[str, int]:
    return {"line": position[0], "character": position[1]}


def _outside_line_end(text: str, offset: int) -> int:
    """Return `offset`, or what is before it where it lies between a CR and its LF: there is no such place."""
    return offset - 1 if text[max(0, offset - 1) : offset + 1] == "\r\n" else offset
