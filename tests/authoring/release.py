"""Renews what is recorded of a component, and shows what a release of it changes: `python -m tests.authoring.release FOLDER [NAME ...]`.

FOLDER holds the sources: Git repositories as `OWNER+NAME/repo` or `OWNER+NAME`, bare ones as well, and packages as `NAME-VERSION`. With `--fetch` the
newest package of each named component that has one is brought there first, by pip, and the repository of any other, from GitHub or from the folder of
mirrors that `--from` names. With `--before RELEASE` it is compared with that release instead of with the record, and what the catalog doesn't tell of the
change is printed, too (!): since when an option is there, that it is gone, its new default. Read are the variables, what is registered by name, and what is declared
with a type: arguments, fields, flags, keys. Printed is what is new (+), gone (-) and changed in type, default or choices (~), and last what the catalog
lacks and nobody has decided. With `--write` the records below `tests/catalog/reads` are renewed: with them the tests fail until each name is in
the catalog, or in `decided.toml` or a record's `left_out` with a reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read
from tests.authoring import reads, registered
from tests.authoring.declared import FORMS, Fact
from tests.authoring.releases import Releases

FOLDER = reads.FOLDER / "declared"


class Declared(NamedTuple):
    """Where a component declares names, and where the catalog has them."""

    form: str
    below: tuple[str, ...]
    surfaces: tuple[Surface, ...] = ()
    """None: no surface has them, the record says why."""


_REPOSITORIES = {"lmcache-ascend": "LMCache/LMCache-Ascend", "xllm": "jd-opensource/xllm", "verl": "verl-project/verl"}
"""Those that are no source of the catalog."""
_PACKAGES = {
    "torch-package": "torch-npu",
    "vllm-ascend": "vllm-ascend",
    "vllm": "vllm",
    "sglang": "sglang",
    "verl": "verl",
    "mindspore": "mindspore",
}
DECLARED = {
    "mindspeed": Declared("arguments", ("mindspeed",), (Surface.MINDSPEED,)),
    "mindspeed-llm": Declared("arguments", ("mindspeed_llm",), (Surface.MINDSPEED,)),
    "mindspeed-mm": Declared("arguments", ("mindspeed_mm",), (Surface.MINDSPEED,)),
    "vllm": Declared("fields", ("vllm/engine/arg_utils.py",), (Surface.VLLM_ARGS, Surface.VLLM)),
    "vllm-ascend": Declared("fields", ("vllm_ascend/ascend_config.py",), (Surface.ADDITIONAL_CONFIG,)),
    "sglang": Declared("fields", ("sglang/srt/arg_groups/fields",), (Surface.SGLANG_ARGS, Surface.SGLANG)),
    "mindspore": Declared(
        "keys",
        ("mindspore/context.py", "mindspore/parallel"),
        (Surface.MINDSPORE, Surface.MINDSPORE_PARALLEL, Surface.MINDSPORE_DEVICE, Surface.MINDSPORE_ASCEND),
    ),
    "mindie-motor": Declared("checked keys", ("mindie_motor/src",), (Surface.MS_CONTROLLER, Surface.MS_COORDINATOR)),
    "mind-cluster": Declared("go flags", ("component",)),
    "mooncake": Declared("gflags", ("mooncake-store", "mooncake-transfer-engine")),
    "xllm": Declared("gflags", ("xllm",)),
    "triton-ascend": Declared("fields", ("third_party/ascend/backend",)),
    "omni-infer": Declared("arguments", ("omni", "infer_engines", "tools")),
    "verl": Declared("fields", ("verl/workers/config", "verl/trainer/config"), (Surface.VERL,)),
    "mindformers": Declared("arguments", ("mindformers", "run_mindformer.py")),
}


_RELEASE = re.compile(r"v?(\d{1,4}(?:\.\d{1,4}){1,3}(?:[.-]?(?:rc|RC|post|beta|alpha)[.-]?\d{1,3})?)(?:_core_.{1,40})?")
"""A branch or tag that is a release, with what MindSpeed's say of Megatron."""


class Record(NamedTuple):
    """What one component declares at one release."""

    name: str
    release: str
    commit: str
    names: Mapping[str, Fact]
    left_out: Sequence[Mapping[str, Any]] = ()
    """Each with a reason, and with names, or with the start of paths, or with neither: all."""


def records() -> Iterator[Record]:
    """Yield what is recorded."""
    for path in sorted(FOLDER.glob("*.toml")):
        told = read(path)
        names = {name: Fact(*fact) for name, fact in told["names"].items()}
        yield Record(path.stem, told["release"], told.get("commit", ""), names, told.get("left_out", ()))


def open_rows(catalog: Catalog, record: Record) -> list[str]:
    """Return the names that the catalog lacks and no decision covers."""
    known = _known(catalog, DECLARED[record.name].surfaces)
    return [
        name
        for name, fact in record.names.items()
        if _plain(name) not in known and not any(_covers(each, name, fact.path) for each in record.left_out)
    ]


