"""Changes to settings inside other files: the host stays whole."""

from __future__ import annotations

import json

import pytest

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages import read
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import find
from tests.together import together


def renamed(text: str, kind: Kind, name: str, new: str) -> str:
    document = Document(text, kind=kind)
    _, setting = find(document, name)
    return apply_edits(text, writer_for(setting).rename(document, setting, new))


def revalued(text: str, kind: Kind, name: str, value: Scalar) -> str:
    document = Document(text, kind=kind)
    _, setting = find(document, name)
    return apply_edits(text, writer_for(setting).set_value(document, setting, value))


def without(text: str, kind: Kind, *names: str) -> str:
    document = Document(text, kind=kind)
    settings = [find(document, name)[1] for name in names]
    return apply_edits(text, writer_for(settings[0]).remove(document, settings))


def extended(text: str, kind: Kind, after: str, name: str, value: Scalar) -> str:
    document = Document(text, kind=kind)
    block, setting = find(document, after)
    return apply_edits(text, writer_for(setting).add(document, block, setting, Added(name, value)))


MARKDOWN = "# 标题\n> ```bash\n> atc --aa=1 \\\n>   --bb=2 \\\n>   --cc=3\n> ```\n"


def test_markdown() -> None:
    kind = Kind.MARKDOWN
    assert renamed(MARKDOWN, kind, "bb", "dd") == MARKDOWN.replace("--bb", "--dd")
    assert revalued(MARKDOWN, kind, "bb", "x y") == MARKDOWN.replace("--bb=2", '--bb="x y"')
    assert without(MARKDOWN, kind, "bb") == MARKDOWN.replace(">   --bb=2 \\\n", "")
    assert without(MARKDOWN, kind, "cc") == MARKDOWN.replace(" \\\n>   --cc=3", "")
    assert without(MARKDOWN, kind, "bb", "cc") == "# 标题\n> ```bash\n> atc --aa=1\n> ```\n"
    assert extended(MARKDOWN, kind, "bb", "dd", "4") == MARKDOWN.replace("=2 \\\n", "=2 \\\n>   --dd=4 \\\n")


def test_python_in_markdown() -> None:
    text = '- x\n\n  ```python\n  import os\n  os.environ["ASCEND_A"] = "1"\n  os.environ["ASCEND_B"] = "1"\n  ```\n'
    assert renamed(text, Kind.MARKDOWN, "ASCEND_A", "NPU_C") == text.replace("ASCEND_A", "NPU_C")
    assert without(text, Kind.MARKDOWN, "ASCEND_A") == text.replace('  os.environ["ASCEND_A"] = "1"\n', "")


@pytest.mark.parametrize("prefix", ["> ", "    ", "> > "])
def test_the_last_lines_of_a_quote_or_a_list_go_with_their_prefix(prefix: str) -> None:
    def quoted(*lines: str) -> str:
        first = "- item\n\n" if not prefix.strip() else ""
        return first + "".join(f"{prefix}{line}\n" for line in lines)

    kind, kept, gone = Kind.MARKDOWN, 'op.parameter_map["aa"].b = True', 'op.parameter_map["bb"].b = True'
    text = quoted("```python", kept, gone, "```")
    assert without(text, kind, "bb") == quoted("```python", kept, "```")
    assert without(text, kind, "aa", "bb") == quoted("```python", "", "```")
    assert without(quoted("```python", gone, "```"), kind, "bb") == quoted("```python", "", "```")
    assert without(
        quoted("```bash", "export ASCEND_GLOBAL_LOG_LEVEL=1", "```"), kind, "ASCEND_GLOBAL_LOG_LEVEL"
    ) == quoted("```bash", "", "```")


_SESSION = (
    "from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig\n",
    "config = tf.ConfigProto()\n",
    "op = config.graph_options.rewrite_options.custom_optimizers.add()\n",
    'op.name = "NpuOptimizer"\n',
    "config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n",
    "config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF\n",
    'op.parameter_map["use_off_line"].b = True\n',
    "sess = tf.Session(config=config)\n",
)


@pytest.mark.parametrize("prefix", ["", "> ", "  "])
def test_what_belongs_to_a_session_is_put_into_its_fence(prefix: str) -> None:
    def fenced(*numbers: int) -> str:
        lines = ["```python\n", *(_SESSION[number] for number in numbers), "```\n"]
        return "- Title\n\n" + "".join(prefix + line for line in lines)

    analyzer = Analyzer(Config(select=("NPU502", "NPU503")), all_rules)

    def mended(text: str) -> str:
        return fixed(Document(text, kind=Kind.MARKDOWN), analyzer.findings, unsafe=True).document.text

    assert mended(fenced(1, 2, 6)) == fenced(1, 2, 3, 6)
    assert mended(fenced(1, 2, 3, 6, 7)) == fenced(0, 1, 2, 3, 6, 4, 5, 7)


