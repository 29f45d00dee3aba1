"""Texts in which two things multiply: the lines of a function and its calls, the uses of a list and what changes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.model import SyntaxFault
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.robustness.steps import multiplied, steps


def lines(form: str, count: int) -> str:
    return "".join(form.format(number) for number in range(count))


def names(count: int) -> str:
    return ", ".join(f"'A{n}'" for n in range(count))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.PYTHON, lambda n: "def run(c):\n" + "    os.system('x; ' + c)\n" * n + lines("run('atc --model={}')\n", n)),
        (Kind.PYTHON, lambda n: "def run(c):\n" + "    subprocess.run(['sh', c])\n" * n + lines("run('atc --model={}')\n", n)),
        (Kind.PYTHON, lambda n: "def put(k):\n" + "    op.parameter_map[k].b = True\n" * n + lines("put('a{}')\n", n)),
        (Kind.PYTHON, lambda n: f"for k in ({names(n)}):\n" + "    op.parameter_map[k].b = True\n" * n),
        (Kind.PYTHON, lambda n: f"for k in ({names(n)}):\n  for o in ({names(n)}):\n" + "    op.parameter_map[k + o].b = True\n" * n),
        (Kind.PYTHON, lambda n: "def put(k):\n" + "    os.environ[k] = '1'\n" * n + lines("put('ASCEND_{}')\n", n)),
        (Kind.PYTHON, lambda n: "a = ['atc']\n" + lines("a.append('--x={}')\nsubprocess.run(a)\n", n)),
        (Kind.PYTHON, lambda n: "x = 'atc'\n" + lines("x += ' --a{}=1'\nos.system(x)\n", n)),
        (Kind.PYTHON, lambda n: "kw = {" + ", ".join(f"'a{i}': {i}" for i in range(n)) + "}\n" + "NPURunConfig(**kw)\n" * n),
        (Kind.PYTHON, lambda n: "kw = {}\n" + lines("kw['a{}'] = 1\n", n) + "NPURunConfig(**kw)\n" * n),
        (Kind.PYTHON, lambda n: "kw = {}\n" + lines("kw.update(a{}=1)\n", n) + "NPURunConfig(**kw)\n" * n),
        (Kind.SHELL, lambda n: "o=--a=1\n" + lines("o+=' --b{}=1'\n", n) + "atc $o\n" * n),
        (Kind.SHELL, lambda n: lines('set -- --a={}\natc "$@"\n', n)),
        # As many as the bounds on either allow, and more: up to them it grows faster.
        (Kind.SHELL, lambda n: "atc \\\n" * (4 * n)),
        (Kind.MAKEFILE, lambda n: "X := " + "$(shell atc " * (16 * n) + "\n"),
        (Kind.MAKEFILE, lambda n: "X := " + "$(shell atc " * n + ")" * n + "\n"),
    ],
    ids=range(16),
)  # fmt: skip
def test_a_product_is_not_gone_through(kind: Kind, text: Callable[[int], str]) -> None:
    def reading(many: int) -> Callable[[], object]:
        document = Document(text(many), kind=kind)
        return lambda: read(document)

    reading(2)()
    assert multiplied(reading, 50) is None


def test_a_nest_is_not_gone_through_at_each_depth() -> None:
    text = "x=" + "$(atc --log=1 " * 1500 + ")" * 1500 + "\n"
    assert steps(lambda: read(Document(text, kind=Kind.SHELL))) < 1000 * len(text)


def test_what_is_too_much_is_told_once() -> None:
    text = "op = c.custom_optimizers.add()\ndef put(k):\n" + "    op.parameter_map[k].b = True\n" * 20
    text += lines("put('a{}')\n", 400) + "op.parameter_map['b'].b = True\n"
    found = read(Document(text, kind=Kind.PYTHON))
    # What was read up to the bound is checked.
    assert 0 < sum(len(block.settings) for block in found.blocks) <= 1000
    assert [one.kind for one in found.syntax] == [SyntaxFault.LARGE_STATEMENT]
