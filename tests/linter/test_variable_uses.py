"""Whether Python takes the value of a variable that it sets: what it takes is its own, and no slip for one of a product."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.linter.variable_uses import is_fetched
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

SET = 'os.environ["HCCL_CONECT_TIMEOUT"] = "9"\n'


def fetched(text: str) -> bool:
    document = Document(text, kind=Kind.PYTHON)
    setting = next(setting for block in read(document).blocks for setting in block.settings)
    return is_fetched(setting, document)


@together(
    "use",
    [
        'wait(os.getenv("HCCL_CONECT_TIMEOUT"))\n',
        "wait(environ ['HCCL_CONECT_TIMEOUT'])\n",
        'wait(os.environ.get("HCCL_CONECT_TIMEOUT", "1"))\n',
        'if os.environ["HCCL_CONECT_TIMEOUT"] == "9":\n    wait()\n',
        'model = os.environ["HCCL_CONECT_TIMEOUT"]\n',
    ],
)
def test_a_value_is_taken(use: str) -> None:
    assert fetched(SET + use)
    assert fetched(use + SET)


@together(
    "text",
    [
        SET,
        SET + SET,
        SET + 'del os.environ["HCCL_CONECT_TIMEOUT"]\n',
        SET + 'os.environ.pop("HCCL_CONECT_TIMEOUT")\n',
        SET + 'os.getenv("HCCL_CONECT_TIMEOUTS")\n',
        SET + 'table.get("HCCL_CONECT_TIMEOUT")\n',
        'os.environ["HCCL_CONECT_TIMEOUT"] = os.environ.get("HCCL_CONECT_TIMEOUT", "9")\n',
    ],
)
def test_none_is(text: str) -> None:
    assert not fetched(text)
