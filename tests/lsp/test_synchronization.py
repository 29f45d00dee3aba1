"""The text in the server is the text in the client, whatever is sent and however fast."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npu_lsp.text.document import PositionEncoding
from tests.lsp.wire import Wire

TYPO = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")
_PIECES = st.text(st.sampled_from("ab\n\r\t中😀\x0c\x85\u2028\u2029\x0b\x1c\ufeff\x00\"'#(["), max_size=12)


def _capabilities(encoding: str) -> dict[str, Any]:
    return {
        "general": {"positionEncodings": [encoding]},
        "textDocument": {"publishDiagnostics": {"versionSupport": True}},
    }


@pytest.fixture(scope="module", params=ENCODINGS)
def running(request: pytest.FixtureRequest) -> Iterator[tuple[Wire, PositionEncoding]]:
    """Return a server for each unit of columns."""
    with Wire() as wire:
        answer = wire.initialize(_capabilities(request.param))
        assert answer["result"]["capabilities"]["positionEncoding"] == request.param
        yield wire, request.param


class Model:
    """What an editor does with its own text: written from the protocol's words, and slow."""

    def __init__(self, text: str, encoding: PositionEncoding) -> None:
        self.text = text
        self.encoding = encoding

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; what lies outside is moved inside."""
        at = 0
        for _ in range(line):
            end = self._line_end(at)
            if end == len(self.text):
                return end
            at = end + (2 if self.text[end : end + 2] == "\r\n" else 1)
        units = 0
        for index in range(at, self._line_end(at)):
            units += self._units(self.text[index])
            if units > column:
                return index
        return self._line_end(at)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the position of an offset that is not inside of a line end."""
        line = at = 0
        while True:
            end = self._line_end(at)
            if offset <= end:
                return line, sum(self._units(char) for char in self.text[at:offset])
            at = end + (2 if self.text[end : end + 2] == "\r\n" else 1)
            line += 1

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Put `text` between two positions."""
        low, high = sorted((self.offset(*start), self.offset(*end)))
        self.text = self.text[:low] + text + self.text[high:]

    def _line_end(self, at: int) -> int:
        ends = [i for i in (self.text.find("\n", at), self.text.find("\r", at)) if i >= 0]
        return min(ends, default=len(self.text))

    def _units(self, char: str) -> int:
        return len(char.encode(self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le")) // {
            "utf-8": 1,
            "utf-16": 2,
            "utf-32": 4,
        }.get(self.encoding, 1)


_POSITIONS = st.tuples(st.integers(0, 6), st.integers(0, 14))
_EDITS = st.lists(st.lists(st.tuples(_POSITIONS, _POSITIONS, _PIECES), min_size=1, max_size=3), max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=_PIECES, edits=_EDITS)
def test_any_edits(running: tuple[Wire, PositionEncoding], start: str, edits: list[list[Any]]) -> None:
    wire, encoding = running
    uri = "untitled:edits.py"
    wire.open(uri, start)
    model = Model(start, encoding)
    for version, group in enumerate(edits, 2):
        changes = []
        for one, other, text in group:
            model.edit(one, other, text)
            places = {"start": _json(one), "end": _json(other)}
            changes.append({"range": places, "text": text})
        wire.change(uri, version, *changes)
    facts = wire.status(uri)["document"]
    assert facts["characters"] == len(model.text)
    assert facts["digest"] == sha256(model.text.encode("utf-8", "surrogatepass")).hexdigest()


def test_lines_are_the_protocols_lines(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:lines.py"
    # To `str.splitlines` each of these ends a line; to an editor none does.
    wire.open(uri, "# \x0b \x0c \x1c \x1d \x1e \x85 \u2028 \u2029\nx = 1\n" + TYPO)
    wire.change(uri, 2, {"range": {"start": _json((1, 0)), "end": _json((1, 1))}, "text": "y"})
    (found,) = wire.diagnostics(uri, 2)
    assert found["range"]["start"]["line"] == 2


def test_a_whole_text_and_parts_in_one_change(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:mixed.py"
    wire.open(uri, "old")
    wire.change(
        uri,
        2,
        {"text": TYPO},
        {"range": {"start": _json((0, 0)), "end": _json((0, 0))}, "text": "# 中😀\n"},
        {"text": TYPO},
    )
    assert [d["code"] for d in wire.diagnostics(uri, 2)] == ["NPU101"]


def test_lone_surrogates(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:surrogate.py"
    text = "# \ud800\n" + TYPO.replace("precison", "preci\udc00son")
    wire.open(uri, text)
    wire.diagnostics(uri, 1)
    assert wire.status(uri)["document"]["characters"] == len(text)


def test_one_document_by_several_spellings_of_its_uri(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    wire.open("file:///C:/Users/%E4%B8%AD/a.py", TYPO)
    assert wire.diagnostics("file:///C:/Users/%E4%B8%AD/a.py")
    for uri in ("file:///c%3A/Users/%E4%B8%AD/a.py", "file:///c:/Users/中/a.py", "file:///C%3a/Users/中/a.py"):
        place = {"textDocument": {"uri": uri}, "position": _json((0, 30))}
        assert wire.request("textDocument/hover", place)["result"], uri
    # What is sent has the spelling that the document was opened with.
    wire.change("file:///c%3A/Users/%E4%B8%AD/a.py", 2, {"text": ""})
    assert wire.diagnostics("file:///C:/Users/%E4%B8%AD/a.py", 2) == []


def test_versions_out_of_order(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:versions.py"
    wire.open(uri, "", version=5)
    wire.change(uri, 9, {"text": TYPO})
    assert len(wire.diagnostics(uri, 9)) == 1
    wire.change(uri, 3, {"text": TYPO + TYPO})
    assert len(wire.diagnostics(uri)) == 2
    wire.change(uri, 9, {"text": TYPO})
    assert len(wire.diagnostics(uri)) == 1
    wire.change(uri, 10, {"text": ""})
    assert wire.diagnostics(uri, 10) == []
    mine = [m["params"] for m in wire.messages("textDocument/publishDiagnostics") if m["params"]["uri"] == uri]
    versions = [params["version"] for params in mine if "version" in params]
    assert versions == sorted(versions)


def test_opening_twice_and_closing_twice(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:twice.py"
    wire.open(uri, TYPO)
    wire.open(uri, TYPO + TYPO, version=2)
    assert len(wire.diagnostics(uri, 2)) == 2
    for _ in range(2):
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert wire.diagnostics(uri) == []
    assert wire.status(uri)["document"] is None


def test_a_text_that_is_too_long_is_left_alone_until_there_is_another(running: tuple[Wire, PositionEncoding]) -> None:
    wire, _ = running
    uri = "untitled:huge.py"
    wire.open(uri, TYPO + "x = 1\n" * 2_000_000)
    assert wire.diagnostics(uri, 1) == []
    wire.change(uri, 2, {"range": {"start": _json((1_999_999, 0)), "end": _json((1_999_999, 1))}, "text": "y"})
    assert wire.diagnostics(uri, 2) == []
    place = {"textDocument": {"uri": uri}, "position": _json((0, 30))}
    assert wire.request("textDocument/hover", place)["result"] is None
    assert not wire.status(uri)["document"]["followed"]
    wire.change(uri, 3, {"text": TYPO})
    assert len(wire.diagnostics(uri, 3)) == 1
    # What is followed may still be larger than a file that is checked.
    wire.change(uri, 4, {"text": TYPO + "#" * 2_000_000})
    assert wire.diagnostics(uri, 4) == []
    assert wire.status(uri)["document"]["followed"]
    wire.change(uri, 5, {"text": TYPO})
    assert len(wire.diagnostics(uri, 5)) == 1
    wire.change(uri, 6, {"range": {"start": _json((0, 0)), "end": _json((0, 0))}, "text": "#" * 8_000_000})
    assert wire.diagnostics(uri, 6) == []
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_storm_of_changes() -> None:
    """Fifty documents, as many changes a second as the pipe takes: answers in between, the right end, no flood."""
    with Wire() as wire:
        wire.initialize(_capabilities("utf-16"))
        uris = [f"untitled:storm{number}.py" for number in range(50)]
        for uri in uris:
            wire.open(uri, TYPO)
        generator = random.Random(1)
        models = {uri: Model(TYPO, "utf-16") for uri in uris}
        versions = dict.fromkeys(uris, 1)
        asked = []
        begun = time.monotonic()
        for number in range(4000):
            uri = generator.choice(uris)
            start, end = (0, generator.randrange(70)), (generator.randrange(2), generator.randrange(70))
            text = generator.choice(["x", "\n", TYPO, "'", "# "])
            models[uri].edit(start, end, text)
            versions[uri] += 1
            wire.change(uri, versions[uri], {"range": {"start": _json(start), "end": _json(end)}, "text": text})
            if number % 20 == 0:
                place = {"textDocument": {"uri": uri}, "position": _json((0, 30))}
                asked.append(wire.begin("textDocument/hover", place))
        for uri in uris:
            digest = sha256(models[uri].text.encode()).hexdigest()
            assert wire.status(uri)["document"]["digest"] == digest
        for uri in uris:
            versions[uri] += 1
            wire.change(uri, versions[uri], {"text": TYPO * 3})
        final: dict[str, int] = {}

        def complete(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            if params.get("uri") in versions and params.get("version") == versions[params["uri"]]:
                final[params["uri"]] = len(params["diagnostics"])
            return len(final) == len(uris)

        wire.until(complete)
        assert set(final.values()) == {3}
        spent = time.monotonic() - begun
        answered = {m.get("id") for m in wire.seen if "method" not in m}
        assert answered >= set(asked)
        published = len(wire.messages("textDocument/publishDiagnostics"))
        assert published < 50 + 25 * 50 * max(spent, 1)


def _json(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}
