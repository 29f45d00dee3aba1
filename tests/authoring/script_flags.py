"""Renews `script_flags.toml`: what scripts of MindSpeed-LLM take that convert weights and data, by release.

`python -m tests.authoring.script_flags FOLDER`: a folder with a clone of `MindSpeed-LLM`, and with unpacked wheels of vLLM and SGLang
(`vllm-0.18.0/vllm`), whose benchmarks take what any of them takes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.files import DATA
from tests.authoring.parsers import Argument, git, of_text
from tests.authoring.parsers import read as arguments_of

_RELEASES = ("1.0.RC1", "1.0.RC2", "1.0.RC3", "1.0.0", "2.0.0", "2.1.0", "2.2.0", "2.3.0", "26.0.0", "26.1.0")
_NEXT = "master"
_PLUGINS = ("tools/checkpoint", "modellink/tasks/checkpoint", "mindspeed_llm/tasks/checkpoint")
_SCRIPTS = {
    "convert_ckpt.py": ("convert_ckpt.py", "mindspeed_llm/mindspore/convert_ckpt.py", *_PLUGINS),
    "convert_ckpt_v2.py": ("convert_ckpt_v2.py", "mindspeed_llm/mindspore/convert_ckpt_v2.py"),
    "preprocess_data.py": (
        *("preprocess_data.py", "tools/preprocess_data.py"),
        *("modellink/tasks/preprocess", "mindspeed_llm/tasks/preprocess"),
    ),
}
"""Where each reads its arguments; plugins add theirs to the parser of the first one."""
_BENCHES = {
    "vllm bench serve": ("vLLM", "", ("vllm/benchmarks/serve.py", "vllm/benchmarks/datasets*")),
    "vllm bench throughput": ("vLLM", "vllm", ("vllm/benchmarks/throughput.py", "vllm/benchmarks/datasets*")),
    "vllm bench latency": ("vLLM", "vllm", ("vllm/benchmarks/latency.py",)),
    "sglang.bench_serving": ("SGLang", "", ("sglang/bench_serving.py", "sglang/benchmark/serving.py")),
    "sglang.bench_one_batch": ("SGLang", "sglang", ("sglang/bench_one_batch.py", "sglang/benchmark/one_batch.py")),
    "sglang.bench_offline_throughput": (
        *("SGLang", "sglang"),
        ("sglang/bench_offline_throughput.py", "sglang/benchmark/offline_throughput.py"),
    ),
}
"""What measures an engine: whose it is, the surface whose options it takes as well, and where its arguments are read."""
_KEPT = "# Of the wheels sglang-router"
"""What is kept by hand begins so."""
_HEAD = """\
# Arguments of scripts whose parsers are not those of training, by release; made by `python -m tests.authoring.script_flags`.
# `first` and `last` are releases of MindSpeed-LLM; without `last` the newest one has it, too. `lenient`: the last release that goes on
# at an argument that it doesn't know. `closed`: the first release since which nothing but the choices is taken. `number`: it is turned into one. `owner`: whose it is, where
# that is another one; `engine`: the surface whose options it takes, too.
"""


class _Life(NamedTuple):
    """In which releases something is there."""

    first: str
    last: str


def main(arguments: Sequence[str]) -> int:
    """Write the file."""
    folder = Path(arguments[0]) / "MindSpeed-LLM"
    lines = [_HEAD]
    for script, below in _SCRIPTS.items():
        seen: dict[str, dict[str, list[Argument]]] = {}
        for release in (*_RELEASES, _NEXT):
            for each in arguments_of(folder, release, below):
                for name in each.names:
                    if name.startswith("--"):
                        seen.setdefault(name[2:], {}).setdefault(release, []).append(each)
        passing = [release for release in _RELEASES if _passes_over(folder, release, below[0])]
        lines += [f'["{script}"]', *([f'lenient = "{passing[-1]}"'] if passing else []), ""]
        lines += [f'["{script}".flags]', *(_row(name, having) for name, having in sorted(seen.items())), ""]
    for bench, (owner, engine, paths) in _BENCHES.items():
        taken = _of_wheels(Path(arguments[0]), paths)
        lines += [f'["{bench}"]', f'owner = "{owner}"', *([f'engine = "{engine}"'] if engine else []), ""]
        lines += [f'["{bench}".flags]', *(_plain_row(name, found) for name, found in sorted(taken.items())), ""]
    path = DATA / "script_flags.toml"
    kept = path.read_text(encoding="utf-8").partition(_KEPT)
    path.write_text("\n".join(lines) + "".join(kept[1:]), encoding="utf-8")
    return 0


def _of_wheels(folder: Path, paths: Sequence[str]) -> Mapping[str, list[Argument]]:
    """Return what a benchmark takes in any of the releases whose wheels are unpacked, by its flags."""
    taken: dict[str, list[Argument]] = {}
    for pattern in paths:
        for path in sorted(folder.glob(f"*-*/{pattern}")):
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                for each in of_text(file.read_text(encoding="utf-8")):
                    for name in each.names:
                        if name.startswith("--"):
                            taken.setdefault(name[2:], []).append(each)
    return taken


def _plain_row(name: str, found: Sequence[Argument]) -> str:
    parts = ["takes = true"] if all(each.nargs not in ("0", "?", "*") and not each.open for each in found) else []
    parts += ["number = true"] if all(each.kind in ("int", "float") and each.nargs is None for each in found) else []
    values = dict.fromkeys(str(value) for each in found for value in each.choices) if _is_closed(found) else ()
    told = ", ".join(f'"{value}" = {{}}' for value in values)
    parts += [f"choices = {{ {told} }}"] if values else []
    return f'"{name}" = {{ {", ".join(parts)} }}'.replace("{  }", "{}")


def _passes_over(folder: Path, release: str, path: str) -> bool:
    """Return whether a script goes on at an argument that it doesn't know."""
    return "\n    args, _ = parser.parse_known_args()" in git(folder, "show", f"{release}:{path}")


