"""The machine: its variables and packages checked, written down, and compared between nodes. Toolkits and nodes are made up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.checking import processes, smi
from npu_lsp.checking.node import differences
from npu_lsp.checking.secrets import ADDRESS, SECRET, masked
from tests.checking.command import Ran, npu_lsp

RECORDED = Path(__file__).with_name("smi")
VARIABLES = {
    "HCCL_CONNECT_TIMEOUT": "1200",
    "VLLM_ASCEND_ENABLE_NZ": "1",
    "MASTER_ADDR": "10.20.30.40",
    "RANK": "3",
    "VLLM_API_KEY": "sk-hidden",
    "ASCEND_HOME_PATH": "/usr/local/Ascend/ascend-toolkit/latest",
    "RANK_TABLE_FILE": "/job/ranks.json",
    "VIRTUAL_ENV": "/opt/venv",
    "HOME": "/root",
}
FILES = {
    "usr/local/Ascend/ascend-toolkit/latest/version.cfg": "toolkit_running_version=[7.3.0.1.231:8.1.RC1]\n",
    "usr/local/Ascend/ascend-toolkit/latest/opp/a": "",
    "usr/local/Ascend/driver/version.info": "Version=24.1.rc3\nascendhal_version=7.35.19\n",
    "etc/hccn.conf": "# made up\naddress_0=10.20.0.2\nnetmask_0=255.255.255.0\n",
    "opt/venv/lib/python3.11/site-packages/torch-2.7.1.dist-info/METADATA": "",
    "opt/venv/lib/python3.11/site-packages/torch_npu-2.7.1.post1.dist-info/METADATA": "",
    "opt/venv/lib/python3.11/site-packages/unrelated-1.0.dist-info/METADATA": "",
    "job/ranks.json": '{"server_count": "1", "server_list": [{"server_id": "10.20.30.40", "device": [{"device_id": "0"}]}]}',
    "dev/davinci0": "",
    "dev/davinci1": "",
    "dev/davinci_manager": "",
}


def node(folder: Path, name: str, **changed: str) -> Path:
    """Make up a node, and return the file with its snapshot."""
    root = folder / name
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    ran = npu_lsp("snapshot", "--root", root, "-o", f"{name}.json", cwd=folder, env={**VARIABLES, **changed})
    assert (ran.code, ran.out) == (0, ""), ran.err
    return folder / f"{name}.json"


def content(path: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return made


def test_what_a_node_has(tmp_path: Path) -> None:
    made = content(node(tmp_path, "node1"))
    assert made["variables"]["HCCL_CONNECT_TIMEOUT"] == "1200"
    assert made["versions"]["cann"] == "8.1.RC1"
    assert made["versions"]["driver"] == "24.1.rc3"
    assert made["packages"] == {"torch": "2.7.1", "torch-npu": "2.7.1.post1"}
    assert made["devices"] == {"count": "2"}
    assert (
        made["files"]["/etc/hccn.conf: netmask_0"] == "255.255.255.0"
        or made["files"]["/etc/hccn.conf: netmask_0"] == ADDRESS
    )
    assert made["files"]["/job/ranks.json: server_list[0].device[0].device_id"] == "0"


def test_nothing_that_is_a_secret_is_written_down(tmp_path: Path) -> None:
    text = node(tmp_path, "node1").read_text(encoding="utf-8")
    assert "sk-hidden" not in text
    assert "10.20." not in text
    made = json.loads(text)
    assert (made["variables"]["VLLM_API_KEY"], made["variables"]["MASTER_ADDR"]) == (SECRET, ADDRESS)
    shown = npu_lsp("snapshot", "--unmasked", cwd=tmp_path, env=VARIABLES)
    assert json.loads(shown.out)["variables"]["MASTER_ADDR"] == "10.20.30.40"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("HF_TOKEN", "a", SECRET),
        ("tlsPkPwd", "a", SECRET),
        ("TOKENIZERS_PARALLELISM", "false", "false"),
        ("HCCL_IF_IP", "host-a", ADDRESS),
        ("HCCL_SOCKET_IFNAME", "eth0", "eth0"),
        ("http_proxy", "http://me:word@proxy", SECRET),
        ("A", "10.0.0.1,10.0.0.2:80", ADDRESS),
        ("A", "fe80::1:2:3", ADDRESS),
        ("A", "127.0.0.1", "127.0.0.1"),
        ("VERSION", "8.1.0", "8.1.0"),
    ],
)
def test_what_is_masked(name: str, value: str, shown: str) -> None:
    assert masked(name, value) == shown


def diff(folder: Path, *words: str | Path) -> Ran:
    return npu_lsp("diff", *words, cwd=folder)


def test_in_what_nodes_differ(tmp_path: Path) -> None:
    one, two = node(tmp_path, "node1"), node(tmp_path, "node2", HCCL_CONNECT_TIMEOUT="600", RANK="4")
    three = node(tmp_path, "node3", HCCL_CONNECT_TIMEOUT="600", HCCL_BUFFSIZE="400", MASTER_ADDR="10.0.0.9")
    ran = diff(tmp_path, one, two, three, "--format", "json")
    assert ran.code == 1
    found = {each["name"]: each["values"] for each in json.loads(ran.out)["differences"]}
    assert found == {
        "HCCL_BUFFSIZE": {"node1": None, "node2": None, "node3": "400"},
        "HCCL_CONNECT_TIMEOUT": {"node1": "1200", "node2": "600", "node3": "600"},
    }
    text = diff(tmp_path, one, two, three)
    assert "variables\n" in text.out
    assert "    600   node2, node3\n" in text.out
    assert "1 ranks, names and addresses are set aside" in text.err
    assert "RANK" in diff(tmp_path, one, two, "--all").out
    chinese = diff(tmp_path, one, two, three, "--lang", "zh")
    assert "环境变量\n" in chinese.out
    assert "node2、node3" in chinese.out
    assert "node3" in diff(tmp_path, one, two, three, "--format", "markdown").out


def test_nodes_that_are_the_same(tmp_path: Path) -> None:
    assert diff(tmp_path, node(tmp_path, "node1"), node(tmp_path, "node2")).code == 0


def test_what_is_no_snapshot_is_told(tmp_path: Path) -> None:
    one = node(tmp_path, "node1")
    (tmp_path / "later.json").write_text(one.read_text().replace('"version": 1', '"version": 9'))
    ran = diff(tmp_path, one, "later.json")
    assert (ran.code, ran.out) == (2, "")
    assert "later.json is no snapshot of this version" in ran.err
    (tmp_path / "a.sh").write_text("export HCCL_BUFFSIZE=400\n")
    assert diff(tmp_path, one, "a.sh", "a.sh", "a.sh").code == 2


def test_values_stand_with_their_nodes() -> None:
    nodes: dict[str, dict[str, Any]] = {
        "a": {"variables": {"X": "1"}},
        "b": {"variables": {}},
        "c": {"variables": {"X": "1"}},
    }
    ((found,), aside) = differences(nodes)
    assert (found.values, aside) == ((("1", ("a", "c")), (None, ("b",))), 0)


@pytest.mark.parametrize(
    ("name", "driver", "chips"),
    [
        ("a2", "24.1.1", [(0, 0, 0, "910B4", 32768), (1, 0, 1, "910B4", 32768)]),
        ("a3", "24.1.rc3.7", [(0, 0, 0, "Ascend910", 65536), (0, 1, 1, "Ascend910", 65536)]),
        ("310p", "25.2.0", [(2, 0, 0, "310P3", 44280), (2, 1, 1, "310P3", 43693)]),
    ],
)
def test_what_the_driver_says(name: str, driver: str, chips: list[tuple[Any, ...]], tmp_path: Path) -> None:
    found = smi.read((RECORDED / f"{name}.txt").read_text(encoding="utf-8"))
    assert found.driver == driver
    assert [(c.card, c.chip, c.device, c.name, c.memory) for c in found.chips] == chips
    ran = npu_lsp("snapshot", "--npu-smi", RECORDED / f"{name}.txt", cwd=tmp_path)
    devices = json.loads(ran.out)["devices"]
    assert (devices["count"], devices["driver"]) == ("2", driver)
    assert devices["1"].startswith(str(chips[1][3]))


def test_what_is_no_table_says_nothing() -> None:
    assert smi.read("dcmi module initialize failed. ret is -8005\n" * 3) == smi.NodeDevices(None, ())


def test_the_environment_is_checked(tmp_path: Path) -> None:
    wrong = {"HCCL_CONNECT_TIMEOUT": "soon", "VLLM_ASCEND_ENABLE_FLASHCOM1": "1", "HF_TOKEN": "hf_hidden"}
    ran = npu_lsp("check", "--environment", "--output-format", "json", cwd=tmp_path, env=wrong)
    assert ran.code == 1
    assert [(each["path"], each["code"]) for each in ran.findings] == [
        ("environment.sh", "NPU103"),
        ("environment.sh", "NPU101"),
    ]
    assert not any(each["fixes"] for each in ran.findings)
    full = npu_lsp("check", "--environment", cwd=tmp_path, env=wrong)
    assert "hf_hidden" not in full.out
    assert "export PATH" not in full.out
    assert npu_lsp("check", "--environment", cwd=tmp_path, env={"HCCL_CONNECT_TIMEOUT": "600"}).code == 0


def test_with_a_launch(tmp_path: Path) -> None:
    (tmp_path / "serve.sh").write_text("#!/bin/bash\nvllm serve m --enable-sleep-mode --port 99999\n")
    env = {"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"}
    ran = npu_lsp("check", "--environment", "serve.sh", "--output-format", "json", cwd=tmp_path, env=env)
    found = {(each["path"], each["line"] if each["path"] == "serve.sh" else 0, each["code"]) for each in ran.findings}
    assert ("environment.sh", 0, "NPU226") in found
    assert {path for path, line, _ in found if line == 2} <= {"serve.sh"}


def test_what_the_launch_sets_wins(tmp_path: Path) -> None:
    """Nothing is said of a value that no process gets, and all of one that the script goes on from."""
    (tmp_path / "serve.sh").write_text("export ASCEND_GLOBAL_LOG_LEVEL=3\nvllm serve m\n")
    env = {"ASCEND_GLOBAL_LOG_LEVEL": "9"}
    assert npu_lsp("check", "--environment", "serve.sh", cwd=tmp_path, env=env).code == 0
    (tmp_path / "serve.sh").write_text(
        "if a; then\n  export ASCEND_GLOBAL_LOG_LEVEL=3\nfi\nexport HCCL_BUFFSIZE=${HCCL_BUFFSIZE:-200}\nvllm serve m\n"
    )
    ran = npu_lsp(
        "check",
        "--environment",
        "serve.sh",
        "--output-format",
        "json",
        cwd=tmp_path,
        env={**env, "HCCL_BUFFSIZE": "200MB"},
    )
    assert {each["option"] for each in ran.findings} >= {"ASCEND_GLOBAL_LOG_LEVEL", "HCCL_BUFFSIZE"}


def test_packages_are_checked(tmp_path: Path) -> None:
    for name in ("torch-2.8.0", "torch_npu-2.7.1"):
        (tmp_path / f"venv/lib/python3.11/site-packages/{name}.dist-info").mkdir(parents=True)
    ran = npu_lsp(
        "check", "--environment", "--output-format", "json", cwd=tmp_path, env={"VIRTUAL_ENV": str(tmp_path / "venv")}
    )
    assert [each["path"] for each in ran.findings] == ["installed-packages.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_a_running_process(tmp_path: Path) -> None:
    code = "import sys; print(flush=True); sys.stdin.read()"
    env = {"HCCL_CONNECT_TIMEOUT": "soon", "PATH": "/usr/bin"}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        ran = npu_lsp("check", "--environment", "--pid", str(process.pid), "--output-format", "json", cwd=tmp_path)
        assert [each["code"] for each in ran.findings] == ["NPU103"]
        taken = npu_lsp("snapshot", "--pid", str(process.pid), cwd=tmp_path)
        assert json.loads(taken.out)["variables"]["HCCL_CONNECT_TIMEOUT"] == "soon"
        process.communicate(b"")
    gone = npu_lsp("snapshot", "--pid", str(process.pid), cwd=tmp_path)
    assert (gone.code, gone.out) == (2, "")
    assert "there is no process" in gone.err


def test_the_command_of_a_process_is_the_launch(tmp_path: Path) -> None:
    folder = tmp_path / "proc" / "7"
    folder.mkdir(parents=True)
    (folder / "environ").write_bytes(b"HCCL_BUFFSIZE=400\0API_KEY=hidden\0BAD NAME=1\0")
    (folder / "cmdline").write_bytes(b"/usr/bin/python3.11\0/usr/local/bin/vllm\0serve\0a model\0")
    process = processes.running(7, tmp_path / "proc")
    assert processes.script(process) == "export HCCL_BUFFSIZE=400\nvllm serve 'a model'\n"


@pytest.mark.parametrize("more", [["--fix"], ["--diff"], ["--watch"], ["a.sh", "b.sh"], ["-"]])
def test_what_does_not_go_with_it(more: list[str], tmp_path: Path) -> None:
    ran = npu_lsp("check", "--environment", *more, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert npu_lsp("check", "--pid", "1", cwd=tmp_path).code == 2


def test_a_file_that_is_too_deep_says_nothing(tmp_path: Path) -> None:
    deep = "[" * 900 + "{}" + "]" * 900
    root = tmp_path / "node"
    (root / "job").mkdir(parents=True)
    (root / "job" / "ranks.json").write_text(deep)
    ran = npu_lsp("snapshot", "--root", root, cwd=tmp_path, env=VARIABLES)
    assert ran.code == 0
    (tmp_path / "a.json").write_text('{"format": "npu-lsp-snapshot", "x": ' + "[" * 100_000)
    assert diff(tmp_path, "a.json", "a.json").code == 2
