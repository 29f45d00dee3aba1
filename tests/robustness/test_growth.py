"""What a file may hold thousands of costs no more for each than for the first: nothing is compared with everything."""

from __future__ import annotations

import time

import pytest

from npu_lsp.languages import cursor
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_SECONDS = 4.0
"""Of the processor. Each of these takes a second at the most, and took between 10 s and an hour."""
_SETTING = 'op.parameter_map["precision_mode"].s = "a"\n'
_WRONG = 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"'


@pytest.mark.parametrize(
    ("path", "text", "least"),
    [
        pytest.param("a.py", "import os\n" + f"{_WRONG}  # npu-lsp: ignore[NPU101]\n" * 2500, 5000, id="comments"),
        pytest.param("a.py", "import os\n" + "# npu-lsp: off[NPU101]\n" * 3000 + f"{_WRONG}\n", 3000, id="ranges"),
        pytest.param("a.py", "import os\n" + "# npu-lsp: ignore\n" * 5000 + f"{_WRONG}\n", 1, id="comments above one line"),
        pytest.param("a.py", f"{_WRONG}  # npu-lsp: ignore[" + "NPU999,NPU101,x," * 5000 + "]\n", 10000, id="codes in a comment"),
        pytest.param("a.md", "```python\nop.parameter_map['a'].s = 'x'\n```\n" * 2500, 0, id="fences"),
        pytest.param("a.sh", "atc \\\n" + "  --model=a \\\n" * 4000 + "  --x=1\n", 4000, id="flags on lines of their own"),
        pytest.param("a.py", "c = NPURunConfig(\n" + "    # npu-lsp: ignore[NPU101]\n    precison_mode=1,\n" * 3000 + ")\n", 3000, id="comments in a call"),
        pytest.param("a.py", "if a:\n    pass\n" + "".join(f"elif a{n}:\n    {_SETTING}" for n in range(2500)), 2500, id="elif"),
        pytest.param("a.py", "def f(op):\n" + f"    if a:\n        {_SETTING}        return\n" * 1000, 1000, id="returns"),
        pytest.param("a.py", "".join(f'op.parameter_map["k{n}"].s = b"x"\n' for n in range(2000)), 0, id="unknown options"),
        pytest.param("a.sh", "export ASCEND_GLOBAL_LOG_LEVEL=9\n" * 2500, 2500, id="variables"),
        pytest.param("a.sh", "atc" + " --model=a" * 4000 + "\n", 3999, id="flags"),
        pytest.param("a.sh", "atc" + ' --input_shape="a:-1,3" --dynamic_dims="1;2"' * 1000 + "\n", 1998, id="profiles"),
        pytest.param("a.py", ('os.environ["NPU_COLLECT_PATH"] = "x"\nop.parameter_map["enable_dump"].b = True\n') * 1500, 1000, id="variables and options"),
        pytest.param("a.sh", " && ".join(["atc --model=a"] * 600) + "\n", 1800, id="a chain of commands"),
        pytest.param("a.sh", "export RANK_ID=1\nunset RANK_ID\n" * 2000, 0, id="variables that come and go"),
        pytest.param("Dockerfile", "RUN true \\\n" + "# a\n" * 8000 + " && atc --model=a\n", 3, id="comments in a command"),
        pytest.param("Dockerfile", "RUN cat <<A atc\n" * 6000, 0, id="here-documents without an end"),
        pytest.param("Makefile", "A = --x=1\n" + "A += --model=a\n" * 500 + "all:\n" + "\tatc $(A)\n" * 500, 0, id="a variable that grows"),
        pytest.param("a.sh", "".join(f"atc --op_select_implmode=high_precision --optypelist_for_implmode=Op{n}\n" for n in range(3000)), 6000, id="lists in files"),
        pytest.param("fusion_switch.cfg", "".join(f"Rule{n}:on\n" for n in range(3000)), 0, id="unknown rules"),
    ],
)  # fmt: skip
def test_thousands(path: str, text: str, least: int) -> None:
    document = Document(text, path=path, kind=detect(path, text))
    analyzer = Analyzer(Config(), all_rules, in_editor=True)
    start = time.thread_time()
    found = analyzer.findings(document)
    assert time.thread_time() - start < _SECONDS
    assert len(found) >= least
    assert not analyzer.failures


def test_commands_on_one_line() -> None:
    document = Document("sed -i 's/a/b/' x; " * 6000 + "atc --mod", path="a.sh", kind=Kind.SHELL)
    start = time.thread_time()
    assert cursor(document, len(document.text)) is not None
    assert time.thread_time() - start < _SECONDS / 4
