"""The versions that a repository requires: `torch-npu==2.7.1` in its `requirements.txt`, or what its README has people install.

The source of a component is judged by its own version: its tests and examples are for it, whatever is newest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.target import Stated, Version
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.dependencies import Fingerprint

_NAMES = ("requirements.txt", "requirements-npu.txt", "requirements_npu.txt", "pyproject.toml")
_TOP = ".git"
_LEVELS = 12


def required(path: str, root: Path | None) -> tuple[Stated, ...]:
    """Return the versions that hold for the file at `path`: of each component, those that the nearest folder names.

    Folders count up to `root`, where a configuration was found, or up to the repository's own; without either only that of
    the file does.
    """
    if not path:
        return ()
    return surroundings.once(_required, *_place(path, root))


_READMES = ("README.md", "README_CN.md", "README_zh.md", "README.zh-CN.md", "README_EN.md", "README_en.md")
"""Files that say what the others of their folder are for."""
ABOUT = (*_READMES, "README.rst", *_NAMES)
"""Those, and what it takes to run them."""
_LARGEST = 1 << 18
"""Bytes of a file that is read at the most."""
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*", re.MULTILINE)
_PACKAGES = {"torch-npu": "torch[-_]npu", "vllm-ascend": "vllm[-_]ascend"}
"""By component: its package."""
_PINS = {
    component: re.compile(
        rf"(?<![\w/.-]){package}(?:\[[^\]\r\n]{{0,100}}\])?[ \t]*(?P<sign>===?|~=|>=)[ \t]*v?(?P<version>\d[\w.]*\w)",
        re.IGNORECASE,
    )
    for component, package in _PACKAGES.items()
}
_CLONED = re.compile(
    r"vllm-project/vllm(?:-ascend)?(?:\.git)?\b[^\r\n]{0,100}(?:\r?\n[^\r\n]{0,100}){0,4}?"
    r"(?:[ \t]-b|--branch|\bcheckout)[ \t]+(?:releases/)?v(?P<version>\d[\w.]*\w)"
    r"|/vllm-ascend:v?(?P<tag>\d[\w.]*\w)"
)
"""How a README has people take vLLM-Ascend, whose versions are those of vLLM: as a branch of either, or as an image."""
_OLD = re.compile(r"(?<![\w/.-])(?:py)?torch[ \t]{0,4}==[ \t]{0,4}(?P<version>1\.\d[\w.]{0,12}\w|1\.\d)", re.IGNORECASE)
"""A PyTorch so old that torch_npu had other names; those of newer ones differ by what stands behind their versions."""


_BESIDE = re.compile(
    r"(?<![\w/.-])mindspore(?:[_-](?:ascend|gpu))?[]*_`|:：\[=<>~≥\\ \t]{0,12}(?:(?:版本|version)[]*_`|:：\[=<>~≥ \t]{0,40})?"
    r"v?(?P<version>\d{1,2}\.\d[\w.]*)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^(?P<before>[^\r\n]{0,200}?\|)?[ \t]{0,40}mindspore(?:版本|[ \t]version)?[ \t]{0,40}\|[^\r\n]{0,400}\r?\n"
    r"[|:\t -]{3,400}\r?\n(?P<row>[^\r\n]{1,600})",
    re.IGNORECASE | re.MULTILINE,
)
_CELL = re.compile(r"[ \t>=≥*`v]*(?P<version>\d{1,2}\.\d[\w.]*)[ \t*`]*")
"""A version beside the name, or below it in a table."""


def _written_for(text: str) -> Iterator[tuple[str, Version, bool]]:
    """Yield the versions of MindSpore that a README names; newer ones may do as well."""
    # Patterns that any case fits take a hundred times as long as this.
    if "mindspore" not in text.lower():
        return
    found = [match["version"] for match in _BESIDE.finditer(text)]
    for match in _HEADER.finditer(text):
        cells = match["row"].split("|")
        column = (match["before"] or "").count("|")
        cell = _CELL.fullmatch(cells[column]) if column < len(cells) else None
        if cell is not None:
            found.append(cell["version"])
    for version in found:
        with suppress(ValueError):
            yield "mindspore", Version.parse(version.rstrip(".")), False


@lru_cache(maxsize=64)
def pins(file: str, _look: Fingerprint) -> tuple[tuple[str, Version, bool], ...]:
    """Return what a file names, which looks like this now: a component, its version, and whether no newer one will do."""
    data = surroundings.content(file, _LARGEST, links=False) or b""
    text = data.decode("utf-8", "replace")
    return (*_cloned(text), *_written_for(text), *_of_old(text)) if file.endswith(_READMES) else tuple(_named(text))


def _of_old(text: str) -> Iterator[tuple[str, Version, bool]]:
    for match in _OLD.finditer(text) if "torch" in text.lower() else ():
        with suppress(ValueError):
            yield "torch-npu", Version.parse(match["version"]), True


def _cloned(text: str) -> Iterator[tuple[str, Version, bool]]:
    for match in _CLONED.finditer(text):
        with suppress(ValueError):
            yield "vllm-ascend", Version.parse(match["version"] or match["tag"]), False


def _named(text: str) -> Iterator[tuple[str, Version, bool]]:
    said = _COMMENT.sub("", text)
    for component, pattern in _PINS.items():
        for match in pattern.finditer(said):
            with suppress(ValueError):
                yield component, Version.parse(match["version"]), match["sign"] != ">="
    if not _PINS["torch-npu"].search(said):
        yield from _of_old(said)


LARGEST = 1 << 18
"""Bytes of a file that is read at the most."""


class _Source(NamedTuple):
    """By which files the source tree of a component, and its version, are recognised."""

    component: str
    files: tuple[str, ...]
    """Files of it that define names of options; where one of them is, there is the source."""
    versions: tuple[str, ...] = ()
    """Files that say which version it is; without one, or where it says nothing, that isn't known."""


