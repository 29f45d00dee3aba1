"""Comments that speak to npu-lsp."""

from __future__ import annotations

from tests.languages.python.told import reading
from tests.together import together


@together(
    ("text", "comment", "own_line"),
    [
        ("# npu-lsp: ignore\n", "# npu-lsp: ignore", True),
        ("x = 1  # npu-lsp: ignore[NPU101]  \n", "# npu-lsp: ignore[NPU101]", False),
        ("    # see npu-lsp: ignore\r\n", "# see npu-lsp: ignore", True),
        ("f(\n    # npu-lsp: ignore\n    a)\n", "# npu-lsp: ignore", True),
        ("f(a,  # npu-lsp: ignore\n  b)\n", "# npu-lsp: ignore", False),
        ("x = '#'  # npu-lsp: off\n", "# npu-lsp: off", False),
        ("f('#',  # npu-lsp: off\n  b)\n", "# npu-lsp: off", False),
        ("# a # npu-lsp: off\n", "# a # npu-lsp: off", True),
    ],
)
def test_comments(text: str, comment: str, own_line: bool) -> None:
    (found,) = reading(text).comments
    assert text[slice(*found.span)] == comment
    assert found.own_line is own_line


@together(
    "text",
    [
        'x = "# npu-lsp: ignore"\n',
        '"""\n# npu-lsp: ignore\n"""\n',
        "f(\n  '# npu-lsp: ignore',\n)\n",
        "npu-lsp: ignore\n",
    ],
)
def test_texts_are_no_comments(text: str) -> None:
    assert reading(text).comments == ()
