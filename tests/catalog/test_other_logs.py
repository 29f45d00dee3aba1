"""Whose log it is: what other programs print gets no cause of Ascend's, and what a signature is made of leads to that signature."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.checking.diagnosis import Explained, diagnosed
from npu_lsp.checking.logs import reader
from npu_lsp.checking.logs.lines import words_of_codes
from npu_lsp.checking.logs.reader import LogReader
from npu_lsp.text.phrases import END, Phrases
from tests.together import together

CATALOG = load()
LOGS = Path(__file__).parent / "logs"


def lines_of(name: str) -> list[str]:
    """Return the lines of a file, without those that say what stands below."""
    lines = (LOGS / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not re.match(r"# (?!raise)", line)]


FOREIGN = lines_of("foreign.log")
"""Lines of programs that know no NPU: CUDA and NCCL, vLLM on GPUs, Python, pip, compilers, containers, the system, services."""
INNOCENT = lines_of("innocent.log")
"""What working runs print with a level, and texts that speak of errors: traced commands, tests, documentation, chats, counters of nothing."""
_OF_ANYBODY = {
    "Any program",
    "Building from source",
    "Environment",
    "Frameworks",
    "Host system",
    "Training",
    "Python",
    "the log",
    "vLLM",
}
"""Components whose causes hold for any program, or for vLLM wherever it runs."""
_MEANT = {
    # That a program is made for GPUs is what somebody with NPUs wants to know.
    "torch-without-cuda",
    # So is that `--gpus` gives no NPU, and that the image is another machine's.
    "ascend-runtime",
    "image-broken",
    "process-limits",
    # The words are those of all back ends of torch.distributed.
    "group-not-initialised",
}
_UNDECIDED = {"ray-resources", "kv-heads"}
"""Signatures with a phrase that another one has, too, as it stands in the log of another release."""


@pytest.fixture(autouse=True, scope="module")
def prepared() -> Iterator[None]:
    """Have all readers of the module share what is searched for: it takes longer than the search."""
    kept: list[Phrases] = []
    words = words_of_codes(CATALOG.error_codes)

    def once(*arguments: Any) -> Phrases:
        if not kept:
            kept.append(Phrases(*arguments))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "Phrases", once)
        patch.setattr(reader, "words_of_codes", lambda _: words)
        yield


def first(line: str) -> Explained | None:
    """Return what leads the answer to a log of one line."""
    log = LogReader(CATALOG)
    log.read(io.BytesIO(f"{line}\n".encode()))
    return next(iter(diagnosed(log.log(), CATALOG, None).errors), None)


@together("line", FOREIGN)
def test_what_other_programs_print_has_no_cause_of_ascend(line: str) -> None:
    told = first(line)
    if told is not None and told.code.code not in _MEANT:
        assert told.code.component.en in _OF_ANYBODY, f"{told.code.code}: {line}"
        if not told.unknown and told.code.kind == "cause":
            # What the words say of NPUs would be wrong here.
            assert not re.search(r"\bNPUs?\b|HCCL|torch_npu", told.code.what.en), f"{told.code.code}: {line}"


@together("line", INNOCENT)
def test_what_tells_of_no_error_has_no_cause(line: str) -> None:
    told = first(line)
    assert told is None or told.unknown or told.code.kind in ("wrapper", "harmless"), told.code.code


def test_there_are_enough_of_them() -> None:
    assert len(FOREIGN) > 200
    assert len(INNOCENT) > 80


def test_what_a_signature_looks_for_leads_to_it() -> None:
    wrong = []
    for phrase, name in CATALOG.error_codes.phrases:
        code = CATALOG.error_codes.find(name)
        assert code is not None
        if code.kind in ("echo", "wrapper", "harmless") or name in _UNDECIDED:
            continue
        said = re.sub(r"\{(\w*)\}", lambda place: f" {place[1]} ", phrase.replace(f"{{{END}}}", "")).strip()
        raised = re.match(r"[\w.]*(?:Error|Exception): ", said) is not None
        told = first(said if raised else f"RuntimeError: {said}")
        if told is None or told.code.code != name:
            wrong.append((name, told.code.code if told is not None else None, said))
    assert wrong == []
