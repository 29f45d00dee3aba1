"""What a file may hold thousands of costs no more for each than for the first: nothing is compared with everything."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from npu_lsp.languages import cursor
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.robustness.timing import Task, outgrown

_NOISE = 0.05
"""Seconds: the first texts of a sort cost what is made once, and tables that grow cost more now and then."""
_SETTING = 'op.parameter_map["precision_mode"].s = "a"\n'
_WRONG = 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"'


@pytest.mark.parametrize(
    ("path", "make", "most", "each"),
    [
        pytest.param("a.py", lambda n: "import os\n" + f"{_WRONG}  # npu-lsp: ignore[NPU101]\n" * n, 512, 2, id="comments"),
        pytest.param("a.py", lambda n: "import os\n" + "# npu-lsp: off[NPU101]\n" * n + f"{_WRONG}\n", 512, 1, id="ranges"),
        pytest.param("a.py", lambda n: "# npu-lsp: off[A, B]\n" * n + "# npu-lsp: on[A]\n" * n + f"{_WRONG}\n", 1024, 0, id="ends of ranges"),
        pytest.param("a.py", lambda n: "import os\n" + "# npu-lsp: ignore\n" * n + f"{_WRONG}\n", 1024, 0, id="comments above one line"),
        pytest.param("a.py", lambda n: f"{_WRONG}  # npu-lsp: ignore[" + "NPU999,NPU101,x," * n + "]\n", 1024, 2, id="codes in a comment"),
        pytest.param("a.md", lambda n: "```python\nop.parameter_map['a'].s = 'x'\n```\n" * n, 512, 0, id="fences"),
        pytest.param("a.sh", lambda n: "atc \\\n" + "  --model=a \\\n" * n + "  --x=1\n", 1024, 0.9, id="flags on lines of their own"),
        pytest.param("a.py", lambda n: "c = NPURunConfig(\n" + "    # npu-lsp: ignore[NPU101]\n    precison_mode=1,\n" * n + ")\n", 512, 1, id="comments in a call"),
        pytest.param("a.py", lambda n: "if a:\n    pass\n" + "".join(f"elif a{i}:\n    {_SETTING}" for i in range(n)), 512, 1, id="elif"),
        pytest.param("a.py", lambda n: "def f(op):\n" + f"    if a:\n        {_SETTING}        return\n" * n, 256, 1, id="returns"),
        pytest.param("a.py", lambda n: "".join(f'op.parameter_map["k{i}"].s = b"x"\n' for i in range(n)), 512, 0, id="unknown options"),
        pytest.param("a.sh", lambda n: "export ASCEND_GLOBAL_LOG_LEVEL=9\n" * n, 512, 1, id="variables"),
        pytest.param("a.sh", lambda n: "atc" + " --model=a" * n + "\n", 1024, 0.5, id="flags"),
        pytest.param("a.sh", lambda n: "export HCCL_BUFFSIZE=9\n" + "run --addr http://HOST:8000\n" * n, 4096, 0, id="addresses that nothing sets"),
        pytest.param("a.sh", lambda n: "atc" + ' --input_shape="a:-1,3" --dynamic_dims="1;2"' * n + "\n", 256, 1, id="profiles"),
        pytest.param("a.py", lambda n: ('os.environ["NPU_COLLECT_PATH"] = "x"\nop.parameter_map["enable_dump"].b = True\n') * n, 256, 0.5, id="variables and options"),
        pytest.param("a.sh", lambda n: " && ".join(["atc --model=a"] * n) + "\n", 64, 1, id="a chain of commands"),
        pytest.param("a.sh", lambda n: "export RANK_ID=1\nunset RANK_ID\n" * n, 512, 0, id="variables that come and go"),
        pytest.param("Dockerfile", lambda n: "RUN true \\\n" + "# a\n" * n + " && atc --model=a\n", 2048, 0, id="comments in a command"),
        pytest.param("Dockerfile", lambda n: "RUN cat <<A atc\n" * n, 1024, 0, id="here-documents without an end"),
        pytest.param("Makefile", lambda n: "A = --x=1\n" + "A += --model=a\n" * n + "all:\n" + "\tatc $(A)\n" * 4, 1024, 0, id="a variable that grows"),
        pytest.param("a.sh", lambda n: "".join(f"atc --op_select_implmode=high_precision --optypelist_for_implmode=Op{i}\n" for i in range(n)), 512, 2, id="lists in files"),
        pytest.param("a.yaml", lambda n: "context:\n" + "  device_target: Asc\n" * n, 512, 0, id="keys of a mapping"),
        pytest.param("a.yaml", lambda n: "".join(f"parallel:\n  full_batch: {i}\n  p:\n    q:\n      - 1\n" for i in range(n)), 256, 1, id="mappings"),
        pytest.param("fusion_switch.cfg", lambda n: "".join(f"Rule{i}:on\n" for i in range(n)), 512, 0, id="unknown rules"),
    ],
)  # fmt: skip
def test_thousands(path: str, make: Callable[[int], str], most: int, each: float) -> None:
    analyzer = Analyzer(Config(), all_rules, in_editor=True)

    def analysis(number: int) -> Task:
        text = make(number)
        # A document of its own each time: what is known of one is kept with it.
        return lambda: analyzer.findings(Document(text, path=path, kind=detect(path, text)))

    assert len(analysis(64)()) >= each * 64
    assert outgrown(analysis, most, _NOISE) is None
    assert not analyzer.failures


def test_commands_on_one_line() -> None:
    def completion(number: int) -> Task:
        text = "sed -i 's/a/b/' x; " * number + "atc --mod"
        return lambda: cursor(Document(text, path="a.sh", kind=Kind.SHELL), len(text))

    assert completion(8)() is not None
    assert outgrown(completion, 4096, _NOISE) is None