def _known(catalog: Catalog, surfaces: Sequence[Surface]) -> set[str]:
    found = {
        _plain(name)
        for surface in surfaces
        for option in catalog.options(surface)
        for name in (option.name, *option.aliases)
    }
    found |= {name.rpartition(".")[2] for name in found}
    if Surface.MINDSPEED in surfaces:
        others = catalog.plain("other_flags")["mindspeed"]
        found |= {_plain(name) for key in ("flags", "fields") for name in others[key]}
    return found


def _plain(name: str) -> str:
    return name.lstrip("-").replace("-", "_")


def _covers(decision: Mapping[str, Any], name: str, path: str) -> bool:
    if "names" not in decision and "paths" not in decision:
        return True
    return name in decision.get("names", ()) or path.startswith(tuple(decision.get("paths", ())))


def declared(form: str, checkout: Path, ref: str, below: Sequence[str]) -> tuple[str, dict[str, Fact]]:
    """Return the commit, and each name with what its first declaration says."""
    commit, files = reads.files_of(checkout, ref, below)
    suffixes, reader = FORMS[form]
    found: dict[str, Fact] = {}
    for path, text in sorted(files):
        if path.endswith(tuple(suffixes.split())):
            for name, fact in reader(path, text):
                found.setdefault(name, fact)
    return commit, dict(sorted(found.items()))


def changes(before: Mapping[str, Fact], after: Mapping[str, Fact]) -> Iterator[str]:
    """Yield a line for each name that is new, gone, or declared otherwise."""
    yield from (f"+ {name}: {_said(after[name])}" for name in sorted(after.keys() - before.keys()))
    yield from (f"- {name}" for name in sorted(before.keys() - after.keys()))
    for name in sorted(after.keys() & before.keys()):
        for what, old, new in zip(Fact._fields[:3], before[name], after[name], strict=False):
            if old != new:
                yield f"~ {name}: {what} {old or '-'} -> {new or '-'}"


def _said(fact: Fact) -> str:
    return ", ".join(f"{what} {told}" for what, told in zip(Fact._fields, fact, strict=True) if told)


def untold(options: Mapping[str, Option], before: Record, after: Record) -> Iterator[str]:
    """Yield what the catalog doesn't tell of the way from one release to the next: when an option came, that it went, its default."""
    for name in sorted(before.names.keys() | after.names.keys()):
        option = options.get(_plain(name))
        if option is None:
            continue  # It is open, or left out.
        since = option.since or option.seen
        if name not in before.names and since is not None and not _within(since, before, after):
            yield f"! {name}: came with {after.release}, and the catalog says {since}"
        elif name not in after.names and option.removed is None:
            yield f"! {name}: gone in {after.release}, and the catalog has it"
        elif name in after.names and option.removed is None and option.nargs != "0" and option.type != "none":
            told, default = _literal(after.names[name].default), option.default
            if told is not None and default is not None and str(told) != str(getattr(default, "value", default)):
                yield f"! {name}: default {told}, and the catalog says {default}"


def _within(since: str, before: Record, after: Record) -> bool:
    return Version.parse(before.release) < Version.parse(since) <= Version.parse(after.release)


def _literal(written: str) -> object:
    try:
        return ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return written if written.isidentifier() else None


def written(record: Record, below: Sequence[str], form: str) -> str:
    """Return a record as its file has it."""
    lines = [f"release = {json.dumps(record.release)}"]
    lines += [f"commit = {json.dumps(record.commit)}"] if record.commit else []
    lines += [f"form = {json.dumps(form)}", f"below = {json.dumps(list(below))}", "", "[names]"]
    lines += [
        f"{json.dumps(name)} = {json.dumps(list(fact), ensure_ascii=False)}" for name, fact in record.names.items()
    ]
    for each in record.left_out:
        lines += ["", "[[left_out]]", f"reason = {json.dumps(each['reason'])}"]
        lines += [f"{key} = {json.dumps(each[key])}" for key in ("names", "paths") if key in each]
    return "\n".join([*lines, ""])


def source(folder: Path, name: str) -> tuple[Path, str, str] | None:
    """Return where the sources of a component lie, its release and the commit or tag: the newest package, else the repository."""
    package = _PACKAGES.get(name)
    found = [
        (Version.parse(version), path)
        for path in folder.glob(f"{package}-[0-9]*")
        if package is not None and (version := path.name.removeprefix(f"{package}-")) and path.is_dir()
    ]
    if found:
        path = max(found)[1]
        return path, path.name.removeprefix(f"{package}-"), "HEAD"
    owned = _repository(name).replace("/", "+")
    for path in (folder / owned / "repo", folder / owned):
        if owned and _is_repository(path):
            found_tags = [match[1] for each in Releases(path).refs() if (match := _RELEASE.fullmatch(each))]
            return path, max(found_tags, key=Version.parse, default="HEAD"), "HEAD"
    return None


