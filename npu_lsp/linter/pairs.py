"""Which releases of packages go together, by `pairs.toml`, and what the requirements of a file say about that."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.branches import exclusive
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES, SCRIPTS
from npu_lsp.languages.requirements import requirement
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

VLLM_ASCEND, VLLM, TORCH, TORCH_NPU = "vllm-ascend", "vllm", "torch", "torch-npu"
TRITON, TRITON_ASCEND = "triton", "triton-ascend"
_OF_TORCH = frozenset({"torchvision", "torchaudio"})
"""Packages of which each release pins one PyTorch."""
VLLM_OMNI, MINDSPORE = "vllm-omni", "mindspore"
_OTHERS = frozenset({"numpy", "transformers"})
"""Packages of which a release takes a range."""
_CLAUSE = re.compile(r"(?P<sign>===?|~=|!=|<=?|>=?)[ \t]*v?(?P<version>[\w.+!-]+?)(?P<any>\.\*)?[ \t]*(?:,|$)")
_ELSEWHERE = re.compile(
    # A set of signs goes first: places where none of them stands are passed over at once.
    r"[vcauF](?:(?<=\bv)(?:env|irtualenv)\b|(?<=\bc)onda[ \t]+(?:create|activate)\b|(?<=\ba)ctivate\b|(?<=\bu)ninstall\b"
    r"|(?<=^F)ROM[ \t])",
    re.MULTILINE,
)
"""Between two commands: what follows is installed elsewhere, or instead."""
_GONE = re.compile(r"\buninstall\b[^\n;&|]{0,200}[ \t]triton\b(?!-)")
_IMAGE = re.compile(
    r"(?:^|/)ascend/(?P<name>vllm-ascend):v?(?P<version>\d[\w.]*\d)(?=[-@]|$)|(?:^|/)vllm-ascend:v?(?P<bare>\d[\w.]*\d)(?=[-@]|$)"
)

_CLONED = re.compile(
    r"g(?<=\bg)it[ \t]+clone\b(?=[^\n;&|]{0,200}?[ \t](?:-b|--branch)(?:[ \t]+|=)v?(?P<version>\d[\w.]*\d)(?![\w.]))"
    r"[^\n;&|]{0,200}?/(?P<name>vllm-ascend|vllm|vllm-omni)(?:\.git)?(?![\w.-])"
)
"""The source of a release; what is installed from it has that version."""
_FROM_SOURCE = re.compile(
    r"p(?<=\bp)ip3?[ \t]+install\b[^\n;&|]{0,200}[ \t](?:\.|\./?[\w/-]*vllm[\w-]*/?)(?:\[[\w,]*\])?(?=[ \t\n;&|\\]|\Z)"
)
_PYTHON = re.compile(r"-py(?P<version>3\.\d{1,2})(?![\w.])")
_MADE = re.compile(
    r"[cmupF](?:(?:(?<=\bc)onda|(?<=\bm)amba)[ \t]+(?:create|install)\b[^\n;&|]{0,200}?\bpython==?|(?<=\bu)v[ \t]+venv\b[^\n;&|]{0,100}?(?:--python|-p)[ =]"
    r"|(?<=\bp)ython(?=3\.\d{1,2}[ \t]+-m[ \t]+venv\b)|(?<=^F)ROM[ \t]+(?:[\w.-]+/){0,3}python:)[\"']?(?P<version>3\.\d{1,2})(?![\w.]*\*)",
    re.MULTILINE,
)
"""What makes an environment of one Python."""
_OF_CONDA = re.compile(r"^[ \t]*-[ \t]+[\"']?python==?(?P<version>3\.\d{1,2})(?![\w.]*\*)", re.MULTILINE)
"""The Python of an environment in a file of conda's."""


class Required(NamedTuple):
    """A package that something installs, and what it says of its version."""

    name: str
    said: str
    """`==0.11.0`, or nothing."""
    exact: Version | None
    setting: Setting
    block: Block
    built: bool = False
    """True: it is built from its source."""


class Clash(NamedTuple):
    """A requirement that another one excludes."""

    wrong: Required
    right: str
    """The version that fits."""
    other: Required
    how: Literal["together", "later", "replaced"]
    """Whether one command is to install both, the wrong one comes later, or what comes later takes its place."""


