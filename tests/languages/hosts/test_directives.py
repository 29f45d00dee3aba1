"""Blocks of code in reStructuredText."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def told(text: str, path: str = "a.rst") -> list[tuple[str, object]]:
    reading = read(Document(text, path=path, kind=Kind.MARKDOWN))
    for setting in (s for block in reading.blocks for s in block.settings):
        assert text[slice(*setting.key)] == setting.name
    return [(s.name, s.value.data) for block in reading.blocks for s in block.settings]


@together(
    "text",
    [
        ".. code-block:: bash\n\n   export HCCL_A=1\n",
        ".. code:: shell\n   :linenos:\n   :caption: x\n\n   export HCCL_A=1\n\nText\n",
        "- x\n\n  .. sourcecode:: sh\n\n      export HCCL_A=1\n\n  y\n",
        ".. code-block:: python\n\n   import os\n\n   os.environ['HCCL_A'] = '1'\n",
        "Run this::\n\n    export HCCL_A=1\n",
        "::\n\n    export HCCL_A=1\n",
        ".. code-block::\n\n    export HCCL_A=1\n",
        "Title\n~~~~~\n\n- one:\n\n  -  export HCCL_A=1\n",
    ],
)
def test_what_is_indented_below(text: str) -> None:
    assert told(text) == [("HCCL_A", "1")]


@together(
    "text",
    [
        ".. code-block:: bash\n\nSet export HCCL_A=1\n",
        ".. code-block:: diff\n\n   - export HCCL_A=1\n",
        ".. note::\n\n   Without export HCCL_A=1 it is slow.\n",
        ".. image:: x.png\n",
        ".. code-block:: bash\n",
    ],
)
def test_what_is_no_code(text: str) -> None:
    assert told(text) == []


def test_a_paragraph_of_markdown_means_nothing_by_two_colons() -> None:
    assert told("Run this::\n\n    python train.py HCCL_A=1\n    x HCCL_A=1\n", "a.md") == []
