"""Which configuration is in force where, and who has the last word."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from tests.together import together


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def config(folder: Path, **options: object) -> Config:
    return Discovery(here=folder, **options).config_for(folder)  # type: ignore[arg-type]


def test_defaults_without_a_file(tmp_path: Path) -> None:
    found = config(tmp_path)
    assert (found.path, found.root, found.origins) == (None, tmp_path, {})
    assert found.select == ()


@together(
    ("name", "text"),
    [
        ("npu-lsp.toml", 'ignore = ["NPU101"]\n'),
        (".npu-lsp.toml", 'ignore = ["NPU101"]\n'),
        ("pyproject.toml", '[project]\nname = "x"\n[tool.npu-lsp]\nignore = ["NPU101"]\n'),
        ("npu-lsp.toml", '\ufeffignore = ["NPU101"]\r\n'),
    ],
)
def test_the_nearest_file_counts_and_no_other(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, "npu-lsp.toml", 'known = ["outer"]\nignore = ["NPU301"]\n')
    path = write(tmp_path / "a", name, text)
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    found = config(deep)
    assert (found.ignore, found.known, found.path, found.root) == (("NPU101",), (), path, tmp_path / "a")
    assert config(tmp_path).ignore == ("NPU301",)


def test_a_project_file_without_our_section_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, "npu-lsp.toml", 'ignore = ["NPU101"]\n')
    write(tmp_path / "a", "pyproject.toml", '[project]\nname = "npu-lsp-user"\n[tool.ruff]\n')
    write(tmp_path / "b", "pyproject.toml", "not toml [")
    assert config(tmp_path / "a").ignore == ("NPU101",)
    assert config(tmp_path / "b").ignore == ("NPU101",)


def test_of_several_in_one_folder_the_plainest_name_counts(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.npu-lsp]\nknown = ["three"]\n')
    write(tmp_path, ".npu-lsp.toml", 'known = ["two"]\n')
    assert config(tmp_path).known == ("two",)
    write(tmp_path, "npu-lsp.toml", 'known = ["one"]\n')
    assert config(tmp_path).known == ("one",)


def test_extend_starts_from_another_file(tmp_path: Path) -> None:
    write(
        tmp_path / "shared",
        "base.toml",
        'ignore = ["NPU101"]\nknown = ["a"]\ncatalog = ["more.toml"]\nexclude = ["x"]\n'
        '[target]\ncann = "8.0"\nproducts = ["a2"]\n[severity]\nNPU101 = "info"\nNPU301 = "hint"\n'
        '[per-file-ignores]\n"a.py" = ["NPU1"]\n',
    )
    path = write(
        tmp_path / "a",
        "npu-lsp.toml",
        'extend = "../shared/base.toml"\nknown = ["b"]\nextend-select = ["NPU901"]\nextend-exclude = ["y"]\n'
        '[target]\ncann = "9.0"\n[severity]\nNPU301 = "error"\n[per-file-ignores]\n"b.py" = ["NPU2"]\n',
    )
    found = config(tmp_path / "a")
    assert found.ignore == ("NPU101",)
    assert found.known == ("b",)
    assert found.catalog == (tmp_path / "shared" / "more.toml",)
    assert found.exclude == ("x", "y")
    assert found.target == ({"cann": "9.0"}, ("a2",))
    assert found.severity == {"NPU101": Severity.INFO, "NPU301": Severity.ERROR}
    assert dict(found.per_file_ignores) == {"a.py": ("NPU1",), "b.py": ("NPU2",)}
    assert found.root == path.parent
    assert found.origins["ignore"] == f"{tmp_path / 'shared' / 'base.toml'}:1"
    assert found.origins["known"] == f"{path}:2"


def test_extend_through_several_files_and_a_project_file(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.npu-lsp]\nignore = ["NPU101"]\nknown = ["one"]\n')
    write(tmp_path, "middle.toml", 'extend = "pyproject.toml"\nknown = ["two"]\n')
    write(tmp_path / "a", "npu-lsp.toml", 'extend = "../middle.toml"\nlanguage = "zh"\n')
    found = config(tmp_path / "a")
    assert (found.ignore, found.known, found.language) == (("NPU101",), ("two",), "zh")


def test_who_has_the_last_word(tmp_path: Path) -> None:
    write(tmp_path, "npu-lsp.toml", 'known = ["file"]\nlanguage = "zh"\n')
    editor = Config(known=("editor",), ignore=("NPU101",), language="en")
    found = config(tmp_path, base=editor, overrides={"language": "en"})
    assert (found.known, found.ignore, found.language) == (("file",), ("NPU101",), "en")
    assert found.origins["language"] == "command line"
    assert config(tmp_path, isolated=True, base=editor).known == ("editor",)


def test_a_file_can_be_fixed(tmp_path: Path) -> None:
    write(tmp_path / "a", "npu-lsp.toml", 'known = ["near"]\n')
    path = write(tmp_path / "b", "strict.toml", 'known = ["far"]\nbaseline = "known.json"\n')
    discovery = Discovery(here=tmp_path, fixed=Path("b/strict.toml"))
    found = discovery.config_for(tmp_path / "a")
    assert (found.known, found.path, found.root) == (("far",), path, tmp_path)
    assert found.baseline == tmp_path / "b" / "known.json"


def test_paths_may_name_the_home_and_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setenv("OPTIONS", "/opt/options")
    write(tmp_path, "npu-lsp.toml", 'catalog = ["~/a.toml", "$OPTIONS/b.toml", "${OPTIONS}/c.toml", "d.toml"]\n')
    assert [path.as_posix() for path in config(tmp_path).catalog] == [
        "/home/someone/a.toml", "/opt/options/b.toml", "/opt/options/c.toml", (tmp_path / "d.toml").as_posix(),
    ]  # fmt: skip


def test_files_are_read_once_until_forgotten(tmp_path: Path) -> None:
    path = write(tmp_path, "npu-lsp.toml", 'known = ["old"]\n')
    discovery = Discovery(here=tmp_path)
    first = discovery.config_for(tmp_path)
    path.write_text('known = ["new"]\n')
    assert discovery.config_for(tmp_path) is first
    discovery.forget()
    assert discovery.config_for(tmp_path).known == ("new",)


@together(
    ("text", "line", "words"),
    [
        ('language = "en"\nslect = ["NPU1"]\n', 2, ("slect", "select")),
        ('language = "de"\n', 1, ("de", "zh")),
        ('ignore = "NPU101"\n', 1, ("ignore", "list")),
        ('ignore = ["what?"]\n', 1, ("what?",)),
        ("\nknown = [1]\n", 2, ("known",)),
        ("max-file-size = '1'\n", 1, ("max-file-size", "integer")),
        ("force-exclude = 1\n", 1, ("force-exclude", "boolean")),
        ('[target]\ncan = "8.0"\n', 2, ("can", "cann")),
        ('[target]\nvlm-ascend = "0.23"\n', 2, ("vlm-ascend", "vllm-ascend")),
        ('[target]\ncann = "eight"\n', 2, ("eight",)),
        ('[severity]\nNPU101 = "erorr"\n', 2, ("erorr", "error")),
        ("ignore = [\n", None, ("TOML", "line")),
        ('extend = "nosuch.toml"\n', None, ("nosuch.toml", "no such file", "npu-lsp.toml")),
        ('extend = "npu-lsp.toml"\n', 1, ("itself",)),
        ('output-format = "sarff"\n', 1, ("sarff", "sarif")),
        ("a = " + "[" * 2000 + "\n", None, ()),
    ],
)
def test_mistakes_are_told_with_place_and_suggestion(
    tmp_path: Path, text: str, line: int | None, words: tuple[str, ...]
) -> None:
    path = write(tmp_path, "npu-lsp.toml", text)
    with pytest.raises(ConfigError) as error:
        config(tmp_path)
    problem = error.value.problems[0]
    if line is not None:
        assert (problem.source, problem.line) == (path, line)
    told = f"{problem!s} TOML line" if "TOML" in words else str(problem)
    assert all(word in told for word in words), told


def test_the_line_is_that_of_the_project_file(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[project]\nname = "x"\n\n[tool.npu-lsp]\nlanguage = "en"\nignroe = []\n')
    with pytest.raises(ConfigError) as error:
        config(tmp_path)
    assert [problem.line for problem in error.value.problems] == [6]


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, "npu-lsp.toml", 'a = 1\nb = 2\nlanguage = "x"\n')
    with pytest.raises(ConfigError) as error:
        config(tmp_path)
    assert [problem.line for problem in error.value.problems] == [1, 2, 3]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\0" * 10, b"x = 1\n" * 400_000])
def test_a_file_that_is_no_configuration(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "npu-lsp.toml").write_bytes(data)
    with pytest.raises(ConfigError):
        config(tmp_path)


def test_a_circle_of_files(tmp_path: Path) -> None:
    write(tmp_path, "a.toml", 'extend = "npu-lsp.toml"\n')
    write(tmp_path, "npu-lsp.toml", 'extend = "a.toml"\n')
    with pytest.raises(ConfigError, match="itself"):
        config(tmp_path)
