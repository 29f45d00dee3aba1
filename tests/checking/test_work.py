"""What a run doesn't do: counted, since time is noisy."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.case_files import case_files
from tests.checking.command import npu_lsp
from tests.patience import PATIENCE

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
HEAVY = {
    "libcst", "tree_sitter", "tree_sitter_bash", "pygls", "lsprotocol", "multiprocessing", "logging", "json", "hashlib",
    "difflib", "tomllib", "tomli", "shutil", "tempfile", "dataclasses", "inspect",
    "npu_lsp.catalog.load", "npu_lsp.linter.analysis", "npu_lsp.rules",
    "npu_lsp.text.document", "npu_lsp.text.toml_shape", "npu_lsp.checking.cache", "npu_lsp.checking.baselines", "npu_lsp.config.keys",
}  # fmt: skip


def modules(folder: Path, *arguments: str) -> set[str]:
    """Return what is imported when a command has run."""
    code = (
        "import sys\n"
        "from npu_lsp.commands.main import main\n"
        f"main({['check', '--no-cache', *arguments]!r})\n"
        "sys.stderr.write('\\n' + ' '.join(sys.modules))\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return set(ran.stderr.rpartition("\n")[2].split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("train.py", "import os\nimport tensorflow as tf\n\nbatch = tf.data.batch(os.environ['HOME'])\n"),
        ("train.sh", "#!/bin/bash\nfor batch in 1 2; do python3 train.py --batch=$batch; done\n"),
        ("README.md", "# A model\n\n```bash\npython3 train.py\n```\n"),
        ("empty.py", ""),
    ],
)
def test_a_file_without_options_costs_no_parser_no_catalog_and_little_else(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    assert not modules(tmp_path, name) & HEAVY


def test_a_deployment_costs_no_parser_of_python(tmp_path: Path) -> None:
    (tmp_path / "user_config.json").write_text('{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": "8"}}\n')
    (tmp_path / "boot.sh").write_text("export HCCL_BUFFSIZE=512\npython3 get_group_id.py --verbos\n")
    loaded = modules(tmp_path, "user_config.json", "boot.sh")
    assert "npu_lsp.rules.unknown_argument" in loaded
    assert "libcst" not in loaded


def test_a_file_with_options_costs_no_server(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    loaded = modules(tmp_path, "train.py")
    assert "npu_lsp.rules.unknown_option" in loaded
    assert not loaded & {"pygls", "lsprotocol", "tree_sitter", "multiprocessing", "npu_lsp.lsp.features"}


def test_readers_rules_and_reports_know_no_server() -> None:
    """What CI imports has no word of the protocol, however deep."""
    root = Path(__file__).parent.parent.parent / "npu_lsp"
    rooms = ["languages", "rules", "catalog", "languages.writers", "rules.fixes", "reports", "checking", "config"]
    files = [path for room in rooms for path in (root / room).rglob("*.py")]
    assert not [path for path in files if "pygls" in path.read_text() or "lsprotocol" in path.read_text()]


@pytest.mark.parametrize(("samples", "most"), [("clean", 1), ("broken", 4)])
def test_each_file_is_read_once_and_parsed_once(tmp_path: Path, samples: str, most: int) -> None:
    """Fixes that a report shows are tried, all that go together at once: a file with some is parsed a few times."""
    for sample in case_files(samples, suffix=".py"):
        (tmp_path / sample.name).write_bytes(sample.read_bytes())
    code = (
        "import sys, collections, json\n"
        "from npu_lsp.checking import checker\n"
        "counts = collections.Counter()\n"
        "def counted(name, function):\n"
        "    def call(*arguments, **more):\n"
        "        counts[name] += 1\n"
        "        return function(*arguments, **more)\n"
        "    return call\n"
        "checker.load = counted('load', checker.load)\n"
        "import npu_lsp.languages.python.parsing as reading\n"
        "reading.read_source = counted('read', reading.read_source)\n"
        "from npu_lsp.catalog import load\n"
        "load.open_store = counted('catalog', load.open_store)\n"
        "from npu_lsp.commands.main import main\n"
        "main(['check', '--no-cache', '-q', '--output-file', '/dev/null'])\n"
        "print(json.dumps(counts))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    counts: dict[str, Any] = json.loads(ran.stdout)
    files = len(list(tmp_path.glob("*.py")))
    assert counts["load"] == files
    assert counts["read"] <= most * files
    assert counts["catalog"] == 1


def test_a_change_in_a_large_tree_is_checked_beside_the_walk(tmp_path: Path) -> None:
    """The process that goes through folders loads no parser for the one file that is new; in a small tree it does."""
    for number in range(1200):
        (tmp_path / f"d{number:04}").mkdir()
        (tmp_path / f"d{number:04}" / "train.py").write_text(WRONG if number % 400 == 7 else "x = 1\n")
    code = (
        "import sys\n"
        "from npu_lsp.commands.main import main\n"
        "main(['check', '-j', '2', '--output-format', 'concise', *sys.argv[1:]])\n"
        "print('libcst' in sys.modules)\n"
    )

    def ran(*arguments: str) -> list[str]:
        environment = {**os.environ, "NPU_LSP_NO_CACHE": ""}
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert sum("NPU101" in line for line in ran("--cache-dir", "cache")) == 3
    for number in (0, 600, 1199):
        (tmp_path / f"d{number:04}" / "train.py").write_text(WRONG)
    *lines, loaded = ran("--cache-dir", "cache")
    assert (lines, loaded) == (ran("--no-cache")[:-1], "False")
    assert sum("NPU101" in line for line in lines) == 6
    assert ran("--no-cache", "d0600")[-1] == "True"


# -- what someone who waits sees ------------------------------------------------------------------------------


def on_a_terminal(folder: Path, *arguments: str) -> tuple[str, str]:
    """Run `check` with a terminal for stderr and return stdout and what the terminal got."""
    master, slave = pty.openpty()
    code = (
        "import sys\n"
        "from npu_lsp.checking import progress\n"
        "progress._PATIENCE = 0\n"
        "progress._PAUSE = 0\n"
        "from npu_lsp.commands.main import main\n"
        f"sys.exit(main({['check', '--no-cache', '-j', '1', *arguments]!r}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    out = process.communicate(timeout=PATIENCE)[0].decode()
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(master)
    return out, shown.decode()


def test_progress_is_shown_on_a_terminal_and_goes_away(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"train{number}.py").write_text("x = 1\n")
    out, shown = on_a_terminal(tmp_path)
    assert "100%" in shown or "files" in shown
    assert shown.endswith("\r\x1b[2K")
    assert "\x1b" not in out
    assert on_a_terminal(tmp_path, "--quiet") == ("", "")


def test_colour_follows_the_terminal_and_the_variables(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)

    def coloured(*arguments: str, **env: str) -> bool:
        return "\x1b[" in npu_lsp("check", *arguments, cwd=tmp_path, env={"TERM": "", **env}).out

    assert not coloured()
    assert coloured("--color", "always")
    assert coloured(FORCE_COLOR="1")
    assert not coloured(FORCE_COLOR="1", NO_COLOR="1")
    assert not coloured("--color", "never", FORCE_COLOR="1")
    assert not coloured("--output-format", "json", "--color", "always")
