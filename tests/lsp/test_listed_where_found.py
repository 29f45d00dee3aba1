"""What is told is listed: the word that a fix writes, and whatever a finding without a fix marks, is completed while it is typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.rule import Invalid
from npu_lsp.rules import all_rules
from npu_lsp.text.kinds import Kind
from tests.lsp.test_every_surface import NAMES
from tests.lsp.wire import Wire
from tests.rules.trial import findings, write_files

_WORD = re.compile(r"[\w-]*[A-Za-z][\w-]*")
_OWN = {
    **dict.fromkeys(("NPU115", "NPU134", "NPU720", "NPU724"), "variables that a script sets"),
    **dict.fromkeys(("NPU260", "NPU261", "NPU262"), "objects, functions and files of a deployment"),
    **dict.fromkeys(
        ("NPU227", "NPU236", "NPU238", "NPU243", "NPU722", "NPU810"), "addresses, models, images and files"
    ),
}
"""Rules about names that a project gives itself: whoever serves its language lists those that are there."""
_NO_WORD = {
    "NPU132": "words of a sentence",
    "NPU139": "common words in names that nobody knows",
    **dict.fromkeys(("NPU103", "NPU105", "NPU107", "NPU811", "NPU208"), "a value of another type, quotes or brackets"),
    **dict.fromkeys(
        ("NPU004", "NPU111", "NPU136", "NPU207", "NPU222", "NPU502", "NPU505"), "how a text is put together"
    ),
    **dict.fromkeys(("NPU129", "NPU216", "NPU218", "NPU605"), "a right word in a wrong place"),
}
"""Rules whose marks are no names of anything."""


_BY_ITSELF = (
    # What the catalog knows, and lists nowhere: it has no effect, is gone, or is not for everybody.
    *("VLLM_BATCH_I", "MS_DEV_SAVE_GRAP", "VLLM_ASCEND_ENAB", '"torchair_graph_config": {"enab'),
    # Names of operators, which an installed toolkit lists, and numbers and switches of trainers.
    *(
        "[ByOpType]\n",
        '"white-list": {"to-add": ["',
        "--learning_rate ",
        "--num-workers ",
        "--clip-grad ",
        "--workers ",
    ),
    *("--packing ", "--use_dora "),
    # Stray words, those that lost their sign, and arguments of Ray.
    *(
        "\natc ",
        "atc --model=a.onnx b ",
        "atc a.",
        "trainer = ",
        "num_workers=8, ",
        'ms.set_context({"',
        "--name serve \\ # the ",
    ),
    # Names of files, volumes, hosts and models.
    *(
        "chat sft.",
        '"mindie_env_path": "./',
        "volumeMounts:\n        - name: ",
        "MASTER_ADDR=local",
        "kind: Pod\nmetadata:\n  name: ",
    ),
    # Amounts, and what is no field for a `-` that is missing or too much.
    *("memory: ", 'fault: "tr', "ports:\n        ", "resources:\n        - ", "mountPath: /"),
    # Releases, names that a text gives itself, and such as its sentences or its braces hold.
    *("torch-npu==2.5.1.pos", "export MODEL_", "export ASCEND_O", "${chip_", "${devic"),
    # What stands first in a file, a command behind others that variables could follow, and words of JSON without quotes.
    *("apiVer", '{"', "\ntorc", "os.envi", "a.py --mo", '"cudagraph_mode": ', "\\\nASCEND_RT_VISIB"),
)
"""The ends of what stands in front of a cursor where nothing is listed."""


class _Place(NamedTuple):
    """A word that is typed up to `offset`."""

    text: str
    offset: int
    wanted: str = ""
    """What the list must have; empty: anything."""


def _places(example: Invalid, found: list[Finding]) -> Iterator[list[_Place]]:
    """Yield, for each finding that is about a word, the places in one of which something must be listed."""
    for each in found:
        edits = each.fixes[0].edits if each.fixes else ()
        if each.fixes and len(edits) == 1:
            yield from ([place] for place in _of_fix(example.text, *edits[0]))
        elif not each.fixes:
            marked = example.text[slice(*each.span)]
            word = next((w for w in _WORD.finditer(marked) if len(w.group()) > 3), None)
            if word is not None and "\n" not in marked:
                name, end = word.group(), each.span.start + word.end()
                at = end - len(name.lstrip("-"))
                # Before the first letter, or behind it.
                yield [_Place(example.text[:to] + example.text[end:], to) for to in (at, at + 1)]


def _of_fix(text: str, span: tuple[int, int], new: str) -> Iterator[_Place]:
    old = text[slice(*span)]
    if not old.strip() or not new.strip() or "\n" in new:
        return
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    word = next((w for w in _WORD.finditer(new) if w.end() > same), None)
    if word is None or len(word.group()) < 4:
        return
    mended = text[: span[0]] + new + text[span[1] :]
    start, length = span[0] + word.start(), len(word.group())
    at = start + max(2, length * 3 // 5)
    yield _Place(mended[:at] + mended[start + length :], at, word.group().strip("-"))


def _listed(wire: Wire, folder: Path, kind: Kind, place: _Place) -> bool:
    uri = (folder / NAMES.get(kind, "a.cfg")).as_uri()
    wire.open(uri, place.text, next(iter(BY_KIND[kind].editor_ids), "plaintext"))
    before = place.text[: place.offset]
    column = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
    at = {"textDocument": {"uri": uri}, "position": {"line": before.count("\n"), "character": column}}
    found = wire.request("textDocument/completion", at)["result"] or {"items": []}
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    texts = [f"{item['label']} {item['textEdit']['newText']}" for item in found["items"]]
    return any(place.wanted in text for text in texts)


def test_what_is_told_is_listed(tmp_path: Path) -> None:
    missed: list[str] = []
    excused: Counter[str] = Counter()
    asked = 0
    with Wire() as wire:
        wire.initialize()
        for rule in all_rules():
            for number, example in enumerate(rule.invalid if rule.of_text else ()):
                folder = tmp_path / f"{rule.code}-{number}"
                folder.mkdir()
                write_files(folder, example.files)
                for places in _places(example, findings(rule, example, folder)):
                    asked += 1
                    if any(_listed(wire, folder, example.kind, place) for place in places):
                        continue
                    place = places[0]
                    front = "\n" + place.text[: place.offset]
                    apart = [each for each in _BY_ITSELF if front.endswith(each)]
                    if rule.code in _OWN or rule.code in _NO_WORD:
                        excused[rule.code] += 1
                    elif apart:
                        excused.update(apart)
                    else:
                        shown = place.text[max(0, place.offset - 60) : place.offset]
                        missed.append(f"{rule.code} {example.kind.value}: {shown!r} wants {place.wanted or 'anything'}")
    assert asked > 500
    assert excused.total() < asked / 4
    # Nothing is excused that has no need of it.
    assert excused.keys() == {*_OWN, *_NO_WORD, *_BY_ITSELF}
    assert not missed, f"{len(missed)} of {asked}, {excused.total()} excused\n" + "\n".join(missed)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("a.sh", "source /usr/local/Asc|end/ascend-toolkit/set_env.sh\n", "/ascend-toolkit/set_env.sh\n"),
        ("a.sh", "source /usr/local/Ascend/asc|end-toolkit/set_env.sh\n", "/set_env.sh\n"),
        ("a.py", "import torch_npu.np|u.utils\n", ".utils\n"),
        ("a.py", "import torch_npu\nx = torch.npu.device_co|unt-1\n", "-1\n"),
        ("a.sh", "python -m torch.dist|ributed.launch x.py  # ascend\n", ".launch x.py  # ascend\n"),
    ],
)
def test_a_word_replaces_its_own_rest(tmp_path: Path, name: str, text: str, left: str) -> None:
    uri, offset = (tmp_path / name).as_uri(), text.index("|")
    text = text.replace("|", "")
    line = text.count("\n", 0, offset)
    position = {"line": line, "character": offset - text.rfind("\n", 0, offset) - 1}
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        wire.open(uri, text, {"a.py": "python", "a.sh": "shellscript"}[name])
        asked = {"textDocument": {"uri": uri}, "position": position}
        item = wire.request("textDocument/completion", asked)["result"]["items"][0]
        end = item["textEdit"]["range"]["end"]["character"]
        assert text.splitlines(keepends=True)[line][end:] == left


def test_a_container_is_started_with_options_of_docker_alone(tmp_path: Path) -> None:
    uri, text = (tmp_path / "a.sh").as_uri(), "docker run --i ascend/image bash\n"
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        wire.open(uri, text, "shellscript")
        asked = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": len("docker run --i")}}
        labels = {item["label"] for item in wire.request("textDocument/completion", asked)["result"]["items"]}
        assert labels >= {"--ipc", "--init"}
        assert not labels & {"--image", "--resource"}
