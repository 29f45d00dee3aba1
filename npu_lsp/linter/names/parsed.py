"""Whether all arguments of a command are known by the parsers of the program that it starts, though others may start so as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.shell.training import is_of_family, may_be_of_family
from npu_lsp.linter.context import Context
from npu_lsp.linter.names.unknown import unknown
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.memo import Memoized

_LARGEST = 1 << 20
_OTHER = re.compile(
    r"--config-name[= ](?!\\?[\"']?ppo_(?:megatron_)?trainer\b)|--config-(?:dir|path)\b|-c[npd][= ]|--ignore_args_error[= ]['\"]?[Tt]rue"
)
"""By what verl starts with another configuration, and ms-swift goes on at a name that it doesn't know."""
_DECLARED = re.compile(rb"^[ ]*([A-Za-z_]\w*)[ ]*:", re.MULTILINE)
"""A field of a dataclass, or a key of a configuration."""
_MOST = 100
"""Files in one folder of parsers."""
_DEEP = 4
"""Folders above the text in which a fork is looked for."""
_PINNED = re.compile(
    r"(?P<package>[mMlLvV](?<![\w-].)(?i:(?<=m)s[-_]swift|(?<=l)lama-?factory|(?<=v)erl))(?:\[[\w, -]{1,60}\])?"
    r"==[vV]?(?P<version>\d{1,3}(?:\.\w{1,9}){1,4})"
)
_MANY = 8
"""Arguments of the family by which a script is told to be one of its own, where others may start so as well."""


def is_parsed(setting: Setting, block: Block, context: Context) -> bool:
    """Return whether the parsers of Megatron and its family are those of the program, and have no flag of a name.

    `argparse` takes the start of a flag, and the program that stands beside the text may add flags of its own.
    """
    others = context.catalog.plain("other_flags").get(block.surface.value)
    if others is None or setting.name.startswith("-"):
        return False
    names = (*context.catalog.names(block.surface), *others.get("flags", ()))
    script = context.document.text[block.head.start : block.head.end].strip("\"'")
    known = {each.name for each in block.settings}.intersection(names)
    if not (is_of_family(script) or (may_be_of_family(script) and len(known) >= _MANY)):
        return False
    return not _starts(setting.name, names) and not _adds(script, setting.name, context)


def is_start(setting: Setting, near: str | None, context: Context) -> bool:
    """Return whether a flag of Megatron's family is the start of another one, which `argparse` takes for it."""
    told = context.catalog.plain("other_flags").get(setting.surface.value, {"whole": True})
    return near is not None and "whole" not in told and near.startswith(setting.name)


def lacking(block: Block, context: Context) -> Iterator[Setting]:
    """Yield what no release of a program takes, all of whose names are known."""
    names = (*context.catalog.names(block.surface), *context.catalog.plain("other_flags")[block.surface.value]["flags"])
    for setting in unknown(block, context):
        group, _, last = setting.name.rpartition(".")
        if setting.name[2:] in names and block.surface.row.flags == "overrides":
            yield setting  # `--a.b=c` is a flag, and there is none.
            continue
        # Who adds a group of keys adds all of its keys.
        if setting.name.startswith("-") or _is_added(setting, block, context) or (group and group not in names):
            continue
        if last.encode() in _own(context, block.surface):
            continue
        # A start that means one flag is taken, and `no_` in front of a switch.
        taken = len(_starts(setting.name, names)) == 1 or setting.name[3:] in names
        if not taken or block.surface.row.flags == "overrides":
            yield setting


class Elsewhere(NamedTuple):
    """Arguments of one command that the releases which it may be for don't take together."""

    settings: tuple[Setting, ...]
    release: str
    """The last one that takes them, or the first one."""
    by: str | None
    """A release that the text names, or an argument that came later; `None`: what runs decides."""
    later: bool
    """They came later than the release that is named."""


def of_other_releases(block: Block, context: Context) -> Iterator[Elsewhere]:
    """Yield the arguments that newer releases of a program don't take any more, or that the one which the text names doesn't take yet."""
    facts = context.catalog.plain("other_flags")[block.surface.value]
    first, last = (_releases(context, block.surface, key) for key in ("first", "last"))
    given = [
        (setting, name)
        for setting, name in _named(block)
        if name in first.keys() | last.keys()
        and not _is_added(setting, block, context)
        and name.rpartition(".")[2].encode() not in _own(context, block.surface)
    ]
    came = {name: Version.parse(first[name]) for _, name in given if name in first}
    gone: dict[Version, list[Setting]] = {}
    for setting, name in given:
        if name in last:
            gone.setdefault(Version.parse(last[name]), []).append(setting)
    pinned = _pinned(context, facts["source"]) if given else None
    if pinned is not None:
        late = [(setting, came[name]) for setting, name in given if name in came and not pinned.reaches(came[name])]
        yield from _beside(pinned, gone, late)
        return
    newest = max(came, key=lambda name: came[name], default="")
    for release, settings in gone.items():
        excluded = newest and not release.reaches(came[newest])
        yield Elsewhere(tuple(settings), release.text, newest if excluded else None, later=False)


