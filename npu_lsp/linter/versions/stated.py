"""The versions that a text names itself: by an image, a path of an installation, a package, an argument, its own folder.

A Dockerfile of `cann:8.0.rc1-910b` says what it runs on, whatever is newest or installed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.target import Stated, Version
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.word_search import Words

_VERSION = r"v?(?P<version>\d{1,2}\.\d{1,3}(?:\.?(?:rc|alpha|beta|post|dev|[ab])\.?\d{1,8}|\.\d{1,6}){0,6})(?!\w*\d)"
_FIRM = r"={2}|[:/_-]|(?:[_-](?:version|tag))[\"']?[ \t]{0,8}[:=?]{1,2}[ \t]{0,8}[\"']?(?:\$\{\w{1,40}:-)?"
"""Between a name and its version where a thing is named that has both: an image, a package, a folder, an argument."""
_LOOSE = r"[ \t]{0,8}[:：|*_`]{0,3}[ \t]{0,8}(?:版本|软件包|version)?[ \t]{0,8}[:：|*_`]{0,3}[ \t]{0,8}"
"""Between them in prose and in tables, which may speak of more than what this text runs on."""
_CANN = (
    r"(?:(?<![a-z${])(?:ascend-)?cann(?:-(?:toolkit|kernels|nna[el]|nnrt|ops|910b?|910_93|310[bp]?|a[23])){0,4}"
    r"|(?<![\w-])(?:ascend-toolkit|nnae|nnrt|nnal/atb))"
)
_LATER = re.compile(
    r"[`*\"')\]]{0,4}(?:-[\w.-]{1,40}[`*\"')\]]{0,4})?[ \t,，（(]{0,3}(?:\+|及?以[上后]|[及或](?:更[高新]|之?后|以上)|起|or[ \t]+(?:later|newer|above|higher)"
    r"|and[ \t]+(?:later|newer|above|higher|up))",
    re.IGNORECASE,
)
"""Behind a version that is the first of many."""
_LEFT_OUT = re.compile(r"[ \t]*#[ \t]*(?:\$ )?(?:uv |python3? -m )?(?:pip3?|conda|docker|image:|FROM)\b")
"""A line that somebody commented out: what it would install is not what runs."""
_SUBJECTS = {
    CANN: (("cann", "ascend-toolkit", "nnae", "nnrt", "nnal"), _CANN),
    "torch-npu": (("torch_npu", "torch-npu"), r"(?<![a-z${])torch[_-]npu"),
    "mindie": (("mindie",), r"(?<![a-z${])mindie(?:[_-](?:service|llm|all|env|atb|rt|motor|turbo)){0,2}"),
    "sglang": (("sglang",), r"(?<![a-z${])sglang(?:-npu)?(?:\[[\w, -]{1,40}\])?"),
    "mooncake": (("mooncake",), r"(?<![a-z${])mooncake(?:[_-]transfer[_-]engine(?:-npu)?)?"),
    "vllm-ascend": (("vllm_ascend", "vllm-ascend", "vllm_version="), r"(?<![a-z${])vllm(?:[_-]ascend|(?=_version=))"),
}
"""By component: words without which it isn't named, and its name."""
_PATTERNS = {
    component: re.compile(rf"{name}(?:(?P<firm>{_FIRM}|(?<=cann))|{_LOOSE}){_VERSION}", re.IGNORECASE)
    for component, (_, name) in _SUBJECTS.items()
}
_DDK = "ddk"
_OF_DDK = re.compile(r"\bDDK_HOME\b|/tools/che/ddk\b|/usr/local/HiAI\b")
"""The DDK, from which CANN came."""
_OF = {
    **{word: component for component, (words, _) in _SUBJECTS.items() for word in words},
    **dict.fromkeys(("ddk_home", "/tools/che/ddk", "/usr/local/hiai"), _DDK),
}
_WORDS = Words(_OF)
_FOLDER = re.compile(
    rf"(?:\A|/)(?:cann-?)?{_VERSION}-(?:910b?|910_93|a[23]|310[bp]?)(?![a-z0-9])[^/]*(?=/|\Z)", re.IGNORECASE
)
"""A folder named like the tag of an image."""
_FOLDERS = 3
"""Parts of a file's path that are its own: further up is where somebody keeps it."""
_YEARS = 20
"""CANN was numbered by years before 5.0: 20.0 to 21.0."""


