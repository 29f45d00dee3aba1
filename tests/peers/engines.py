"""Puts command lines to the argument parsers of vLLM and SGLang and to npu-lsp, and prints where their verdicts differ.

`python -m tests.peers.engines vllm PYTHON FOLDER VERSION`: an interpreter with pydantic (others of the package's requirements may be
missing), a folder with the package's source, and the version that npu-lsp is told: of vLLM-Ascend, or of SGLang. The command lines
are made from the catalog, each flag with its values and with slips as people make them. The exit code is 1 where less than 97 of a
hundred are told alike. CI doesn't run this.
"""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_CHILD = Path(__file__).with_name("engine_child.py")
_BAR = 0.97
_START = {"vllm": "vllm serve m", "sglang": "python3 -m sglang.launch_server --model-path m"}
_COMPONENT = {"vllm": "vllm-ascend", "sglang": "sglang"}
_JSON = (
    ("compilation-config", {"cudagraph_mode": "FULL_DECODE_ONLY"}),
    ("compilation-config", {"cudagraph_capture_sizes": [1, 2, 4]}),
    ("compilation-config", {"cudagraph_mod": "FULL"}),
    ("compilation-config", {"cudagraph_capture_size": [1, 2]}),
    ("compilation-config", {"cudagraph_mode": "FULL_DECODE"}),
    ("compilation-config", {"cudagraph_capture_sizes": "1,2"}),
    ("kv-transfer-config", {"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_producer", "kv_port": "30000"}),
    ("kv-transfer-config", {"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_producer", "engine_id": 1}),
    ("kv-transfer-config", {"kv_connector": "MooncakeConnectorV1", "kv_rol": "kv_producer"}),
    ("kv-transfer-config", {"kv_connector": "MooncakeConnectorV1", "kv_role": "producer"}),
    ("kv-transfer-config", {"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_both", "kv_port": "x"}),
)


class Line(NamedTuple):
    """What both are asked about."""

    slip: str
    """What was done to it; empty: nothing."""
    words: tuple[str, ...]


def lines(surface: Surface, target: Target) -> Iterator[Line]:
    """Yield the words of command lines behind the program's name."""
    chance = random.Random(0)
    for option in load().options(surface):
        if not standing(option, target).usable or option.undated:
            continue
        flag, good = f"--{option.name}", _good(option)
        if option.type != "dict":
            yield from (Line("", (flag, *value)) for value in good)
        if option.negatable:
            yield Line("", (f"--no-{option.name}",))
        at = chance.randrange(1, len(option.name) - 1) if len(option.name) > 3 else 1
        turned = option.name[:at] + option.name[at + 1] + option.name[at] + option.name[at + 2 :]
        value = good[0] if good else ("{}",)
        if turned != option.name:
            yield Line("turned", (f"--{turned}", *value))
        yield Line("one letter less", (f"--{option.name[:at]}{option.name[at + 1 :]}", *value))
        yield Line("one dash", (f"-{option.name}", *value))
        if value and option.nargs not in ("0", "?", "*"):
            yield Line("no value", (flag,))
            yield Line("blank", (f"{flag} {value[0]}",))
        if option.nargs == "0":
            yield Line("value of a switch", (f"{flag}=true",))
        if option.type in ("int", "float"):
            yield Line("no number", (flag, "many"))
        if option.values and not option.open and option.type == "string":
            yield Line("no such value", (flag, f"{option.values[0].value}x"))
    if surface is Surface.VLLM:
        for name, keys in _JSON:
            yield Line("JSON", (f"--{name}", json.dumps(keys)))
        yield Line("JSON", ("--compilation-config", '{"cudagraph_mode": "FULL"'))


def _good(option: Option) -> list[tuple[str, ...]]:
    if option.nargs == "0":
        return [()]
    if option.values:
        return [(str(each.value),) for each in option.values[-3:]]
    made = {"int": "4", "float": "0.5", "bool": "true"}.get(option.type, "a")
    return [(made,)] if option.type != "dict" else []


def asked(made: Sequence[Line], package: str, python: str, folder: str) -> list[str | None]:
    """Return what the package's parser says of each."""
    behind = ["m"] if package == "vllm" else ["--model-path", "m"]
    text = "".join(json.dumps([*behind, *each.words]) + "\n" for each in made)
    ran = subprocess.run(
        [python, str(_CHILD), package, folder], input=text, capture_output=True, encoding="utf-8", check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()[1:]]


def told(line: Line, package: str, analyzer: Analyzer) -> str | None:
    """Return the error that npu-lsp reports."""
    words = " ".join(map(shlex.quote, line.words))
    found = analyzer.findings(Document(f"{_START[package]} {words}\n", kind=Kind.SHELL))
    return next((each.message for each in found if each.severity is Severity.ERROR), None)


def main(arguments: Sequence[str]) -> int:
    """Print the differences, and how many of what is taken and refused are told alike."""
    package, python, folder, version = arguments
    component = _COMPONENT[package]
    config = Config(target=TargetConfig({component: version}))
    made = list(lines(Surface(package), Target.parse({component: version})))
    analyzer = Analyzer(config, all_rules)
    alike = {True: [0, 0], False: [0, 0]}
    for line, theirs in zip(made, asked(made, package, python, folder), strict=True):
        ours = told(line, package, analyzer)
        count = alike[theirs is None]
        count[0] += (ours is None) == (theirs is None)
        count[1] += 1
        if (ours is None) != (theirs is None):
            sys.stdout.write(f"{line.slip or 'as it is'}: {shlex.join(line.words)}\n  {theirs}\n  {ours}\n")
    for taken, (right, all_of) in alike.items():
        what = "accepted and clean" if taken else "refused and told"
        sys.stdout.write(f"{package} {version}: {what} {right} of {all_of} ({right / max(all_of, 1):.1%})\n")
    return 0 if all(right >= _BAR * all_of for right, all_of in alike.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
