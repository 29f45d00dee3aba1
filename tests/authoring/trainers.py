"""Renews the tables of ms-swift, LLaMA-Factory and verl in `other_flags.toml`: every name that a release of theirs takes.

`python -m tests.authoring.trainers FOLDER`: a folder with clones of `ms-swift`, `LlamaFactory`, `verl`, `Megatron-LM` and `ROLL`, whose
`mcore_adapter` LLaMA-Factory may train with, and with wheels of `transformers` and `trl`, whose settings the first two inherit.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import yaml

from tests.authoring.parsers import git, listed, write_others

_FIELD = re.compile(r"^ {4}([a-z][a-z0-9_]*)[ ]*:(?!:)[ ]*([^=\n#]*)", re.MULTILINE)
"""A field of a dataclass; what an older release calls otherwise is a name, too."""
_MEGATRON = ("megatron/core/transformer/*config*.py", "megatron/core/model_parallel_config.py")
_SWIFT = ("swift/**/*arg*.py", "swift/llm/argument/**", "swift/megatron/**/*arg*.py")
_FACTORY = ("src/llmtuner/hparams/*.py", "src/llamafactory/hparams/*.py", "src/llamafactory/v1/config/*.py")
_ADAPTER = ("mcore_adapter/src/mcore_adapter/*args.py",)
_PARSERS = {
    "ms-swift": (
        *("swift/arguments", "swift/arguments/base_args", "swift/megatron/arguments", "swift/rlhf_trainers"),
        *("swift/llm/argument", "swift/llm/argument/base_args", "swift/megatron/argument", "swift/trainers"),
    ),
    "LlamaFactory": ("src/llamafactory/hparams", "src/llmtuner/hparams"),
    "verl": (
        "verl/trainer/config",
        *(
            f"verl/trainer/config/{group}"
            for group in ("actor", "algorithm", "critic", "data", "distillation", "engine", "model")
        ),
        *(
            f"verl/trainer/config/{group}"
            for group in ("optim", "profiler", "ref", "reward", "reward_model", "rollout")
        ),
    ),
}
"""Where a fork has what its own parsers take."""
_OLDEST = {"ms-swift": "v2.0.0", "LlamaFactory": "v0.5.0", "Megatron-LM": "core_v0.10.0", "verl": "v0.2"}
_MAIN = re.compile(r"/(?:_generated_)?ppo_\w*trainer\.yaml\Z")
_LITERAL = re.compile(
    r"(?:Optional\[)?Literal\[((?:[ \n]*(?:[\"'][^\"'\n]*[\"']|None),?)+)[ \n]*\]\]?(?:[ ]*\|[ ]*None)?"
)
"""The words that a field may have, and nothing else."""
_STARTED = re.compile(r"^ {4}([a-z][a-z0-9_]*)[ ]*:(?!:)[ ]*", re.MULTILINE)
_ENUM = re.compile(r"^class (\w+)\((?:str, Enum|StrEnum|ExplicitEnum)\):\n((?:(?:[ ]+.*)?\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"^ {4}[A-Z]\w*[ ]*=[ ]*\(?[\"']([^\"'\n]*)[\"']", re.MULTILINE)
_ONE_OF = re.compile(r"(?:Optional\[)?(?:Union\[)?(\w+)(?:, str|[ ]*\|[ ]*str)?(?:\]|[ ]*\|[ ]*None)*[ ]*\Z")
"""The class of an enumeration; a text is looked up in it."""
_TEMPLATE = re.compile(r"name=\"([\w.-]+)\"")
_NUMBER = re.compile(r"(?:Optional\[)?(?:int|float)\]?(?: \| None)?[ ]*\Z")
_WHEELS = re.compile(r"(?:transformers/training_args\w*\.py|trl/.*config\w*\.py)\Z")
_WITH_ENUMS = re.compile(r"transformers/(?:training_args|trainer_utils)\.py\Z")


def main(arguments: Sequence[str]) -> int:
    """Write the tables."""
    folder = Path(arguments[0])
    shared = {field for wheel in folder.glob("*.whl") for field in _of_wheel(wheel)}
    enums = _enums(text for wheel in folder.glob("transformers-*.whl") for text in _texts(wheel, _WITH_ENUMS))
    # The settings of transformers look these up, whatever the program around them says of their type.
    looked_up = {name: enums[one[1]] for name, said in shared if (one := _ONE_OF.match(said)) and one[1] in enums}
    megatron = set(_fields(folder / "Megatron-LM", _MEGATRON))
    swift = set(_fields(folder / "ms-swift", _SWIFT)) | megatron | shared | {("config", "str")}
    adapter = set(_FIELD.findall(git(folder / "ROLL", "show", f"HEAD:{_ADAPTER[0].replace('*', 'training_')}")))
    factory = set(_fields(folder / "LlamaFactory", _FACTORY)) | shared | megatron | adapter
    write_others(
        "swift",
        [
            *_table("modelscope/ms-swift/blob/v4.5.2/swift/arguments/sft_args.py", swift),
            *_choices("swift", folder / "ms-swift", _SWIFT, shared | megatron, looked_up),
        ],
    )
    write_others(
        "llamafactory",
        [
            *_table("hiyouga/LlamaFactory/blob/v0.9.5/src/llamafactory/hparams/parser.py", factory),
            *_choices(
                "llamafactory",
                folder / "LlamaFactory",
                _FACTORY,
                shared | adapter,
                {"template": _templates(folder / "LlamaFactory"), **looked_up},
            ),
        ],
    )
    keys = _keys(folder / "verl")
    write_others(
        "verl",
        _table(
            "verl-project/verl/blob/v0.9.0/verl/trainer/config/ppo_trainer.yaml",
            {(key, "") for keys_of_one in keys.values() for key in keys_of_one},
        ),
    )
    inherited = {name for name, _ in shared | megatron | adapter}
    _write_lives("swift", _by_release(folder / "ms-swift", _SWIFT), inherited)
    _write_lives("llamafactory", _by_release(folder / "LlamaFactory", _FACTORY), inherited)
    _write_lives("verl", {ref: found for ref, found in keys.items() if ref != "HEAD" and "rc" not in ref and found})
    return 0


def _table(source: str, fields: set[tuple[str, str]]) -> list[str]:
    """Return a table of names, and of those whose value is a number in each release."""
    names = {name for name, _ in fields}
    numbers = names - {name for name, said in fields if not _NUMBER.match(said)}
    return [
        *(f'source = "https://github.com/{source}"', "whole = true"),
        *listed("parsers", _PARSERS[source.split("/")[1]]),
        *listed("flags", sorted(names)),
        *listed("numbers", sorted(numbers)),
    ]


def _choices(
    table: str,
    clone: Path,
    below: Sequence[str],
    others: set[tuple[str, str]],
    registered: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return a table of the words that fields may have which any of the releases names, where each lists all that it takes.

    `registered` are those of fields that take any text, which is looked up.
    """
    found: dict[str, list[str]] = {}
    open_ = {name for name, _ in others}
    enums = _enums(
        git(clone, "show", line)
        for ref in _releases(clone)
        for line in git(clone, "grep", "-lE", "^class .*Enum", ref, "--", "*/constants.py").splitlines()
    )
    for ref in _releases(clone):
        paths = [f":(glob){path}" for path in below]
        for line in git(clone, "grep", "-l", "Literal", ref, "--", *paths).splitlines():
            text = git(clone, "show", line)
            for start in _STARTED.finditer(text):
                said = _LITERAL.match(text, start.end())
                if said is not None:
                    found.setdefault(start[1], []).extend(re.findall(r"[\"']([^\"'\n]*)[\"']", said[1]))
        lines = git(clone, "grep", "-hE", "^    [a-z][a-z0-9_]* *:", ref, "--", *paths)
        for name, said in _FIELD.findall(lines):
            one = _ONE_OF.match(said)
            if one is not None and one[1] in enums:
                found.setdefault(name, []).extend(enums[one[1]])
            elif not said.startswith(("Literal[", "Optional[Literal[")):
                open_.add(name)
    closed = {name: words for name, words in found.items() if name not in open_} | dict(registered or {})
    rows = {name: sorted(dict.fromkeys(words)) for name, words in sorted(closed.items())}
    return ["", f"[{table}.choices]", *(f"{name} = {json.dumps(words)}" for name, words in rows.items())]


