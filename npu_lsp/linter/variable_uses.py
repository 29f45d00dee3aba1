"""Whether a text uses the variables that it sets.

There are two ways to tell, since neither finds all: what no reader takes for a script may be one (`eval 'echo $X'`, a text that
is written into a file), and not every use has the sign (`os.environ["X"]`, `$((X + 1))`, `[[ -v X ]]`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from npu_lsp.catalog.near import COMPARED, are_apart, is_one_letter_off, slip_of
from npu_lsp.languages import read
from npu_lsp.languages.innermost import texts
from npu_lsp.languages.model import Setting
from npu_lsp.languages.variable_names import is_variable, meant
from npu_lsp.languages.variables import reads
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import words

_EXPANSION = re.compile(r"\$\{?([A-Za-z_]\w*)")
_TAKEN = re.compile(r"\$\{?([A-Z][A-Z0-9_]{2,})")
_LOOKED_UP = re.compile(r"env(?:(?<=getenv)b?|ironb?[.\[])[^\n\"']{0,40}[\"']([A-Z][A-Z0-9_]{2,})")
"""What certainly holds the names of the two others that are close to ours. What both begin with is looked for first."""
_COMMENT = re.compile(r"[ \t]*#")
_OF_PODS = re.compile(
    r"\$\{?(?:(?:CONFIGMAP_PATH|USER_CONFIG_PATH|KVP_MASTER_SERVICE|MOTOR_LOG_ROOT_PATH|INFER_SERVICE_INDEX)\b|KV_POOL_[A-Z]|ASCEND_MF_[A-Z])"
    r"|\bset_(?:kv_pool|kv_conductor|mf_store|controller|coordinator)_env\b|-m[ \t]+motor\.[a-z]"
)
_OF_PYMOTOR = re.compile(r"(?i)motor|mooncake|ascend|npu|kv_?p|kv_conductor|mf_store")
"""What scripts of other deployments don't speak of, which have a `CONFIGMAP_PATH`, too."""
_MOST = 200
"""Characters of a name."""
_LONG, _SHORT, _OFTEN = 10, 6, 3
"""Letters of a name that is compared with others of its script, of one that is a letter off, and how often such a one stands there."""
OF_SYSTEM = frozenset({"LD_LIBRARY_PATH", "PYTHONPATH", "LIBRARY_PATH", "HOSTNAME", "LOGNAME", "USERNAME", "TMPDIR"})
"""Variables that are there before a script starts."""
_NAMES = re.compile(r"[A-Za-z_]\w*")
_GIVEN = re.compile(
    r"(?<![\w${-])(?P<name>[A-Za-z_]\w{0,80})(?:\[[^\]\r\n]{0,40}\])?\+?=(?!=)"
    r"|\b(?:for|select|read|local|declare|export|readonly|mapfile|getopts|-v)\b(?P<names>[^=\r\n;|&]{1,400})"
)
_ASKED = re.compile(r"(?:-[nz]|\[|=|\bcase)[ \t]+\"?\Z")
_BEFORE = 12
_HIDDEN = re.compile(r"[#'](?:(?:(?<=^#)|(?<=[ \t]#))[^\r\n]*|(?<=')[^'\r\n]*')", re.MULTILINE)
"""Comments, and text in which nothing is expanded."""
_OWN = frozenset({Kind.SHELL, Kind.PYTHON, Kind.DOCKERFILE})
"""Kinds of texts that run as a whole; others hold such."""
_FETCHED = re.compile(
    r"(?<![A-Za-z0-9_])(?P<deleted>del\s{1,9})?(?:os\s{0,9}\.\s{0,9})?"
    r"(?:getenvb?\s{0,9}\(|environb?\s{0,9}(?:\.\s{0,9}get\s{0,9}\(|\[))\s{0,9}"
    r"[bBrRuU]{0,2}(?P<quote>\\{0,3}[\"'])(?P<name>[A-Za-z_]\w{0,200})(?P=quote)(?P<assigned>\s{0,9}\]\s{0,9}=(?!=))?"
)
"""The quotes have backslashes where the program stands in another text."""