def _beside(
    pinned: Version, gone: Mapping[Version, list[Setting]], late: list[tuple[Setting, Version]]
) -> Iterator[Elsewhere]:
    """Yield what the release doesn't take that is installed: what is gone there, and what came later."""
    for release, settings in gone.items():
        if not release.reaches(pinned):
            yield Elsewhere(tuple(settings), release.text, pinned.text, later=False)
    if late:
        yield Elsewhere(
            tuple(setting for setting, _ in late), max(each for _, each in late).text, pinned.text, later=True
        )


def _named(block: Block) -> Iterator[tuple[Setting, str]]:
    """Yield the settings of a command, with the names that the parsers have for them."""
    is_path = block.surface.row.flags == "overrides"
    return ((each, each.name if is_path else each.name.replace("-", "_")) for each in block.settings)


@Memoized
def _releases(context: Context, surface: Surface, key: str) -> Mapping[str, str]:
    """Return the first or the last release of a program by argument, where it isn't the oldest or the newest one that is known."""
    told: Mapping[str, list[str]] = context.catalog.plain("other_flags")[surface.value].get(key, {})
    return {name: release for release, names in told.items() for name in names}


@Memoized
def _pinned(context: Context, source: str) -> Version | None:
    """Return the only release of a program that the text installs."""
    found = {
        match["version"]
        for match in _PINNED.finditer(context.document.text)
        if re.sub(r"ms|[-_]", "", match["package"].lower()) in source.lower()
    }
    return Version.parse(found.pop()) if len(found) == 1 else None


@Memoized
def _own(context: Context, surface: Surface) -> frozenset[bytes]:
    """Return what the program's parsers declare where they stand in the project: a fork has arguments of its own."""
    folders = _folders(context)
    # Examples of a fork stand some folders down; what is above the project is nobody's business.
    above = [*folders[0].parents[:_DEEP]] if folders else []
    above = above[: above.index(context.root)] if context.root in above else above
    parsers = context.catalog.plain("other_flags")[surface.value]["parsers"]
    every = (*parsers, *(f"src/{each}" for each in parsers))
    around = dict.fromkeys([*folders, *above] if context.root not in folders[:1] else folders)
    return frozenset[bytes]().union(*(surroundings.once(_declared, folder, every) for folder in around))


def _declared(folder: Path, parsers: tuple[str, ...]) -> frozenset[bytes]:
    """Return what the files in some folders below `folder` declare; a run asks once for all its texts."""
    found: set[bytes] = set()
    for below in parsers:
        for name in surroundings.names_below(folder, below, _MOST):
            if name.endswith((".py", ".yaml")):
                content = surroundings.content_below(folder, f"{below}/{name}", _LARGEST)
                found.update(_DECLARED.findall(content or b""))
    return frozenset(found)


def is_fork(context: Context, surface: Surface) -> bool:
    """Return whether the program's parsers stand in the project: what they take they say themselves."""
    return bool(_own(context, surface))


def is_whole(block: Block, context: Context) -> bool:
    """Return whether all names are known that any release of the program takes."""
    return "whole" in context.catalog.plain("other_flags").get(block.surface.value, {})


def _starts(start: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(start)]


def _is_added(setting: Setting, block: Block, context: Context) -> bool:
    """Return whether a key is new on purpose, `+a.b=c`, Hydra's, or beside a configuration that isn't the program's own."""
    if setting.name.startswith("hydra.") or "@" in setting.name:
        return True
    before = context.document.text[setting.key.start - 1 : setting.key.start]
    return before == "+" or _has_other(context, *(block.command or block.span))


@Memoized
def _has_other(context: Context, start: int, end: int) -> bool:
    return _OTHER.search(context.document.text, start, end) is not None


def _adds(script: str, name: str, context: Context) -> bool:
    """Return whether the program is there, and has a flag of its own."""
    flag = f"--{name}".encode()
    return any(flag in (surroundings.content_below(folder, script, _LARGEST) or b"") for folder in _folders(context))


def _folders(context: Context) -> list[Path]:
    """Return the folder that the text stands in, and that of the project."""
    path = context.document.path
    folders = [Path(path).absolute().parent] if path else []
    return [*folders, context.root] if context.root is not None else folders
