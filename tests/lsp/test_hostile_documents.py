"""A document that takes long to read keeps nobody waiting who asks about another one."""

from __future__ import annotations

from npu_lsp.languages.density import MOST
from tests.lsp.wire import Wire

_HOSTILE = "file:///hostile.sh"
_CALM = "file:///calm.py"
_SETTING = 'op.parameter_map["precision_mode"].s = "allow_mix_precision"\n'
_SHORT = "atc --model=a\n" * (MOST - 100)


def _hover(wire: Wire, uri: str, character: int) -> int:
    return wire.begin(
        "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}}
    )


def _first_answered(wire: Wire, *identities: int) -> int:
    """Return which of some requests is answered first."""
    for identity in identities:
        if not any("method" not in m and m.get("id") == identity for m in wire.seen):
            wire.answer(identity)
    order = [m["id"] for m in wire.seen if "method" not in m and m.get("id") in identities]
    assert sorted(order) == sorted(identities)
    assert all(m.get("result") for m in wire.seen if m.get("id") in identities and "method" not in m)
    return int(order[0])


def test_a_short_text_with_thousands_of_commands() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.open(_CALM, _SETTING)
        wire.answer(_hover(wire, _CALM, 20))
        wire.open(_CALM + "2", _SETTING)
        wire.open(_HOSTILE, _SHORT, "shellscript")
        hostile = _hover(wire, _HOSTILE, 6)
        calm = _hover(wire, _CALM + "2", 20)
        assert _first_answered(wire, hostile, calm) == calm


def test_thousands_of_commands_that_are_pasted() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.open(_CALM, _SETTING)
        wire.open(_HOSTILE, "atc --model=a\n", "shellscript")
        wire.answer(_hover(wire, _CALM, 20))
        wire.answer(_hover(wire, _HOSTILE, 6))
        # The first reading loads what all need; the second one takes what such a text takes.
        end = {"line": 0, "character": 13}
        wire.change(_HOSTILE, 2, {"range": {"start": end, "end": end}, "text": "b"})
        wire.answer(_hover(wire, _HOSTILE, 6))
        start = {"line": 1, "character": 0}
        wire.change(_HOSTILE, 3, {"range": {"start": start, "end": start}, "text": _SHORT})
        hostile = _hover(wire, _HOSTILE, 6)
        calm = _hover(wire, _CALM, 20)
        assert _first_answered(wire, hostile, calm) == calm
