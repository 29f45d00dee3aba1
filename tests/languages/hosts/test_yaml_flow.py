"""YAML's flow style, anchors, and commands that several keys make up."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.hosts.yaml_flow import parse
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, at_bar, cut, rows
from tests.together import together

LOG = [[("log", "info")]]


@together(
    "text",
    [
        "- {run: atc --log=info}\n",
        '- {name: x, run: "atc --log=info", if: a}\n',
        "job: {script: [ls, atc --log=info]}\n",
        'a: {command: ["atc", "--log=info"]}\n',
        "c: {containers: [{command: [atc, --log=info]}]}\n",
        'command: ["bash", "-c", "if [ -x a ]; then atc --log=info; fi"]\n',
        'command: [atc,\n  "--log=info"]\n',
        'command: [\n  "atc", # why\n  "--log=info",\n]\n',
        'command: ["atc"]\nargs: ["--log=info"]\n',
        "- command: [atc]\n  args:\n    - --log=info\n",
        "command:\n  - atc\nargs:\n  - --log=info\n",
        "command:\n- atc\n# why\nargs:\n- '--log=info'\n",
        'entrypoint: atc\ncommand: ["--log=info"]\n',
        'entrypoint: ["/usr/bin/env", "atc"]\ncommand: --log=info\n',
        "ansible.builtin.shell: atc --log=info\n",
        "ansible.builtin.command:\n  argv:\n    - atc\n    - --log=info\n",
        "x: &convert atc --log=info\njob:\n  script:\n    - *convert\n",
        ".x: &convert\n  - atc --log=info\njob:\n  script: *convert\n",
        ".x: &convert |\n  atc --log=info\njob:\n  script:\n  - ls\n  - *convert\n",
        "x:\n  - &convert |\n    atc --log=info\njob:\n  script:\n    - *convert\n",
        "run: &again\n  atc --log=info\njob:\n  run: *again\n",
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.YAML) == LOG
    assert rows(text.replace("\n", "\r\n"), Kind.YAML) == LOG


@together(
    "text",
    [
        "run: {a: atc --log=info}\n",
        "- {name: atc --log=info}\n",
        "x: &convert |\n  atc --log=info\n",
        "x: &convert |\n  atc --log=info\nother: *convert\n",
        "x: &convert |\n  atc --log=info\n# run: *convert\n",
        "command: [atc, {a: b}]\n",
        'command: ["atc"\nargs: x\n',
    ],
)
def test_what_is_no_command_is_left_alone(text: str) -> None:
    assert not [row for row in rows(text, Kind.YAML) if row]


@together(
    "text",
    [
        "env: {HCCL_A: 1, HCCL_B: a b}\n",
        'env: {HCCL_A: \'1\', "HCCL_B": "a b"}\n',
        "env: { HCCL_A: 1,\n       HCCL_B: a b }\n",
        'environment: [HCCL_A=1, "HCCL_B=a b"]\n',
        "- {run: ls, env: {HCCL_A: 1, HCCL_B: a b}}\n",
        'env:\n  - {name: HCCL_A, value: "1"}\n  - {name: HCCL_B, value: a b}\n',
        'env:\n  - {name: HCCL_A, value: "1"}\n  - name: HCCL_B\n    value: a b\n',
        'env: [{name: HCCL_A, value: "1"}, {name: HCCL_B, value: a b}]\n',
        "x-env: &npu\n  HCCL_A: 1\n  HCCL_B: a b\na:\n  environment: *npu\n",
        "x-env: &npu\n  HCCL_A: 1\n  HCCL_B: a b\na:\n  environment:\n    <<: *npu\n    OTHER: 1\n",
        "x-env: &npu {HCCL_A: 1, HCCL_B: a b}\na:\n  environment:\n    OTHER: 1\n    <<: [*x, *npu]\n",
        "a:\n  env: &npu\n    HCCL_A: 1\n    HCCL_B: a b\nb:\n  env: *npu\n",
        "variables:\n  HCCL_A: 1\n  HCCL_B:\n    description: why\n    value: a b\n",
    ],
)
def test_variables(text: str) -> None:
    assert rows(text, Kind.YAML) == [[("HCCL_A", "1"), ("HCCL_B", "a b")]]


def test_variables_that_are_filled_in() -> None:
    assert rows("env: {HCCL_A: ${{ x }}, HCCL_B: $X, HCCL_C: 1}\n", Kind.YAML) == [
        [("HCCL_A", UNKNOWN), ("HCCL_B", UNKNOWN), ("HCCL_C", "1")]
    ]
    taken = "{name: HCCL_A, valueFrom: {fieldRef: {fieldPath: x}}}"
    for text in (f"env:\n  - {taken}\n", f"env: [{taken}]\n"):
        assert rows(text, Kind.YAML) == [[("HCCL_A", UNKNOWN)]]
    assert rows("other: {HCCL_A: 1, a: 1}\nx: {HCCL_B: [1]}\n", Kind.YAML) == []


def test_what_is_not_certain_is_not_told() -> None:
    text = "env:\n  HCCL_A: null\n  HCCL_B: ~\n  HCCL_C:\n  HCCL_D: 1\n"
    assert rows(text, Kind.YAML) == [[("HCCL_D", "1")]]
    assert rows("env: {HCCL_A: null, HCCL_B: ~, HCCL_C: , HCCL_D: 1}\n", Kind.YAML) == [[("HCCL_D", "1")]]
    assert rows("env: [HCCL_A=1 HCCL_B=2, HCCL_D=1]\n", Kind.YAML) == [[("HCCL_D", "1")]]
    assert rows("env:\n  - HCCL_A=1 HCCL_B=2\n  - HCCL_D=1\n", Kind.YAML) == [[("HCCL_D", "1")]]


@together(
    ("text", "more"),
    [
        ("args: [--model=a]\ncommand: [atc, --log=info]\n", True),
        ("- args:\n    - --model=a\n  command:\n    - atc\n    - --log=info\n", True),
        ("- args: [--model=a]\n- command: [atc, --log=info]\n", False),
        ("a:\n  args: [x]\nb:\n  command: [atc, --log=info]\n", False),
        ("command: [atc, --log=info]\n", False),
    ],
)
def test_arguments_above_their_command(text: str, more: bool) -> None:
    (block,) = read(Document(text, kind=Kind.YAML)).blocks
    assert [s.name for s in block.settings] == ["log"]
    assert block.open is more


def test_no_shell_looks_at_the_words_of_a_list() -> None:
    text = "command:\n  - atc\n  - --input_shape=a:1,2;b:3\n  - --out_nodes=a:0;b:0\n"
    reading = read(Document(text, kind=Kind.YAML))
    assert not reading.syntax
    assert rows(text, Kind.YAML) == [[("input_shape", "a:1,2;b:3"), ("out_nodes", "a:0;b:0")]]
    for setting in reading.blocks[0].settings:
        assert setting.value.content is not None
        assert cut(text, setting.value.content) == setting.value.data


@together("text", ["{a", "{a: [b}", "{a: 'b}", "[" * 50, "{" + "a: {" * 50, "{a: b c: d}", "{a: |\n b}", ""])
def test_what_is_not_well_formed_is_no_tree(text: str) -> None:
    assert parse(text, 0) is None


@together(
    ("text", "typed"),
    [
        ('command: ["atc", "--pre|~"]\n', "--pre"),
        ("command: [atc, --pre|~]\n", "--pre"),
        ("command:\n  - atc\n  - --pre|~\n", "--pre"),
        ('- {run: "atc --pre|~"}\n', "--pre"),
        ("x: &a\n  - atc --pre|~\nscript: *a\n", "--pre"),
    ],
)
def test_completion(text: str, typed: str) -> None:
    found = at_bar(text, Kind.YAML)
    assert found is not None
    assert (found.wanted, found.typed, found.after) == (CompletionKind.FLAG, typed, "=")


@together(
    "text",
    [
        'command: ["vllm", "serve", "/m", "--tensor-parallel-size", "$(TP)"]\n',
        "command: ['vllm', 'serve', '/m', '--tensor-parallel-size', '$(TP)']\n",
        "command: [vllm, serve, /m, --tensor-parallel-size, $(TP)]\n",
        "command: ['vllm', 'serve', '/m', '--tensor-parallel-size=$(TP)']\n",
        "command: [vllm, serve, /m]\nargs: ['--tensor-parallel-size', '$(TP)']\n",
        "command:\n- vllm\n- serve\n- /m\n- --tensor-parallel-size\n- '$(TP)'\n",
    ],
)
def test_what_kubernetes_fills_in_is_not_known(text: str) -> None:
    assert rows(text, Kind.YAML) == [[("tensor-parallel-size", "?")]]
