"""Tells what npu-lsp says of each assertion of Huawei's `msprechecker`; `prechecker.toml` is what it printed last.

`python -m tests.peers.prechecker PRESETS --motor CHECKOUT --llm CHECKOUT`: the folder `presets` of the package, and checkouts of
MindIE-Motor and MindIE-LLM. Each setting that an assertion names is set to something else in a copy of the deployment, and asked about;
those of the YAML presets are read by `presets`. CI doesn't run this; a test looks at the table.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.load import load
from npu_lsp.catalog.recipes import recipes
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.config.cmate import PARTS, SURFACES
from npu_lsp.config.cmate_syntax import Assertion, Cmate, CmateNode, parse
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from tests.benchmarks.deployment import assemble
from tests.peers.presets import expectations

_FILES = {
    **dict.fromkeys(("mies_config", "ms_config"), "conf/config.json"),
    "ms_controller": "conf/ms_controller.json",
    "ms_coordinator": "conf/ms_coordinator.json",
    "user_config": "user_config.json",
    "mindie_env": "conf/mindie_env.json",
}
_MANIFESTS = {
    name: f"deployment/{name}.yaml"
    for name in (
        *("mindie_service_single_container", "mindie_service_single_container_base_A3", "mindie_server"),
        *("mindie_ms_coordinator", "mindie_ms_controller"),
    )
}
_RATES = {"p_rate": "MINDIE_MS_P_RATE", "d_rate": "MINDIE_MS_D_RATE"}
_ROLE = re.compile(r"_(?:server|coordinator|controller)\Z")
_OF_TYPE = {"int": 3, "string": "a", "bool": False}
_LAYERWISE = frozenset({"conf/config.json"})
_SIZES = {"dp": 1, "tp": 4, "cp": 1, "sp": 1, "pp": 1, "moe_ep": 1, "moe_tp": 4}
"""Those of the server's own file, as its four NPUs have them: it says none of them, and assertions compare them with each other."""
_NO_TLS = re.compile(r"(?:_tls_enable|TLSEnabled|httpsEnabled)\Z")
_OBJECT = (".kv_cache_options", "It is an object, and never `true`: `enable_nz` stands in it")
_PODS = (
    ".spec.replicas",
    "Each pod of it is a whole service, says the file itself, and there may be several",
    ("mindie_service_single_container", "mindie_service_single_container_base_A3"),
)
_TLS = "MindIE's own files switch TLS on, and its documentation advises against switching it off"
_OF_MACHINE = frozenset({"path_exists", "get_conf_pagesize", "get_cur_ip"})
_MACHINE_NAMES = ("page_size", "cur_ip", "rank_table", "_ip", "MASTER_IP")
_SEEN = (Severity.ERROR, Severity.WARNING)
_ABSENT = object()


class Row(NamedTuple):
    """An assertion, and who tells it."""

    file: str
    line: int
    setting: str
    verdict: str
    """`rule`, `advice`, `machine`, `wrong`, or `silent`."""
    by: str
    """The code of the rule, the name of the recipe, or why it is wrong."""


