"""Values of variables in YAML that must be texts, and are none without quotes."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.languages.model import SyntaxFault
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

_POD = """---
apiVersion: v1
kind: Pod
spec:
  initContainers:
    - env:
        - {name: HCCL_BUFFSIZE, value: 200}
        - value: -1
          name: TASK_QUEUE_ENABLE
  containers:
  - name: a
    command: ["python3"]
    env:
    - name: RANK_ID
      valueFrom: {fieldRef: {}}
    # How much of it.
    - name: HCCL_CONNECT_TIMEOUT
      value: 0x10  # s
    - name: OUR_OWN
      value: 3
    args:
    - |
      value: 4
"""
_RAY = "runtime_env:\n  env_vars:\n    HCCL_BUFFSIZE: 512  # MB\n    RANK_ID: '3'\n"


def told(text: str, kind: Kind = Kind.YAML) -> list[tuple[str, str, str]]:
    """Return (taker, variable, value) of each."""
    found = [each for each in read(Document(text, kind=kind)).syntax if each.kind is SyntaxFault.WRONG_TYPE]
    return [(each.arguments["taker"], each.arguments["name"], text[slice(*each.span)]) for each in found]


_OF_POD = [
    ("kubernetes", "HCCL_BUFFSIZE", "200"),
    ("kubernetes", "TASK_QUEUE_ENABLE", "-1"),
    ("kubernetes", "HCCL_CONNECT_TIMEOUT", "0x10"),
]


def test_containers_of_a_pod() -> None:
    assert told(_POD) == _OF_POD
    assert told(_POD.replace("---\n", "")) == _OF_POD
    assert told(f"a: 1\n{_POD}---\nb: 2\n") == _OF_POD
    assert told(f"```yaml\n{_POD}```\n", Kind.MARKDOWN) == _OF_POD


@together(
    ("old", "new"),
    [("apiVersion", "version"), ("kind", "sort"), ("ontainers", "mages"), ("env:", "envs:"), ("spec", "---\nspec")],
)
def test_what_is_no_pod(old: str, new: str) -> None:
    assert told(_POD.replace(old, new)) == []


@together(
    ("text", "many"),
    [
        (_RAY, 1),
        ("a:\n  ray_init:\n" + "".join(f"    {line}\n" for line in _RAY.splitlines()), 1),
        ("working_dir: ./\nenv_vars:\n  HCCL_BUFFSIZE: 512\n", 1),
        ("env_vars:\n  HCCL_BUFFSIZE: 512\nexcludes: [a]\n", 1),
        ("env_vars:\n  HCCL_BUFFSIZE: 512\n", 0),
        ("service:\n  env_vars:\n    HCCL_BUFFSIZE: 512\n  working_dir: a\n", 0),
        ("env_vars:\n  HCCL_BUFFSIZE: 512\n---\nworking_dir: a\n", 0),
        (_RAY.replace("512", "512MB"), 0),
        (_RAY.replace("512", "!!str 512"), 0),
        (_RAY.replace("512", "1_000"), 0),
        (_RAY.replace("512", "off"), 1),
    ],
)
def test_what_ray_gives_its_workers(text: str, many: int) -> None:
    assert len(told(text)) == many


def test_quotes_mend_it() -> None:
    for text in (_POD, _RAY):
        edits = tuple(edit for each in read(Document(text, kind=Kind.YAML)).syntax for edit in each.edits)
        mended = apply_edits(text, edits)
        assert told(mended) == []
        assert mended.replace('"', "") == text.replace('"', "")