def _row(name: str, having: Mapping[str, Sequence[Argument]]) -> str:
    parts = list(_life(_Life(*_ends(having))))
    newest = having[list(having)[-1]]
    if all(each.nargs not in ("0", "?", "*") and not each.open for each in newest):
        parts.append("takes = true")
    if all(each.kind in ("int", "float") and each.nargs is None for found in having.values() for each in found):
        parts.append("number = true")
    closed = list(having)
    while closed and not all(_is_closed(having[release]) for release in closed):
        del closed[0]
    if closed:
        by_value: dict[str, list[str]] = {}
        for release in closed:
            found = having[release]
            for value in dict.fromkeys(str(value) for each in found for value in each.choices):
                by_value.setdefault(value, []).append(release)
        told = (f'"{value}" = {{ {", ".join(_life(_Life(*_ends(where))))} }}' for value, where in by_value.items())
        parts.append(f"choices = {{ {', '.join(told)} }}")
        parts += [f'closed = "{closed[0]}"'] if closed[0] != next(iter(having)) else []
    return f'"{name}" = {{ {", ".join(parts)} }}'


def _is_closed(found: Sequence[Argument]) -> bool:
    return all(each.choices and not each.open for each in found)


def _ends(releases: Mapping[str, object] | Sequence[str]) -> tuple[str, str]:
    """Return the first and the last release; `-` for one that comes, and where it is still there in the newest one."""
    names = [release for release in releases if release != _NEXT]
    if not names:
        return "-", "-"
    return names[0], "-" if names[-1] == _RELEASES[-1] or _NEXT in releases else names[-1]


def _life(life: _Life) -> Iterator[str]:
    if life.first != "-":
        yield f'first = "{life.first}"'
    else:
        yield "coming = true"
    if life.last != "-":
        yield f'last = "{life.last}"'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
