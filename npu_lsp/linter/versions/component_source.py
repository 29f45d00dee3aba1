"""The source of a component, wherever it was copied to: a fork, a mirror, a folder of things that somebody else made.

Its files are for its own version, whatever is newest, and the names that it defines are there.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.target import Stated, Version
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.dependencies import Look

LARGEST = 1 << 18
"""Bytes of a file that is read at the most."""


class _Source(NamedTuple):
    """How the source of a component is told."""

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
    _Source(
        "sglang",
        ("python/sglang/srt/environ.py", "python/sglang/srt/server_args.py"),
        ("python/sglang/version.py",),
    ),
    _Source("mindspeed", ("mindspeed/arguments.py", "mindspeed_llm/training/arguments.py")),
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
    """Tell whether the source of a component in `folder` has `name` where names of options are defined."""
    words = set(_WORD.findall(name))
    for _, file, look in surroundings.once(_there, folder):
        # Hundreds of names are asked for, and few of their words are in the file.
        if words <= _words(file, look) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _text(file, look)):
            return True
    return False


def _there(folder: str) -> list[tuple[_Source, str, Look]]:
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
def _words(file: str, look: Look) -> frozenset[str]:
    return frozenset(_WORD.findall(_text(file, look)))


@lru_cache(maxsize=64)
def _text(file: str, _look: Look) -> str:
    """Return the text of a file that looks like this now."""
    return (surroundings.content(file, LARGEST, links=False) or b"").decode("utf-8", "replace")
