"""Logs as tools collect them: prefixes of launchers and containers, JSON, other encodings, packed and rotated files, exports, many ranks."""

from __future__ import annotations

import bz2
import gzip
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.checking.diagnosis import Diagnosis, Explained, RunTold, diagnosed
from npu_lsp.checking.logs.reader import LogReader
from npu_lsp.checking.logs.waits import Waited
from npu_lsp.reports.explanation import markdown
from tests.checking.command import npu_lsp
from tests.together import together

CATALOG = load()
SMALL = "HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = 700MB, HCCL_BUFFSIZE=256MB."
CHOICE = "vllm serve: error: argument --quantization/-q: invalid choice: 'ascent' (choose from 'ascend', 'awq')"
PICKLED = "ModuleNotFoundError: No module named 'sgl_kernel'"
REFUSED = "E10001: [PID: 4423] Value Ascend31 for parameter --soc_version is invalid. Reason: it isn't in the list."
LIBRARY = "ImportError: libatb.so: cannot open shared object file: No such file or directory"
LOGS = {
    SMALL: "buffer-too-small",
    CHOICE: "quantization-name",
    PICKLED: "sglang-backend",
    REFUSED: "E10001",
    LIBRARY: "atb-library-missing",
}
"""Lines and what each tells."""


def _docker(line: str) -> str:
    return json.dumps({"log": f"{line}\n", "stream": "stderr", "time": "2026-11-02T10:00:00.1Z"})


WRAPPERS: dict[str, Callable[[str], str]] = {
    "torchrun --tee 3": lambda line: f"[default3]:{line}",
    "torch.distributed": lambda line: f"[rank3]: {line}",
    "Ray": lambda line: f"\x1b[36m(WorkerDict pid=4711, ip=10.0.0.7)\x1b[0m {line} [repeated 3x across cluster]",
    "vLLM": lambda line: f"(EngineCore_DP0 pid=812) ERROR 11-02 10:00:00 [core.py:700] {line}",
    "SGLang": lambda line: f"[2026-11-02 10:00:00 DP0 TP3] Scheduler hit an exception: {line}",
    "kubelet": lambda line: f"2026-11-02T10:00:00.123456789Z stderr F {line}",
    "kubectl logs --prefix --timestamps": lambda line: f"[pod/train-0/ascend] 2026-11-02T10:00:00.123456789Z {line}",
    "docker, json-file": _docker,
    "docker compose": lambda line: f"vllm-1  | {line}",
    "journald": lambda line: f"Nov 02 10:00:00 node1 python3[4711]: {line}",
    "loguru": lambda line: f"2026-11-02 10:00:00.123 | ERROR    | __main__:serve:95 - {line}",
    "MindIE": lambda line: (
        f"[2026-11-02 10:00:00.123+00:00] [12646] [12648] [server] [ERROR] [endpoint.cpp:45] : {line}"
    ),
    "MindSpore": lambda line: f"[ERROR] DEVICE(4711,ffff9,python):2026-11-02-10:00:00.123.456 [a/b.cc:12] Init] {line}",
    "repr() of an exception": lambda line: f"Worker failed with error {line!r}, please check the stack trace above",
    "JSON in JSON": lambda line: json.dumps({"detail": json.dumps({"error": line})}),
    "colours": lambda line: f"\x1b[1;31m{line}\x1b[0m",
    "Windows": lambda line: f"{line}\r",
    "an indented quote": lambda line: f"    > {line}",
    "grep -n": lambda line: f"logs/worker_3.log:212:{line}",
}


def errors(where: Path, *paths: str, cwd: Path) -> Any:
    """Return what `explain` answers."""
    ran = npu_lsp("explain", str(where), *paths, "--format", "json", cwd=cwd)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@together("wrapper", sorted(WRAPPERS))
