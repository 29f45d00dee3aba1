"""What a name was meant to be that the catalog doesn't have, as far as that can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.near import nearest
from npu_lsp.catalog.surfaces import Surface, where
from npu_lsp.catalog.target import Version
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.removed import Removed
from npu_lsp.linter.versions.required import ABOUT, LARGEST, up_to_top
from npu_lsp.linter.versions.required import own as sources
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

_IN_FILES = where(lambda row: row.file and row.nested == "entries")
_GROUPED = where(lambda row: row.grouped)


def meant(setting: Setting, block: Block, context: Context, *, complete: bool) -> str | None:
    """Return the name that a mistyped one stands for."""
    near = _still_there(context.catalog.near(setting.surface, setting.name, wrong=complete), setting.surface, context)
    if near is None or complete:
        return near
    # Who has both in a mapping of a file knows the right one.
    return None if setting.surface in _IN_FILES and near in context.by_name(block) else near


class MeantVariable(NamedTuple):
    """What an unknown variable is close to."""

    names: tuple[str, ...]
    """Those that the target reads; empty where it was one that is gone."""
    gone: Option | None
    """The one that is gone and has no heir."""
    sure: bool


def meant_variable(name: str, context: Context) -> MeantVariable | None:
    """Return what an unknown variable was meant to be; `None` where it may be right."""
    guess = context.catalog.guess(Surface.ENV, name)
    if guess is None:
        return None
    options = {each: _still_there(each, Surface.ENV, context) for each in guess.names}
    there = tuple(dict.fromkeys(each for each in options.values() if each is not None))
    if len(there) > 1:
        # Of two that are as close, one that the text has already wasn't meant.
        there = tuple(each for each in there if not context.named(Surface.ENV, each)) or there
    return MeantVariable(there, None if there else context.catalog.option(Surface.ENV, guess.names[0]), guess.sure)


def is_before_all(setting: Setting, context: Context) -> bool:
    """Return whether the text runs on a version before the first one whose names the catalog knows.

    Environment variables are those of several components, and nobody is told of one that isn't close to a known one.
    """
    component = _component(context, setting.surface)
    lines = context.catalog.plain("versions").get(component, {})
    return bool(lines) and context.target.precedes(min(lines, key=Version.parse), component)


def newest_known(setting: Setting, near: str | None, context: Context) -> tuple[str, str] | None:
    """Return the component whose name a setting has, with the newest release that the catalog knows, where a newer one runs.

    What is new there nobody can tell here; a name that is close to a known one may be new, too.
    """
    option = context.catalog.option(setting.surface, near) if near is not None else None
    component = option.component if option is not None else _component(context, setting.surface)
    lines = context.catalog.plain("versions").get(component, {}).values()
    newest = max((each for line in lines for each in line["releases"]), key=Version.parse, default=None)
    return (component, newest) if newest is not None and context.target.follows(newest, component) else None


_SET = re.compile(r"PYTHONPATH[\"', \])]{0,4}[ \t]{0,8}\+?[=:][ \t]{0,8}(?P<folders>[^ \t\r\n;&|]{1,1000})")
_TAKEN = re.compile(
    r"[cgu](?:(?<=\bc)lone\b|(?<=\bg)it\+|(?<=\bu)rl[ \t]*=)[^\r\n#]{0,200}?[/:](?P<owner>[\w.-]{1,60})/(?P<name>[\w-]{1,60})(?:\.git)?(?![\w/-])"
)
"""A repository that a text, or a repository as a part of its own, takes."""
_OWNERS = frozenset(
    {"vllm-project", "sgl-project", "ascend", "nvidia", "modelscope", "hiyouga", "volcengine", "verl-project"}
)
"""Whose repositories are no forks."""
_PATCHED = re.compile(r"[gp](?:(?<=\bg)it[ \t]{1,4}(?:apply|am)|(?<=\bp)atch[ \t]{1,4}-p\d)\b[^\r\n]{0,300}")
_PROGRAM = re.compile(r"(?<![a-z])(?:vllm-ascend|vllm|sglang)(?![a-z])")
_MOST = 1100
"""Code points before the name in which a comment may begin."""
_PACKAGES = re.compile(r"(?:site|dist)-packages")
_ENDS = re.compile(r"[:\"',]")
_NPUS = re.compile(r"(?i)ascend|昇腾|hccl|davinci|mindspore|(?<![a-z])(?:npus?|cann)(?![a-z])")
"""What a text has in it that is about NPUs at all."""
_PARTS = ".gitmodules"
_COPIED = frozenset({"vllm"})
"""What people have a copy of in their repository; releases of the others say which they are."""
_PACKAGED = ("pyproject.toml", "setup.py", "setup.cfg")
_EXTENDS = re.compile(r"(?<![\w.])(?P<program>vllm|sglang)\.(?:platform_plugins|general_plugins|srt\.plugins)(?![\w.])")
"""Where a package says what a server is to load of it."""
_ANYWHERE = where(lambda row: row.flags in ("argparse", "lists", "overrides"))
"""Programs of Python, which run on GPUs as well."""


@Memoized
def _folders(document: Document) -> frozenset[str]:
    """Return the names of the folders that a text puts on PYTHONPATH and of the forks that it takes, in small letters with `-` for `_`."""
    text = document.text
    found = set(_forks(text))
    for value in _SET.finditer(text):
        at = value.start()
        if "#" in text[max(text.rfind("\n", 0, at), at - _MOST, 0) : at]:
            continue
        for folder in _ENDS.split(value["folders"]):
            if not _PACKAGES.search(folder):
                found.add(_alike(folder.rstrip("/").rpartition("/")[2]))
    # In front of a colon at the end, or behind one, stands no folder.
    return frozenset(found - {""})


def _forks(text: str) -> Iterator[str]:
    """Yield the names of the repositories that a text takes from anybody but those who release them, or patches."""
    for match in _TAKEN.finditer(text):
        if match["owner"].lower() not in _OWNERS:
            yield _alike(match["name"])
    for match in _PATCHED.finditer(text):
        yield from _PROGRAM.findall(_alike(match.group()))


def _alike(name: str) -> str:
    return name.lower().replace("_", "-")


@Memoized
def is_another_release(context: Context, surface: Surface) -> bool:
    """Return whether what runs may be none of the releases that the catalog knows: its names are nobody's business then.

    It is a working copy or a fork that the text or the repository takes, one that the repository adds a back end of its own to, or any
    release for GPUs: nothing there speaks of NPUs.
    """
    component, document = _component(context, surface), context.document
    if component == CANN and surface not in _ANYWHERE:
        return False
    parts, about = _around(document.path, context.root)
    if not {component, surface.value.removesuffix("_args")}.isdisjoint(_folders(document) | parts):
        return True
    return surface in _ANYWHERE and not about and _NPUS.search(f"{document.path}\n{document.text}") is None


def _around(path: str, root: Path | None) -> tuple[frozenset[str], bool]:
    """Return the forks that are parts of the repository around a text, and whether it is about NPUs, as far as is known."""
    folders = up_to_top(path, root) if path else []
    return surroundings.once(_in_repository, tuple(folders)) if folders else (frozenset(), True)


def _in_repository(folders: tuple[str, ...]) -> tuple[frozenset[str], bool]:
    def read(folder: str, name: str) -> str:
        return (surroundings.content(f"{folder}/{name}", LARGEST, links=False) or b"").decode("utf-8", "replace")

    if not surroundings.exists(f"{folders[-1]}/.git"):
        return frozenset(), True
    # What tells nothing about itself may be for NPUs.
    told = (_NPUS.search(text) is not None for folder in folders for name in ABOUT if (text := read(folder, name)))
    said = next(told, True) or any(told)
    own = {found for folder in folders for name in _PACKAGED for found in _extended(read(folder, name))}
    # A part of a repository is a commit, whoever's it is, and between two releases mostly.
    parts = {_alike(match["name"]) for match in _TAKEN.finditer(read(folders[-1], _PARTS))}
    copies = {each.component for folder in folders for each in sources(folder)} & _COPIED
    return frozenset(parts | own | copies), said


def _extended(text: str) -> Iterator[str]:
    """Yield the programs to which a package adds devices or models of its own; that of vLLM-Ascend itself is known."""
    if "vllm_ascend:" not in text:
        yield from (match["program"] for match in _EXTENDS.finditer(text))


@Memoized
def _component(context: Context, surface: Surface) -> str:
    """Return the component whose options a surface takes; empty where several have theirs there."""
    first = min(context.catalog.names(surface), default="") if not surface.row.environment else ""
    option = context.catalog.option(surface, first)
    return option.component if option is not None else ""


def _still_there(name: str | None, surface: Surface, context: Context) -> str | None:
    """Return the name to suggest: for an option that the target lacks the one that took its place and takes such values."""
    option = context.catalog.option(surface, name) if name is not None else None
    removed = Removed.of(option) if option is not None else None
    if removed is None or not standing(removed.option, context.target).removed:
        return name
    new = removed.heir(context)
    return new.name if new is not None else None


def last_part(name: str) -> str:
    """Return what stands behind the last dot: the key without its groups."""
    return name.rpartition(".")[2]


def other_place(setting: Setting, context: Context) -> str | None:
    """Return the only other place at which the target takes a key of that name or nearly so, where keys stand in groups."""
    if setting.surface not in _GROUPED:
        return None
    there = _by_last_part(context, setting.surface)
    names = there.get(nearest(last_part(setting.name), there) or "", [])
    return names[0] if len(names) == 1 else None


@Memoized
def _by_last_part(context: Context, surface: Surface) -> dict[str, list[str]]:
    """Return the names of the options that the target takes on a surface, by what stands behind their last dot."""
    found: dict[str, list[str]] = {}
    for name in sorted(context.catalog.names(surface)):
        option = context.catalog.option(surface, name)
        if _is_usable(option, context):
            found.setdefault(last_part(name), []).append(name)
    return found


def _is_usable(option: Option | None, context: Context) -> bool:
    return option is not None and option.deprecated is None and standing(option, context.target).usable


def places_of(setting: Setting, surfaces: Sequence[Surface], context: Context) -> Sequence[str]:
    """Return where a key of exactly that name has a place: on its own surface, or else on the first one of others that has it."""
    end = f".{last_part(setting.name)}"
    for surface in (setting.surface, *surfaces):
        names = (name for name in context.catalog.names(surface) if f".{name}".endswith(end))
        found = [name for name in sorted(names) if _is_usable(context.catalog.option(surface, name), context)]
        if found:
            return found
    return ()


def intended(setting: Setting, block: Block, context: Context, *, complete: bool) -> tuple[str | None, str | None]:
    """Return the name that is close to a setting's, and the other place at which a key of its name stands."""
    near, last = meant(setting, block, context, complete=complete), last_part(setting.name)
    place = other_place(setting, context) if near is None or last_part(near) == last else None
    return near, place if complete or (place is not None and last_part(place) == last) else None