def test_dockerfile() -> None:
    text = 'FROM x\nENV ASCEND_A=1\nRUN ls && \\\n    atc --aa=1 \\\n    --bb=2\nCMD ["atc", "--cc=3"]\n'
    kind = Kind.DOCKERFILE
    assert renamed(text, kind, "ASCEND_A", "NPU_B") == text.replace("ASCEND_A", "NPU_B")
    assert revalued(text, kind, "ASCEND_A", "a b") == text.replace("ASCEND_A=1", 'ASCEND_A="a b"')
    assert without(text, kind, "ASCEND_A") == text.replace("ENV ASCEND_A=1\n", "")
    assert extended(text, kind, "ASCEND_A", "NPU_B", "2") == text.replace("A=1\n", "A=1\nENV NPU_B=2\n")
    assert without(text, kind, "bb") == text.replace(" \\\n    --bb=2", "")
    assert extended(text, kind, "aa", "dd", "4") == text.replace("--aa=1 \\\n", "--aa=1 \\\n    --dd=4 \\\n")
    assert renamed(text, kind, "cc", "dd") == text.replace("--cc", "--dd")
    assert revalued(text, kind, "cc", "4") == text.replace("--cc=3", "--cc=4")
    # A list's comma would stay, and quotes would end its strings.
    assert without(text, kind, "cc") == text
    assert revalued(text, kind, "cc", "a b") == text


def test_dockerfile_variables_far_apart() -> None:
    text = "ENV ASCEND_A=1\nRUN ls\nENV ASCEND_B=2\nRUN ls\n"
    assert without(text, Kind.DOCKERFILE, "ASCEND_A") == "RUN ls\nENV ASCEND_B=2\nRUN ls\n"
    assert without(text, Kind.DOCKERFILE, "ASCEND_A", "ASCEND_B") == "RUN ls\nRUN ls\n"


YAML = """\
env:
  ASCEND_A: 1
  ASCEND_B: "2"
steps:
  - run: |
      atc --aa=1 \\
        --bb=2
  - run: "atc --cc=3 --dd=4"
  - run: atc --ee=5
    env:
      - name: HCCL_C
        value: "1"
      - name: HCCL_D
        value: "2"
  - command: ["atc", "--ff=6"]
    environment:
      - NPU_A=1
      - NPU_B=2
"""


def test_yaml() -> None:
    kind = Kind.YAML
    assert renamed(YAML, kind, "bb", "xx") == YAML.replace("--bb", "--xx")
    assert without(YAML, kind, "bb") == YAML.replace(" \\\n        --bb=2", "")
    assert extended(YAML, kind, "bb", "xx", "7") == YAML.replace("--bb=2\n", "--bb=2 \\\n        --xx=7\n")
    assert revalued(YAML, kind, "cc", "a b") == YAML.replace("--cc=3", '--cc=\\"a b\\"')
    assert without(YAML, kind, "cc") == YAML.replace(" --cc=3", "")
    assert revalued(YAML, kind, "ee", "a b") == YAML.replace("--ee=5", '--ee="a b"')
    assert revalued(YAML, kind, "ff", "7") == YAML.replace("--ff=6", "--ff=7")
    assert without(YAML, kind, "ff") == YAML


def test_yaml_variables() -> None:
    kind = Kind.YAML
    assert renamed(YAML, kind, "ASCEND_A", "NPU_X") == YAML.replace("ASCEND_A", "NPU_X")
    assert revalued(YAML, kind, "ASCEND_A", "3") == YAML.replace("ASCEND_A: 1", "ASCEND_A: 3")
    assert revalued(YAML, kind, "ASCEND_B", "3") == YAML.replace('ASCEND_B: "2"', 'ASCEND_B: "3"')
    assert without(YAML, kind, "ASCEND_A") == YAML.replace("  ASCEND_A: 1\n", "")
    assert extended(YAML, kind, "ASCEND_A", "NPU_X", "3") == YAML.replace("A: 1\n", 'A: 1\n  NPU_X: "3"\n')
    assert without(YAML, kind, "HCCL_C") == YAML.replace('      - name: HCCL_C\n        value: "1"\n', "")
    assert revalued(YAML, kind, "HCCL_C", "3") == YAML.replace('value: "1"', 'value: "3"')
    assert without(YAML, kind, "NPU_A") == YAML.replace("      - NPU_A=1\n", "")
    assert extended(YAML, kind, "NPU_A", "NPU_X", "3") == YAML.replace("A=1\n", "A=1\n      - NPU_X=3\n")


def test_makefile() -> None:
    text = "export ASCEND_A = 1\nexport ASCEND_B = 2\nall:\n\t@atc --aa=$(X) \\\n\t\t--bb=2\n"
    kind = Kind.MAKEFILE
    assert renamed(text, kind, "ASCEND_A", "NPU_X") == text.replace("ASCEND_A", "NPU_X")
    assert without(text, kind, "ASCEND_A") == text.replace("export ASCEND_A = 1\n", "")
    assert revalued(text, kind, "ASCEND_A", "3") == text.replace("A = 1", "A = 3")
    assert without(text, kind, "bb") == text.replace(" \\\n\t\t--bb=2", "")
    document = Document(text, kind=kind)
    _, setting = find(document, "bb")
    edits = writer_for(setting).set_expression(document, setting, "${HOME}/x")
    assert apply_edits(text, edits) == text.replace("--bb=2", '--bb="$${HOME}/x"')


