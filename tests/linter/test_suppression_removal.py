"""What taking a comment back, or codes of it, leaves of the text around it."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.linter.suppressions.comments import suppressions
from npu_lsp.linter.suppressions.removal import without
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

IGNORE = "# npu-lsp: ignore"
HEAD, TAIL = '{"cells": [{"cell_type": "code", "source": [\n', ']}], "metadata": {}, "nbformat": 4}\n'


def cell(*lines: str) -> str:
    return HEAD + ",\n".join(f'  "{line}"' for line in lines) + TAIL


@together(
    ("kind", "text", "left"),
    [
        (Kind.PYTHON, f"x = 1  {IGNORE}\ny = 1\n", "x = 1\ny = 1\n"),
        (Kind.PYTHON, f"x = 1\t{IGNORE}[A, B]: why", "x = 1"),
        (Kind.PYTHON, f"if x:\n    {IGNORE}\n    y = 1\n", "if x:\n    y = 1\n"),
        (Kind.PYTHON, f"x = 1\n  {IGNORE}", "x = 1\n"),
        (Kind.PYTHON, f"x = 1  {IGNORE}: a\\b\ny = 1\n", "x = 1\ny = 1\n"),
        (Kind.PYTHON, f"{IGNORE}", ""),
        # What stands in front of it stays, be it no word.
        (Kind.PYTHON, f"x = [\n]  {IGNORE}\n", "x = [\n]\n"),
        (Kind.PYTHON, f"x = a_{IGNORE}\n", "x = a_\n"),
        (Kind.PYTHON, f'os.system("""{IGNORE}\natc --model=a\n""")\n', 'os.system("""\natc --model=a\n""")\n'),
        (Kind.MARKDOWN, "<!-- npu-lsp: ignore --> x ", " x "),
        # Other comments stay.
        (Kind.PYTHON, f"x = 1  # noqa {IGNORE[2:]}\n", "x = 1  # noqa\n"),
        (Kind.PYTHON, f"x = 1  {IGNORE} # noqa\n", "x = 1  # noqa\n"),
        (Kind.PYTHON, f"{IGNORE}[A]  # noqa\nx = 1\n", "# noqa\nx = 1\n"),
        (Kind.PYTHON, f"# why {IGNORE[2:]}  # noqa\nx = 1\n", "# why # noqa\nx = 1\n"),
        (Kind.PYTHON, f"# why {IGNORE[2:]}\nx = 1\n", "# why\nx = 1\n"),
        # With a range goes its end.
        (Kind.PYTHON, "# npu-lsp: off\nx = 1\n# npu-lsp: on\ny = 1\n", "x = 1\ny = 1\n"),
        (Kind.OP_PRECISION, "[ByOpType]\n; npu-lsp: ignore\nAdd=a\n", "[ByOpType]\nAdd=a\n"),
        (Kind.MARKDOWN, "<!-- npu-lsp: ignore -->\nx\n", "x\n"),
        (Kind.MARKDOWN, "x <!-- npu-lsp: ignore -->\ny\n", "x\ny\n"),
        (Kind.NOTEBOOK, cell(f"{IGNORE}\\n", "x = 1\\n"), cell("x = 1\\n")),
        (Kind.NOTEBOOK, cell(f"x = 1  {IGNORE}\\n", "y = 1"), cell("x = 1\\n", "y = 1")),
        (Kind.NOTEBOOK, cell("x = 1\\n", f"{IGNORE}"), cell("x = 1\\n", "")),
        # What JSON writes with backslashes has other places than it seems.
        (Kind.NOTEBOOK, cell(f'{IGNORE}: \\"why\\"\\n', "x = 1"), None),
    ],
)
def test_a_whole_comment(kind: Kind, text: str, left: str | None) -> None:
    document = Document(text, kind=kind)
    (one,) = suppressions(document, read(document))
    edits = without(document, one, [each.span for each in one.codes])
    assert (apply_edits(text, edits) if edits else None) == left


@together(("dropped", "left"), [((0,), "[B: x, C]"), ((1,), "[A, C]"), ((1, 2), "[A]"), ((0, 2), "[B: x]")])
def test_codes(dropped: tuple[int, ...], left: str) -> None:
    text = f"x = 1  {IGNORE}[A, B: x,C]: why\n"
    document = Document(text, kind=Kind.PYTHON)
    (one,) = suppressions(document, read(document))
    edits = without(document, one, [one.codes[at].span for at in dropped])
    assert apply_edits(text, edits) == f"x = 1  {IGNORE}{left}: why\n"