def is_expanded(setting: Setting, document: Document) -> bool:
    """Return whether a text takes the value of a variable as a shell does, outside of the statement that sets it."""
    if not setting.surface.row.environment:
        return False
    own = setting.own
    first, last = _expansions(document).get(setting.name, (own.start, own.start))
    return first < own.start or last >= own.end


def is_fetched(setting: Setting, document: Document) -> bool:
    """Return whether Python takes the value of a variable, outside of the statement that sets it."""
    if not setting.surface.row.environment:
        return False
    first, last = _fetched(document).get(setting.name, (setting.own.start, setting.own.start))
    return first < setting.own.start or last >= setting.own.end


def is_used(setting: Setting, document: Document) -> bool:
    """Return whether a text takes the value of a variable in any way, or takes it out: without it a shell with `set -u` would stop."""
    if not setting.surface.row.environment:
        return False
    used = _parsed(document).get(setting.name, ())
    return is_expanded(setting, document) or any(not span.within(setting.own) for span in used)


@Memoized
def _expansions(document: Document) -> dict[str, tuple[int, int]]:
    """Return where `$X` and `${X` stand first and last, by name."""
    return _ends((use[1], use.start()) for use in _EXPANSION.finditer(document.text))


@Memoized
def _fetched(document: Document) -> dict[str, tuple[int, int]]:
    """Return where `os.getenv("X")`, `os.environ["X"]` and the like stand first and last, by name."""
    uses = _FETCHED.finditer(document.text)
    return _ends((use["name"], use.start()) for use in uses if not use["deleted"] and not use["assigned"])


