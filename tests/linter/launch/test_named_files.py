"""The variables that a launch gets from files which its text names."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.launch.launch import launches
from npu_lsp.rules import all_rules
from npu_lsp.text.dependencies import recording
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_ANALYZER = Analyzer(Config(), all_rules)
_IMAGE = "quay.io/ascend/vllm-ascend:v0.18.0"
_COMPOSE = "services:\n  a:\n    image: i\n    env_file: {}\n    command: vllm serve m -tp 2\n"


def _visible(folder: Path, text: str, kind: Kind = Kind.SHELL) -> tuple[int, ...] | None:
    document = Document(text, path=str(folder / "run.sh"), kind=kind)
    launch = launches(_ANALYZER.context(document))[-1]
    if launch.devices is None:
        return None
    named = text[slice(*launch.devices.said.key)]
    assert named in ("npu.env", "env.sh", "./env.sh", "ASCEND_RT_VISIBLE_DEVICES")
    return launch.devices.ids


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (f"docker run --env-file npu.env {_IMAGE} vllm serve m\n", Kind.SHELL, (0, 1)),
        (f"docker run --env-file=npu.env {_IMAGE} vllm serve m\n", Kind.SHELL, (0, 1)),
        ("source env.sh\nvllm serve m\n", Kind.SHELL, (4, 5)),
        (". ./env.sh\nvllm serve m\n", Kind.SHELL, (4, 5)),
        # What the text itself says is nearer.
        ("source env.sh\nexport ASCEND_RT_VISIBLE_DEVICES=7\nvllm serve m\n", Kind.SHELL, (7,)),
        ("vllm serve m\nsource env.sh\n", Kind.SHELL, None),
        ("source twice.sh\nvllm serve m\n", Kind.SHELL, None),
        ("source gone.sh\nvllm serve m\n", Kind.SHELL, None),
        (f"source env.sh\ndocker run {_IMAGE} vllm serve m\n", Kind.SHELL, None),
        ("source ../env.sh\nvllm serve m\n", Kind.SHELL, None),
        ("source $HERE/env.sh\nvllm serve m\n", Kind.SHELL, None),
        (_COMPOSE.format("npu.env"), Kind.YAML, (0, 1)),
        (_COMPOSE.format("\n      - npu.env"), Kind.YAML, (0, 1)),
        (_COMPOSE.format("\n      - path: npu.env\n        required: false"), Kind.YAML, (0, 1)),
    ],
)
def test_visible_devices_from_a_named_file(tmp_path: Path, text: str, kind: Kind, expected: object) -> None:
    (tmp_path / "npu.env").write_text("ASCEND_RT_VISIBLE_DEVICES=0,1\n")
    (tmp_path / "env.sh").write_text("export ASCEND_RT_VISIBLE_DEVICES=4,5\n")
    (tmp_path / "twice.sh").write_text(
        "if a; then\nexport ASCEND_RT_VISIBLE_DEVICES=4\nelse\nexport ASCEND_RT_VISIBLE_DEVICES=5\nfi\n"
    )
    assert _visible(tmp_path, text, kind) == expected


def test_a_named_file_is_read_anew_though_the_text_that_names_it_stays(tmp_path: Path) -> None:
    document = Document("source env.sh\nvllm serve m\n", path=str(tmp_path / "run.sh"), kind=Kind.SHELL)
    seen = []
    for ids in ("4,5", "6"):
        (tmp_path / "env.sh").write_text(f"export ASCEND_RT_VISIBLE_DEVICES={ids}\n")
        with recording() as noted:
            devices = launches(_ANALYZER.context(document))[-1].devices
        assert str(tmp_path / "env.sh") in noted
        seen.append(devices.ids if devices is not None else None)
    assert seen == [(4, 5), (6,)]