_SOURCES = (
    _Source("torch-npu", ("torch_npu/__init__.py",), ("version.txt",)),
    _Source(
        "mindspore",
        (
            "mindspore/python/mindspore/context.py",
            "mindspore/context.py",
            "mindspore-lite/tools/converter/converter_lite/converter_flags.cc",
        ),
        ("version.txt", "setup.py"),
    ),
    _Source("mindspore", ("mindformers/core/context/build_context.py", "mindformers/__init__.py")),
    _Source(
        "vllm-ascend",
        ("vllm_ascend/ascend_config.py", "vllm_ascend/envs.py", "vllm_ascend/platform.py"),
        ("mkdocs.yml", "docs/source/conf.py"),
    ),
    # It may be a fork for other devices: nothing is known of a version.
    _Source("vllm", ("vllm/engine/arg_utils.py", "vllm/envs.py")),
    _Source(
        "sglang",
        ("python/sglang/srt/environ.py", "python/sglang/srt/server_args.py"),
        ("python/sglang/version.py",),
    ),
    _Source("mindspeed", ("mindspeed/arguments.py", "mindspeed_llm/training/arguments.py")),
    _Source("mindspeed", ("megatron/training/arguments.py", "megatron/arguments.py")),
    _Source("mindie", ("mindie_llm/utils/env.py", "mindie_llm/__init__.py")),
    _Source("mooncake", ("mooncake-transfer-engine/src/config.cpp",)),
    # CANN's own parts don't say to which version of it they belong: GE, TF Adapter, TorchAir.
    _Source(CANN, ("api/atc/atc_flags.cc", "api/atc/main_impl.cc")),
    _Source(CANN, ("tf_adapter/util/npu_attrs.cc",)),
    _Source(CANN, ("torchair/configs/compiler_config.py", "python/torchair/configs/compiler_config.py")),
)
_BY_TOP: dict[str, list[tuple[_Source, str]]] = {}
for _source in _SOURCES:
    for _file in _source.files:
        _BY_TOP.setdefault(_file.partition("/")[0], []).append((_source, _file))
_VERSION = re.compile(
    r"^[ \t]*(?:(?:__version__|version|['\"]?vllm_ascend_version['\"]?)[ \t]*[=:][ \t]*['\"]?)?v?(?P<version>\d[\w.]*\w)",
    re.MULTILINE,
)

_WORD = re.compile(r"\w+")