def test_what_stands_around_a_message_makes_no_difference(wrapper: str) -> None:
    wrap = WRAPPERS[wrapper]
    reader = LogReader(CATALOG)
    reader.read(io.BytesIO("".join(f"{wrap('INFO all is well')}\n{wrap(line)}\n" for line in LOGS).encode()))
    told = diagnosed(reader.log(), CATALOG, None).errors
    found = {each.mention.line: each.code.code for each in reversed(told) if each.mention is not None}
    assert [found.get(2 * number + 2) for number in range(len(LOGS))] == list(LOGS.values()), wrapper


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("plog-4711_20261102100000000.log.gz", lambda data: gzip.compress(data)),
        ("packed-without-a-suffix.log", lambda data: gzip.compress(data)),
        ("two-members.log.gz", lambda data: gzip.compress(data[:100]) + gzip.compress(data[100:])),
        ("powershell.log", lambda data: data.decode().encode("utf-16")),
        ("big-endian.log", lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be")),
        ("bom.log", lambda data: b"\xef\xbb\xbf" + data),
        ("gbk.log", lambda data: "错误：参数无效\n".encode("gb18030") + data),
        ("run.log.1", lambda data: data),
        ("worker_3.log", lambda data: data),
        ("stdout", lambda data: data),
        ("nohup.out", lambda data: data),
    ],
)
def test_a_file_is_read_however_it_was_kept(tmp_path: Path, name: str, written: Callable[[bytes], bytes]) -> None:
    folder = tmp_path
    (folder / name).write_bytes(written(f"INFO started\n{SMALL}\n".encode()))
    for place in (folder / name, folder):
        assert [each["code"] for each in errors(place, cwd=folder)["errors"]] == ["buffer-too-small"], (name, place)


def test_what_is_no_log_and_what_is_broken_is_passed_over_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text(f"{SMALL}\n")
    (tmp_path / "model.om").write_bytes(b"\0\1")
    (tmp_path / "core.log").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "cut.log.gz").write_bytes(gzip.compress(SMALL.encode() * 50)[:40])
    (tmp_path / "other.log.bz2").write_bytes(bz2.compress(b"x"))
    ran = npu_lsp("explain", str(tmp_path), "--format", "json", cwd=tmp_path)
    assert [each["code"] for each in json.loads(ran.out)["errors"]] == ["buffer-too-small"]
    assert "cut.log.gz: can't be read" in ran.err
    assert "Traceback" not in ran.err


def test_an_export_of_devices_and_hosts_is_read_as_one(tmp_path: Path) -> None:
    """What `msnpureport` and collecting scripts make: a folder a machine, below it the device's logs, the plogs and what the run printed."""
    for machine, clock, said in (
        ("worker-0", "10:00:09", "EI0006: [PID: 7] Getting socket times out."),
        ("worker-1", "10:00:01", SMALL),
    ):
        plog = tmp_path / machine / "process_log" / "debug" / "plog"
        plog.mkdir(parents=True)
        (plog / "plog-4711_20261102100000000.log").write_text(
            f"[ERROR] HCCL(4711,python):2026-11-02-{clock}.000.001 [a.cc:1][4712]{said}\n"
        )
        slog = tmp_path / machine / "2026-11-02-10-00-00" / "slog" / "dev-os-0" / "debug" / "device-0"
        slog.mkdir(parents=True)
        with gzip.open(slog / "device-0_20261102100000000.log.gz", "wt") as device:
            device.write(f"[INFO] TS(0,ts):2026-11-02-{clock}.000.000 [b.cc:2] nothing\n")
    answer = errors(tmp_path, cwd=tmp_path)
    assert [each["code"] for each in answer["errors"]] == ["buffer-too-small", "socket-timeout"]
    assert answer["errors"][0]["log"]["path"].startswith("worker-1/")


def test_of_ranks_that_print_at_once_the_first_to_fail_is_told(tmp_path: Path) -> None:
    lines = []
    for second in range(1, 30):
        for rank in range(4):
            stamp = f"2026-11-02 10:00:{second:02d},{rank:03d}"
            lines.append(f"[default{rank}]:{stamp} INFO step {second}")
            if rank == 2 and second == 5:
                lines.append(f"[default2]:{stamp} ERROR {SMALL}")
            if rank != 2 and second == 20:
                lines.append(f"[default{rank}]:{stamp} ERROR EI0006: Getting socket times out.")
    (tmp_path / "run.log").write_text("\n".join(lines))
    answer = errors(tmp_path / "run.log", cwd=tmp_path)
    assert answer["errors"][0]["code"] == "buffer-too-small"
    assert (answer["ranks"]["first"], answer["ranks"]["followed"]) == ("rank 2", 3)


def _plog(pid: int, day: int, clock: str, said: str, *, began: str = "") -> tuple[str, str]:
    name = f"plog-{pid}_202611{day:02}{began}000.log" if began else f"plog-{pid}.log"
    return name, f"[ERROR] HCCL({pid},python):2026-11-{day:02}-{clock}.000.001 [a.cc:1][{pid}]{said}\n"


