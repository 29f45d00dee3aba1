"""Variables that a script takes out of the environment again."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from tests.languages.shell.found import blocks, script, settings
from tests.together import together


def names_by_block(text: str) -> list[list[str]]:
    """Return the names of variables by block."""
    return [[s.name for s in block.settings] for block in blocks(text, Surface.ENV)]


@together(
    "gone",
    [
        "unset HCCL_A",
        "unset -v HCCL_A",
        "unset HCCL_X HCCL_A",
        "unset HCCL_X \\\n  HCCL_A",
        "export -n HCCL_A",
        "declare +x HCCL_A",
        "cleanup() { unset HCCL_A; }",
        "if x; then unset HCCL_A; fi",
        "python a.py; unset HCCL_A",
    ],
)
def test_what_is_taken_out_is_a_block_of_its_own(gone: str) -> None:
    text = f"export HCCL_A=1\npython a.py\n{gone}\nexport HCCL_B=2\n"
    assert names_by_block(text) == [["HCCL_A"], ["HCCL_B"]]
    assert all(block.open for block in blocks(text, Surface.ENV))


@together(
    "kept",
    [
        "# unset HCCL_A",
        "echo unset HCCL_A",
        'echo "unset HCCL_A"',
        "unset -f HCCL_A",
        "unset HCCL_AA",
        "unset $HCCL_A",
        "export HCCL_A",
        "declare -x HCCL_A",
        "cat <<EOF\nunset HCCL_A\nEOF",
    ],
)
def test_what_is_not_taken_out_stays(kept: str) -> None:
    assert names_by_block(f"export HCCL_A=1\n{kept}\nexport HCCL_B=2\n") == [["HCCL_A", "HCCL_B"]]


def test_what_is_taken_out_first_is_set_afresh() -> None:
    assert names_by_block("unset HCCL_A HCCL_B\nexport HCCL_A=1\nexport HCCL_B=2\n") == [["HCCL_A", "HCCL_B"]]
    text = "export HCCL_A=1\nrun\nunset HCCL_A\nexport HCCL_A=2\nrun\nunset HCCL_A\nexport HCCL_A=3\n"
    assert names_by_block(text) == [["HCCL_A"], ["HCCL_A"], ["HCCL_A"]]
    assert names_by_block("if x; then unset HCCL_A; else export HCCL_A=1; fi\n") == [["HCCL_A"]]


def test_a_subshell_takes_out_of_its_own_environment_only() -> None:
    assert names_by_block("export HCCL_A=1\n(unset HCCL_A; run)\nexport HCCL_B=2\n") == [["HCCL_A", "HCCL_B"]]
    assert names_by_block("(export HCCL_A=1; run; unset HCCL_A; export HCCL_B=2)\n") == [["HCCL_A"], ["HCCL_B"]]


def test_what_a_subshell_exports_ends_with_it() -> None:
    assert names_by_block("(export HCCL_A=1; run)\nexport HCCL_B=2\n") == [["HCCL_A"], ["HCCL_B"]]
    assert names_by_block("export HCCL_B=2\n(export HCCL_A=1; run)\n") == [["HCCL_B", "HCCL_A"]]
    assert names_by_block("x=$(export HCCL_A=1; run)\nexport HCCL_B=2\n") == [["HCCL_A"], ["HCCL_B"]]


@together(
    ("script_text", "told"),
    [
        ("export HCCL_BUFFSIZE=1\nexport HCCL_BUFFSIZE=2\n", True),
        ("(export HCCL_BUFFSIZE=1)\nexport HCCL_BUFFSIZE=2\n", False),
        ("export HCCL_BUFFSIZE=1\n(export HCCL_BUFFSIZE=2)\n", False),
        ("(export HCCL_BUFFSIZE=1)\n(export HCCL_BUFFSIZE=2)\n", False),
        ("(export HCCL_BUFFSIZE=1\nexport HCCL_BUFFSIZE=2)\n", True),
        ("(ls; (export HCCL_BUFFSIZE=1\nexport HCCL_BUFFSIZE=2))\n", True),
        ("((export HCCL_BUFFSIZE=1)\nexport HCCL_BUFFSIZE=2)\n", False),
    ],
)
def test_values_in_two_shells_are_not_set_twice(script_text: str, told: bool) -> None:
    found = Analyzer(Config(), all_rules).findings(script(script_text))
    assert ("NPU207" in {each.code for each in found}) is told


@together(
    ("text", "told"),
    [
        ("export AOE_MODE=1\n({python})\n", True),
        ("export AOE_MODE=1\n(unset AOE_MODE\n{python})\n", False),
        ("export AOE_MODE=1\n(unset AOE_MODE)\n{python}", True),
        ("(export AOE_MODE=1)\n{python}", False),
        ("(export AOE_MODE=1\n{python})\n", True),
    ],
)
def test_a_variable_overrides_what_runs_in_its_shell(text: str, told: bool) -> None:
    python = "python3 - <<'END'\nop.parameter_map['aoe_mode'].s = b'2'\nEND\n"
    plain = {each.code for each in Analyzer(Config(), all_rules).findings(script(python))}
    found = {each.code for each in Analyzer(Config(), all_rules).findings(script(text.replace("{python}", python)))}
    assert bool(found - plain) is told, found


def test_a_variable_of_a_subshell_is_not_known_behind_it() -> None:
    assert [s.value.known for s in settings("(x=info; :)\natc --log=$x\n")] == [False]
    assert [s.value.data for s in settings("(x=info; atc --log=$x)\n")] == ["info"]
    assert [s.value.data for s in settings("x=info; (atc --log=$x)\n")] == ["info"]
    assert [s.value.data for s in settings("x=--log=info; (x=--log=debug; atc $x)\n")] == ["debug"]


def test_those_taken_out_together_stay_together() -> None:
    text = "export HCCL_A=1 HCCL_B=2\nexport HCCL_C=3\nrun\nunset HCCL_A HCCL_B\n"
    assert names_by_block(text) == [["HCCL_A", "HCCL_B"], ["HCCL_C"]]


def test_a_variable_that_is_gone_overrides_nothing() -> None:
    text = "export AOE_MODE=1\n{}\npython3 - <<'END'\nop.parameter_map['aoe_mode'].s = b'2'\nEND\n"
    codes = [
        {finding.code for finding in Analyzer(Config(), all_rules).findings(script(text.format(between)))}
        for between in ("run", "unset AOE_MODE", "export -n AOE_MODE")
    ]
    assert [len(codes[0] - each) for each in codes] == [0, 1, 1]