_BEFORE_CANN = Version("1.0", Version.parse("1.0").key, is_line=True)
"""What stands for the DDK: 1.x in its own count."""


class _Named(NamedTuple):
    component: str
    version: Version
    firm: bool


def _stated(document: Document) -> tuple[Stated, ...]:
    named: dict[str, list[_Named]] = {}
    for each in _named(document):
        named.setdefault(each.component, []).append(each)
    return tuple(_of(component, all_of) for component, all_of in named.items())


stated = Memoized(_stated)
"""What a document names: for each component the oldest and the newest version, in no order."""


def _of(component: str, named: list[_Named]) -> Stated:
    versions = [each.version for each in named]
    return Stated(component, min(versions), max(versions) if all(each.firm for each in named) else None)


def _named(document: Document) -> Iterator[_Named]:
    own = "/".join(document.path.replace("\\", "/").split("/")[-_FOLDERS:])
    for text in (own, document.text):
        mentioned = _mentioned(text)
        if any(_OF_DDK.search(document.text, *line) for line in mentioned.pop(_DDK, ()) if text is not own):
            yield _Named(CANN, _BEFORE_CANN, firm=False)
        for component, lines in mentioned.items():
            for start, end in lines:
                # In Python, comments are where installs are told.
                if document.kind is not Kind.PYTHON and _LEFT_OUT.match(text, start, end):
                    continue
                ticks, done = 0, start
                for found in _PATTERNS[component].finditer(text, start, end):
                    ticks += text.count("`", done, found.start())
                    done = found.start()
                    version = _version(component, found["version"])
                    if version is not None:
                        yield _Named(component, version, _is_firm(text, found, ticks))
    for found in _FOLDER.finditer(own):
        version = _version(CANN, found["version"])
        if version is not None and version.key[0] >= (5, 0):
            yield _Named(CANN, version, firm=True)


def _is_firm(text: str, found: re.Match[str], ticks: int) -> bool:
    """Return whether a text runs on what it names, and doesn't only speak of it; so many backticks stand before it on its line.

    An image between backticks in a sentence is spoken of, unlike a path; `VLLM_VERSION` is vLLM's, which several of vLLM-Ascend
    run on.
    """
    if found["firm"] is None or found[0].lower().startswith("vllm_version"):
        return False
    is_spoken_of = found["firm"] == ":" and ticks % 2 == 1
    return not is_spoken_of and _LATER.match(text, found.end()) is None


def _mentioned(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return the lines that name each component, by their ends: a name and its version stand on one."""
    found: dict[str, list[tuple[int, int]]] = {}
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters are two in lower case: offsets are others then.
        return {_OF[word]: [(0, len(text))] for word in _WORDS.found(lower)}
    for number, at in _WORDS.places(lower):
        lines = found.setdefault(_OF[_WORDS.words[number]], [])
        if not lines or at >= lines[-1][1]:
            end = text.find("\n", at)
            lines.append((text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)))
    return found


def _version(component: str, text: str) -> Version | None:
    try:
        version = Version.parse(text)
    except ValueError:
        return None
    major = version.key[0][0]
    if component == CANN and major >= _YEARS:
        return Version(text, Version.parse("3.0").key, is_line=True)
    if component == CANN and (7, 1) <= version.key[0][:2] < (8, 0):
        # 8.0 came after 7.0: 7.1 to 7.9 are numbers that its packages carry inside, as in the folder `CANN-7.7`.
        return None
    if component == CANN and not 3 <= major:  # noqa: SIM300 - reads as a range
        return None
    return version
