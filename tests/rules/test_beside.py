"""What a rule looks at beside the text of an example: the file's name, the files around it, and which other rules run."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_MODEL = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3"
_LISTED = f"{_MODEL} --op_select_implmode=high_precision --optypelist_for_implmode={{}}\n"

_DEFAULT = Config()


def found(text: str, path: Path, code: str, config: Config = _DEFAULT) -> list[Finding]:
    document = Document(text, path=str(path), kind=Kind.SHELL)
    return [each for each in Analyzer(config, all_rules).findings(document) if each.code == code]


@pytest.mark.parametrize(
    ("name", "speaks"), [("run.sh", True), ("set_env.sh", False), ("env.sh", False), ("env/run.sh", True)]
)
def test_a_script_that_others_source_exports_for_them(tmp_path: Path, name: str, speaks: bool) -> None:
    text = "python3 train.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n"
    assert bool(found(text, tmp_path / name, "NPU603")) is speaks


def test_a_comment_that_silences_everything_is_of_no_use_where_all_default_rules_run(tmp_path: Path) -> None:
    text = f"{_MODEL}  # npu-lsp: ignore\n"
    assert len(found(text, tmp_path / "a.sh", "NPU901")) == 1
    assert found(text, tmp_path / "a.sh", "NPU901", Config(ignore=("NPU101",))) == []


def test_blanks_around_a_value_are_told_where_nothing_else_is_wrong_with_it(tmp_path: Path) -> None:
    for value, codes in ((" force_fp16", {"NPU107"}), (" fast", {"NPU104"})):
        text = f"{_MODEL} --precision_mode='{value}'\n"
        assert {code for code in ("NPU104", "NPU107") if found(text, tmp_path / "a.sh", code)} == codes


def test_each_list_of_operators_gets_a_file_of_its_own(tmp_path: Path) -> None:
    text = f"{_MODEL}\n{_LISTED.format('Conv2D')}{_LISTED.format('Relu')}{_LISTED.format('Conv2D')}"
    fixes = [each.fixes[0] for each in found(text, tmp_path / "a.sh", "NPU301")[::2]]
    assert [fix.files[0].path for fix in fixes] == ["op_precision.ini", "op_precision_2.ini", "op_precision.ini"]
    assert fixes[1].note == "Create op_precision_2.ini with this content:\n[ByOpType]\nRelu=high_precision\n"


def test_a_file_that_is_there_already_is_used(tmp_path: Path) -> None:
    (tmp_path / "op_precision.ini").write_text("[ByOpType]\nConv2D=high_precision\n")
    fix = found(_LISTED.format("Conv2D"), tmp_path / "a.sh", "NPU301")[0].fixes[0]
    assert (fix.files, fix.note) == ((), "")


def test_shapes_move_only_where_the_ones_that_are_there_can_go(tmp_path: Path) -> None:
    for shape, many in (("a:1", 1), ("a'b:1", 0)):
        text = f'{_MODEL} --input_shape_range="a:[1~8,3]" --input_shape="{shape}"\n'
        [told] = found(text, tmp_path / "a.sh", "NPU301")
        assert len(told.fixes) == many, shape


@pytest.mark.parametrize(("shape", "many"), [("data_name:data_shape", 1), ("x" * 20_000, 1), ("x" * 20_001, 0)])
def test_what_a_script_gives_as_a_shape(shape: str, many: int, tmp_path: Path) -> None:
    assert len(found(f"atc --input_shape={shape}\n", tmp_path / "a.sh", "NPU105")) == many


def test_nobody_knows_what_is_beside_a_text_that_lies_nowhere() -> None:
    text = "atc --model=a.onnx --fusion_switch_file=nowhere.cfg\n"
    for path, many in (("/nowhere/a.sh", 1), ("", 0)):
        document = Document(text, path=path, kind=Kind.SHELL)
        assert len(list(Analyzer(Config(select=("NPU810",)), all_rules).findings(document))) == many


def test_where_a_name_stands_first(tmp_path: Path) -> None:
    line = "a::InputDtype:float16,OutputDtype:float16\n"
    document = Document(line + line, path=str(tmp_path / "a.cfg"), kind=Kind.CUSTOMIZE_DTYPES)
    [told] = Analyzer(Config(select=("NPU802",)), all_rules).findings(document)
    assert [(related.span.start, related.span.end) for related in told.related] == [(0, 1)]


def test_a_text_without_a_place_has_no_files_beside_it() -> None:
    document = Document("atc --fusion_switch_file=switch.cfg\n", kind=Kind.SHELL)
    assert "NPU810" not in [each.code for each in Analyzer(_DEFAULT, all_rules).findings(document)]
