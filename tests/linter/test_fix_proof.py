"""What counts as mended: the finding is gone, and no other one came but those that the next round mends."""

from __future__ import annotations

from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.fixing.rounds import holds
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits
from tests.together import together

_TEXT = "atc --model=a --log=info\n"
_EDIT = Edit(Span(14, 19), "--logs")
"""The name of the second option gets a letter more."""
_WHOLE = Fix("fix", (), Safety.SAFE)


def found(code: str = "NPU101", at: int = 14, *, length: int = 5, **more: object) -> Finding:
    made = Finding(code, "name", Severity.WARNING, Span(at, at + length), "message", option="log")
    return made._replace(**more)  # type: ignore[arg-type]


def mends(
    before: list[Finding], after: list[Finding], *, unsafe: bool = False, text: str = _TEXT, edit: Edit = _EDIT
) -> bool:
    """Return whether an edit mends the first of the findings that there were."""
    new = apply_edits(text, (edit,))
    old, mended = (Document(each, path="", kind=Kind.SHELL) for each in (text, new))
    return holds(old, mended, (edit,), (before, after), before[:1], unsafe=unsafe)


def test_what_is_gone_is_mended() -> None:
    assert mends([found()], [])
    assert mends([found()], [], unsafe=True)


def test_what_is_said_in_its_new_place_is_still_there() -> None:
    behind = Edit(Span(0, 0), "# text\n")
    assert not mends([found()], [found(at=21)], edit=behind)
    assert mends([found(), found(at=4)], [found(at=11)], edit=behind)
    # That another one is gone instead makes no difference.
    assert not mends([found(), found(at=4)], [found(at=21)], edit=behind)
    assert mends([found()], [found(at=21, suppressed=True)], edit=behind)
    # Others are about something else: they are neither still there, nor mended in the next round.
    assert not mends([found()], [found(at=21, message="other")], edit=behind)
    assert not mends([found()], [found("NPU102", at=21)], edit=behind)


@together(
    ("after", "safe", "unsafe"),
    [
        # It was there before, ...
        (found(at=0, option="model"), True, True),
        # ... came, ...
        (found("NPU102"), False, False),
        (found("NPU102", option="model"), False, False),
        # ... is mended in the next round, ...
        (found("NPU102", fixes=(_WHOLE,)), True, True),
        (found("NPU102", fixes=(_WHOLE._replace(safety=Safety.UNSAFE),)), False, True),
        # ... but not when it is the same again, elsewhere, ...
        (found(at=0, message="other", fixes=(_WHOLE,)), False, False),
        # ... or is less bad, in what was written, ...
        (found("NPU102", severity=Severity.INFO), False, True),
        (found("NPU102", severity=Severity.INFO, at=0, length=3), False, False),
        # ... and not as bad or worse.
        (found("NPU102", severity=Severity.ERROR), False, False),
    ],
)
def test_what_comes(after: Finding, safe: bool, unsafe: bool) -> None:
    before = [found(), found(at=0, option="model"), found(at=0, option="mode", suppressed=True)]
    # One of the same option and code is gone, so that one more of it is no more than there were.
    mine = (
        [found(at=0, option="model")] if after.option == "model" and after.code == "NPU101" else [*before[1:2], after]
    )
    assert mends(before, mine) is safe
    assert mends(before, mine, unsafe=True) is unsafe


def test_what_a_slip_has_hidden_may_come_to_light_where_fixes_may_be_unsafe() -> None:
    text = 'op.parameter_map["a"].s = "b\nop.parameter_map["c"].s = "d"\n'
    edit = Edit(Span(text.index("\n"), text.index("\n")), '"')
    new = apply_edits(text, (edit,))
    came = found("NPU102", at=new.index("c"), length=1, severity=Severity.ERROR)
    documents = [Document(each, path="", kind=Kind.PYTHON) for each in (text, new)]
    for unsafe in (False, True):
        told = ([found(at=0)], [came])
        assert holds(documents[0], documents[1], (edit,), told, told[0], unsafe=unsafe) is unsafe


def test_a_setting_that_an_edit_wrote_has_not_been_hidden() -> None:
    came = found("NPU102", at=14, length=6, severity=Severity.ERROR)
    assert not mends([found()], [came], unsafe=True)
    # A backslash that was lost hid the next line.
    text = "atc --model=a\n  --log=info --framework=5\n"
    edit = Edit(Span(13, 13), " \\")
    assert mends([found(at=0)], [found("NPU102", at=18, severity=Severity.ERROR)], unsafe=True, text=text, edit=edit)
    assert not mends([found(at=0)], [found("NPU102", at=18, severity=Severity.ERROR)], text=text, edit=edit)
