"""What different functions set is kept apart."""

from __future__ import annotations

from npu_lsp.languages.branches import exclusive, in_order, run_together
from tests.languages.python.told import settings


def test_what_two_functions_set_does_not_surely_meet() -> None:
    one, other = settings(
        "def train():\n    npu.global_options().graph_run_mode = 1\n"
        "def infer():\n    npu.global_options().graph_run_mode = 0\n"
    )
    assert not exclusive(one.branch, other.branch)
    assert not run_together(one.branch, other.branch)
    assert not in_order(one.branch, other.branch)


def test_what_a_function_sets_meets_what_always_runs() -> None:
    one, other = settings(
        "op = custom_optimizers.add()\ndef more():\n    op.parameter_map['a'].i = 1\nop.parameter_map['b'].i = 2\n"
    )
    assert run_together(one.branch, other.branch)
    assert not in_order(one.branch, other.branch)


def test_one_function_is_no_branch() -> None:
    one, other = settings(
        "def main():\n    op = custom_optimizers.add()\n    op.parameter_map['a'].i = 1\n    op.parameter_map['b'].i = 2\n"
    )
    assert one.branch == other.branch == ()
    assert in_order(one.branch, other.branch)