def _write_lives(table: str, named: Mapping[str, AbstractSet[str]], inherited: AbstractSet[str] = frozenset()) -> None:
    """Write which names each release has first, after the oldest one, and which it has last, where the newest one lacks them.

    `named` are the names of each release, the oldest one first; whether one that is `inherited` is there tells another library.
    """
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for release, names in named.items():
        for name in names:
            first.setdefault(name, release)
            last[name] = release
    oldest, *_, newest = named
    for key, told, leave in (("first", first, oldest), ("last", last, newest)):
        rows: dict[str, list[str]] = {}
        for name, release in sorted(told.items()):
            if release != leave and name not in inherited:
                rows.setdefault(release.removeprefix("v"), []).append(name)
        write_others(
            f"{table}.{key}",
            [
                f'"{release.removeprefix("v")}" = {json.dumps(rows[at])}'
                for release in named
                if (at := release.removeprefix("v")) in rows
            ],
        )


def _by_release(clone: Path, below: Sequence[str]) -> dict[str, set[str]]:
    """Return the names that each release of a library declares."""
    paths = [f":(glob){path}" for path in below]
    lines = {ref: git(clone, "grep", "-hE", "^    [a-z][a-z0-9_]* *:", ref, "--", *paths) for ref in _releases(clone)}
    return {ref: {name for name, _ in _FIELD.findall(said)} for ref, said in lines.items() if ref != "HEAD"}


