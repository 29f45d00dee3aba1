"""A variable that moves to a key: which configurations get it, and when none does."""

from __future__ import annotations

import pytest

from npu_lsp.text.kinds import Kind
from tests.rules.test_catalog_fixes import made
from tests.together import together

_NZ = "VLLM_ASCEND_ENABLE_NZ"
_SET = f"export {_NZ}=0\n"


def server(*members: str, model: str = "m") -> str:
    return f"vllm serve {model} --additional-config '{{{', '.join(members)}}}'\n"


_A, _A_MOVED = (server(*members) for members in (['"refresh": true'], ['"weight_nz_mode": 0', '"refresh": true']))
_B, _B_MOVED = (each.replace("serve m", "serve n") for each in (_A, _A_MOVED))
_NESTED = '"scheduler_config": {"recompute_scheduler_enable": true}'


@together(
    ("before", "after"),
    [
        (f"{_SET}{_A}{_B}", f"{_A_MOVED}{_B_MOVED}"),
        # Only those behind it, until it is set again.
        (f"{_A}{_SET}{_B}", f"{_A}{_B_MOVED}"),
        (f"{_SET}{_A}export {_NZ}=1\n{_B}", f"{_A_MOVED}export {_NZ}=1\n{_B}"),
        (f"{_SET}export ASCEND_SLOG_PRINT_TO_STDOUT=1\n{_A}", f"export ASCEND_SLOG_PRINT_TO_STDOUT=1\n{_A_MOVED}"),
        (f"export {_NZ}=0 B=2\n{_A}{_B}", f"export B=2\n{_A_MOVED}{_B_MOVED}"),
        # What is set for one command is there for that one alone.
        (f"{_NZ}=0 {_A}{_B}", f"{_A_MOVED}{_B}"),
        (f"docker run -e {_NZ}=0 image {_A}{_B}", f"docker run image {_A_MOVED}{_B}"),
        (f"{_NZ}=0 ./warm_up.sh\n{_A}", None),
        # Two commands get the same text.
        (f'E="-e {_NZ}=0"\ndocker run $E image {_A}docker run $E image {_B}', None),
        # A server without a configuration would do without.
        (f"{_SET}{_A}vllm serve n\n", None),
        (f"{_SET}{_A}python -m vllm.entrypoints.openai.api_server\n", None),
        (_SET + server(), None),
        (_SET + server('"weight_nz_mode": 1'), None),
        # Nobody knows what stands in the braces.
        (f"{_SET}{_A}vllm serve n --additional-config '{{\"refresh\": '$B'}}'\n", None),
        (_SET + server('"refresh": true', _NESTED), server('"weight_nz_mode": 0', '"refresh": true', _NESTED)),
        # The variable is read, or may not be set, or has a value that the key doesn't take.
        (f"{_SET}echo ${_NZ}\n{_A}", None),
        (f"if a; then\n  {_SET}fi\n{_A}", None),
        (f"if a; then\n  {_SET}  {_A}fi\n", f"if a; then\n  {_A_MOVED}fi\n"),
        (f"export {_NZ}=9\n{_A}", None),
        (f"export {_NZ}=on\n{_A}", None),
        (f"export {_NZ}=$NZ\n{_A}", None),
    ],
)
def test_each_server_behind_it_gets_the_key(before: str, after: str | None) -> None:
    assert [text for _, text in made("to-key", _NZ, before, vllm="0.25.1rc1")] == ([] if after is None else [after])


@pytest.mark.parametrize(("value", "moved"), [("0", "false"), ("1", "true"), ("2", None)])
def test_a_switch_is_true_or_false(value: str, moved: str | None) -> None:
    name = "VLLM_ASCEND_ENABLE_MLAPO"
    found = made("to-key", name, f"export {name}={value}\n{_A}", vllm="0.25.1rc1")
    after = server(f'"enable_mlapo": {moved}', '"refresh": true')
    assert found == ([("unsafe", after)] if moved else [])


def test_the_key_is_one_that_the_target_has() -> None:
    name = "VLLM_ASCEND_BALANCE_SCHEDULING"
    for vllm, moved in (
        ("0.24.0rc1", '"enable_balance_scheduling": true'),
        ("0.25.1rc1", '"scheduler_config": {"enable_balance_scheduling": true}'),
    ):
        [(_, after)] = made("to-key", name, f"export {name}=1\n{_A}", vllm=vllm)
        assert after == server(moved, '"refresh": true')


def test_examples_of_a_page_are_apart() -> None:
    for rest, after in ((f"{_A}```\n", f"{_A_MOVED}```\n"), ("```\n", None)):
        other = f"\n```sh\n{_B}```\n"
        found = made("to-key", _NZ, f"```sh\n{_SET}{rest}{other}", Kind.MARKDOWN, vllm="0.25.1rc1")
        assert [text for _, text in found] == ([] if after is None else [f"```sh\n{after}{other}"])


def test_in_python_there_is_one_configuration() -> None:
    text = f'os.environ["{_NZ}"] = "0"\nLLM("m", additional_config={{"refresh": True}})\n'
    [(_, after)] = made("to-key", _NZ, text, Kind.PYTHON, vllm="0.25.1rc1")
    assert after == 'LLM("m", additional_config={"refresh": True, "weight_nz_mode": 0})\n'
    nested = text.replace('"refresh": True', '"scheduler_config": {"recompute_scheduler_enable": True}')
    [(_, after)] = made("to-key", _NZ, nested, Kind.PYTHON, vllm="0.25.1rc1")
    members = '"scheduler_config": {"recompute_scheduler_enable": True}, "weight_nz_mode": 0'
    assert after == f'LLM("m", additional_config={{{members}}})\n'
    assert made("to-key", _NZ, f"x = {text}", Kind.PYTHON, vllm="0.25.1rc1") == []
    for more in ('LLM("n")\n', 'LLM("n", additional_config={"refresh": True})\n'):
        assert made("to-key", _NZ, text + more, Kind.PYTHON, vllm="0.25.1rc1") == []


def test_a_makefile_runs_what_is_asked_for() -> None:
    for recipe, moved in ((f"\t{_A}", 1), (f"\t{_A}\t{_B}", 0)):
        assert len(made("to-key", _NZ, f"{_SET}run:\n{recipe}", Kind.MAKEFILE, vllm="0.25.1rc1")) == moved


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        (f"FROM a\nENV {_NZ}=0\nRUN {{}}", Kind.DOCKERFILE),
        (f"FROM a\nENV {_NZ}=0 B=1\nRUN {{}}", Kind.DOCKERFILE),
        (f'```python\nos.environ["{_NZ}"] = "0"\n{{}}```\n', Kind.MARKDOWN),
    ],
)
def test_elsewhere_there_is_one_configuration(before: str, kind: Kind) -> None:
    python = kind is Kind.MARKDOWN
    start = 'LLM("m", additional_config={"refresh": True})\n' if python else _A
    for many, moved in ((1, 1), (2, 0)):
        text = before.format(start * many if python else f"RUN {start}".join([start] * many))
        assert len(made("to-key", _NZ, text, kind, vllm="0.25.1rc1")) == moved