class Deployment:
    """A deployment in which settings are changed, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._analyzer = Analyzer(Config(), all_rules)
        self._before: dict[str, Counter[str]] = {}
        server = folder / _FILES["ms_config"]
        data = json.loads(server.read_text(encoding="utf-8"))
        data["BackendConfig"]["ModelDeployConfig"]["ModelConfig"][0].update(_SIZES)
        server.write_text(json.dumps(data, indent=2), encoding="utf-8")

    @cache  # noqa: B019 - there is one, for as long as the table takes
    def told(self, file: str, path: tuple[str | int, ...], typed: Any, *, exact: bool, layerwise: bool) -> str:
        """Return the code of a rule that tells one of several other values at `path`; nothing where none does.

        `typed` is what the setting may be where the file doesn't have it.
        """
        place = self._folder / file
        text = place.read_text(encoding="utf-8")
        if layerwise:
            data = json.loads(text)
            data["ServerConfig"] |= {"layerwiseDisaggregated": True, "layerwiseDisaggregatedRoleType": "master"}
            text = json.dumps(data, indent=2)
        before = self._before.setdefault(f"{file} {layerwise}", self._codes(place, text))
        written = _value(json.loads(text), path)
        for value in _others(typed if written is _ABSENT else written, exact=exact):
            changed = json.loads(text)
            if not _put(changed, path, value):
                return ""
            more = self._codes(place, json.dumps(changed, indent=2)) - before
            if more:
                return next(iter(more))
        return ""

    @cache  # noqa: B019 - as above
    def told_in_manifest(self, file: str, path: str) -> str:
        """Return the code of a rule that tells another value of a field or of a variable of a Kubernetes file."""
        place = self._folder / file
        text = place.read_text(encoding="utf-8")
        before = self._before.setdefault(file, self._codes(place, text))
        key = re.escape(path.rsplit("resources.", 1)[-1].partition(".")[2] or path.rpartition(".")[2])
        field = re.compile(rf"(\b{key}: *\"?)[^\s\"#]+")
        variable = re.compile(rf"(name: {key}\s+value: *\"?)[^\s\"]+")
        for pattern in (variable, field):
            for match in pattern.finditer(text):
                for value in ("7", "0", "999", "1", "wrong"):
                    changed = text[: match.end(1)] + value + text[match.end() :]
                    more = self._codes(place, changed) - before
                    if more:
                        return next(iter(more))
        return ""

    def _codes(self, place: Path, text: str) -> Counter[str]:
        document = Document(text, kind=detect(str(place), text), path=str(place))
        return Counter(each.code for each in self._analyzer.findings(document) if each.severity in _SEEN)


def _others(value: Any, *, exact: bool) -> Iterator[Any]:
    """Yield other values of the same kind: close ones where the assertion names one value, and those of both ends otherwise."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value * 2 + 1,) if exact else (0, -1, 10**7)
    elif isinstance(value, list):
        yield from ([], [value[0], *value] if value else [1], [1, *value[1:]])
    elif isinstance(value, str):
        yield "wrong"


def _value(data: Any, path: Sequence[str | int]) -> Any:
    for key in path:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return _ABSENT
    return data


def _put(data: Any, path: Sequence[str | int], value: Any) -> bool:
    around = _value(data, path[:-1])
    if not isinstance(around, (dict, list)):
        return False
    around[path[-1]] = value  # type: ignore[index]
    return True


def paths(node: CmateNode) -> Iterator[str]:
    """Yield the paths that a test names."""
    if node.kind == "path":
        yield str(node.parts[0])
    for part in node.parts:
        if isinstance(part, CmateNode):
            yield from paths(part)


def calls(node: CmateNode) -> Iterator[str]:
    """Yield the functions that a test calls."""
    if node.kind == "call":
        yield str(node.parts[0])
    for part in node.parts:
        if isinstance(part, CmateNode):
            yield from calls(part)


def rows(name: str, read: Cmate, deployment: Deployment) -> Iterator[Row]:
    """Yield what becomes of each assertion of a file."""
    for assertion in read.assertions:
        tests = (assertion.test, *(test for test, _ in assertion.conditions))
        # `assert false` says in its conditions what is wrong.
        told = [path for test in tests for path in paths(test) if not path.startswith("context::")]
        if assertion.test.parts != (False,):
            told = list(paths(assertion.test))
        expected = assertion.test.parts[1] if assertion.test.kind == "==" else None
        yield _row(
            Question(
                name,
                assertion.line,
                next(iter(told), ""),
                tuple(each for path in told for each in _resolved(path, assertion, read)),
                of_machine=bool(_OF_MACHINE.intersection(calls(assertion.test))) or any(map(_is_of_machine, told)),
                off=expected == CmateNode("constant", (False,)),
                advised=assertion.severity == "info",
                exact=assertion.test.kind in ("==", "in") and not _is_range(assertion.test),
                layerwise=any(
                    wanted and CmateNode("constant", ("lwd",)) in test.parts for test, wanted in assertion.conditions
                ),
            ),
            deployment,
        )


def preset_rows(file: Path, name: str, deployment: Deployment) -> Iterator[Row]:
    """Yield what becomes of each expectation of a YAML preset."""
    for each in expectations(file):
        yield _row(
            Question(
                name,
                each.line,
                each.path,
                ((each.section, each.path),),
                of_machine=not each.section
                or each.kind == "path"
                or "cur_ip" in str(each.value)
                or _is_of_machine(each.path),
                off=each.kind == "eq" and each.value is False,
                advised=each.severity == "low",
                exact=each.kind in ("eq", "enum"),
                layerwise=False,
            ),
            deployment,
        )


class Question(NamedTuple):
    """What is asked about an assertion."""

    file: str
    line: int
    setting: str
    named: tuple[tuple[str, str], ...]
    """The files and the places in them that it compares."""
    of_machine: bool
    off: bool
    """It wants `false`."""
    advised: bool
    """It is advice for the peer, too."""
    exact: bool
    layerwise: bool


