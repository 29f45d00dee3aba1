"""Four times the text takes four times the steps, in every language that is read, for what each surface's example is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from zlib import crc32

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.registry import LANGUAGES
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.robustness.constructs import Construct
from tests.robustness.generated import constructs
from tests.robustness.grammars import grown, missing, tokens_of_readers
from tests.robustness.steps import multiplied

_CHARACTERS = 250
_PARTS = 8
"""Into which the constructs are divided, so that some processes can share the work."""


def test_every_reader_is_in_it() -> None:
    made = list(constructs())
    files = {row.kind for row in LANGUAGES if row.suffixes or row.names or row.habit or row.contents}
    assert {kind for kind, _, _ in made} == files
    assert {name.partition(" ")[0] for _, name, _ in made} == {surface.value for surface in Surface}


@pytest.mark.parametrize("part", range(_PARTS))
def test_is_linear(part: int) -> None:
    analyzer = Analyzer(Config(), all_rules, in_editor=True)
    told = {}
    for kind, name, construct in constructs():
        if crc32(name.encode()) % _PARTS == part and (said := _said(analyzer, kind, construct)):
            told[name] = said
    assert not told
    assert not analyzer.failures


def test_every_grammar_is_in_it() -> None:
    """Who brings a reader, or a grammar with more in it, brings a text of each part."""
    assert not missing()
    assert set(LANGUAGES) == set(tokens_of_readers())
    assert len(grown()) > 1_000


@pytest.mark.parametrize("part", range(_PARTS))
def test_what_grammars_have_is_linear(part: int) -> None:
    analyzer = Analyzer(Config(), all_rules, in_editor=True)
    told = {}
    for kind, name, construct in grown():
        if crc32(name.encode()) % _PARTS == part and (said := _said(analyzer, kind, construct)):
            told[name] = said
    assert not told
    assert not analyzer.failures


_OPENINGS = (
    *(
        '"',
        "'",
        "$'",
        "`",
        "$(",
        "${",
        "$((",
        "((",
        "(",
        "[[ ",
        "[ ",
        "{ ",
        "<(",
        "a=(",
        "<<A",
        "<<'A'",
        "${a[",
        '${a:-"',
    ),
    *("if a; then ", "for i in a; do ", "while a; do ", "case a in ", "a) ", "f() { "),
)
"""What opens something in shell."""
_STRAY = ("|", "&&", "\\", ")", "}", "fi ", "done ", "esac ", ";;", "]]", "))", "<", ">&", "&>", "! ", "\r", "=(")
"""What closes nothing, or goes on with nothing."""
_IN_WORDS = "atc --model=a {} --log=info\n"
_LINES = (
    "echo {}\n",
    "export ASCEND_GLOBAL_LOG_LEVEL={}\n",
    "A={}x\n",
    "atc --model={}a\n",
    _IN_WORDS,
    # Each in the one before.
    "{}",
    "{}a ",
    "{}atc --model=",
)


@pytest.mark.parametrize("line", _LINES)
def test_damage_is_linear(line: str) -> None:
    _all_linear(line.format(sign) for sign in (*_OPENINGS, *_STRAY))


@pytest.mark.parametrize("first", _OPENINGS)
def test_damage_in_damage_is_linear(first: str) -> None:
    _all_linear(_IN_WORDS.format(first + sign) for sign in _OPENINGS)


def _all_linear(damaged: Iterable[str]) -> None:
    analyzer = Analyzer(Config(), all_rules, in_editor=True)
    made = (Construct("", each, "export ASCEND_GLOBAL_LOG_LEVEL=1\n", "\natc --model=a\n") for each in damaged)
    told = {each.unit: said for each in made if (said := _said(analyzer, Kind.SHELL, each))}
    assert not told
    assert not analyzer.failures


_POD = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: server-@
spec:
  replicas: "2"
  template:
    metadata:
      labels:
        app: a@
    spec:
      containers:
        - name: main
          image: a
          args:
            - vllm serve a --tensor-parallel-size 2
          env:
            - name: HCCL_BUFFSIZE
              value: "200"
          resources:
            limits:
              huawei.com/Ascend910: 2
          volumeMounts:
            - name: data
              mountPath: /data
      volumes:
        - name: data
          hostPath:
            path: /data
"""
_SERVED = "model: a\ntensor-parallel-size: 2\nadditional-config:\n  refresh: true\n"


def _grown(text: str, unit: str, behind: str) -> Construct:
    """Return a text that has units behind the line that ends with `behind`."""
    at = text.index(behind) + len(behind)
    return Construct("", unit, text[:at], text[at:])


@pytest.mark.parametrize(
    "construct",
    [
        Construct("", f"{_POD}---\n"),
        _grown(_POD, "        - name: a@\n          image: a\n", "containers:\n"),
        _grown(_POD, "            - name: A@\n              value: 1\n", "env:\n"),
        _grown(_POD, "            - name: data\n              mountPath: /data\n", "volumeMounts:\n"),
        _grown(_POD, "        - name: data@\n          emptyDir: {}\n", "volumes:\n"),
        _grown(_POD, "        l@: 1\n", "labels:\n"),
        _grown(_POD, "      fiel@: 1\n", "    spec:\n"),
        Construct("", "max-num-seqs: @\n", _SERVED),
        Construct("", "max-nun-seq@: 1\n", _SERVED),
        Construct("", f"{_SERVED}---\n"),
    ],
)
def test_documents_of_yaml_are_linear(construct: Construct) -> None:
    analyzer = Analyzer(Config(), all_rules, in_editor=True)
    assert _said(analyzer, Kind.YAML, construct) is None
    assert not analyzer.failures


@pytest.mark.parametrize(
    "flag", ["--agr_numbre_@y 3", "--arg_number_@x 3"], ids=["that it has not", "with another value"]
)
def test_what_a_script_is_given_is_linear(flag: str, tmp_path: Path) -> None:
    """A script takes as many flags as a command gives it."""
    takes = Construct(
        "",
        "parser.add_argument('--arg_number_@x', choices=[1, 2])\n",
        "import argparse\nparser = argparse.ArgumentParser()\n",
        "args = parser.parse_args()\n",
    )
    gives = Construct("", f" {flag}", after="\n")
    analyzer = Analyzer(Config(), all_rules)

    def make(times: int) -> Callable[[], object]:
        (tmp_path / f"convert{times}.py").write_text(takes.text(times), encoding="utf-8")
        text = f"python convert{times}.py{gives.text(times)}"
        document = Document(text, path=str(tmp_path / "run.sh"), kind=Kind.SHELL)
        return lambda: analyzer.findings(document)

    assert make(2)()
    assert multiplied(make, 100) is None
    assert not analyzer.failures


def _said(analyzer: Analyzer, kind: Kind, construct: Construct) -> str | None:
    def make(times: int) -> Callable[[], object]:
        # A document of its own each time: what is known of one is kept with it.
        document = Document(construct.text(times), path="/nowhere/file", kind=kind)
        return lambda: analyzer.findings(document)

    make(2)()  # What is loaded once is loaded.
    size = max(4, _CHARACTERS // len(construct.unit + construct.closing))
    # What begins at a certain length is told by the first step and not by the next one.
    return multiplied(make, size) and multiplied(make, 4 * size)
