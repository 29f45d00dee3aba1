"""Puts command lines to the argument parsers of vLLM, SGLang and MindSpeed-LLM and to npu-lsp, and prints where their verdicts differ.

`python -m tests.peers.engines vllm PYTHON FOLDER VERSION`: an interpreter with pydantic, regex and msgspec (others of the package's requirements may be
missing), a folder with the package's source, and the version that npu-lsp is told: of vLLM-Ascend, or of SGLang. The command lines
are made from the catalog, each flag with its values and with slips as people make them. The exit code is 1 where less than 97 of a
hundred are told alike. CI doesn't run this. The folder of `mindspeed` holds the trees `mindspeed_llm`, `mindspeed` and `megatron` (Megatron-LM),
and its version is MindSpeed's.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Allowed, Option, Scalar, Surface, ValueType
from npu_lsp.catalog.target import Target
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.launch.programs import programs
from npu_lsp.linter.refusals.conditions import holds, names
from npu_lsp.linter.refusals.table import Refusal, refusals
from npu_lsp.linter.refusals.told import LaunchAnswer
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.peers.tally import Tally

_CHILD = Path(__file__).with_name("engine_child.py")
_CHECKED = {
    Surface.VLLM: ("vllm:vllm/config/", "vllm:vllm/engine/", "vllm:vllm/entrypoints/openai/"),
    Surface.MINDSPEED: (
        "https://github.com/NVIDIA/Megatron-LM/",
        "mindspeed:mindspeed/",
        "mindspeed-llm:mindspeed_llm/features_manager/",
        "mindspeed-llm:mindspeed_llm/training/arguments.py",
    ),
    Surface.SGLANG: ("sglang:python/sglang/srt/server_args", "sglang:python/sglang/srt/arg_groups/"),
}
"""Where rows are from whose checks can be run."""
_OF_STUBS = re.compile(r"\bstub\b|\bstubs\.|\(choose from \)")
"""What refuses a line only because something else isn't installed."""
_TRIED = 4000
_EACH = 3
_PAIRS = 300
_TRAINING = (
    "--use-mcore-models --num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 --num-attention-heads 32 --seq-length 4096"
    " --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 64 --train-iters 10 --lr 1e-5"
    " --tokenizer-type PretrainedFromHF --tokenizer-name-or-path a --data-path a --bf16"
)
"""What no training goes without."""
START = {
    "vllm": "vllm serve m",
    "sglang": "python3 -m sglang.launch_server --model-path m",
    "mindspeed": f"export CUDA_DEVICE_MAX_CONNECTIONS=1\ntorchrun --nproc_per_node 8 pretrain_gpt.py {_TRAINING}",
}
_BEHIND = {"vllm": ["m"], "sglang": ["--model-path", "m"], "mindspeed": _TRAINING.split()}
COMPONENT = {"vllm": "vllm-ascend", "sglang": "sglang", "mindspeed": "mindspeed"}
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


def lines(surface: Surface, target: Target, others: Mapping[str, Option] = MappingProxyType({})) -> Iterator[Line]:
    """Yield the words of command lines behind the program's name."""
    chance = random.Random(0)
    for option in load().options(surface):
        elsewhere = surface is Surface.MINDSPEED and option.name not in others
        if elsewhere or not standing(option, target).usable or option.undated:
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
        if value and not _is_switch(option) and option.nargs not in ("?", "*"):
            yield Line("no value", (flag,))
            yield Line("blank", (f"{flag} {value[0]}",))
        if _is_switch(option):
            yield Line("value of a switch", (f"{flag}=true",))
        if option.type in ("int", "float"):
            yield Line("no number", (flag, "many"))
        if option.values and not option.open and option.type == "string":
            yield Line("no such value", (flag, f"{option.values[0].value}x"))
    if surface is Surface.VLLM:
        for name, keys in _JSON:
            yield Line("JSON", (f"--{name}", json.dumps(keys)))
        yield Line("JSON", ("--compilation-config", '{"cudagraph_mode": "FULL"'))


