"""`npu-lsp explain`: what an error means, and the line that may have caused it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.command import npu_lsp

SCRIPT = """\
export HCCL_CONNECT_TIMEOUT=12O
export HCCL_EXEC_TIMEOUT=1800
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend31
"""
LOG = """\
ATC start working now, please wait for a moment.
E10001: [PID: 4423] Value Ascend31 for parameter --soc_version is invalid. Reason: it isn't in the list.
        TraceBack (most recent call last):
[rank1]: EI0006: [PID: 7] Getting socket times out.
        Solution: check HCCL_CONNECT_TIMEOUT.
[rank2]: EI0006: [PID: 8] Getting socket times out.
        Solution: check HCCL_CONNECT_TIMEOUT.
RuntimeError: ERR02200 DIST call hccl api failed.
0xE10002 is an address, and E10003x a name.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run.sh").write_text(SCRIPT)
    (tmp_path / "run.log").write_text(LOG)
    return tmp_path


def test_a_log_points_at_the_lines_that_may_have_caused_its_errors(folder: Path) -> None:
    ran = npu_lsp("explain", "run.log", "scripts", "--format", "json", cwd=folder)
    assert (ran.code, ran.err) == (0, "")
    errors = json.loads(ran.out)["errors"]
    assert [(each["code"], each["log"]["line"], each["log"]["times"]) for each in errors] == [
        ("E10001", 2, 1),
        ("socket-timeout", 4, 2),
        ("ERR02200", 8, 1),
    ]
    assert [
        (each["line"], each["setting"], each["value"], each["in_message"], each["finding"]["code"])
        for error in errors[:2]
        for each in error["causes"]
    ] == [(3, "soc_version", "Ascend31", True, "NPU405"), (1, "HCCL_CONNECT_TIMEOUT", "12O", False, "NPU103")]
    assert errors[2]["causes"] == []


def test_people_read_what_it_means_where_it_is_set_and_what_is_wrong_there(folder: Path) -> None:
    ran = npu_lsp("explain", "run.log", "scripts", cwd=folder)
    # The cause comes first, then what to do, the line, and the log that says so.
    assert ran.out.startswith(
        "`--soc_version` doesn't take Ascend31.  [E10001, GE and ATC]\n  reason: it isn't in the list"
    )
    assert "\n  log, line 2: E10001: [PID: 4423]" in ran.out
    assert "TraceBack" not in ran.out
    assert '  set in: scripts/run.sh:3:45  soc_version = "Ascend31"\n    error[NPU405]: ' in ran.out
    assert "log, line 4 (2 times)" in ran.out
    chinese = npu_lsp("explain", "run.log", "scripts", "--lang", "zh", cwd=folder)
    assert "某个 rank 等待其他 rank 建链超时：" in chinese.out
    markdown = npu_lsp("explain", "run.log", "scripts", "--format", "markdown", cwd=folder)
    assert markdown.out.count("\n- `scripts/run.sh:") == 2


def test_a_pipe_is_read(folder: Path) -> None:
    ran = npu_lsp("explain", "-", ".", cwd=folder, stdin=LOG.encode())
    assert ran.out == npu_lsp("explain", "run.log", ".", cwd=folder).out


def test_codes_by_name_tell_their_options_and_their_source(folder: Path) -> None:
    ran = npu_lsp("explain", "e10010", "EI0006", cwd=folder)
    assert "  [E10010, GE and ATC]\n" in ran.out
    assert "  options: atc log\n  source: https://github.com/hicann/ge/" in ran.out
    assert "  [EI0006, HCCL]\n" in ran.out
    found = npu_lsp("explain", "EI0006", "scripts", cwd=folder)
    assert "set in: scripts/run.sh:1:8" in found.out
    # What is right as far as anybody can tell is no suspect of a code that was asked for by name.
    assert "HCCL_EXEC_TIMEOUT" not in found.out


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("EQ1234",), b"", "no component is known to print 'EQ1234'"),
        (("-",), b"", "stdin: empty"),
        (("-",), b"\x7fELF\0\0", "stdin: not a text"),
        (("nothing.log",), b"", "nothing.log"),
        (("--lang", "zh", "-"), b"", "标准输入：内容为空"),
    ],
)
def test_what_cannot_be_explained_gets_a_clear_answer(
    folder: Path, arguments: tuple[str, ...], stdin: bytes, said: str
) -> None:
    ran = npu_lsp("explain", *arguments, cwd=folder, stdin=stdin)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_log_without_codes_is_no_error(folder: Path) -> None:
    ran = npu_lsp("explain", "-", cwd=folder, stdin=b"all is well\nE5 is a note\n")
    assert (ran.code, ran.out) == (0, "No known error in 2 lines.\n")


