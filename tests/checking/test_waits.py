"""Which rank the others wait for, from what HCCL prints; and a table of the cases of Huawei's own diagnosis, with what is said of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import npu_lsp
from npu_lsp.catalog.load import load
from npu_lsp.text.toml import read
from tests.peers.faultdiag import TABLE, lacking, log_of

SIGNATURES: dict[str, Any] = {}
for _file in (Path(npu_lsp.__file__).parent / "catalog" / "data" / "signatures").glob("*.toml"):
    SIGNATURES |= read(_file)["signatures"]
AGENT = "[INFO] HCCL({pid},python):2026-01-02-03:04:05.000.000 [a.cc:1] [1]SetupAgent rankNum[4], rank[{rank}], server[s], logicDevId[{rank}], phydevId[{device}], deviceIp[10.0.0.{rank}]\n"
LINK = "[ERROR] HCCL({pid},python):2026-01-02-03:09:05.000.000 [b.cc:2] [1]   |  10.0.0.9({other})   |  16666  |   10.0.0.8({own})   |  0  |  client  | time out |\n"
TASK = "[ERROR] HCCL({pid},python):2026-01-02-03:09:05.000.000 [c.cc:3][1][Callback]Task run failed, base information is streamID:[3], taskID[7], taskType[Notify Wait], tag[{tag}], index[{index}], AlgType(level 0-1-2):[ring].\n"
NOTIFY = "[ERROR] HCCL({pid},python):2026-01-02-03:09:05.000.000 [c.cc:3][1][Callback]Task run failed, para information is notify id:[0x5], stage:[0], remote rank:[{other}].\n"


CAME = "[ERROR] HCCL(7,python):2026-01-02-03:09:05.000.000 [d.cc:4] [7][InitGroupStage][DisplayConnectionedRank]{}\n"


def said(folder: Path, logs: Iterable[tuple[str, str]]) -> tuple[object, ...] | None:
    for path, text in logs:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    waited = log_of(folder).runs[0].waited
    return None if waited is None else tuple(waited)


def test_the_rank_at_the_end_of_a_chain_is_told_though_it_has_no_error(tmp_path: Path) -> None:
    debug, run = "host{0}/debug/plog/plog-{1}_1.log", "host{0}/run/plog/plog-{1}_1.log"
    logs = [
        (run.format(rank // 2, 70 + rank), AGENT.format(pid=70 + rank, rank=rank, device=rank % 2)) for rank in range(4)
    ]
    logs += [
        (debug.format(0, 70), LINK.format(pid=70, own=0, other=1)),
        (debug.format(0, 71), LINK.format(pid=71, own=1, other=2)),
    ]
    logs += [
        (
            debug.format(1, 72),
            "[ERROR] HCCL(72,python):2026-01-02-03:09:05.000.000 connected p2p timeout, timeout:130 s. local logicDevid:0, remote physic id:1.\n",
        )
    ]
    assert said(tmp_path, logs) == (("rank 3 (host1, device 1)",), 3, "awaited")


def test_ranks_that_wait_for_each_other_and_one_in_another_operation(tmp_path: Path) -> None:
    agents = [
        (f"w/run/plog/plog-{70 + rank}_1.log", AGENT.format(pid=70 + rank, rank=rank, device=rank)) for rank in range(4)
    ]
    circle = [(f"w/debug/plog/plog-{70 + rank}_1.log", NOTIFY.format(pid=70 + rank, other=1 - rank)) for rank in (0, 1)]
    assert said(tmp_path / "a", [*agents, *circle]) == (("rank 0 (w, device 0)", "rank 1 (w, device 1)"), 1, "circle")
    ahead = [
        (
            f"w/debug/plog/plog-{70 + rank}_1.log",
            TASK.format(pid=70 + rank, tag="AllReduce_g", index=6 if rank == 2 else 7),
        )
        for rank in range(4)
    ]
    assert said(tmp_path / "b", [*agents, *ahead]) == (("rank 2 (w, device 2)",), 3, "elsewhere")
    # Two of four are no exception.
    half = [
        (f"w/debug/plog/plog-{70 + rank}_1.log", TASK.format(pid=70 + rank, tag="AllReduce_g", index=rank // 2))
        for rank in range(4)
    ]
    assert said(tmp_path / "c", [*agents, *half]) is None


def test_ranks_that_no_process_has_and_single_logs_say_nothing(tmp_path: Path) -> None:
    agents = [
        (f"w/run/plog/plog-{70 + rank}_1.log", AGENT.format(pid=70 + rank, rank=rank, device=rank)) for rank in range(2)
    ]
    assert said(tmp_path / "a", [*agents, ("w/debug/plog/plog-70_1.log", LINK.format(pid=70, own=0, other=9))]) is None
    assert said(tmp_path / "b", [("run.log", "remote physic id: none\ntaskType[Notify Wait], tag[")]) is None


def test_every_case_has_an_answer_or_a_reason() -> None:
    codes = load().error_codes
    assert len(TABLE) >= 25
    for name, case in TABLE.items():
        assert set(case) <= {"expects", "names", "codes", "why", "logs"}, name
        assert case["expects"], name
        assert ("names" in case or "codes" in case) != ("why" in case), name
        assert [code for code in case.get("codes", ()) if codes.find(code) is None] == [], name


@pytest.mark.parametrize("name", [name for name, case in TABLE.items() if "why" not in case])
def test_small_logs_of_the_kind_give_the_answer_of_the_table(name: str, tmp_path: Path) -> None:
    """`python -m tests.peers.faultdiag cases FOLDER` compares it with the logs of the tool itself."""
    case = TABLE[name]
    logs = [(f"w/{code}.log", f"[ERROR] {_phrase(code)}\n") for code in case.get("codes", ())]
    # One is at the end of a chain, more are a circle.
    places = [part.rpartition("device ")[::2] for part in case.get("names", ())]
    ranks = [(worker.rstrip(", ") or "w", int(device)) for worker, device in places]
    for rank, (worker, device) in enumerate(ranks):
        agent = AGENT.format(pid=70 + rank, rank=rank, device=device)
        logs.append((f"{worker}/run/plog/plog-{70 + rank}_1.log", agent))
        if len(ranks) > 1:
            waits = NOTIFY.format(pid=70 + rank, other=(rank + 1) % len(ranks))
            logs.append((f"{worker}/debug/plog/plog-{70 + rank}_1.log", waits))
    if len(ranks) == 1:
        logs.append(("other/run/plog/plog-90_1.log", AGENT.format(pid=90, rank=1, device=1)))
        logs.append(("other/debug/plog/plog-90_1.log", LINK.format(pid=90, own=1, other=0)))
    said(tmp_path, logs)
    assert list(lacking(case, log_of(tmp_path))) == []


def _phrase(code: str) -> str:
    """Return the first phrase of a signature, with something in its places."""
    return re.sub(r"\{\w+\}", "1", str(SIGNATURES[code]["phrases"][0]))


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        (
            [
                "need connect rankNum is [8]",
                f"connected rankinfo[LINE 0]: {', '.join(f'[{n:016}]' for n in (0, 2, 4, 6))};",
            ],
            [1, 3, 5, 7],
        ),
        (
            [
                f"connected rankinfo[LINE 0]: {','.join(f'[{n:016}]' for n in (0, 1, 2))};",
                f"connected rankinfo[LINE 1]: [{4:016}];",
            ],
            [3],
        ),
        (['TopoDetect ERROR occur !!! fault_type[1], fault_info["Failed to connect agent[9,]"]'], [9]),
    ],
)
def test_ranks_that_never_came_to_the_root_are_named(tmp_path: Path, lines: list[str], missing: list[int]) -> None:
    found = said(tmp_path, [("run.log", "".join(map(CAME.format, lines)))])
    assert found is not None
    assert (found[0], found[-1]) == (tuple(f"rank {rank}" for rank in missing), "missing")