def _is_switch(option: Option) -> bool:
    return option.nargs == "0" or option.type == "none"


def together(surface: Surface, target: Target, others: Mapping[str, Option] = MappingProxyType({})) -> Iterator[Line]:
    """Yield what each row of `refusals.toml` speaks of, with values that meet it and with such as don't, and pairs drawn at random."""
    program = next(each.name for each in programs(load()).values() if each.surface is surface)
    sources = {name: row["source"] for name, row in load().plain("refusals").items()}
    for row in refusals(load(), program):
        gone = row.until is not None and not target.precedes(row.until, row.component)
        early = row.since is not None and target.at_least(row.since, row.component) is False
        if gone or early or row.products or not sources[row.name].startswith(_CHECKED[surface]):
            continue
        asked = list(dict.fromkeys(name for each in row.conditions for name in names(each)))
        if any(name[0] in "$@" or name.startswith("speculative_config.") for name in asked) or any(
            each.left == ("model",) for each in row.conditions
        ):
            continue
        options = [others.get(name) or _option(surface, name) for name in asked]
        if not all(each is not None and standing(each, target).usable for each in options):
            continue
        chosen = itertools.product(*(_tried(each, name, row) for each, name in zip(options, asked, strict=True)))
        seen = {True: 0, False: 0}
        for values in itertools.islice(chosen, _TRIED):
            said = _Said(dict(zip(asked, values, strict=True)), surface)
            met = all(holds(each, said) for each in row.conditions)
            if seen[met] < _EACH:
                seen[met] += 1
                yield Line(f"{row.name}: {'' if met else 'not '}met", tuple(_words(said.values, surface, others)))
    chance = random.Random(1)
    all_of = [each for each in load().options(surface) if not others or each.name in others]
    known = [each for each in all_of if standing(each, target).usable and _good(each) and not each.undated]
    for _ in range(_PAIRS):
        pair = chance.sample(known, 2)
        yield Line("a pair", tuple(word for each in pair for word in (f"--{each.name}", *_good(each)[0])))


class _Said:
    """What a made command says, asked as a launch is."""

    model = None

    def __init__(self, values: Mapping[str, Scalar], surface: Surface) -> None:
        self.values = {name: value for name, value in values.items() if value is not None}
        self._surface = surface

    def ask(self, name: str) -> LaunchAnswer:
        """Return what is known of a name."""
        if name in self.values:
            return LaunchAnswer("known", self.values[name])
        row, option = programs(load())[self._surface], _option(self._surface, name)
        default = row.default.get(name, option.defaults[0].value if option is not None and option.defaults else None)
        return LaunchAnswer("absent", default)


def _option(surface: Surface, name: str) -> Option | None:
    inside = surface is not Surface.MINDSPEED and ("." in name or "_" in name)
    where = Surface(f"{surface.value}_args") if inside else surface
    return load().option(where, name)


def _tried(option: Option | None, name: str, row: Refusal) -> Sequence[Scalar]:
    """Return what a name is set to, `None` for nothing: first what a row asks for."""
    found: list[Scalar] = []
    for each in row.conditions:
        if name in {factor.partition("+")[0] for factor in (*each.left, *each.right)}:
            if each.sign in ("=", "!="):
                found += [value for value in each.right if "*" not in value]
            if each.sign in ("=", "!=", "on", "off"):
                found += [True] if option is None or _is_switch(option) else [value for value, *_ in _good(option)]
            else:
                found += [1, 2, 3, 4, 8, 100, 256]
    return [*dict.fromkeys(found), None]


