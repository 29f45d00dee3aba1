"""YAML of pipelines and deployments."""

from __future__ import annotations

from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, at_bar, cut, reading, rows
from tests.together import together

LOG = [[("log", "info")]]


@together(
    "text",
    [
        "run: atc --log=info\n",
        "run: atc --log=info # why\n",
        "steps:\n  - run: atc --log=info\n",
        "steps:\n  - name: x\n    run: |\n      cd x\n      atc --log=info\n",
        "run: |-\n  atc \\\n    --log=info\nother: x\n",
        "run: |2\n    atc --log=info\n",
        "run: >-\n  atc\n  --log=info\n",
        "run: >\n  cd x &&\n  atc --log=info\n",
        'run: "atc --log=info"\n',
        "run: 'atc --log=info'\n",
        'run: "atc --log=\\"info\\""\n',
        "run: 'atc --log=''info'''\n",
        "run: atc\n  --log=info\n",
        "job:\n  script:\n    - cd x\n    - atc --log=info\n",
        "job:\n  script:\n  - atc --log=info\n",
        "job:\n  script:\n    - |\n      atc --log=info\n    - ls\n",
        "job:\n  script: [ls, 'atc --log=info']\n",
        "before_script:\n  - atc --log=info\n",
        'command: ["atc", "--log=info"]\n',
        'command: ["bash", "-c", "atc --log=info"]\n',
        'command: ["/bin/sh", "-c"]\nargs: ["atc --log=info"]\n',
        "command:\n  - atc\n  - --log\n  - info\n",
        "command:\n  - bash\n  - -c\n  - atc --log=info\n",
        "command: atc --log=info\n",
        "- bash: |\n    atc --log=info\n  displayName: x\n",
        "run: &anchor |\n  atc --log=info\n",
        "run: |\r\n  atc --log=info\r\n",
        '"run": atc --log=info\n',
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.YAML) == LOG


@together(
    "text",
    [
        "# run: atc --log=info\n",
        "name: atc --log=info\n",
        "description: |\n  run: atc --log=info\n",
        "run: echo atc --log=info\n",
        "run: *other\n",
        "run: {a: atc --log=info}\n",
        "script:\n  atc: --log=info\n",
        "on:\n  push: atc\n",
    ],
)
def test_what_is_no_command_is_left_alone(text: str) -> None:
    assert rows(text, Kind.YAML) == []


def test_what_the_pipeline_fills_in_is_unknown() -> None:
    text = "run: |\n  atc --model=${{ matrix.model }} --log=info\n"
    assert rows(text, Kind.YAML) == [[("model", UNKNOWN), ("log", "info")]]


def test_variables() -> None:
    text = """\
env:
  ASCEND_A: 1
  HCCL_B: "x y" # why
  NPU_C: a b
  NPU_D: ${{ secrets.x }}
  HCCL_E: 'q'
  OTHER: 1
run: ls
"""
    assert rows(text, Kind.YAML) == [
        [("ASCEND_A", "1"), ("HCCL_B", "x y"), ("NPU_C", "a b"), ("NPU_D", UNKNOWN), ("HCCL_E", "q")]
    ]
    (block,) = reading(text, Kind.YAML).blocks
    assert [cut(text, s.value.span) for s in block.settings] == ["1", '"x y"', "a b", "${{ secrets.x }}", "'q'"]


@together(
    "text",
    [
        "env:\n  - name: ASCEND_A\n    value: '1'\n",
        "env:\n- name: OTHER\n  value: x\n- name: ASCEND_A\n  value: 1\n",
        "env:\n  - value: '1'\n    name: ASCEND_A\n  - name: ASCEND_A\n    value: '1'\n",
        "environment:\n  - ASCEND_A=1\n",
        'environment:\n  - "ASCEND_A=1"\n  - OTHER\n',
        "environment:\n  ASCEND_A: 1\n",
        "variables:\n  ASCEND_A: 1\n  X:\n    value: y\n",
    ],
)
def test_forms_of_variables(text: str) -> None:
    assert rows(text, Kind.YAML) == [[("ASCEND_A", "1")]]


def test_completion() -> None:
    found = at_bar("run: |\n  atc --log=info \\\n    --pre|~\n", Kind.YAML)
    assert found is not None
    assert (found.wanted, found.typed, found.present) == (CompletionKind.FLAG, "--pre", frozenset({"log"}))
    found = at_bar('run: "atc --log=in|~"\n', Kind.YAML)
    assert found is not None
    assert (found.wanted, found.typed, found.option) == (CompletionKind.VALUE, "in", "log")
    found = at_bar("env:\n  ASCEND_A: 1|~\n", Kind.YAML)
    assert found is not None
    assert (found.wanted, found.option) == (CompletionKind.VALUE, "ASCEND_A")