def own(folder: str) -> list[Stated]:
    """Return the components whose source `folder` holds, with the version that it says it is."""
    sources = dict.fromkeys(source for source, _, _ in surroundings.once(_there, folder))
    versions = ((source.component, _version_of(source, folder)) for source in sources)
    return [Stated(component, version, version, itself=True) for component, version in versions]


def defines(folder: str, name: str) -> bool:
    """Return whether the source of a component in `folder` has `name` where names of options are defined."""
    words = set(_WORD.findall(name))
    for _, file, look in surroundings.once(_there, folder):
        # Hundreds of names are asked for, and few of their words are in the file.
        if words <= _words(file, look) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _text(file, look)):
            return True
    return False


def _there(folder: str) -> list[tuple[_Source, str, Fingerprint]]:
    """Return the defining files that are in `folder`: nearly every folder has none of those that they stand in."""
    tops = [files for top, files in _BY_TOP.items() if surroundings.exists(os.path.join(folder, top))]
    named = ((source, os.path.join(folder, name)) for files in tops for source, name in files)
    looks = ((source, file, surroundings.look(file)) for source, file in named)
    return [each for each in looks if each[2] is not None]


def _version_of(source: _Source, folder: str) -> Version | None:
    for name in source.versions:
        file = os.path.join(folder, name)
        look = surroundings.look(file)
        found = _VERSION.search(_text(file, look)) if look is not None else None
        if found is not None:
            with suppress(ValueError):
                version = Version.parse(found["version"])
                return version if any(version.key[0]) else None  # 0.0.0.dev0 stands where nobody says one.
    return None


@lru_cache(maxsize=64)
def _words(file: str, look: Fingerprint) -> frozenset[str]:
    return frozenset(_WORD.findall(_text(file, look)))


@lru_cache(maxsize=64)
def _text(file: str, _look: Fingerprint) -> str:
    """Return the text of a file that looks like this now."""
    return (surroundings.content(file, LARGEST, links=False) or b"").decode("utf-8", "replace")


def _required(folder: str, root: str | None) -> tuple[Stated, ...]:
    found: dict[str, Stated] = {}
    for each in _folders(folder, root):
        itself = {said.component: said for said in surroundings.once(own, each)}
        for component, said in itself.items():
            if said.oldest is not None:
                found.setdefault(component, said)
        here: dict[str, list[tuple[Version, bool]]] = {}
        for component, version, exact in surroundings.once(_pins, each, _NAMES):
            here.setdefault(component, []).append((version, exact))
        exactly = found.keys() | here.keys()
        for component, version, exact in surroundings.once(_pins, each, _READMES):
            if component not in exactly:
                here.setdefault(component, []).append((version, exact))
        for component, named in here.items():
            versions = [version for version, _ in named]
            newest = max(versions) if all(exact for _, exact in named) else None
            found.setdefault(component, Stated(component, min(versions), newest))
        found = {**itself, **found}
    return tuple(found.values())


def is_defined(name: str, path: str, root: Path | None) -> bool:
    """Return whether the file at `path` belongs to the source of a component that has `name` among those of its options.

    A fork has options of its own, an old copy those of its time.
    """
    return bool(path) and any(defines(folder, name) for folder in up_to_top(path, root))


def _place(path: str, root: Path | None) -> tuple[str, str | None]:
    return os.path.dirname(os.path.abspath(path)), os.fspath(root) if root is not None else None


def up_to_top(path: str, root: Path | None) -> list[str]:
    """Return the folder of a file and those above it, up to `root` or the top of the repository; without either only its own."""
    return _folders(*_place(path, root))


def _folders(folder: str, root: str | None) -> list[str]:
    found: list[str] = []
    for _ in range(_LEVELS):
        found.append(folder)
        if folder == root or surroundings.once(surroundings.exists, os.path.join(folder, _TOP)):
            return found
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return found[:1]


def _pins(folder: str, names: tuple[str, ...]) -> list[tuple[str, Version, bool]]:
    looks = [(file, surroundings.look(file)) for file in (os.path.join(folder, name) for name in names)]
    return [pin for file, look in looks if look is not None for pin in pins(file, look)]