def requirements(context: Context) -> list[Required]:
    """Return what a file installs, in the order of the text; what an environment marker limits is left out."""
    return _requirements(context)


@Memoized
def _requirements(context: Context) -> list[Required]:
    found: list[Required] = []
    found += _cloned(context)
    for block in context.parsed.blocks:
        if block.surface is Surface.CONTAINER and context.document.kind is Kind.DOCKERFILE:
            found += (one for setting in block.settings if (one := _of_image(setting, block)) is not None)
        elif block.surface is Surface.PACKAGE:
            found += (
                Required(s.name, str(s.value.data), exact(str(s.value.data)), s, block)
                for s in block.settings
                if s.value.known and not s.receiver
            )
    return sorted(found, key=lambda each: each.setting.key)[:MOST_OF_ONE]


def _cloned(context: Context) -> Iterator[Required]:
    """Yield what is installed from the source of a release: `git clone -b v0.11.0 …/vllm-ascend`, and `pip install .` behind it."""
    text = context.document.text
    if (context.document.kind not in SCRIPTS and context.document.kind is not Kind.DOCKERFILE) or "clone" not in text:
        return
    clones = list(_CLONED.finditer(text))
    installed = max((each.start() for each in _FROM_SOURCE.finditer(text)), default=0) if clones else 0
    for each in clones:
        span = Span(*each.span("version"))
        version = exact(f"=={each['version']}")
        setting = requirement(f"{each['name']}=={each['version']}", span, span, Span(*each.span()), written=False)
        if setting is not None and version is not None and installed >= each.end():
            block = Block(0, Surface.PACKAGE, span, Span(*each.span()), (setting,))
            yield Required(each["name"], f"=={each['version']}", version, setting, block, built=True)


def _of_image(setting: Setting, block: Block) -> Required | None:
    """Return the vLLM-Ascend that an image has."""
    found = _IMAGE.search(str(setting.value.data)) if setting.name == "image" and setting.value.known else None
    version = exact(f"=={found['version'] or found['bare']}") if found is not None else None
    return Required(VLLM_ASCEND, f"=={version}", version, setting, block) if version is not None else None


def exact(said: str) -> Version | None:
    """Return the one version that a specifier admits, `None` where it admits several."""
    found = _CLAUSE.fullmatch(said)
    if found is None or not found["sign"].startswith("==") or found["any"]:
        return None
    with suppress(ValueError):
        return Version.parse(found["version"])
    return None


def excludes(said: str, version: str) -> bool:
    """Return whether a specifier certainly excludes a version: later fixes (`.post1`), builds and candidates count as that version."""
    wanted = _release(Version.parse(version))
    for clause in _CLAUSE.finditer(said):
        try:
            bound = _release(Version.parse(clause["version"]))
        except ValueError:
            return False
        sign = clause["sign"]
        if sign.startswith("=="):
            if (
                wanted[: _length(clause["version"])] != bound[: _length(clause["version"])]
                if clause["any"]
                else wanted != bound
            ):
                return True
        elif (
            (sign in (">=", "~=") and wanted < bound)
            or (sign == ">" and wanted <= bound)
            or (sign == "<" and wanted >= bound)
            or (sign == "<=" and wanted > bound)
        ) or (sign == "~=" and wanted[: _length(clause["version"]) - 1] != bound[: _length(clause["version"]) - 1]):
            return True
    return False


def _length(text: str) -> int:
    return min(len(re.findall(r"\d+", text)), 3)


def _release(version: Version) -> tuple[int, ...]:
    """Return the first three numbers of a version."""
    line, (is_patch, patch), _, _ = version.key
    return (*line, patch if is_patch else 0)


@Memoized
def clashes(context: Context) -> tuple[Clash, ...]:
    """Return what excludes each other, at the one that is to change."""
    found = list(requirements(context))
    by_place: dict[tuple[int, int], Clash] = {}
    for first in found:
        for second in found:
            if first is second or first.exact is None:
                continue
            wanted = (_of_torch if second.name in _OF_TORCH else _wanted)(context, first, second)
            if wanted is None or not _are_apart(second, wanted):
                continue
            # What one command installs is wrong wherever it stands; a later command takes away what an earlier one needs.
            if _meet(context, first, second):
                how: Literal["together", "later"] = "together" if first.block is second.block else "later"
                by_place.setdefault(second.setting.key, Clash(second, wanted, first, how))
            elif second.exact is not None and second.name in (TORCH, TORCH_NPU) and _meet(context, second, first):
                by_place.setdefault(second.setting.key, Clash(second, wanted, first, "replaced"))
    return tuple(by_place.values())