def _words(values: Mapping[str, Scalar], surface: Surface, others: Mapping[str, Option]) -> Iterator[str]:
    """Yield the words of a command that says so; what belongs to one JSON stands in one."""
    inside: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        top, _, path = name.partition(".")
        if path:
            *around, last = path.split(".")
            place = inside.setdefault(top, {})
            for each in around:
                place = place.setdefault(each, {})
            place[last] = {"true": True, "false": False}.get(str(value), value)
            continue
        option = others.get(name) or _option(surface, name)
        if option is not None and _is_switch(option):
            yield f"--no-{name}" if str(value).lower() == "false" else f"--{name}"
        elif option is not None and option.type == "dict":
            yield from (f"--{name}", "{}")
        else:
            yield from (f"--{name}", "a" if value is True else str(value))
    for top, keys in inside.items():
        yield from (f"--{top.replace('_', '-')}", json.dumps(keys))


def _good(option: Option) -> list[tuple[str, ...]]:
    if _is_switch(option):
        return [()]
    if option.values:
        return [(str(each.value),) for each in option.values[-3:]]
    made = {"int": "4", "float": "0.5", "bool": "true"}.get(option.type, "a")
    return [(made,)] if option.type != "dict" else []


_TYPES: Mapping[str, ValueType] = {"int": "int", "float": "float"}


def _of_parser(facts: Mapping[str, Any], surface: Surface) -> dict[str, Option]:
    """Return the options that Megatron's parser has, of which the catalog has MindSpeed's alone."""
    plain = next(iter(load().options(surface)))._replace(values=(), defaults=(), nargs=None, sources=())
    found: dict[str, Option] = {}
    for each in facts["arguments"]:
        switch = each["nargs"] == 0
        kind: ValueType = "none" if switch else _TYPES.get(each["type"], "string")
        values = tuple(Allowed(value) for value in each["choices"] or ())
        for flag in each["flags"]:
            name = flag.lstrip("-")
            own = load().option(surface, name)
            found[name] = own or plain._replace(name=name, type=kind, values=values)
    return found


def asked(made: Sequence[Line], package: str, python: str, folder: str) -> tuple[dict[str, Any], list[str | None]]:
    """Return what the package's parser has, and what it says of each."""
    text = "".join(json.dumps([*_BEHIND[package], *each.words]) + "\n" for each in made)
    command = [str(Path(python).absolute()), str(_CHILD), package, str(Path(folder).resolve())]
    with TemporaryDirectory() as around:
        # The file that texts of no form name.
        Path(around, "a").touch()
        environment = {**os.environ, "CUDA_DEVICE_MAX_CONNECTIONS": "1"}
        ran = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", check=True, cwd=around, env=environment
        )
    facts, *said = ran.stdout.splitlines()
    return json.loads(facts), [json.loads(line) for line in said]


def told(line: Line, package: str, analyzer: Analyzer, *least: Severity) -> str | None:
    """Return what npu-lsp reports, of such a severity."""
    words = " ".join(map(shlex.quote, line.words))
    found = analyzer.findings(Document(f"{START[package]} {words}\n", kind=Kind.SHELL))
    return next((each.message for each in found if each.severity in least), None)


def main(arguments: Sequence[str]) -> int:
    """Print the differences, and how many of what is taken and refused are told alike."""
    package, python, folder, version = arguments
    component = COMPONENT[package]
    config = Config(target=TargetConfig({component: version}))
    surface, target = Surface(package), Target.parse({component: version})
    facts = asked((), package, python, folder)[0] if surface is Surface.MINDSPEED else {}
    others = _of_parser(facts, surface) if facts else {}
    made = [*lines(surface, target, others), *together(surface, target, others)]
    analyzer = Analyzer(config, all_rules)
    tally = Tally()
    for line, theirs in zip(made, asked(made, package, python, folder)[1], strict=True):
        if theirs is not None and _OF_STUBS.search(theirs):
            continue
        # A script may add arguments of its own to Megatron's: a slip in one of these is a warning.
        warned = theirs is not None and surface is Surface.MINDSPEED
        ours = told(line, package, analyzer, Severity.ERROR, *((Severity.WARNING,) if warned else ()))
        tally.add(f"{line.slip or 'as it is'}: {shlex.join(line.words)}", theirs, ours)
    return tally.end(f"{package} {version}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
