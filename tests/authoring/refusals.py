"""Lists what vLLM-Ascend and vLLM refuse of a configuration, and what the inventory `refusals.toml` beside this file doesn't have yet.

`python -m tests.authoring.refusals CHECKOUT` reads every `raise` and `assert` of the modules that check a configuration, at each release
tag of a checkout (a bare one will do), and prints those that the inventory lacks and those that no release has; with `--all`, everything
that was found. `… FOLDER vllm` reads those of vLLM in a folder with its package, of the release that the inventory is of. The exit code is 1
where they differ.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from npu_lsp.text.toml import read
from tests.authoring.python_tree import code, parse, walk
from tests.authoring.releases import Releases

INVENTORY = Path(__file__).with_suffix(".toml")
_FILES = (
    "vllm_ascend/platform.py",
    "vllm_ascend/ascend_config.py",
    "vllm_ascend/utils.py",
    "vllm_ascend/envs.py",
    "vllm_ascend/core/schedule_config.py",
    "vllm_ascend/core/recompute_schedule_config.py",
    "vllm_ascend/device_allocator/camem.py",
    "vllm_ascend/worker/worker.py",
    "vllm_ascend/worker/worker_v1.py",
    "vllm_ascend/quantization/quant_config.py",
    "vllm_ascend/quantization/modelslim_config.py",
    "vllm_ascend/quantization/compressed_tensors_config.py",
    "vllm_ascend/patch/platform/patch_balance_schedule.py",
)
"""The modules that look at what the user set before the model runs."""
_PACKAGES = {"vllm": ("vllm/config/*.py", "vllm/engine/arg_utils.py", "vllm/entrypoints/openai/cli_args.py")}
"""The same of those that are read as a package, of one release."""
_BLANK = re.compile(r"\s+")


class Refusal(NamedTuple):
    """One statement that refuses, over all releases."""

    module: str
    text: str
    """What it says, with `{}` for what is filled in; its condition where it says nothing."""
    since: str
    last: str


def refusals(releases: Releases) -> Iterator[Refusal]:
    """Yield what the release tags refuse, in the order of modules and releases."""
    found: dict[tuple[str, str], list[str]] = {}
    for tag in releases.tags():
        for path in _FILES:
            for text in said(releases.text(tag, path) or ""):
                found.setdefault((path.rpartition("/")[2], text), []).append(tag)
    for (module, text), tags in found.items():
        yield Refusal(module, text, tags[0].lstrip("v"), tags[-1].lstrip("v"))


def of_package(folder: Path, package: str) -> Iterator[Refusal]:
    """Yield what the modules of a package refuse, in the order of their names."""
    for pattern in _PACKAGES[package]:
        for path in sorted(folder.glob(pattern)):
            for text in dict.fromkeys(said(path.read_text(encoding="utf-8"))):
                yield Refusal(path.name, text, package, package)


def said(module: str) -> Iterator[str]:
    """Yield what each `raise` and `assert` of a module says."""
    tree = parse(module)
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, cst.Assert):
            yield text_of(node.msg) or f"assert {_plain(code(node.test))}"
        elif isinstance(node, cst.Raise) and isinstance(node.exc, cst.Call):
            yield next((text for each in node.exc.args if (text := text_of(each.value))), _plain(code(node.exc)))


def text_of(node: cst.BaseExpression | None) -> str:
    """Return what a string says: of a formatted one, what stands around its values."""
    if isinstance(node, cst.ConcatenatedString):
        return _plain(text_of(node.left) + text_of(node.right))
    if isinstance(node, cst.FormattedString):
        parts = (each.value if isinstance(each, cst.FormattedStringText) else "{}" for each in node.parts)
        return _plain("".join(parts))
    if isinstance(node, cst.SimpleString):
        return _plain(str(node.evaluated_value))
    return ""


def _plain(text: str) -> str:
    return _BLANK.sub(" ", text)


def key_of(module: str, text: str, package: str = "") -> str:
    """Return what the inventory calls a refusal: what it says is another's sentence, and isn't kept."""
    return f"{package}{':' if package else ''}{module.removesuffix('.py')}-{sha256(text.encode()).hexdigest()[:8]}"


def kept(package: str = "") -> set[str]:
    """Return what the inventory has of a package; of vLLM-Ascend where none is named."""
    found = read(INVENTORY)
    told = {key for row in found["told"] for key in row["rows"]}
    every = told.union(*found["never"].values(), found["open"]["rows"])
    return {key for key in every if package == (key.partition(":")[0] if ":" in key else "")}


def main() -> int:
    """Print what differs between the inventory and a checkout."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("package", nargs="?", choices=_PACKAGES, help="what is read as a package")
    parser.add_argument("--all", action="store_true", help="print everything that was found")
    arguments = parser.parse_args()
    package: str = arguments.package or ""
    have = kept(package)
    every = of_package(arguments.checkout, package) if package else refusals(Releases(arguments.checkout))
    found = {key_of(each.module, each.text, package): each for each in every}
    for key, each in found.items():
        if arguments.all or key not in have:
            sys.stdout.write(f"{key}  {each.since} to {each.last}  {each.text}\n")
    gone = sorted(have - set(found))
    for key in gone:
        sys.stdout.write(f"{key}  is in no release\n")
    return int(bool(gone or set(found) - have))


if __name__ == "__main__":
    sys.exit(main())
