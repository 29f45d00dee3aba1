"""The pictures of the READMEs, taken in a real VS Code; `NPU_LSP_PICTURES=write` puts them where the READMEs have them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.editors.code_server import visit
from tests.editors.png import smaller

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "editors/vscode/images"
PICTURES = {
    "en": IMAGES / "findings.png",
    "zh": IMAGES / "findings.zh.png",
    "options.en": IMAGES / "options.png",
    "options.zh": IMAGES / "options.zh.png",
}
LARGEST = 150_000
"""Bytes of a picture: the README of a package or an extension is loaded over slow lines, too."""
SESSION = Path(__file__).with_name("vscode_pictures") / "session.js"
SCRIPT = """\
#!/bin/bash
export ASCEND_RT_VISIBLE_DEVICE=0,1,2,3
export PYTORCH_NPU_ALLOC_CONF=expandable_segment:True
export VLLM_ASCEND_ENABLE_FLASHCOMM=1
export HCCL_OP_EXPANSION_MODE=AIV

vllm serve Qwen/Qwen3-30B-A3B --tensor-parallel-size 4 \\
    --additional-config '{
        "ascend_scheduler_config": {"enabled": true},
        "enable_cpu_bindng": true
    }'
"""
FOUND = [[2, "NPU101"], [3, "NPU105"], [4, "NPU302"], [9, "NPU302"], [10, "NPU101"]]
LOOK = {
    "breadcrumbs.enabled": False,
    "editor.fontSize": 15,
    "editor.hover.above": False,
    "editor.hover.delay": 0,
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.renderLineHighlight": "none",
    "editor.scrollBeyondLastLine": False,
    "editor.stickyScroll.enabled": False,
    "window.commandCenter": False,
    "window.menuBarVisibility": "hidden",
    "workbench.activityBar.location": "hidden",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.layoutControl.enabled": False,
    "workbench.tips.enabled": False,
}


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory, server: str) -> tuple[dict[str, Any], Path]:
    """Return what was found in each language, and the folder with the pictures."""
    work = tmp_path_factory.mktemp("pictures")
    folder = work / "project"
    folder.mkdir()
    (folder / "serve.sh").write_text(SCRIPT, encoding="utf-8")
    more = {
        "NPU_LSP_SERVER": server,
        "PICTURES": str(work),
        "HOVER": "enable_cpu",
        "WINDOW": "1000x680",
        "SCALE": "1.25",
    }
    package = ROOT / "editors/vscode/npu-lsp.vsix"
    answers = visit(work, folder, SESSION, package, LOOK, more=more)
    if os.environ.get("NPU_LSP_PICTURES") == "write":
        for name, picture in PICTURES.items():
            picture.write_bytes(smaller((work / f"{name}.png").read_bytes()))
    return answers, work


def test_what_a_picture_shows(taken: tuple[dict[str, Any], Path]) -> None:
    answers, _ = taken
    assert sorted(answers["en"]) == sorted(answers["zh"]) == FOUND


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_that_of_the_readmes(name: str, taken: tuple[dict[str, Any], Path]) -> None:
    """Its size in pixels; what is drawn may differ by a font."""
    made, kept = (taken[1] / f"{name}.png").read_bytes(), PICTURES[name].read_bytes()
    assert made[16:24] == kept[16:24]
    assert len(kept) < LARGEST
