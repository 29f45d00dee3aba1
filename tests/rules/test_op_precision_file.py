"""Modes of operators that move to a file: what is written, under which name, and what the option then says."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.catalog.toolkit import Toolkit
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Fix
from npu_lsp.rules import all_rules
from npu_lsp.rules.fixes import fixes_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

_ATC = "atc --model=a --framework=5 "
_MODE = "--op_select_implmode=high_precision"
_LIST = "--optypelist_for_implmode"
_FILE = "[ByOpType]\nRelu=high_precision\n"
_BESIDE = '--op_precision_mode="$(dirname "$0")/{}"'
_BUILT_IN = '--op_precision_mode="${{ASCEND_HOME_PATH}}/opp/built-in/op_impl/ai_core/tbe/impl_mode/{}.ini"'
_COPIED = "opp/built-in/op_impl/ai_core/tbe/impl_mode/high_precision.ini"


def moves(text: str, path: str, nth: int = 0, kind: Kind = Kind.SHELL, toolkit: Toolkit | None = None) -> list[Fix]:
    """Return the fixes for the `nth` mode of the text."""
    context = Analyzer(Config(), all_rules, toolkit=toolkit).context(Document(text, path=path, kind=kind))
    found = [(s, block) for block in context.parsed.blocks for s in block.settings if s.name == "op_select_implmode"]
    setting, block = found[nth]
    option = context.option(setting)
    assert option is not None
    return list(fixes_for("op-precision-file", setting, option, block, context))


def written(text: str, path: str, nth: int = 0, kind: Kind = Kind.SHELL) -> tuple[str, str, str]:
    """Return what the only fix makes of the text, and the name and the text of its file, if it makes one."""
    [fix] = moves(text, path, nth, kind)
    [(name, content)] = [(file.path, file.text) for file in fix.files] or [("", "")]
    return apply_edits(text, fix.edits), name, content


def test_the_file_has_the_list(tmp_path: Path) -> None:
    text = f"{_ATC}{_MODE} {_LIST}=' Relu, ,Relu, Conv2D'\n"
    after, name, content = written(text, str(tmp_path / "a.sh"))
    assert after == f"{_ATC}{_BESIDE.format('op_precision.ini')}\n"
    assert (name, content) == ("op_precision.ini", f"{_FILE}Conv2D=high_precision\n")


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    text, path = f"{_ATC}{_MODE} {_LIST}=Relu\n", str(tmp_path / "a.sh")
    first, second, third = (
        tmp_path / name for name in ("op_precision.ini", "op_precision_2.ini", "op_precision_3.ini")
    )
    first.write_bytes(b"\xff")
    assert written(text, path)[1:] == ("op_precision_2.ini", _FILE)
    second.mkdir()
    assert written(text, path)[1:] == ("op_precision_3.ini", _FILE)
    third.write_text(_FILE, encoding="utf-8")
    assert written(text, path) == (f"{_ATC}{_BESIDE.format('op_precision_3.ini')}\n", "", "")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other.ini").write_text(_FILE, encoding="utf-8")
    (tmp_path / "op_precision.ini").symlink_to("other.ini")
    assert written(f"{_ATC}{_MODE} {_LIST}=Relu\n", str(tmp_path / "a.sh"))[1] == "op_precision_2.ini"


def test_a_text_that_lies_nowhere_has_no_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "op_precision.ini").write_text(_FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert written(f"{_ATC}{_MODE} {_LIST}=Relu\n", "")[1] == "op_precision.ini"


@together(
    ("first", "name"),
    [
        (f"{_MODE} {_LIST}=Conv2D", "op_precision_2.ini"),
        # This one asks for no file, or for the same one.
        (f"{_MODE} {_LIST}=Relu", "op_precision.ini"),
        (_MODE, "op_precision.ini"),
        (f"{_MODE} {_LIST}='Conv 2D'", "op_precision.ini"),
        (f"{_MODE}_for_all {_LIST}=Conv2D", "op_precision.ini"),
        (f"{_MODE} {_LIST}=Conv2D --op_precision_mode=a.ini", "op_precision.ini"),
        (f"{_MODE} {_MODE} {_LIST}=Conv2D", "op_precision.ini"),
        (f"{_MODE} {_LIST}=Conv2D {_LIST}=Conv2D", "op_precision.ini"),
    ],
)
def test_files_are_numbered_in_the_order_of_the_script(tmp_path: Path, first: str, name: str) -> None:
    text = f"{_ATC}{first}\n{_ATC}{_MODE} {_LIST}=Relu\n"
    assert written(text, str(tmp_path / "a.sh"), nth=first.count(_MODE))[1:] == (name, _FILE)


def test_a_list_without_a_mode_asks_for_no_file(tmp_path: Path) -> None:
    text = f"{_ATC}{_LIST}=Conv2D\n{_ATC}{_MODE} {_LIST}=Relu\n"
    assert written(text, str(tmp_path / "a.sh"))[1:] == ("op_precision.ini", _FILE)


@pytest.mark.parametrize("tool", [_ATC, "aoe --model=a --framework=5 --job_type=1 "])
def test_the_default_of_atc_needs_nothing(tool: str) -> None:
    text = f"{tool}--op_select_implmode=high_performance --json=b\n"
    after = [apply_edits(text, fix.edits) for fix in moves(text, "")]
    pointed = f"{tool}{_BUILT_IN.format('high_performance')} --json=b\n"
    assert after == ([f"{tool}--json=b\n", pointed] if tool == _ATC else [pointed])


def test_a_list_of_the_toolkit_is_copied(tmp_path: Path) -> None:
    home, path = tmp_path / "cann", str(tmp_path / "a.sh")
    source, copy = home / _COPIED, tmp_path / "high_precision.ini"
    source.parent.mkdir(parents=True)

    def made() -> list[tuple[str, list[str]]]:
        found = moves(f"{_ATC}{_MODE}\n", path, toolkit=Toolkit(home))
        assert {fix.safety.value for fix in found} == {"unsafe"}
        return [(apply_edits(f"{_ATC}{_MODE}\n", fix.edits), [file.text for file in fix.files]) for fix in found]

    pointed = f"{_ATC}{_BUILT_IN.format('high_precision')}\n", list[str]()
    copied = f"{_ATC}{_BESIDE.format('high_precision.ini')}\n"
    assert made() == [pointed]
    for nothing in (source.mkdir, source.rmdir, source.touch, source.unlink):
        nothing()
        assert made() == [pointed]
    (home / "own.ini").write_text(_FILE, encoding="utf-8")
    source.symlink_to(home / "own.ini")
    assert made() == [(copied, [_FILE]), pointed]
    copy.write_text(_FILE, encoding="utf-8")
    assert made() == [(copied, []), pointed]


_SET = 'op.parameter_map["{}"].s = "{}"\n'
_PY_MODE, _PY_LIST, _PY_NEW = (
    _SET.format(*each)
    for each in (
        ("op_select_implmode", "high_precision"), ("optypelist_for_implmode", "Relu"), ("op_precision_mode", "a"),
    )
)  # fmt: skip


def test_arms_that_never_run_together_are_apart(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    text = f"if a:\n    {_PY_MODE}    {_PY_NEW}else:\n    {_PY_MODE}"
    [fix] = moves(text, path, kind=Kind.PYTHON)
    assert apply_edits(text, fix.edits) == f"if a:\n    {_PY_NEW}else:\n    {_PY_MODE}"
    text = f"if a:\n    {_PY_MODE}    {_PY_LIST}else:\n    {_PY_LIST}"
    after, name, content = written(text, path, kind=Kind.PYTHON)
    assert after.endswith(f"else:\n    {_PY_LIST}")
    assert after.count("optypelist_for_implmode") == 1
    assert (name, content) == ("op_precision.ini", _FILE)


@together(
    "text",
    [
        # The name of the option can't be changed, its value can't, or the list can't be taken out.
        f'K = "op_select_implmode"\nop.parameter_map[K].s = "high_precision"\n{_PY_LIST}',
        f'for k in ["op_select_implmode"]:\n    op.parameter_map[k].s = "high_precision"\n{_PY_LIST}',
        f'for v in ["high_precision"]:\n    op.parameter_map["op_select_implmode"].s = v\n{_PY_LIST}',
        f"{_PY_MODE}x = {_PY_LIST}",
    ],
)
def test_all_of_it_is_written_or_nothing(text: str, tmp_path: Path) -> None:
    assert moves(text, str(tmp_path / "a.py"), kind=Kind.PYTHON) == []


@together(
    ("text", "nth", "many"),
    [
        # The text of an argument that two commands get can be changed where both need the same.
        (f"A={_MODE}\n{_ATC}$A --op_precision_mode=a.ini\n{_ATC}$A\n", 0, 0),
        (f'A="{_MODE} --op_precision_mode=a.ini"\n{_ATC}$A\n{_ATC}$A --json=b\n', 0, 1),
        (f'A="{_MODE} --op_precision_mode=a.ini"\n{_ATC}$A\n{_ATC}$A {_LIST}=Relu\n', 0, 0),
        # A third one, with a text of its own, has no say.
        (f"A={_MODE}\n{_ATC}$A\n{_ATC}$A --json=b\n{_ATC}{_MODE} {_LIST}=Relu\n", 0, 1),
        # So does another tool.
        (f"A={_MODE}\n{_ATC}$A\n{_ATC}$A --json=b\naoe --job_type=1 $A {_LIST}=Relu\n", 0, 0),
        # The last command gets one of two texts, and the first command the same one.
        (f"if x; then\nA={_MODE}\n{_ATC}$A\nelse\nA=--op_select_implmode=high_performance\nfi\n{_ATC}$A\n", 0, 0),
        (f"if x; then\nA={_MODE}\n{_ATC}$A\nelse\nA=--op_select_implmode=high_performance\nfi\n{_ATC}$A\n", 1, 1),
    ],
)
def test_a_text_of_two_commands(text: str, nth: int, many: int) -> None:
    assert len(moves(text, "", nth)) == many
