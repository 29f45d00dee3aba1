"""A fix that is shown as safe is made by `--fix`, also where the variable that it is about is set once more."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

ANALYZER = Analyzer(Config(), all_rules)
EXAMPLES = [
    (example.text, name)
    for rule in all_rules()
    for example in rule.invalid
    if example.kind is Kind.SHELL and example.fixed is not None
    for name in sorted(
        {s.name for s in read(Document(example.fixed, kind=Kind.SHELL)).settings if s.surface is Surface.ENV}
    )
]


@pytest.mark.parametrize("form", ["export {name}=1\n{text}", "export {name}=0\n{text}", "{text}\nexport {name}=1\n"])
def test_what_is_shown_as_safe_is_made(form: str) -> None:
    assert EXAMPLES
    for text, name in EXAMPLES:
        document = Document(form.format(text=text, name=name), kind=Kind.SHELL)
        assert not fixed(document, ANALYZER.findings, unsafe=False).refused, document.text
