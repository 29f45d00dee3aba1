"""How many slips in a deployment of MindIE are told: by us, and by `msprechecker`, on the same files.

`python -m tests.benchmarks.deployment --motor CHECKOUT --llm CHECKOUT [--peer PROGRAM]` puts each slip of `deployment_slips.toml` by
itself into a copy of what the checkouts of MindIE-Motor and MindIE-LLM have, and tells which ones are seen.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from npu_lsp.checking.progress import Progress
from npu_lsp.checking.run import Plan, run
from npu_lsp.config.discover import Discovery
from npu_lsp.linter.severity import Severity
from npu_lsp.text.toml import read

_SLIPS = Path(__file__).with_name("deployment_slips.toml")
_SCRIPTS = "mindie_motor/src/example/deploy_scripts"
_BESIDE = ("ms_controller.json", "ms_coordinator.json", "node_manager.json")
_READ = frozenset({".json", ".yaml", ".sh"})
_SEEN = frozenset({Severity.ERROR, Severity.WARNING})
_EP = ("-c", "user_config:user_config.json", "mindie_env:conf/mindie_env.json", "-C", "deploy_mode:ep")
_MS = ("ms_config:conf/config.json", "ms_controller:conf/ms_controller.json", "ms_coordinator:conf/ms_coordinator.json")
_ALONE, _APART = "pd_disaggregation_single_container", "pd_disaggregation"
_FILES = {
    name: f"{name}:deployment/{name}.yaml"
    for name in ("mindie_server", "mindie_ms_coordinator", "mindie_ms_controller", "mindie_service_single_container")
}
_BASE = "mindie_service_single_container_base_A3"
_EP_A3 = ("-c", "user_config:user_config_base_A3.json", "mindie_env:conf/mindie_env_a3.json", "-C", "deploy_mode:ep")
_SCENES = (
    (*_EP_A3, "npu_type:A3", "arch:arm", "model_type:deepseek"),
    (*_EP, "npu_type:A2", "arch:arm", "model_type:deepseek"),
    ("-c", *_MS, _FILES.pop("mindie_service_single_container"), "-C", f"deploy_mode:{_ALONE}", "npu_type:A2"),
    ("-c", *_MS, f"{_BASE}:deployment/{_BASE}.yaml", "-C", f"deploy_mode:{_ALONE}", "npu_type:A3"),
    ("-c", *_MS, *_FILES.values(), "-C", f"deploy_mode:{_APART}", "npu_type:A2"),
)
"""What the peer must be told before it looks; we find it out."""
_FAILED = re.compile(r"^_+ \S*(Test-\S+) _+\n(.*?)(?=^_{5}|^={5}|\Z)", re.MULTILINE | re.DOTALL)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Slip(NamedTuple):
    """One slip, in one file."""

    file: str
    kind: str
    was: str
    now: str
    at: int = 1

    def put_into(self, text: str) -> str:
        """Return the text with the slip in it. Raises `ValueError` where what it changes isn't there."""
        start = -1
        for _ in range(self.at):
            start = text.index(self.was, start + 1)
        return text[:start] + self.now + text[start + len(self.was) :]


def slips() -> Iterator[Slip]:
    """Yield the slips, file after file."""
    for file, table in read(_SLIPS).items():
        for row in table["slips"]:
            kind, was, now, *at = row
            yield Slip(file, kind, was.replace("\\n", "\n"), now.replace("\\n", "\n"), *at)


def assemble(folder: Path, motor: Path, llm: Path | None) -> None:
    """Put a deployment into `folder`: the scripts as they are, and the configurations that people copy beside them."""
    shutil.copytree(motor / _SCRIPTS, folder)
    for name in _BESIDE:
        shutil.copy(motor / "mindie_motor/src/config" / name, folder / "conf")
    if llm is not None:
        shutil.copy(llm / "src/server/conf/config.json", folder / "conf")


def ours(folder: Path) -> Counter[str]:
    """Return what we say of a folder, without places."""
    paths = sorted(str(path) for path in folder.rglob("*") if path.suffix in _READ)
    outcome = run(Plan(paths, str(folder), cache=False), Discovery(), Progress(None))
    return Counter(f"{each.path} {each.code} {each.message}" for each in outcome.entries if each.severity in _SEEN)


def theirs(peer: str, folder: Path) -> Counter[str]:
    """Return what the peer says of a folder, in each scene that its rules know."""
    said: Counter[str] = Counter()
    program = Path(peer).resolve()
    rules = next(program.parent.parent.glob("lib/python3*/site-packages/msprechecker/presets/mindie.cmate"))
    for scene in _SCENES:
        command = (str(program), "run", str(rules), *scene)
        done = subprocess.run(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        plain = _COLOURS.sub("", done.stdout)
        found = _FAILED.findall(plain)
        said.update(f"{name} {' '.join(what.split())}" for name, what in found)
        if not found and " passed" not in plain:
            said[plain[-200:]] += 1
    return said


def main() -> None:
    """Put the slips in one by one, and print who tells them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--motor", type=Path, required=True, help="a checkout of MindIE-Motor")
    parser.add_argument("--llm", type=Path, required=True, help="a checkout of MindIE-LLM")
    parser.add_argument("--peer", help="the program msprechecker")
    parser.add_argument("--silent", action="store_true", help="list the slips that nobody of ours tells")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="npu-lsp-deployment-") as name:
        folder = Path(name) / "deploy"
        assemble(folder, arguments.motor, arguments.llm)
        checkers = {"npu-lsp": ours}
        if arguments.peer:
            checkers["msprechecker"] = partial(theirs, arguments.peer)
        for who, told in _told(folder, checkers).items():
            _print(who, told, arguments.silent and who == "npu-lsp")


def _told(folder: Path, checkers: Mapping[str, object]) -> dict[str, dict[Slip, bool]]:
    told: dict[str, dict[Slip, bool]] = {}
    for who, check in checkers.items():
        assert callable(check)
        begin = time.perf_counter()
        before = check(folder)
        print(f"{who}: {sum(before.values())} said of the original, {time.perf_counter() - begin:.2f} s")
        for each in slips():
            path = folder / each.file
            text = path.read_text(encoding="utf-8")
            path.write_text(each.put_into(text), encoding="utf-8")
            told.setdefault(who, {})[each] = bool(check(folder) - before)
            path.write_text(text, encoding="utf-8")
    return told


def _print(who: str, told: Mapping[Slip, bool], silent: bool) -> None:
    print(f"\n{who}: {sum(told.values())} of {len(told)}")
    for file in dict.fromkeys(each.file for each in told):
        here = [seen for each, seen in told.items() if each.file == file]
        print(f"  {file}: {sum(here)} of {len(here)}")
    for each, seen in told.items():
        if silent and not seen:
            print(f"  silent: {each.file}: {each.kind}: {each.was!r} -> {each.now!r} ({each.at})")


if __name__ == "__main__":
    main()