LATE = "EI0006: [PID: 7] Getting socket times out."
INFO = "2026-11-{day:02} {clock},000 INFO step\n"
FAILED = "2026-11-{day:02} {clock},000 ERROR [rank{rank}]: {said}\n"


def runs_in(folder: Path, logs: Iterable[tuple[str, str]]) -> list[tuple[str, str | None, int]]:
    """Return of each run when it began, who failed first, and how many followed."""
    for path, text in logs:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with (folder / path).open("a") as file:
            file.write(text)
    answer = errors(folder, cwd=folder)
    assert (answer["ranks"], answer["waited"]) == (answer["runs"][0]["ranks"], answer["runs"][0]["waited"])
    return [
        (run["begin"][:11], run["ranks"] and run["ranks"]["first"], run["ranks"]["followed"] if run["ranks"] else 0)
        for run in answer["runs"]
    ]


def test_runs_of_different_days_are_told_apart(tmp_path: Path) -> None:
    logs = [
        _plog(pid, day, "10:20:00" if pid != first else "10:00:09", LATE if pid != first else SMALL, began="100000")
        for day, pids, first in ((2, range(70, 74), 72), (3, range(80, 84), 81))
        for pid in pids
    ]
    assert runs_in(tmp_path, logs) == [("11-03 10:00", "pid 81", 3), ("11-02 10:00", "pid 72", 3)]
    said = npu_lsp("explain", str(tmp_path), cwd=tmp_path).out.splitlines()
    assert said[:3] == [
        "the logs are of 2 runs, begun at 11-03 10:00:00.000, 11-02 10:00:00.000; the errors of all are below",
        "run of 11-03 10:00:00.000: pid 81 was the first to fail, at 11-03 10:00:09.000 (buffer-too-small); 3 others followed within 1191 s",
        "run of 11-02 10:00:00.000: pid 72 was the first to fail, at 11-02 10:00:09.000 (buffer-too-small); 3 others followed within 1191 s",
    ]


def test_ranks_of_two_runs_are_not_mixed(tmp_path: Path) -> None:
    logs = [
        (
            f"run{day}/worker_{rank}.log",
            INFO.format(day=day, clock="10:00:00")
            + FAILED.format(day=day, clock=f"10:0{5 + (rank + day) % 3}:00", rank=rank, said=LATE),
        )
        for day in (2, 3)
        for rank in range(3)
    ]
    assert runs_in(tmp_path, logs) == [("11-03 10:00", "rank 0", 2), ("11-02 10:00", "rank 1", 2)]


def test_a_run_that_is_started_again_at_once_is_another_one(tmp_path: Path) -> None:
    logs = [
        (
            f"attempt_{attempt}/{rank}/stderr.log",
            INFO.format(day=2, clock=begin) + FAILED.format(day=2, clock=end + str(second), rank=rank, said=LATE),
        )
        for attempt, begin, end in ((0, "10:00:00", "10:09:5"), (1, "10:10:10", "10:20:0"))
        for rank, second in enumerate((1, 0) if attempt == 0 else (0, 1))
    ]
    assert runs_in(tmp_path, logs) == [("11-02 10:10", "rank 0", 1), ("11-02 10:00", "rank 1", 1)]


def test_plogs_of_errors_alone_are_of_one_run_as_long_as_ranks_wait(tmp_path: Path) -> None:
    logs = [_plog(70, 2, "10:00:05", SMALL), _plog(71, 2, "10:30:05", LATE), _plog(72, 2, "10:30:06", LATE)]
    assert runs_in(tmp_path, logs) == [("11-02 10:00", "pid 70", 2)]


def test_a_log_through_all_runs_holds_none_together(tmp_path: Path) -> None:
    logs = [
        _plog(pid, day, f"10:00:0{pid % 10}", LATE, began="100000")
        for day, pids in ((2, (71, 72)), (5, (83, 84)))
        for pid in pids
    ]
    device = "".join(
        f"[ERROR] TS(0,ts):2026-11-{day:02}-03:00:00.000.000 [b.cc:2] {LATE}\n[INFO] TS(0,ts):2026-11-{day:02}-23:00:00.000.000 [b.cc:2] x\n"
        for day in (1, 6)
    )
    found = runs_in(tmp_path, [*logs, ("device-0_20261101000000000.log", device)])
    assert {first for _, first, _ in found} >= {"pid 71", "pid 83"}