def notebook(*source: str) -> str:
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": list(source)}, {"cell_type": "code", "source": "x"}]}, indent=1
    )


def source_of(text: str) -> str:
    cells = json.loads(text)["cells"]
    assert cells[1]["source"] == "x"
    return "".join(cells[0]["source"])


@pytest.mark.parametrize("lines", [True, False])
def test_notebook(lines: bool) -> None:
    cell = (
        '!atc --aa="a b" \\\n  --bb=2 \\\n  --cc=3\nimport os\nos.environ["ASCEND_A"] = "1"\nprint(os)\n%env HCCL_B=1\n'
    )
    text = notebook(*(cell.splitlines(keepends=True) if lines else [cell]))
    kind = Kind.NOTEBOOK
    assert source_of(renamed(text, kind, "bb", "dd")) == cell.replace("--bb", "--dd")
    assert source_of(revalued(text, kind, "aa", 'x "y"')) == cell.replace("a b", 'x \\"y\\"')
    assert source_of(without(text, kind, "bb")) == cell.replace("  --bb=2 \\\n", "")
    assert source_of(without(text, kind, "cc")) == cell.replace(" \\\n  --cc=3", "")
    assert source_of(extended(text, kind, "cc", "dd", "4")) == cell.replace("--cc=3", "--cc=3 \\\n  --dd=4")
    assert source_of(renamed(text, kind, "ASCEND_A", "NPU_X")) == cell.replace("ASCEND_A", "NPU_X")
    assert source_of(without(text, kind, "ASCEND_A")) == cell.replace('os.environ["ASCEND_A"] = "1"\n', "")
    assert source_of(revalued(text, kind, "HCCL_B", "2")) == cell.replace("HCCL_B=1", "HCCL_B=2")
    assert source_of(without(text, kind, "HCCL_B")) == cell.replace("%env HCCL_B=1", "")
    # A new line of the file is a string of its own where the others are.
    added = json.loads(extended(text, kind, "cc", "dd", "4"))["cells"][0]["source"]
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in added) is lines


@pytest.mark.parametrize("host", ["{}", "intro\n\n```python\n{}```\n"])
def test_what_functions_set_in_no_known_order_stays_in_every_host(host: str) -> None:
    script = (
        "op = c.graph_options.rewrite_options.custom_optimizers.add()\nop.name = 'NpuOptimizer'\n"
        "def a():\n    op.parameter_map['mix_compile_mode'].b = True\n"
        "op.parameter_map['mix_compile_mode'].b = False\n"
    )
    text = host.format(script)
    kind = Kind.MARKDOWN if host.startswith("intro") else Kind.PYTHON
    document = Document(text, kind=kind)
    assert not fixed(document, Analyzer(Config(select=("NPU207",)), all_rules).findings, unsafe=True).counts


def test_every_change_keeps_what_is_found_elsewhere() -> None:
    for text, kind in ((MARKDOWN, Kind.MARKDOWN), (YAML, Kind.YAML)):
        names = [s.name for block in read(Document(text, kind=kind)).blocks for s in block.settings]
        for name in names:
            changed = without(text, kind, name)
            left = [s.name for block in read(Document(changed, kind=kind)).blocks for s in block.settings]
            assert left in ([n for n in names if n != name], names)


@together(
    ("kind", "text", "expected"),
    [
        (Kind.MAKEFILE, "all: export ASCEND_A := 1\nall:\n\tls\n", "all:\n\tls\n"),
        (Kind.MAKEFILE, "a b: export ASCEND_A = 1 # why\nb:\n\tls\n", "b:\n\tls\n"),
        (Kind.MAKEFILE, "export ASCEND_A ?= 1\nall:\n\tls\n", "all:\n\tls\n"),
        (Kind.MAKEFILE, "all:\n\tASCEND_A=1 \\\n\tls\n", "all:\n\t\tls\n"),
        (Kind.DOCKERFILE, "ENV ASCEND_A=1 B=2\n", "ENV B=2\n"),
        (Kind.DOCKERFILE, "ENV B=2 \\\n    ASCEND_A=1 \\\n    C=3\nRUN ls\n", "ENV B=2 \\\n    C=3\nRUN ls\n"),
        # An empty line would join the next instruction.
        (Kind.DOCKERFILE, "ENV B=2 \\\n    ASCEND_A=1\nRUN ls\n", "ENV B=2\nRUN ls\n"),
        (Kind.DOCKERFILE, "ENV ASCEND_A=1 \\\n    B=2\nRUN ls\n", "ENV \\\n    B=2\nRUN ls\n"),
        (Kind.DOCKERFILE, "ENV ASCEND_A 1\nRUN ls\n", "RUN ls\n"),
        (Kind.DOCKERFILE, "RUN export ASCEND_A=1 && \\\n    ls\n", "RUN : && \\\n    ls\n"),
    ],
)
def test_a_variable_goes(kind: Kind, text: str, expected: str) -> None:
    assert without(text, kind, "ASCEND_A") == expected