def _wanted(context: Context, first: Required, second: Required) -> str | None:
    """Return the version of `second` that `first` goes with; `None` for any."""
    if first.name == TORCH_NPU and second.name == TORCH and first.exact is not None:
        return ".".join(map(str, _release(first.exact)))
    if first.name == VLLM_OMNI and second.name == VLLM and first.exact is not None:
        return "=={}.{}.*".format(*_release(first.exact))
    if first.name != VLLM_ASCEND or first.exact is None:
        return None
    row = row_of(context, VLLM_ASCEND, first.exact)
    # Who builds it from source has taken its other packages into their own hands.
    asked = second.name in (VLLM, TORCH, TORCH_NPU, TRITON_ASCEND) or (second.name in _OTHERS and not first.built)
    said = row.get(second.name) if row is not None and asked else None
    if isinstance(said, list):
        return None if any(not excludes(second.said, each) for each in said) else str(said[-1])
    return said


def _of_torch(context: Context, first: Required, second: Required) -> str | None:
    """Return the version of `second` that belongs to the same PyTorch as `first`, a pinned torch-npu or vllm-ascend; `None` if unknown."""
    if first.exact is None or first.name not in (TORCH_NPU, VLLM_ASCEND):
        return None
    row = row_of(context, VLLM_ASCEND, first.exact) or {}
    torch = first.exact if first.name == TORCH_NPU else Version.parse(row[TORCH]) if TORCH in row else None
    same = row_of(context, TORCH, Version.parse("{}.{}.{}".format(*_release(torch)))) if torch is not None else None
    return (same or {}).get(second.name)


def _are_apart(required: Required, wanted: str) -> bool:
    """Return whether a requirement certainly excludes the version, or the range, that another one needs."""
    if wanted[0].isdigit():
        return excludes(required.said, wanted)
    return required.exact is not None and excludes(wanted, str(required.exact))


def row_of(context: Context, component: str, version: Version) -> Mapping[str, Any] | None:
    """Return what `pairs.toml` says of a release."""
    table = context.catalog.plain("pairs").get(component, {})
    return next((row for name, row in table.items() if Version.parse(name) == version), None)


def lines_between(context: Context, older: Version, newer: str) -> int:
    """Return how many lines of CANN one release is older than another one."""
    lines = list(context.catalog.plain("versions")["cann"])
    known = [each.line for each in (older, Version.parse(newer))]
    return lines.index(known[1]) - lines.index(known[0]) if all(each in lines for each in known) else 0


def made_for(context: Context, required: Required, needed: str, cann: Version) -> str | None:
    """Return the torch_npu for the same PyTorch that is made for a CANN of a later generation; `None` where there is none."""
    table = context.catalog.plain("pairs")[TORCH_NPU]
    mine = required.exact
    if mine is None or _release(cann)[0] <= _release(Version.parse(needed))[0]:
        return None
    same = (name for name in table if _release(Version.parse(name)) == _release(mine))
    return next((name for name in same if Version.parse(table[name]["cann"]).line == cann.line), None)


def python_of(context: Context, required: Required) -> tuple[str, Setting | None] | None:
    """Return the Python of the environment, or of the image, that a package is installed into, with the setting that says it."""
    if context.document.kind is Kind.YAML:
        said = [each["version"] for each in _OF_CONDA.finditer(context.document.text)]
        return (said[0], None) if len(said) == 1 else None
    if context.document.kind not in SCRIPTS and context.document.kind is not Kind.DOCKERFILE:
        return None
    at = required.setting.key.start
    places, versions = _made(context.document)
    count = bisect_right(places, at)
    if count or context.document.kind is not Kind.DOCKERFILE:
        return (versions[0], None) if count and len(set(versions[:count])) == 1 else None
    image = next((setting for start, setting in reversed(_images(context)) if start < at), None)
    found = _PYTHON.search(str(image.value.data)) if image is not None else None
    return (found["version"], image) if found is not None else None


