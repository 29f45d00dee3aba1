"""What a slip in the syntax hides is told beside it, and mending the slip brings no finding that nobody was told of."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Edit, Span, apply_edits

TEXTS = {
    "lost backslash": "atc --model=a.pb --framework=3 --output=a \\\n  --soc_version=Ascend310P3\n  --op_select_implmode=high_precision\n",
    "no blank": 'atc --model=a.pb --framework=3 --output=a --soc_version=Ascend310P3 --log=info\\\n--out_nodes="ArgMax"\n',
    "blanks around the sign": 'import os\nos.system(" export ASCEND_GLOBAL_LOG_LEVEL = 1")\n',
    "blank behind the sign": "atc --model=a.pb --framework= 3 --output=a --soc_version=Ascend310P3 --out_nodes=ArgMax\n",
    "in a fence": "```sh\natc --model=a.pb --framework=3 --output=a --soc_version=Ascend310P3 \\ \n  --head_stream=1\n```\n",
}


def _kind(text: str) -> Kind:
    return Kind.PYTHON if "import" in text else Kind.MARKDOWN if text.startswith("`") else Kind.SHELL


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("before", ["", "export ASCEND_GLOBAL_LOG_LEVEL=1\r\n", "# 中文 😀\n"])
def test_mending_brings_no_finding(text: str, before: str) -> None:
    kind = _kind(text)
    document = Document((before if kind is Kind.SHELL else "") + text, kind=kind)
    analyzer = Analyzer(Config(), all_rules)
    told = Counter((f.code, f.option) for f in analyzer.findings(document))
    done = fixed(document, analyzer.findings, unsafe=False)
    left = Counter((f.code, f.option) for f in analyzer.findings(done.document))
    assert done.counts
    assert left <= told
    assert left


def test_what_a_hidden_slip_hides_is_told_too() -> None:
    """CR behind a backslash cuts the command off before its JSON, whose quotes stand twice."""
    text = 'vllm serve m \\\r\n  --additional-config \'{""weight_prefetch_config"":{""enabled"":true}}\'\r\n'
    analyzer = Analyzer(Config(), all_rules)
    document = Document(text, kind=Kind.SHELL)
    assert [f.code for f in analyzer.findings(document)] == ["NPU704", "NPU804", "NPU302"]
    done = fixed(document, analyzer.findings, unsafe=False)
    assert done.document.text == text.replace("\r", "").replace('""', '"')
    assert [f.code for f in analyzer.findings(done.document)] == ["NPU302"]


def test_what_is_hidden_is_marked_where_it_stands() -> None:
    text = TEXTS["lost backslash"]
    found = {f.code: f for f in Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.SHELL))}
    assert set(found) == {"NPU701", "NPU301"}
    assert text[found["NPU301"].span.start : found["NPU301"].span.end] == "--op_select_implmode"
    assert found["NPU301"].fixes == ()


def test_a_comment_silences_what_is_hidden() -> None:
    text = TEXTS["lost backslash"].replace("  --op", "# npu-lsp: ignore[NPU301]\n  --op")
    found = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.SHELL))
    assert [f.code for f in found if not f.suppressed] == ["NPU701"]


def test_nothing_is_hidden_by_a_slip_that_nobody_asks_about() -> None:
    document = Document(TEXTS["lost backslash"], kind=Kind.SHELL)
    assert Analyzer(Config(select=("NPU301",)), all_rules).findings(document) == ()


@given(
    st.text("abc", min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text("xy", max_size=3))),
)
def test_each_character_that_stays_has_an_origin(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    for start, size, new in sorted(wanted):
        span = Span(start, start + size)
        if span.end <= len(text) and (not edits or span.start > edits[-1].span.end):
            edits.append(Edit(span, new))
    after, moved = apply_edits(text, tuple(edits)), Moved(edits)
    stays = [at for at in range(len(text)) if not any(e.span.start <= at < e.span.end for e in edits)]
    origins = [moved.origin(Span(at, at + 1)) for at in range(len(after))]
    assert [span for span in origins if span is not None] == [Span(at, at + 1) for at in stays]
