"""Records what tools register by name besides variables: `python -m tests.authoring.registered KIND=CHECKOUT ... [--ref REF]`.

KIND is a key of `KINDS`, CHECKOUT a Git repository (a bare one will do), read at `--ref`. The names go to `tests/catalog/reads/registered/KIND.toml`; what is
new and gone since the last record is printed. A test holds each name against the catalog; `left_out` in the record says why it lacks one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Surface
from npu_lsp.text.toml import read

FOLDER = Path(__file__).parents[1] / "catalog" / "reads" / "registered"


class Kind(NamedTuple):
    """Where one tool registers names, and in which form."""

    below: str
    """The file or folder that is read."""
    pattern: str
    """Finds a name as its first group."""
    surface: Surface


KINDS = {
    "ge": Kind("inc/graph_metadef/external/ge_common/ge_common_api_types.h", r'"(ge\.[\w.]{1,99})"', Surface.GE),
    "atc": Kind("api/atc/atc_flags.cc", r"DEFINE_(?:string|int32|bool|int64)\(\s{0,99}(\w{1,99})", Surface.ATC),
    "torch": Kind(
        "torch_npu/csrc",
        r"(?m)^REGISTER_OPTION(?:_INIT_BY_ENV|_HOOK|_CACHE)?\((?:\w{1,40}, )?(?!bool\b|isJitDisable|isOpHookEnable)(\w{1,99})",
        Surface.TORCH_NPU,
    ),
    "torchair": Kind("python/torchair/configs", r"self\.([a-z_]{1,99}) = [A-Za-z]{0,40}Value\(", Surface.TORCHAIR),
    "mindie-llm": Kind(
        "src/config_manager", r'\{"(\w{1,99})",\s{0,99}"\w{1,20}",\s{0,9}(?:true|false)\}', Surface.MINDIE
    ),
}


def found(kind: Kind, text: str) -> list[str]:
    """Return the names that a source registers."""
    return sorted(set(re.findall(kind.pattern, text)))


def unknown(catalog: Catalog, kind: Kind, names: Sequence[str]) -> list[str]:
    """Return names that no option of the kind's surface has, as a whole or as a key of an object."""
    known: set[str] = set()
    for option in catalog.options(kind.surface):
        for name in (option.name, *option.aliases):
            known |= {name, name.lstrip("-"), name.rpartition(".")[2]}
    return [name for name in names if name not in known]


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (kind, its record)."""
    for path in sorted(FOLDER.glob("*.toml")):
        yield path.stem, read(path)


def _write(name: str, checkout: Path, ref: str) -> None:
    kind, path = KINDS[name], FOLDER / f"{name}.toml"
    known = read(path) if path.exists() else {}
    git = ["git", "-C", str(checkout)]
    commit = subprocess.run(
        [*git, "rev-parse", "--short=9", ref], capture_output=True, text=True, check=True
    ).stdout.strip()
    ran = subprocess.run([*git, "grep", "-h", "", commit, "--", kind.below], capture_output=True, check=True)
    names = found(kind, ran.stdout.decode("utf-8", "replace"))
    before = set(known.get("names", ()))
    for sign, changed in (("+", set(names) - before), ("-", before - set(names))):
        sys.stdout.writelines(f"{name}: {sign} {each}\n" for each in sorted(changed))
    told = [f"commit = {json.dumps(commit)}", f"below = {json.dumps(kind.below)}", "names = ["]
    told += [*(f"    {json.dumps(each)}," for each in names), "]", "", "[left_out]"]
    told += [f"{json.dumps(each)} = {json.dumps(why)}" for each, why in known.get("left_out", {}).items()]
    FOLDER.mkdir(exist_ok=True)
    path.write_text("\n".join(told) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the records that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.registered", description=__doc__)
    parser.add_argument("checkouts", nargs="+", metavar="KIND=CHECKOUT")
    parser.add_argument("--ref", default="HEAD")
    chosen = parser.parse_args(arguments)
    for each in chosen.checkouts:
        name, _, checkout = each.partition("=")
        _write(name, Path(checkout), chosen.ref)
    return 0


if __name__ == "__main__":
    sys.exit(main())