@Memoized
def _made(document: Document) -> tuple[list[int], list[str]]:
    """Return where a text has made an environment of one Python, and which."""
    found = list(_MADE.finditer(document.text))
    return [each.end() for each in found], [each["version"] for each in found]


@Memoized
def _images(context: Context) -> list[tuple[int, Setting]]:
    """Return the images that a text starts from, and where each block of them begins."""
    blocks = (block for block in context.parsed.blocks if block.surface is Surface.CONTAINER)
    images = ((block.head.start, setting) for block in blocks for setting in block.settings)
    return [(start, setting) for start, setting in images if setting.name == "image" and setting.value.known]


@Memoized
def _elsewhere(document: Document) -> list[int]:
    return [each.start() for each in _ELSEWHERE.finditer(document.text)]


def newest_for(context: Context, component: str, fact: str, most: Version) -> str | None:
    """Return the newest release of a component that needs no more of `fact` than `most`."""
    table = context.catalog.plain("pairs").get(component, {})
    fitting = [name for name, row in table.items() if fact in row and most.reaches(Version.parse(row[fact]))]
    return max(fitting, key=Version.parse, default=None)


def _meet(context: Context, first: Required, second: Required) -> bool:
    """Return whether what `first` needs is gone when both are installed."""
    if first.block is second.block:
        return first.block.receiver == "" and not exclusive(first.setting.branch, second.setting.branch)
    # Groups of packages in one file are alternatives, as the commands of a page are.
    if context.document.kind in PAGES or context.document.kind in (Kind.NOTEBOOK, Kind.REQUIREMENTS):
        return False
    one, other = sorted((first.setting.key.start, second.setting.key.start))
    between = _elsewhere(context.document)
    if exclusive(first.setting.branch, second.setting.branch) or bisect_left(between, one) < bisect_left(
        between, other
    ):
        return False
    # vLLM isn't installed by its plugin; the others are, as it needs them, by whatever comes last.
    return second.name == VLLM or second.setting.key.start > first.setting.key.start


def overwritten(context: Context) -> Iterator[tuple[str, Required, Required, str, str]]:
    """Yield what an installation takes from an earlier one: how, what does it, from what, with both versions of what they share.

    `folder`: triton lies where triton-ascend does; `torch`: vLLM brings the PyTorch that it pins.
    """
    found = (
        [] if context.document.kind in PAGES else [each for each in requirements(context) if not each.block.receiver]
    )
    for first in found:
        for second in found:
            names = (first.name, second.name)
            if names == (TRITON_ASCEND, TRITON) and _meet(context, first, second):
                last = max(first.setting.key.start, second.setting.key.start)
                if not _GONE.search(context.document.text, last):
                    yield "folder", second, first, "", ""
            later = second.setting.key.start > first.setting.key.start and second.block is not first.block
            if names == (VLLM_ASCEND, VLLM) and later and _meet(context, first, second):
                torches = _different_torches(context, first, second)
                if torches is not None:
                    yield "torch", second, first, torches[1], torches[0]


def _different_torches(context: Context, ascend: Required, vllm: Required) -> tuple[str, str] | None:
    """Return the PyTorch that a release of vLLM-Ascend pins, and another one that a vLLM pins, where these are known to differ.

    Where an image has that vLLM, pip leaves it, and with it the PyTorch.
    """
    if ascend.block.surface is Surface.CONTAINER and _wanted(context, ascend, vllm) is None:
        return None
    rows = [row_of(context, each.name, each.exact) if each.exact is not None else None for each in (ascend, vllm)]
    ours, theirs = ((row or {}).get(TORCH) for row in rows)
    if not ours or not theirs or _release(Version.parse(ours)) == _release(Version.parse(theirs)):
        return None
    return ours, theirs


def unresolvable(context: Context) -> Iterator[tuple[Required, Required, str, str]]:
    """Yield vLLM-Ascend and the vLLM that one command is to install with it, which pin different PyTorches, and these."""
    for each in requirements(context):
        if (
            each.name != VLLM_ASCEND
            or each.exact is None
            or each.block.surface is not Surface.PACKAGE
            or each.block.receiver
        ):
            continue
        for beside in requirements(context):
            if beside.block is not each.block or beside.name != VLLM or beside.exact is None:
                continue
            torches = _different_torches(context, each, beside)
            if torches is not None:
                yield each, beside, *torches