def fetch(folder: Path, name: str, base: str, release: str | None = None) -> None:
    """Bring a component: its package, by pip, unpacked as `NAME-VERSION` (a release without a wheel is left), or its repository, from `base`."""
    package = _PACKAGES.get(name)
    if package is None:
        _clone(folder, name, base)
        return
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--pre", "--only-binary", ":all:"]
    subprocess.run(
        [*command, "--dest", str(wheels), f"{package}=={release}" if release else package],
        check=False,
    )
    for wheel in wheels.glob(f"{package.replace('-', '_')}-*.whl"):
        version = wheel.name.split("-")[1]
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(
                folder / f"{package}-{version}", [each for each in archive.namelist() if each.endswith(".py")]
            )
        wheel.unlink()


def _clone(folder: Path, name: str, base: str) -> None:
    """Bring a repository, or what is new of it; `base` is an address, or a folder with mirrors."""
    owner = _repository(name)
    there = folder / owner.replace("/", "+")
    if there.exists():
        subprocess.run(["git", "-C", str(there), "fetch", "--quiet", "--tags", "--prune", "origin"], check=False)
    elif owner:
        mirrors = (Path(base) / owner.replace("/", "+") / "repo", Path(base) / owner.replace("/", "+"))
        known = next((str(each) for each in mirrors if each.exists()), f"{base}/{owner}")
        subprocess.run(["git", "clone", "--quiet", "--mirror", known, str(there)], check=False)


def _repository(name: str) -> str:
    known: str = load().plain("sources").get(name, {}).get("repository", "")
    return _REPOSITORIES.get(name) or known.removeprefix("https://github.com/")


def renew(folder: Path, name: str, *, write: bool, since: str | None = None) -> bool:
    """Read a component again and print what changed, since a release or since the record; say whether it is there."""
    began = time.monotonic()
    where = source(folder, name)
    if where is None:
        sys.stdout.write(f"{name}: no sources in {folder}\n")
        return False
    checkout, release, ref = where
    lines: list[str] = []
    known = next((each for each in reads.extracts() if each.source == name), None)
    if known is not None:
        found = reads.read_again(known, checkout, release, ref)
        found = found._replace(unread=reads.later(found.component, release))
        lines += [
            f"+ variable {each} ({found.names[each]})" for each in sorted(found.names.keys() - known.names.keys())
        ]
        lines += [f"- variable {each}" for each in sorted(known.names.keys() - found.names.keys())]
        if write:
            (reads.FOLDER / f"{name}.toml").write_text(reads.written(found), "utf-8")
    if name in registered.KINDS and write and (checkout / "HEAD").exists():
        registered.main([f"{name}={checkout}", "--ref", ref])
    row = DECLARED.get(name)
    if row is not None:
        before = next((each for each in records() if each.name == name), Record(name, "", "", {}))
        below = tuple(each.removeprefix("python/") for each in row.below)
        commit, names = declared(row.form, checkout, ref, below)
        if since is not None:
            older = checkout if _is_repository(checkout) else checkout.with_name(f"{_PACKAGES[name]}-{since}")
            before = before._replace(release=_release(since), names=declared(row.form, older, since, below)[1])
        lines += list(changes(before.names, names))
        after = before._replace(release=release, commit=commit, names=names)
        lines += [f"open: {each} ({names[each].path})" for each in open_rows(load(), after)]
        lines += untold(options_of(load(), row.surfaces), before, after) if since is not None else ()
        if write:
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.toml").write_text(written(after, row.below, row.form), "utf-8")
    sys.stdout.writelines(f"{name}: {line}\n" for line in lines)
    sys.stdout.write(f"{name}: {release}, {len(lines)} lines, {time.monotonic() - began:.1f} s\n")
    return True


def _is_repository(path: Path) -> bool:
    return (path / "HEAD").is_file() or (path / ".git").exists()


def _release(ref: str) -> str:
    found = _RELEASE.fullmatch(ref)
    return found[1] if found is not None else ref


def options_of(catalog: Catalog, surfaces: Sequence[Surface]) -> Mapping[str, Option]:
    """Return the options by the names that a program declares: of a key in a group, the last part."""
    found: dict[str, Option] = {}
    for surface in surfaces:
        for option in catalog.options(surface):
            for name in (option.name, *option.aliases):
                found.setdefault(_plain(name), option)
                found.setdefault(_plain(name).rpartition(".")[2], option)
    return found


def names() -> list[str]:
    """Return the components that have a record or a row."""
    return sorted({each.source for each in reads.extracts()} | set(registered.KINDS) | set(DECLARED))


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the components that were asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="components; none: all")
    parser.add_argument("--fetch", action="store_true", help="bring the newest packages and repositories first")
    parser.add_argument(
        "--from", dest="base", default="https://github.com", help="where repositories are: an address or a folder"
    )
    parser.add_argument("--before", help="the release, or tag, that is compared with, instead of the record")
    parser.add_argument("--write", action="store_true", help="renew the records")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.names) - set(names()):
        parser.error(f"no component is called {', '.join(sorted(unknown))}: {', '.join(names())}")
    lacking = 0
    for name in chosen.names or names():
        for release in (chosen.before, None) if chosen.fetch and name in _PACKAGES else (None,) * chosen.fetch:
            fetch(chosen.folder, name, chosen.base, release)
        lacking += not renew(chosen.folder, name, write=chosen.write, since=chosen.before)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
