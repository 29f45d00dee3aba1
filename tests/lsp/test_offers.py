"""What the server says it can do, what it does, and what its page says are the same."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from npu_lsp.lsp.features.registrations import REGISTRATIONS
from tests.lsp.editor import CLIENTS, recorded
from tests.lsp.wire import Wire
from tests.pages import ROOT, methods

NOT_FOUND = -32601
TO_SERVER = [
    method
    for method in types.METHOD_TO_TYPES
    if types.message_direction(method) in ("clientToServer", "both")
    and types.METHOD_TO_TYPES[method][1] is not None
    and method not in ("initialize", "shutdown")
]


def test_each_method_is_on_the_page() -> None:
    known = methods.answered()
    assert set(methods.ABOUT) == set(types.METHOD_TO_TYPES) | {m for m in known if m.startswith("npu-lsp/")}
    rows = (ROOT / "docs/lsp.md").read_text(encoding="utf-8").splitlines()
    for method in types.METHOD_TO_TYPES:
        (row,) = [each for each in rows if each.startswith(f"| `{method}` |")]
        assert row.split("|")[2].strip() == ("yes" if method in known | methods.SENT else "no")


def test_the_server_answers_what_the_page_says_and_nothing_else() -> None:
    known = methods.answered()
    with Wire() as wire:
        wire.initialize()
        refused = {m for m in TO_SERVER if wire.request(m, {}).get("error", {}).get("code") == NOT_FOUND}
    assert refused == {method for method in TO_SERVER if method not in known}


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_announced_is_answered(client: str) -> None:
    with Wire() as wire:
        answer = wire.request("initialize", {**recorded(client), "processId": None})
    offered: dict[str, Any] = answer["result"]["capabilities"]
    told = {name for name in offered if name.endswith("Provider")} - {"diagnosticProvider"}
    rows = {offer.capability for offer in REGISTRATIONS if offer.capability}
    assert told <= rows
    for name in told:
        assert offered[name], name
        resolves = isinstance(offered[name], dict) and offered[name].get("resolveProvider")
        begin = f"{name.removesuffix('Provider')}/resolve"
        items = {"completion/resolve": "completionItem/resolve", "workspaceSymbol/resolve": "workspaceSymbol/resolve"}
        assert not resolves or items.get(begin, begin) in methods.answered()
