"""What commands print of a project whose names, options, values, profiles and logs are made to be taken for something else."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from npu_lsp.reports.table import FORMS
from tests.checking.command import npu_lsp
from tests.reports.logs import wrong

SIGNS = (
    "::error::x",
    "##vso[task.complete]",
    " ::add-mask::x",
    "#\ufe0f#[x]",
    "a\x1b[2J\u202e\x9b",
    "=1+1",
    "＝1",
    "\udcff",
    "\u200b\u2028",
)
NAMES = [*(f"{sign}\n{sign}" for sign in SIGNS), "\r::error::x"]
SCRIPT = """\
export ASCEND_LAUNCH_BLOKCING={0}
export HCCL_CONNECT_TIMEOUT="{0}"
export HCCL_DETERMINISTIC="{0}" LCCL_DETERMINISTIC={0}
atc --model="{0}.onnx" --framework=5 --output=a --soc_verison="{0}" "--{0}=1" --gone_flag="{0}"
"""
TRAIN = """\
op.parameter_map["precison_mode{0}"].s = "{0}"
op.parameter_map["precision_mode"].s = b"{0}"
"""
CATALOG = """\
[options.gone_flag]
summary = "::error::x\\n\\u001b##vso[x]\\u202e"
[options.gone_flag.atc]
type = "string"
default = "::error::x\\n\\u001b##vso[x]\\u202e"
removed = { version = "9.0", why = "\\n::error::x\\n\\u001b##vso[x]\\u202e" }
[options.coming_flag]
summary = "\\n::error::x"
[options.coming_flag.atc]
type = "string"
since = "9.0"
"""
LOG = "E10001: {0} Value {0} for parameter --soc_version is invalid.\n   {0}\nEI0006: {0}\n"
COMMANDS = (
    ("settings", "."),
    ("diff", "--isolated", "left", "right"),
    ("upgrade", "--from", "cann=8.0", "--to", "cann=9.0", "."),
    ("profile", "determinism", "."),
    ("profile", "::error::x\n##vso[x]\x1b[2J", "."),
)
OTHERS = (
    ("profile",),
    ("explain", "run.log", "."),
    ("explain", "run.log", ".", "--format", "json"),
    ("explain", "run.log", ".", "--format", "markdown"),
    ("check", "."),
    ("check", "--fix", "--diff", "--unsafe-fixes", "named"),
    ("check", "--show-files", "."),
    ("check", "--statistics", "--group-by", "file", "."),
    ("check", "--no-such\n::error::x"),
    ("check", "gone\n::error::x\x1b"),
    ("check", "--config", "gone\n::error::x\x1b", "."),
    ("check", "--config", 'baseline = "a\\n::error::x"', "."),
    ("config", "."),
    ("config", "--format", "json", "."),
    ("doctor", "."),
    ("diff", "gone\n::error::x\x1b", "."),
    ("merge", "a\n::b.json"),
    ("merge", "gone\n::error::x\x1b"),
    ("merge", "broken.json"),
    ("::error::x",),
    ("rule", "\n::error::x"),
    ("options", "show", "\n::error::x"),
    ("options", "show", "gone_flag"),
    ("options", "show", "gone_flag", "--format", "markdown"),
    ("options", "--cann", "9.0", "--surface", "atc"),
    ("options", "--surface", "atc", "--format", "html"),
    ("options", "--surface", "atc", "--format", "json"),
    ("options", "--surface", "atc", "--format", "markdown"),
    ("explain", "gone\n::error::x\x1b"),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project\n::error::x")
    for side in ("left", "right"):
        (folder / side).mkdir()
        for number, name in enumerate(NAMES):
            said = name.encode("utf-8", "surrogateescape").decode("latin-1") if number % 2 else name
            own = said.encode("utf-8", "replace").decode().replace("\n", " ").replace("\r", " ")
            own += side if number % 3 else ""
            (folder / side / f"{name}.sh").write_text(SCRIPT.format(own), encoding="utf-8")
            (folder / side / f"{name}.py").write_text(TRAIN.format(own), encoding="utf-8")
    (folder / "named").mkdir()
    for name in NAMES:
        (folder / "named" / f"{name}.sh").write_text("export TASK_QUEUE_ENABLE= 1\nexport HCCL_BUFFSIZE=\n")
        (folder / "named" / f"{name}.py").write_text('op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n')
    (folder / "run.log").write_text("".join(LOG.format(sign.encode("utf-8", "replace").decode()) for sign in SIGNS))
    profile = json.dumps("::error::x\n##vso[x]\x1b[2J")
    value = json.dumps("::x\n\x1b")
    (folder / "npu-lsp.toml").write_text(
        f'catalog = ["ours.toml"]\n[profiles.{profile}]\nHCCL_CONNECT_TIMEOUT = {value}\n'
    )
    (folder / "ours.toml").write_text(CATALOG)
    (folder / "broken.json").write_text(json.dumps({"version": "1\n::error::x\x1b", "findings": []}))
    return folder


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: ascii(" ".join(words)))
def test_what_is_printed_is_no_command(words: tuple[str, ...], project: Path) -> None:
    ran = npu_lsp(*words, cwd=project)
    assert ran.out or ran.err
    assert not list(wrong(ran.out))
    assert not list(wrong(ran.err))


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_what_is_listed_is_no_command(words: tuple[str, ...], project: Path) -> None:
    for form in ("", "json", *FORMS):
        ran = npu_lsp(*words, *(["--format", form] if form else []), cwd=project)
        assert ran.out.count("\n") > 1
        assert not list(wrong(ran.out.removeprefix("\ufeff"), "\r\n" if form == "csv" else "\n"))
        assert not list(wrong(ran.err))


def test_a_patch_names_files_as_git_does(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "named", tmp_path / "named")
    made = npu_lsp("check", "--isolated", "--diff", "--unsafe-fixes", "named", cwd=tmp_path)
    assert made.out.count("+++ ") == 2 * len(NAMES)
    # There is no repository below the system's folder for what is temporary: names count from here.
    subprocess.run(["git", "apply", "-p0"], cwd=tmp_path, input=made.out.encode(), check=True, capture_output=True)
    texts = [path.read_text() for path in (tmp_path / "named").iterdir()]
    assert sum("precision_mode" in text for text in texts) == len(NAMES)
