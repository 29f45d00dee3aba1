"""The same text says the same wherever it stands: as a file, in a fence, in a here-document, in a string, in a cell."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.density import is_crowded
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits

CASES = Path(__file__).parents[1] / "cases"
ANALYZER = Analyzer(Config(), all_rules)

_BETWEEN_LINES = re.compile(r'(?<!\\)", "')
# What makes a fence without a language one of commands: a line of it that is a command that matters.
_COMMAND = re.compile(r"^(?:atc --\w+[= ]|export [A-Z])", re.MULTILINE)
Wrap = Callable[[str], "str | None"]


class Host(NamedTuple):
    """A way in which a text stands in another one."""

    kind: Kind
    wrap: Wrap
    """Returns the text around; `None` where such a text can't stand there."""
    silent: frozenset[str] = frozenset()
    """Codes of findings that are about a file as such: here there is none, or it is not this one."""
    escapes: bool = False
    """True: what a fix writes is escaped, so that the text around it says the same in other words."""


def _indented(text: str, indent: str) -> str:
    return "".join(indent + line if line.strip() else line for line in text.splitlines(keepends=True))


def _ends(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"


def _cell(text: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": text.splitlines(keepends=True)}]}, ensure_ascii=False)


def _single(text: str) -> str | None:
    return None if "'" in text else f"'\n{text}'"


def _double(text: str) -> str:
    return '"' + re.sub(r'["$`]|\\(?!\n)', r"\\\g<0>", text) + '"'


def _filled(text: str) -> str:
    return re.sub(r"[$`]|\\(?!\n)", r"\\\g<0>", text)


def _python_string(text: str) -> str | None:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"import os\nos.system('''{escaped}''')\n"


def _prefixed(prefix: str, text: str | None) -> str | None:
    return None if text is None else prefix + text + "\n"


# A line end or a file that isn't there is a matter of the file; so is what runs after an export.
FILE = frozenset({"carriage-return", "file-missing", "large-file"})
# A script that is started as it is has files beside it, and functions and variables of its own.
SHELL_FILE = FILE | {"exported-too-late", "kubectl-reference", "mistyped-command", "unset-variable"}
# Servers, requests to them and what is built from source are put together in scripts and on pages.
PUT_TOGETHER = frozenset({"request-to-nobody", "packages-disagree"})
# What is too much for a part of a script is too much for the script: it is told of the whole.
WITHIN_SHELL = SHELL_FILE | {"large-statement"}
# A shell that Python starts ends before anything can read what it exports.
PROCESS = frozenset({"lost-export"})
# A manual shows a part of a command: nothing is missing for sure, and a word may stand for others.
MANUAL = frozenset(
    {
        *("missing-required", "missing-companion", "contradicts-launch", "stray-word", "not-applicable"),
        *("outputs-disagree", "address-not-filled-in", "launch-companion", "packages-disagree"),
        # Two installations on a page may be one or the other.
        "packages-overwritten",
        # What a page leaves out may be what decides.
        *("container-lacks", "container-without-npus", "index-missing", "devices-not-chosen", "launch-refused"),
    }
)
# A part of a command says nothing of what isn't there.
DEFAULTS = re.compile(
    r", its default\b|is started with \"data-parallel-size\" 1;|, which is not set: |^\"[\w-]+\" \(\d+\) is no multiple of "
    r"|, which nothing here sets: |^`profiling_chunk_config` needs \"pipeline-parallel-size\" above 1, which is 1: "
)
# Names of a script are compared with each other where it is all of a file, and a backslash that nothing follows may be pasted from a page.
WHOLE = re.compile("and the script names it only here|^Nothing follows this backslash: pasted")
_PLACE = re.compile(r"\ALine \d+, column \d+")
"""Told of the file, where that has more lines."""
# Code that isn't said to be Python shows some options of a session.
PART = frozenset({"optimizer-unnamed", "used-together", "offline-missing", "grappler-rewrites", "config-unused"})
# Cells run in any order, and the rule on glued flags looks at the line as the file has it.
NOTEBOOK = frozenset({"set-twice", "glued-flag", "packages-disagree", "packages-overwritten"})
# What a text only reads, or has for other devices, makes no region of it: in quotes and cells it is told of texts that set something.
READ = frozenset({"unknown-read", "gpu-habit", "lost-equals", "broken-expansion"})
# Names of other tools make no region either, in Python; in a fence, a variable that isn't known is none to look at.
NAMES = frozenset({"misspelt-name"})
UNKNOWN = frozenset({"unexpanded-variable"})
# Where signs are escaped, or lines are texts of a list, nobody knows what was never closed; the name of an address is escaped, too.
ESCAPED = frozenset({"left-open", "address-not-filled-in", "cut-text", "unexpanded-variable", "first-of-array"})
SHELL_FENCE = SHELL_FILE | MANUAL | UNKNOWN
SHELL = {
    "a fence": Host(Kind.MARKDOWN, lambda text: f"# x\n\n```bash\n{_ends(text)}```\n", SHELL_FENCE),
    "a fence in a list": Host(
        Kind.MARKDOWN, lambda text: f"- x\n\n  ```sh\n{_indented(_ends(text), '  ')}  ```\n", SHELL_FENCE
    ),
    "a fence that an item begins": Host(
        Kind.MARKDOWN, lambda text: f"- ```bash\n{_indented(_ends(text), '  ')}  ```\n", SHELL_FENCE
    ),
    "a fence that tells no language": Host(
        Kind.MARKDOWN,
        lambda text: f"```\n{_ends(text)}```\n" if _COMMAND.search(text) else None,
        SHELL_FENCE,
    ),
    "an instruction": Host(
        Kind.DOCKERFILE, lambda text: f"FROM x\nRUN <<END_OF_IT\n{_ends(text)}END_OF_IT\n", SHELL_FILE | PUT_TOGETHER
    ),
    "a here-document": Host(Kind.SHELL, lambda text: f"bash <<'END_OF_IT'\n{_ends(text)}END_OF_IT\n", WITHIN_SHELL),
    "a here-document that is filled in": Host(
        Kind.SHELL,
        lambda text: f"bash <<END_OF_IT\n{_filled(_ends(text))}END_OF_IT\n",
        # A sign that the shell around keeps is escaped there, and it looks at this one, too.
        WITHIN_SHELL | READ | ESCAPED,
        escapes=True,
    ),
    "single quotes": Host(Kind.SHELL, lambda text: _prefixed("bash -c ", _single(text)), WITHIN_SHELL),
    "double quotes": Host(
        Kind.SHELL,
        lambda text: _prefixed("bash -c ", _double(text)),
        WITHIN_SHELL | READ | ESCAPED | PUT_TOGETHER,
        escapes=True,
    ),
    "a step": Host(
        Kind.YAML,
        lambda text: f"steps:\n  - run: |\n{_indented(_ends(text), '      ')}",
        # Pipelines fill in `$(name)`.
        SHELL_FILE | READ | PUT_TOGETHER | {"unexpanded-variable"},
    ),
    "a cell": Host(
        Kind.NOTEBOOK, lambda text: _cell("%%bash\n" + text), SHELL_FILE | NOTEBOOK | ESCAPED | PUT_TOGETHER
    ),
    "a string of Python": Host(
        Kind.PYTHON, _python_string, SHELL_FILE | PROCESS | READ | PUT_TOGETHER | {"unexpanded-variable"}, escapes=True
    ),
    "a here-document in a fence": Host(
        Kind.MARKDOWN,
        lambda text: f"```bash\nssh host <<'END_OF_IT'\n{_ends(text)}END_OF_IT\n```\n",
        WITHIN_SHELL | MANUAL | UNKNOWN,
    ),
}
PYTHON_FILE = FILE | NAMES
PYTHON = {
    "a fence": Host(Kind.MARKDOWN, lambda text: f"# x\n\n```python\n{_ends(text)}```\n", PYTHON_FILE | MANUAL),
    "a fence that an item begins": Host(
        Kind.MARKDOWN, lambda text: f"- ```python\n{_indented(_ends(text), '  ')}  ```\n", PYTHON_FILE | MANUAL
    ),
    "a fence that tells no language": Host(
        Kind.MARKDOWN,
        lambda text: f"```\n{_ends(text)}```\n" if "parameter_map[" in text else None,
        PYTHON_FILE | MANUAL | PART,
    ),
    "an instruction": Host(
        Kind.DOCKERFILE, lambda text: f"FROM x\nRUN <<END_OF_IT python3\n{_ends(text)}END_OF_IT\n", PYTHON_FILE
    ),
    "a here-document": Host(Kind.SHELL, lambda text: f"python3 - <<'END_OF_IT'\n{_ends(text)}END_OF_IT\n", PYTHON_FILE),
    "a here-document that is filled in": Host(
        Kind.SHELL, lambda text: f"python3 <<END_OF_IT\n{_filled(_ends(text))}END_OF_IT\n", PYTHON_FILE, escapes=True
    ),
    "single quotes": Host(Kind.SHELL, lambda text: _prefixed("python3 -c ", _single(text)), PYTHON_FILE),
    "double quotes": Host(
        Kind.SHELL, lambda text: _prefixed("python3 -c ", _double(text)), PYTHON_FILE | READ, escapes=True
    ),
    "a cell": Host(Kind.NOTEBOOK, _cell, PYTHON_FILE | NOTEBOOK | READ),
    "a here-document in a step": Host(
        Kind.YAML,
        lambda text: "steps:\n  - run: |\n" + _indented(f"python3 <<'END_OF_IT'\n{_ends(text)}END_OF_IT\n", "      "),
        PYTHON_FILE,
    ),
}


def texts(kind: Kind) -> list[str]:
    found = [e.text for rule in all_rules() for e in rule.invalid if e.kind is kind]
    found += [e.text for rule in all_rules() for e in rule.valid if e.kind is kind]
    suffix = {Kind.SHELL: ".sh", Kind.PYTHON: ".py"}[kind]
    found += [
        path.read_text("utf-8") for name in ("broken", "clean") for path in sorted((CASES / name).glob("*" + suffix))
    ]
    return [text for text in found if "\r" not in text and not text.startswith(("#!", "\ufeff"))]


def _said(document: Document, silent: frozenset[str]) -> list[Finding]:
    told_of = (finding for finding in ANALYZER.findings(document) if finding.name not in silent)
    found = (finding for finding in told_of if not WHOLE.search(finding.message))
    return [finding for finding in found if not (silent >= MANUAL and DEFAULTS.search(finding.message))]


def told(document: Document, host: Host, silent: frozenset[str]) -> Counter[tuple[str, str, str]]:
    """Return what is said about a text, and of which words in it."""
    return Counter((f.name, _PLACE.sub("", f.message), words(document, f, host)) for f in _said(document, silent))


def words(document: Document, finding: Finding, host: Host) -> str:
    """Return what a finding is about, as it is in the text of the region; nothing where that would have to be told."""
    text = document.text[finding.span.start : finding.span.end]
    # That a file as a whole is too large is told of its first line, which is one of the text around.
    # Quotes in a value are escaped in a cell: all of the value is underlined there, not the key that is wrong.
    whole = ("nothing reads the key", "the value must be a JSON object")
    quoted = host.kind is Kind.NOTEBOOK and any(words in finding.message for words in whole)
    if host.escapes or quoted or (finding.name == "large-statement" and finding.message.startswith("The file")):
        return ""
    if document.kind is Kind.NOTEBOOK:
        text = json.loads(f'"{_BETWEEN_LINES.sub("", text)}"')
    return re.sub(r"\n\s*", "\n", text).strip()


def plain(text: str) -> str:
    """Return a text without blank lines: where nothing is left of a fence, it may keep one."""
    if text.startswith("{"):
        text = "".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


def mended(text: str, finding: Finding) -> str:
    return apply_edits(text, finding.fixes[0].edits) if finding.fixes else text


@cache
def _alone(text: str, kind: Kind) -> Document:
    """Return a text as a file: one for all hosts, since what is known of it is kept with it."""
    return Document(text, kind=kind)


def differences(text: str, kind: Kind, host: Host) -> list[str]:
    around = host.wrap(text)
    if around is None:
        return []
    file, inside = _alone(text, kind), Document(around, kind=host.kind)
    silent = host.silent
    if host.kind is Kind.MARKDOWN and all(len(block.settings) < 2 for block in read(file).blocks):
        # An option that a manual shows alone is an excerpt: what goes with it is left out there.
        silent |= {"used-together"}
    if is_crowded(file):
        # How much of it is checked follows from its lines, which a host may have fewer of.
        both = [{each.name for each in ANALYZER.findings(document)} for document in (file, inside)]
        return [] if all("large-statement" in each for each in both) else [f"crowded, and not told: {both}"]
    one, other = told(file, host, silent), told(inside, host, silent)
    found = [f"only in the file: {each}" for each in one - other] + [f"only inside: {each}" for each in other - one]
    if found or host.escapes:
        return found
    pairs = zip(_said(file, silent), _said(inside, silent), strict=True)
    for here, there in pairs:
        wanted = host.wrap(mended(text, here))
        if wanted is not None and plain(mended(around, there)) != plain(wanted):
            found.append(f"mended otherwise: {here.name} {mended(around, there)!r}")
    return found


@pytest.mark.parametrize(
    ("kind", "host"),
    [
        pytest.param(kind, host, id=f"{kind.value} in {name}")
        for kind, each in ((Kind.SHELL, SHELL), (Kind.PYTHON, PYTHON))
        for name, host in each.items()
    ],
)
def test_a_text_says_the_same(kind: Kind, host: Host) -> None:
    found = [(text, difference) for text in texts(kind) for difference in differences(text, kind, host)]
    assert not found, "\n".join(f"{text!r}\n    {difference}" for text, difference in found[:10])


def test_a_comment_behind_words_of_the_host_leaves_them_alone() -> None:
    text = "bash -c '# npu-lsp: ignore-file[NPU101]\natc --model=a.onnx --soc_version=Ascend310P3'\n"
    (finding,) = (f for f in ANALYZER.findings(Document(text, kind=Kind.SHELL)) if f.name == "unused-suppression")
    assert mended(text, finding) == text.replace("# npu-lsp: ignore-file[NPU101]", "")
