"""What a completion replaces is what is typed: at each place of each form, in escapes and in the signs of a host, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.languages import cursor
from npu_lsp.languages.detection import detect
from npu_lsp.text.document import Document
from tests.case_files import case_files


@pytest.mark.parametrize("path", case_files("forms"), ids=lambda path: path.name)
def test_what_is_completed_is_what_is_typed(path: Path) -> None:
    text = path.read_bytes().decode("utf-8-sig", "replace")
    document = Document(text, path=str(path), kind=detect(path.name, text))
    for at in range(len(text) + 1):
        found = cursor(document, at)
        if found is not None:
            assert found.typed == text[found.replace.start : at]
            assert at <= found.replace.end <= len(text)
            assert document.line_of(found.replace.start) == document.line_of(at)
