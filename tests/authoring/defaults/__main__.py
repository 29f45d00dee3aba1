"""The command: reads, compares, prints, keeps."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import tests.authoring.defaults as about
from npu_lsp.catalog.load import load
from tests.authoring.defaults import atc, mindie, mindspeed, tensorflow, torch_npu, torchair, vllm_ascend
from tests.authoring.defaults.compare import missing, unproven
from tests.authoring.defaults.history import Defaults, History, histories
from tests.authoring.defaults.kept import Kept, keep
from tests.authoring.releases import Releases

READERS: Mapping[str, Callable[[Releases], Iterator[tuple[str, Defaults]]]] = {
    "ge": atc.read,
    "tf": tensorflow.read,
    "torch": torch_npu.read,
    "torchair": torchair.read,
    "vllm-ascend": vllm_ascend.read,
    "mindspeed": mindspeed.read,
    "mindie-llm": mindie.read,
}
"""By the keys of `data/sources.toml`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.defaults", description=about.__doc__)
    parser.add_argument(
        "checkouts",
        nargs="+",
        type=_checkout,
        metavar="SOURCE=CHECKOUT",
        help=f"one of {', '.join(READERS)}; the same source may have several, such as its older repository first",
    )
    parser.add_argument("--all", action="store_true", help="print the defaults of every option, and compare nothing")
    parser.add_argument("--store", type=Path, metavar="FILE", help="keep what was read of all these sources")
    chosen = parser.parse_args(arguments)
    kept: list[Kept] = []
    for source in dict.fromkeys(source for source, _ in chosen.checkouts):
        folders = [folder for each, folder in chosen.checkouts if each == source]
        versions = [each for folder in folders for each in READERS[source](Releases(folder))]
        known = [each for each in histories(versions) if load().option(each.surface, each.name) is not None]
        kept.append(Kept(source, tuple(dict.fromkeys(version for version, _ in versions)), known))
    if chosen.store is not None:
        chosen.store.write_text(keep(kept), encoding="utf-8", newline="\n")
    lines = [line for each in kept for line in (_all(each.histories) if chosen.all else _differences(each.histories))]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines and not chosen.all else 0


def _checkout(text: str) -> tuple[str, Path]:
    source, equals, folder = text.partition("=")
    if source not in READERS or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} isn't SOURCE=CHECKOUT")
    return source, Path(folder)


def _all(found: Sequence[History]) -> Iterator[str]:
    for each in found:
        yield f"{each.surface.value} {each.name}: {', '.join(f'{run.version}: {run.default}' for run in each.runs)}"


def _differences(found: Sequence[History]) -> Iterator[str]:
    catalog = load()
    for each in found:
        option = catalog.option(each.surface, each.name)
        if option is not None:
            for old, new in missing(each, option):
                yield f"{each.surface.value} {each.name}: {old.default} until {new.version}, then {new.default}"
            for change in unproven(each, option):
                yield f"{each.surface.value} {each.name}: no version shows {change.default} since {change.version}"


if __name__ == "__main__":
    sys.exit(main())