def _is_of_machine(path: str) -> bool:
    return path.endswith(_MACHINE_NAMES)


def _row(asked: Question, deployment: Deployment) -> Row:
    wrong = (
        _TLS
        if asked.off and _NO_TLS.search(asked.setting)
        else _OBJECT[1]
        if asked.setting.endswith(_OBJECT[0])
        else _PODS[1]
        if asked.setting.endswith(_PODS[0]) and any(section in _PODS[2] for section, _ in asked.named)
        else ""
    )
    advice = next(filter(None, (_advised().get(_option(section, path), "") for section, path in asked.named)), "")
    if asked.of_machine:
        verdict, by = "machine", ""
    elif wrong:
        verdict, by = "wrong", wrong
    elif advice and asked.advised:
        verdict, by = "advice", advice
    else:
        codes = (
            _broken(section, path, deployment, exact=asked.exact, layerwise=asked.layerwise)
            for section, path in asked.named
        )
        by = next(filter(None, codes), "")
        verdict, by = ("rule", by) if by else ("advice", advice) if advice else ("silent", "")
    return Row(asked.file, asked.line, asked.setting, verdict, by)


def _is_range(test: CmateNode) -> bool:
    return isinstance(test.parts[1], CmateNode) and test.parts[1].kind == "call"


def _resolved(path: str, assertion: Assertion, read: Cmate) -> Iterator[tuple[str, str]]:
    """Yield the file and the place in it of a path, or of the name that the file gives one."""
    bare = path.removeprefix("global::")
    found = []
    for each in read.assigned:
        for inner in paths(each.value) if each.name == bare else ():
            section, sign, place = inner.partition("::")
            if sign and section != "global":
                found.append((section, place))
    if found:
        yield from found
        return
    section, sign, place = bare.partition("::")
    if assertion.section in _MANIFESTS and not sign:
        place = _RATES.get(bare, bare)
        yield assertion.section, _ROLE.sub("", place)
    else:
        yield (section, place) if sign else (assertion.section, bare)


def _broken(section: str, path: str, deployment: Deployment, *, exact: bool, layerwise: bool) -> str:
    if section in _MANIFESTS:
        return deployment.told_in_manifest(_MANIFESTS[section], path)
    file = _FILES.get(section)
    if file is None:
        return ""
    surface, _, name = _option(section, path).partition(".")
    option = load().option(Surface(surface), name)
    return deployment.told(
        file,
        tuple(_keys(path)),
        _OF_TYPE.get(option.type or "") if option is not None else None,
        exact=exact,
        layerwise=layerwise and file in _LAYERWISE,
    )


def _keys(path: str) -> list[str | int]:
    return [int(key) if key.isdecimal() else key for key in re.findall(r"[^.\[\]]+", path)]


def _option(section: str, path: str) -> str:
    name = ".".join(str(key) for key in _keys(path) if isinstance(key, str))
    part, _, rest = name.partition(".")
    if section == "env" or (section in _MANIFESTS and "." not in name):
        return f"env.{name}"
    surface = PARTS.get(part)
    if surface is not None:
        return f"{surface.value}.{rest}"
    return f"{SURFACES[section].value}.{name}" if section in SURFACES else f"env.{name}"


@cache
def _advised() -> dict[str, str]:
    """Return a recipe by each setting that one has."""
    found: dict[str, str] = {}
    for name, facts in recipes(load()).items():
        for setting in facts["settings"]:
            found.setdefault(setting, name)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", type=Path)
    parser.add_argument("--motor", type=Path, required=True)
    parser.add_argument("--llm", type=Path, required=True)
    arguments = parser.parse_args()
    found: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="npu-lsp-prechecker-") as name:
        folder = Path(name) / "deploy"
        assemble(folder, arguments.motor, arguments.llm)
        deployment = Deployment(folder)
        for file in ("mindie.cmate", "vllm.cmate"):
            read = parse((arguments.presets / file).read_text(encoding="utf-8"))
            found += rows(file, read, deployment)
        for preset in sorted(arguments.presets.rglob("*.yaml")):
            found += preset_rows(preset, preset.relative_to(arguments.presets).as_posix(), deployment)
    lines = ["# What npu-lsp says of each assertion of msprechecker 0.4.0: see `prechecker.py`.", ""]
    for row in found:
        lines += [
            "[[assertions]]",
            f'file = "{row.file}"',
            f"line = {row.line}",
            f"setting = {json.dumps(row.setting)}",
        ]
        lines += [f'verdict = "{row.verdict}"', *([f"by = {json.dumps(row.by)}"] if row.by else ()), ""]
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