def _templates(clone: Path) -> list[str]:
    """Return the templates that LLaMA-Factory registers; another name is an error (`src/llamafactory/data/template.py`)."""
    paths = ("*/data/template.py", "*/extras/template.py")
    lines = (git(clone, "grep", "-hE", '^ *name="', ref, "--", *paths) for ref in _releases(clone))
    return [name for each in lines for name in _TEMPLATE.findall(each)]


def _releases(clone: Path) -> list[str]:
    """Return the tags from the oldest one on that is looked at, and the newest commit."""
    tags = git(clone, "tag", "--sort=version:refname").split()
    return [*tags[tags.index(_OLDEST[clone.name]) :], "HEAD"]


def _fields(clone: Path, below: Sequence[str]) -> Iterator[tuple[str, str]]:
    for ref in _releases(clone):
        paths = (f":(glob){path}" for path in below)
        yield from _FIELD.findall(git(clone, "grep", "-hE", "^    [a-z][a-z0-9_]* *:", ref, "--", *paths))


def _of_wheel(wheel: Path) -> Iterator[tuple[str, str]]:
    for text in _texts(wheel, _WHEELS):
        yield from _FIELD.findall(text)


def _texts(wheel: Path, named: re.Pattern[str]) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        yield from (archive.read(name).decode() for name in archive.namelist() if named.search(name))


def _enums(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the values of each enumeration of texts, those of all releases together."""
    found: dict[str, dict[str, None]] = {}
    for text in texts:
        for name, body in _ENUM.findall(text):
            found.setdefault(name, {}).update(dict.fromkeys(_MEMBER.findall(body)))
    return {name: list(values) for name, values in found.items()}


def _keys(clone: Path) -> dict[str, set[str]]:
    """Return the paths of all keys of the configurations that `main_ppo` starts with, those of mappings, too, by release."""
    every: dict[str, set[str]] = {}
    for ref in _releases(clone):
        found = every[ref] = set()
        for path in git(clone, "ls-tree", "--name-only", ref, "verl/trainer/config/").split():
            if _MAIN.search(path):
                told = yaml.safe_load(git(clone, "show", f"{ref}:{path}")) or {}
                groups = (group for group in told.get("defaults", ()) if isinstance(group, dict))
                # A group that is read into a place of its own is no key.
                found |= {*_paths(told), *(name for group in groups for name in group if "@" not in name)}
    return every


def _paths(mapping: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in mapping.items():
        if key != "defaults" and not (not above and key == "hydra"):
            yield f"{above}{key}"
            if isinstance(value, dict):
                yield from _paths(value, f"{above}{key}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
