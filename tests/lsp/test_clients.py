"""What each recorded client sends to begin a session, sent as it is."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.editor import CLIENTS, recorded
from tests.lsp.wire import Wire
from tests.together import together


@together("client", CLIENTS)
def test_a_session(client: str, tmp_path: Path) -> None:
    """The client's own words, not what a library makes of them: unknown ones, too, must not be in the way."""
    uri = (tmp_path / "train.py").as_uri()
    with Wire() as wire:
        answer = wire.initialize(**recorded(client), rootUri=tmp_path.as_uri())
        wire.open(uri, 'custom_op.parameter_map["precison_mode"].s = b"x"\n')
        if "diagnosticProvider" in answer["result"]["capabilities"]:
            report = wire.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            found = report["result"]["items"]
        else:
            found = wire.diagnostics(uri)
        assert [each["code"] for each in found] == ["NPU101"]
