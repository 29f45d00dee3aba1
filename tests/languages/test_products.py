"""Texts in which two things multiply: the lines of a function and its calls, the uses of a list and what changes it."""

from __future__ import annotations

from time import process_time

import pytest

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

MANY = 400
NAMES = ", ".join(f"'A{n}'" for n in range(MANY))


def lines(form: str, count: int = MANY) -> str:
    return "".join(form.format(number) for number in range(count))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.PYTHON, "def run(c):\n" + "    os.system('x; ' + c)\n" * MANY + lines("run('atc --model={}')\n")),
        (Kind.PYTHON, "def run(c):\n" + "    subprocess.run(['sh', c])\n" * MANY + lines("run('atc --model={}')\n")),
        (Kind.PYTHON, "def put(k):\n" + "    op.parameter_map[k].b = True\n" * MANY + lines("put('a{}')\n")),
        (Kind.PYTHON, f"for k in ({NAMES}):\n" + "    op.parameter_map[k].b = True\n" * MANY),
        (
            Kind.PYTHON,
            f"for k in ({NAMES}):\n  for o in ({NAMES}):\n" + "    op.parameter_map[k + o].b = True\n" * MANY,
        ),
        (Kind.PYTHON, "def put(k):\n" + "    os.environ[k] = '1'\n" * MANY + lines("put('ASCEND_{}')\n")),
        (Kind.PYTHON, "a = ['atc']\n" + lines("a.append('--x={}')\nsubprocess.run(a)\n")),
        (Kind.PYTHON, "x = 'atc'\n" + lines("x += ' --a{}=1'\nos.system(x)\n")),
        (
            Kind.PYTHON,
            "kw = {" + ", ".join(f"'a{n}': {n}" for n in range(1500)) + "}\n" + "NPURunConfig(**kw)\n" * 1500,
        ),
        (Kind.PYTHON, "kw = {}\n" + lines("kw['a{}'] = 1\n", 2500) + "NPURunConfig(**kw)\n" * 2500),
        (Kind.PYTHON, "kw = {}\n" + lines("kw.update(a{}=1)\n", 2000) + "NPURunConfig(**kw)\n" * 100),
        (Kind.SHELL, "o=--a=1\n" + lines("o+=' --b{}=1'\n", 60) + "atc $o\n" * 500),
        (Kind.SHELL, lines('set -- --a={}\natc "$@"\n', 3000)),
        (Kind.SHELL, "atc \\\n" * 8000),
        (Kind.SHELL, "x=" + "$(atc --log=1 " * 1500 + ")" * 1500 + "\n"),
        (Kind.MAKEFILE, "X := " + "$(shell atc " * 5000 + "\n"),
        (Kind.MAKEFILE, "X := " + "$(shell atc " * 2000 + ")" * 2000 + "\n"),
    ],
)
def test_a_product_is_not_gone_through(kind: Kind, text: str) -> None:
    before = process_time()
    read(Document(text, kind=kind))
    # Each of these took from 2 s to 24 s, and that grew with the square of the text.
    assert process_time() - before < 2


def test_what_is_not_followed_leaves_the_block_open() -> None:
    text = "op = c.custom_optimizers.add()\ndef put(k):\n" + "    op.parameter_map[k].b = True\n" * 20
    text += lines("put('a{}')\n") + "op.parameter_map['b'].b = True\n"
    (block,) = [b for b in read(Document(text, kind=Kind.PYTHON)).blocks if any(s.name == "b" for s in b.settings)]
    assert block.open
