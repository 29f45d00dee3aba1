"""What tools read from their environment stands in the catalog, or a table says why it doesn't."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.spelling import spelling
from npu_lsp.text.bilingual import Text
from tests.authoring import registered
from tests.authoring.read_names import names
from tests.authoring.reads import DECIDED, Extract, decided, extracts, later, main
from tests.together import together

_NAMED = re.compile(r"`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=[^`]*)?`")
NO_VARIABLES = {
    "OPTION_GLOBAL_RESOURCE_CONFIG",
    "ACL_AICORE_PIPE_UTILIZATION",
    "ACL_ALLOW_HF32",
    "AICPU_FLAG",
    "DAC_OVERRIDE",
    "IPC_LOCK",
    "SYS_PTRACE",
    "VLLM_USE_RUST_FRONTEND",
}
"""Constants of CANN, capabilities of Linux and a variable of vLLM that texts name."""
KINDS = {"build", "test", "internal", "other", "debug", "undocumented"}


def _known() -> set[str]:
    options = list(load().options(Surface.ENV))
    return {name for option in options for name in (option.name, *option.aliases)}


def undecided(read: list[Extract], known: set[str], left_out: set[str]) -> list[str]:
    """Return what tools read and nobody decided, with its source."""
    return [
        f"{each.source}: {name} ({path})"
        for each in read
        for name, path in each.names.items()
        if name not in known and name not in left_out
    ]


def test_every_name_that_a_tool_reads_is_in_the_catalog_or_left_out_with_a_reason() -> None:
    assert undecided(extracts(), _known(), set(decided())) == []


def test_a_name_that_nobody_decided_is_told() -> None:
    new = Extract("tool", "1.0", "", {"TASK_QUEUE_ENABLE": "a.py", "HOME": "a.py", "TOOL_NEW": "b.cpp"})
    assert undecided([new], _known(), set(decided())) == ["tool: TOOL_NEW (b.cpp)"]


def test_what_is_left_out_is_read_by_a_tool_and_not_in_the_catalog() -> None:
    read = {name for each in extracts() for name in each.names}
    assert set(decided()) - read == set()
    assert set(decided()) & _known() == set()


def test_every_decision_has_a_kind_and_a_reason() -> None:
    assert {kind for kind, _ in decided().values()} == KINDS
    assert all(len(reason.split()) >= 4 for _, reason in decided().values())


def test_a_name_that_stands_in_two_groups_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / DECIDED.name
    group = '[[left_out]]\nkind = "test"\nreason = "A reason of some words."\nnames = ["SOME_NAME"]\n'
    path.write_text(group * 2, "utf-8")
    with pytest.raises(ValueError, match="SOME_NAME"):
        decided(path)


def test_the_newest_release_of_each_tool_was_read_or_is_named_as_unread() -> None:
    """A release that comes into `versions.toml` without a look at what it reads fails here."""
    for each in extracts():
        assert each.unread == later(each.component, each.release), each.source


def test_a_release_that_came_since_is_told() -> None:
    newest = later("mindie", "3.0.0.beta.2")
    assert newest == ("3.0.0.beta.3", "3.0.0")
    assert later("", "1.0") == later("mindie", "3.0.0") == ()


def unreleased_in(read: Iterable[Extract], options: Iterable[Option]) -> set[str]:
    """Return what no release has by the catalog, and is in a package that was read."""
    packaged = {(each.component, name) for each in read if not each.commit for name in each.names}
    return {each.name for each in options if each.undated == "unreleased" and (each.component, each.name) in packaged}


def test_what_a_release_reads_is_not_said_to_be_in_none() -> None:
    options = load().options(Surface.ENV)
    assert unreleased_in(extracts(), options) == set()
    packages = [each for each in extracts() if each.component and not each.commit]
    assert packages
    names = packages[0].names
    known = next(each for each in options if each.name in names and each.component == packages[0].component)
    assert unreleased_in(packages, [known._replace(undated="unreleased")]) == {known.name}


def test_no_name_that_a_tool_reads_is_taken_for_a_slip_of_ours() -> None:
    catalog = load()
    guesses = spelling(_known(), catalog.plain("other_variables"))
    read = {name for each in extracts() for name in each.names} - _known()
    assert len(read) > 250
    assert {name: guess.names for name in read if (guess := guesses.guess(name)) is not None} == {}


def unknown_in(texts: Iterable[tuple[str, Text]], known: set[str]) -> set[str]:
    """Return what texts name like a variable and nothing knows, each with the option whose text it is."""
    return {
        f"{option}: {name}"
        for option, text in texts
        for name in _NAMED.findall(f"{text.en} {text.zh}")
        if name not in known
    }


def test_a_variable_that_a_text_names_exists() -> None:
    catalog = load()
    options = [option for surface in Surface for option in catalog.options(surface)]
    known = {name for option in options for name in (option.name, *option.aliases)} | set(decided()) | NO_VARIABLES
    known |= {str(value.value) for option in options for value in option.values}
    docs = [(option.name, catalog.docs(option.surface, option.name)) for option in options]
    texts = [(name, text) for name, each in docs for text in (each.summary, each.text) if text is not None]
    assert unknown_in(texts, known) == set()
    # A text that people read said to set it before the catalog had it.
    without = unknown_in(texts, known - {"EXPERT_MAP_RECORD"})
    assert any(each.endswith(": EXPERT_MAP_RECORD") for each in without)


@together(
    ("path", "text", "found"),
    [
        ("a.py", 'import os\nos.getenv("A_B")\nos.environ["C_D"]\nos.environ.get("E_F", "1")\n', {"A_B", "C_D", "E_F"}),
        ("a.py", 'os.environ["A_B"] = "1"\nif "C_D" in os.environ:\n    pass\n', {"C_D"}),
        ("a.py", 'NAME = "A_B"\nos.getenv(NAME)\nget_bool_env_var("C_D", "false")\n', {"A_B", "C_D"}),
        ("a.py", "class Envs:\n    A_B = EnvBool(False)\n    C_D = other(False)\n", {"A_B"}),
        ("a.py", "def broken(:\n", set()),
        ("a.cpp", 'std::getenv("A_B");\n// getenv("C_D")\n/* getenv("E_F") */ setenv("G_H", "1", 1);\n', {"A_B"}),
        ("a.cpp", 'constexpr char NAME[] = "A_B";\nconst auto x = GetEnvByName(NAME);\n', {"A_B"}),
        ("a.cpp", "MM_SYS_GET_ENV(MM_ENV_A_B, value);\nREGISTER_OPTION_INIT_BY_ENV(c_d)\n", {"A_B", "C_D"}),
        ("a.hpp", 'V T_A = {\n    "T_A",\n    "H_A"};\nauto x = getCvarBool(T_A, false);\n', {"T_A", "H_A"}),
        ("a.go", 'const name = "A_B"\nos.Getenv(name)\nos.LookupEnv("C_D")\n', {"A_B", "C_D"}),
        ("a.sh", 'echo "${A_B:-1}" $C_D ${E_F}\n', {"A_B"}),
    ],
)
def test_reads_are_found_in_each_language(path: str, text: str, found: set[str]) -> None:
    wanted = {name for name in found if len(name) > 2}
    assert set(names([(path, text)])) == wanted


def test_a_constant_is_found_in_another_file_unless_two_files_give_it_two_values() -> None:
    reads, one, two = ("a.py", "os.getenv(KEY)\n"), ("b.py", 'KEY = "ONE_NAME"\n'), ("c.py", 'KEY = "TWO_NAME"\n')
    assert names([reads, one]) == {"ONE_NAME": "a.py"}
    assert names([reads, one, two]) == {}


def test_a_checkout_is_recorded_and_what_changed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkout, records = tmp_path / "tool", tmp_path / "records"
    (checkout / "tool" / "tests").mkdir(parents=True)
    records.mkdir()

    def commit(text: str) -> None:
        (checkout / "tool" / "a.py").write_text(text, "utf-8")
        (checkout / "tool" / "tests" / "t.py").write_text('os.getenv("ONLY_A_TEST")\n', "utf-8")
        who = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"]
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            subprocess.run(["git", "-C", str(checkout), *who, *arguments], check=True, capture_output=True)

    commit('os.getenv("OLD_NPU")\nos.getenv("FOR_GPU")\n')
    arguments = ["tool", str(checkout), "--folder", str(records)]
    assert main([*arguments, "--release", "1.0", "--below", "tool", "--about", "NPU"]) == 0
    assert capsys.readouterr().out == "new OLD_NPU\ntool 1.0: 1 names\n"
    commit('os.getenv("NEW_NPU")\nos.getenv("FOR_GPU")\n')
    # What was read, and which names count, is taken from the record.
    assert main([*arguments, "--release", "1.1"]) == 0
    assert capsys.readouterr().out == "new NEW_NPU\ngone OLD_NPU\ntool 1.1: 1 names\n"
    again = extracts(records)[0]
    assert (again.release, again.about, again.below, list(again.names)) == ("1.1", "NPU", ("tool",), ["NEW_NPU"])
    assert len(again.commit) == 9


def test_what_tools_register_besides_variables_is_known_or_left_out_for_a_reason() -> None:
    """Options of GE and torch_npu, flags of ATC, keys of TorchAir and MindIE."""
    recorded = dict(registered.records())
    assert set(recorded) == set(registered.KINDS)
    for name, record in recorded.items():
        lacking = registered.unknown(load(), registered.KINDS[name], record["names"])
        assert lacking == sorted(record["left_out"]), name
        assert len(record["names"]) > 20, name


def test_what_tools_register_was_read_at_the_commit_that_the_catalog_names() -> None:
    sources = load().plain("sources")
    for name, record in registered.records():
        assert record["commit"].startswith(sources["ge" if name == "atc" else name]["commit"]), name