def test_lines_longer_than_a_piece_and_bytes_of_other_encodings_are_read(folder: Path) -> None:
    log = b"x" * 3_000_000 + b"\n" + "参数错误 ".encode("gbk") + b"E10007: --soc_version is required.\n\xff\xfe\n"
    ran = npu_lsp("explain", "-", "--format", "json", cwd=folder, stdin=log)
    (error,) = json.loads(ran.out)["errors"]
    assert (error["code"], error["log"]["line"]) == ("E10007", 2)
    assert error["log"]["message"].endswith("E10007: --soc_version is required.")


def test_messages_without_a_code(folder: Path) -> None:
    (folder / "scripts" / "run.sh").write_text(
        "export PYTORCH_NPU_ALLOC_CONF=expandable_segment:True\natc --model=a.onnx --framework=5 --output=a --soc_verison=x\n"
    )
    log = (
        "unknown command line flag '--soc_verison'\n"
        "RuntimeError: Unrecognized key 'expandable_segment' in NPU allocator config\n"
        "RuntimeError: NPU out of memory. Tried to allocate 20.00 MiB (NPU 0; 29.50 GiB total capacity)\n"
    )
    ran = npu_lsp("explain", "-", "scripts", "--format", "json", cwd=folder, stdin=log)
    errors = json.loads(ran.out)["errors"]
    assert [
        (each["code"], [(c["line"], c["finding"]["code"]) for c in each["causes"] if c["finding"]]) for each in errors
    ] == [
        ("unknown-flag", [(2, "NPU101")]),
        ("allocator-key", [(1, "NPU105")]),
        ("npu-out-of-memory", [(1, "NPU105")]),
    ]
    assert "memory of the NPU is used up" in npu_lsp("explain", "npu-out-of-memory", cwd=folder).out


def test_a_number_counts_where_a_message_says_that_it_is_a_result(folder: Path) -> None:
    log = folder / "results.log"
    log.write_text(
        "[W NPUStream.cpp:365] Warning: NPU warning, error code is 107020[Error]: .\n"
        "the call failed, runtime result = 507033\nstep 507018, loss 0.507018\naclrtMalloc failed, ret=207001.\n"
    )
    ran = npu_lsp("explain", "results.log", "--format", "json", cwd=folder)
    assert [each["code"] for each in json.loads(ran.out)["errors"]] == ["507033", "207001", "107020"]
    assert "AI CPU" in npu_lsp("explain", "507018", cwd=folder).out
    unknown = npu_lsp("explain", "507999", cwd=folder)
    assert (unknown.code, unknown.err) == (2, "npu-lsp: no component is known to print '507999'\n")


def test_settings_that_a_code_is_about_are_shown_where_nothing_is_wrong_with_them(folder: Path) -> None:
    (folder / "scripts" / "run.sh").write_text("export HCCL_CONNECT_TIMEOUT=120\nexport HCCL_EXEC_TIMEOUT=1800\n")
    log = folder / "socket.log"
    log.write_text("EI0006: [PID: 7] Getting socket times out.\n")
    ran = npu_lsp("explain", "socket.log", "scripts", cwd=folder)
    assert '  set in: scripts/run.sh:1:8  HCCL_CONNECT_TIMEOUT = "120"\n' in ran.out
    assert "HCCL_EXEC_TIMEOUT =" not in ran.out
