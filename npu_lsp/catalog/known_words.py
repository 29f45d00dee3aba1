"""Words of other tools that can follow what is typed: commands' first words, modules, functions of torch_npu, options, paths, backends.

They are those of the tables by which `well_known`, `torch_calls` and `install_paths` tell a slip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from npu_lsp.text import lazy_re as re

_SUBCOMMAND = re.compile(r"(?<![\w./-])(?P<command>[a-z][\w-]{1,20})[ \t]{1,9}(?P<word>[a-z][a-z-]{0,30})\Z")
_COMMAND = re.compile(r"(?:^|[;&|(])[ \t]{0,99}(?P<word>[a-z][\w-]{2,24})\Z")
_RUN_MODULE = re.compile(
    r"\bpython[\d.]{0,9}[ \t]{1,9}-m[ \t]{1,9}(?:(?P<owner>[A-Za-z_][\w.]{0,99})\.)?(?P<word>\w{0,60})\Z"
)
_IMPORT = re.compile(
    r"^[ \t]{0,99}(?:>>>[ \t]{1,9})?(?:import[ \t]{1,9}(?:(?P<owner>[A-Za-z_][\w.]{0,99})\.(?P<child>\w{0,60})|(?P<word>\w{1,60}))"
    r"|from[ \t]{1,9}(?:(?P<around>[A-Za-z_][\w.]{0,99})\.(?P<inner>\w{0,60})|(?P<part>\w{1,60}))"
    r"|from[ \t]{1,9}(?P<whole>[A-Za-z_][\w.]{0,99})[ \t]{1,9}import[ \t]{1,9}(?P<name>\w{0,60}))\Z"
)
_CALL = re.compile(r"(?<![\w.])(?P<owner>torch\.npu|torch_npu(?:\.npu)?|mindspore|ms|torch)\.(?P<word>\w{0,60})\Z")
_FLAG = re.compile(r"[ \t\n](?P<word>--[a-z][a-z-]{0,40})\Z")
_DOCKER = re.compile(r"\bdocker[ \t]{1,9}(?:container[ \t]{1,9})?run\b")
_INSTALLER = re.compile(r"\.run(?![\w.])")
_PATH = re.compile(
    r"(?:/usr/local|/opt|/home/HwHiAiUser|\$HOME|\$\{HOME\}|~)/(?P<below>Ascend/(?:[\w.-]{1,60}/){0,12})?(?P<word>[\w.-]{0,60})\Z"
)
_BACKEND = re.compile(
    r"(?:init_process_group\([ \t]{0,9}|\b(?:\w{0,30}_)?backend[ \t]{0,9}=[ \t]{0,9})[\"'](?P<word>\w{0,20})\Z"
    r"|--(?:\w{1,30}[_-])?backend(?:=|[ \t]{1,9})(?P<flag>\w{1,20})\Z"
)
_NPU_DEVICE = re.compile(
    r"(?:(?:device(?:_map|_type)?|map_location)[ \t]{0,9}=[ \t]{0,9}|(?:torch\.device|\.to|npu\.set_device|autocast)\([ \t]{0,9})"
    r"[\"'](?P<word>\w{0,20})\Z|--device(?:=|[ \t]{1,9})(?P<flag>\w{1,20})\Z"
)
_NEAR = 240
"""Signs in front of a cursor that a pattern looks at."""
_OURS = re.compile(r"torch_npu|mindspore|mindspeed|mindie|vllm_ascend|acl|ais_bench")
"""Modules that a server of Python knows only where they are installed."""


_USUAL = ("ascend-toolkit", "latest", "set_env.sh", "driver", "nnal", "atb", "lib64")
"""What paths of an installation mostly lead through."""


class KnownWords(NamedTuple):
    """What may stand in the place of a word that is half typed."""

    kind: Literal["command", "module", "function", "option", "path", "value"]
    typed: str
    words: Sequence[str]


def known_words(front: str, language: str) -> KnownWords | None:
    """Return the words that go on behind `front`, the statement up to the cursor, in `python`, `shell`, or another language."""
    for languages, pattern, way in _WAYS:
        found = pattern.search(front, max(0, len(front) - _NEAR)) if language in languages else None
        made = way(found) if found is not None else None
        if found is not None and made is not None:
            typed = str(found[str(found.lastgroup)])
            words = [word for word in dict.fromkeys(made[1]) if word.startswith(typed) and word != typed]
            if words:
                return KnownWords(made[0], typed, words)
    return None


_Made = tuple[Literal["command", "module", "function", "option", "path", "value"], Iterable[str]]


def _facts(name: str) -> Any:
    from npu_lsp.catalog.load import load

    return load().plain(name)


def _first_words(match: re.Match[str]) -> _Made | None:
    words = _facts("well_known")["subcommands"].get(match["command"])
    return ("command", words) if words else None


def _children(owner: str) -> list[str]:
    """Return the modules of a package; of none, the packages themselves."""
    inside, more = _facts("modules")["modules"], _facts("well_known")["modules"]
    return (
        [*inside.get(owner, ()), *more.get(owner, ())]
        if owner
        else [each for each in sorted({*inside, *more}) if "." not in each]
    )


def _run(match: re.Match[str]) -> _Made:
    from npu_lsp.catalog.surfaces import ROWS

    owner = match["owner"] or ""
    whole = {"ais_bench", "sglang_router.launch_router", *(module for row in ROWS.values() for module in row.modules)}
    # What is run is there without the modules around it, too.
    begun = [
        each[len(owner) + 1 :] if owner else each for each in whole if each.startswith(f"{owner}." if owner else "")
    ]
    return "module", sorted({*_children(owner), *(each.partition(".")[0] for each in begun)})


def _imported(match: re.Match[str]) -> _Made | None:
    owner = match["owner"] or match["around"] or match["whole"] or ""
    words = _children(owner)
    if owner:
        return ("module", words) if _OURS.match(owner) else None
    return "module", [each for each in words if _OURS.match(each)]


def _called(match: re.Match[str]) -> _Made:
    owner = match["owner"]
    if owner in ("mindspore", "ms", "torch"):
        return "function", _facts("well_known")["members"]["mindspore" if owner == "ms" else owner]
    told = _facts("torch_calls")
    operators = [f"npu_{each}" for each in told["operators"]] if owner == "torch_npu" else []
    return "function", [*told["listed"], *operators]


def _commands(_match: re.Match[str]) -> _Made:
    return "command", _facts("well_known")["commands"]


def _option(match: re.Match[str]) -> _Made | None:
    """Return the options of `docker run`, or of an installer, where the command of the statement is one."""
    command = re.split(r"[;&|]", match.string)[-1]
    of = "docker" if _DOCKER.search(command) else "run" if _INSTALLER.search(command) else None
    return ("option", [f"--{each}" for each in _facts("well_known")["options"][of]]) if of is not None else None


def _below(match: re.Match[str]) -> _Made:
    return "path", [*_USUAL, *_facts("install_paths")["words"]] if match["below"] else ["Ascend"]


_WAYS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str]], _Made | None]], ...] = (
    (("shell",), _SUBCOMMAND, _first_words),
    (("shell",), _RUN_MODULE, _run),
    (("shell",), _FLAG, _option),
    (("shell",), _COMMAND, _commands),
    (("python",), _IMPORT, _imported),
    (("python",), _CALL, _called),
    (("python", "shell", ""), _PATH, _below),
    (("python", "shell"), _BACKEND, lambda _match: ("value", ("hccl",))),
    (("python", "shell"), _NPU_DEVICE, lambda _match: ("value", ("npu",))),
)