def test_one_log_that_several_runs_were_appended_to(tmp_path: Path) -> None:
    text = "".join(
        INFO.format(day=day, clock="10:00:00")
        + "".join(FAILED.format(day=day, clock=f"10:05:0{(rank + day) % 2}", rank=rank, said=said) for rank, said in ((0, LATE), (1, SMALL)))
        for day in (2, 3)
    )  # fmt: skip
    found = runs_in(tmp_path, [("nohup.out", text)])
    assert [(first, count) for _, first, count in found] == [("rank 1", 1), ("rank 0", 1)]


def test_who_waits_in_one_run_waits_for_nobody_of_another(tmp_path: Path) -> None:
    wait = "[Callback]Task run failed, para information is notify id:[0x5], stage:[0], remote rank:[{}]."
    logs = [
        _plog(pid, day, "10:00:09", wait.format(other), began="100000") for day, pid, other in ((2, 70, 1), (3, 81, 0))
    ]
    logs += [
        (f"run/plog/plog-{pid}_202611{day:02}100000000.log", f"[INFO] HCCL({pid},python):2026-11-{day:02}-10:00:00.000.000 [a.cc:1] [1]SetupAgent rankNum[2], rank[{rank}], server[s], logicDevId[{rank}], phydevId[{rank}], deviceIp[10.0.0.{rank}]\n")
        for day, pids in ((2, (70, 71)), (3, (80, 81)))
        for rank, pid in enumerate(pids)
    ]  # fmt: skip
    logs = [(path if "/" in path else f"debug/plog/{path}", text) for path, text in logs]
    runs_in(tmp_path, logs)
    waited = [run["waited"] for run in errors(tmp_path, cwd=tmp_path)["runs"]]
    assert [(each["why"], each["names"][0][:6]) for each in waited] == [("awaited", "rank 0"), ("awaited", "rank 1")]


def test_runs_are_told_as_people_count_and_list_them(tmp_path: Path) -> None:
    for day in (2, 3):
        for rank, second in ((0, 9), (1, 8)):
            lines = f"2026-11-0{day} 10:00:00 INFO start\n2026-11-0{day} 10:00:0{second} ERROR [rank{rank}]: EI0006\n"
            (tmp_path / f"day{day}-rank{rank}.log").write_text(lines)
    assert "(EI0006); 1 other followed within 1 s\n" in npu_lsp("explain", str(tmp_path), cwd=tmp_path).out
    chinese = npu_lsp("explain", str(tmp_path), "--lang", "zh", cwd=tmp_path).out
    assert "开始时间为 11-03 10:00:00.000、11-02 10:00:00.000；" in chinese


def test_runs_that_only_warn_have_no_errors() -> None:
    several = [RunTold((11, day, 10, 0, 0, 0), None, Waited(("rank 3",), 2, "awaited")) for day in (3, 2)]
    code = CATALOG.error_codes.find("unknown-variable")
    assert code is not None
    said = "".join(markdown(Diagnosis([Explained(code, None)], (), several, warned=True), "en"))
    assert said.startswith("no error in the log; it warns of this:\n\nrun of 11-03 10:00:00.000: ")
    assert "the errors of all" not in said


@pytest.mark.parametrize("plogs", [False, True])
def test_a_run_over_new_year_is_one_and_the_newest(tmp_path: Path, *, plogs: bool) -> None:
    logs = []
    for year, month, day in ((2026, 11, 2), (2026, 12, 31)):
        for rank, second in ((0, 50), (1, 59)):
            clock = f"{year}-{month:02}-{day:02} 23:59:{second}"
            # The second one of the last day fails in the new year.
            failed = "2027-01-01 00:00:05" if (month, rank) == (12, 1) else clock
            text = f"{year}-{month:02}-{day:02} 23:50:00 INFO start\n{failed} ERROR [rank{rank}]: EI0006\n"
            logs.append((f"of{month}/rank{rank}.log", text))
            if plogs:
                when = failed.replace(" ", "-")
                name = f"of{month}/plog/plog-{70 + month + rank}_{year}{month}{day:02}235000000.log"
                logs.append((name, f"[ERROR] HCCL({70 + month + rank},python):{when}.000.001 [a.cc:1][7]{LATE}\n"))
    assert [(begin[:8], first) for begin, first, _ in runs_in(tmp_path, logs)] == [
        ("12-31 23", "rank 0"),
        ("11-02 23", "rank 0"),
    ]
    said = npu_lsp("explain", str(tmp_path), cwd=tmp_path).out
    assert "within 15 s\n" in said.splitlines(keepends=True)[1]