def _ends(uses: Iterable[tuple[str, int]]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for name, at in uses:
        found[name] = found.get(name, (at,))[0], at
    return found


@Memoized
def _parsed(document: Document) -> Mapping[str, Sequence[Span]]:
    """Return where the variables that a text sets are used, by name, as far as readers tell."""
    names = {
        setting.name for block in read(document).blocks if block.surface.row.environment for setting in block.settings
    }
    used: dict[str, list[Span]] = {}
    for each in reads(document, names):
        used.setdefault(each.name, []).append(each.span)
    return used


@Memoized
def runs_in_pod(document: Document) -> bool:
    """Return whether a script takes what the containers of a deployment get, though it sets nothing of ours."""
    return document.kind is Kind.SHELL and all(each.search(document.text) for each in (_OF_PODS, _OF_PYMOTOR))


class Misread(NamedTuple):
    """A variable that a text takes the value of, under a name that is close to a known one."""

    name: str
    span: Span


@Memoized
def misread(document: Document) -> tuple[Misread, ...]:
    """Return where a text takes the value of a variable that is close to a known one, and names it nowhere else.

    Who also sets it, or speaks of it, has one of that name.
    """
    found = {
        Misread(each.name, span)
        for place in texts(document)
        for each in _own_misread(place.document)
        if (span := place.content(each.span)) is not None
    }
    return tuple(sorted(found))


@Memoized
def _own_misread(document: Document) -> tuple[Misread, ...]:
    return tuple(_misread(document))


def _misread(document: Document) -> Iterator[Misread]:
    """Yield where a text itself does so, whatever stands in it."""
    if document.kind not in _OWN:
        return
    text = document.text
    # Hardly a text has one: what it has is found at once, and looked at where it is needed.
    names = (
        {*_LOOKED_UP.findall(text)}
        if document.kind is Kind.PYTHON
        else {*_LOOKED_UP.findall(text), *_TAKEN.findall(text)}
    )
    wrong = frozenset(name for name in names if len(name) < _MOST and meant(name) is not None)
    found = list(_reads(document, wrong)) if wrong else []
    for name in wrong:
        places = sorted({span for each, span in found if each == name})
        if len(places) == sum(1 for _ in words(text, {name})):
            for span in places:
                if not _COMMENT.match(document.line_text(document.line_of(span.start))):
                    yield Misread(name, span)


def without_hidden(text: str) -> str:
    """Return a script with blanks in the place of comments and of quoted text in which nothing is expanded."""
    return _HIDDEN.sub(lambda match: " " * len(match.group()), text)


@Memoized
def slips(document: Document) -> tuple[tuple[Misread, str], ...]:
    """Return what a script reads once under a name that it has nowhere else, close to one of its own: one that it sets, or has often."""
    if document.kind is not Kind.SHELL:
        return ()
    text = without_hidden(document.text)
    uses = [use for use in _EXPANSION.finditer(text) if len(use[1]) >= _SHORT]
    names, said = Counter(use[1] for use in uses), Counter(_NAMES.findall(document.text))
    once = [use for use in uses if _is_odd(use[1], said)]
    if not once or len(names) > COMPARED:
        return ()
    given = {name for match in _GIVEN.finditer(text) for name in _NAMES.findall(match["name"] or match["names"])}
    own = {name: count for name, count in names.items() if said[name] > 1 and (name in given or count >= _OFTEN)}
    from npu_lsp.languages.shell.sourcing import of_tools, sourced

    # What another script sets, which this one sources, nobody knows here.
    alone = all(of_tools(each.file) for each in sourced(document))
    often = {
        name.replace("_", "-") for name, count in names.items() if alone and len(name) >= _LONG and count >= _OFTEN
    }
    found = ((use, _own_name(use[1], own, often, asked=_is_asked(text, use))) for use in once)
    return tuple((Misread(use[1], Span(*use.span(1))), near) for use, near in found if near)


def _is_odd(name: str, said: Mapping[str, int]) -> bool:
    """Return whether a script names a variable once, and nothing sets it before the script starts."""
    return said[name] == 1 and name not in OF_SYSTEM and not is_variable(name)


def _own_name(name: str, own: Mapping[str, int], often: Collection[str], *, asked: bool) -> str:
    """Return which of a script's own names was meant, empty where that isn't clear: one that is `asked` for may come from outside."""
    least, words = _OFTEN if asked else 1, words_apart()
    close = [each for each, count in own.items() if count >= least and is_one_letter_off(name, each, words)]
    if len(close) == 1:
        return close[0]
    near = (slip_of(name.replace("_", "-"), often) or "").replace("-", "_") if len(name) >= _LONG else ""
    return "" if near and is_another_name(name, near) else near


@cache
def words_apart() -> frozenset[str]:
    """Return the words of variables that are a letter from each other, and no slips: `HEIGHT`, `WEIGHT`."""
    from npu_lsp.catalog.load import load

    return frozenset(load().plain("well_known")["apart"].split())


def is_another_name(name: str, other: str) -> bool:
    """Return whether two variables with as many words differ in one, and both of these are right."""
    differing = [(left, right) for left, right in zip(name.split("_"), other.split("_"), strict=False) if left != right]
    return len(differing) == 1 and are_apart(*differing[0], words_apart())


def _is_asked(text: str, use: re.Match[str]) -> bool:
    """Return whether a script asks for a variable, or has something for where it isn't there: it may come from outside."""
    rest = text[use.end() : use.end() + 1]
    return (use[0][1] == "{" and rest != "}") or _ASKED.search(
        text, max(0, use.start() - _BEFORE), use.start()
    ) is not None


def _reads(document: Document, names: frozenset[str]) -> Iterator[tuple[str, Span]]:
    """Yield where variables with these names are used."""
    for use in _EXPANSION.finditer(document.text) if document.kind is not Kind.PYTHON else ():
        if use[1] in names:
            yield use[1], Span(*use.span(1))
    for use in _FETCHED.finditer(document.text):
        if use["name"] in names and not use["deleted"] and not use["assigned"]:
            yield use["name"], Span(*use.span("name"))
