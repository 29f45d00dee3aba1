"""Files that nobody should have: each ends in an answer, soon, and without a crash."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import load
from npu_lsp.checking.baseline import Baseline
from npu_lsp.checking.cache import Cache
from npu_lsp.checking.cache_folder import RefusedError
from npu_lsp.checking.checked import Checked, Request
from npu_lsp.checking.loading import State
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.config.read import read
from npu_lsp.languages.shell import tree
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.checking.command import Ran, check
from tests.patience import PATIENCE
from tests.robustness.timing import Task, outgrown
from tests.together import together

_PYTHON = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
_SHELL = "atc --model=a.onnx --framework=5 --output=a --soc_verison=Ascend310P3\n"
_MOVED = """\
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 \\
    --op_select_implmode=high_precision --optypelist_for_implmode=Gelu
"""


def _check(folder: Path, name: str, data: bytes) -> Ran:
    (folder / name).write_bytes(data)
    return _sound(check(name, cwd=folder))


def _sound(ran: Ran) -> Ran:
    assert ran.code in (0, 1), ran.err
    assert "Traceback" not in ran.err
    assert " failed on " not in ran.err, "a rule gave up"
    return ran


_NAMES = (
    "a.py",
    "a.sh",
    "a.md",
    "a.ipynb",
    "Dockerfile",
    "a.yml",
    "Makefile",
    "op_precision.ini",
    "fusion_switch.json",
    "mixlist.json",
)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\n" * 100_000, id="blank lines"),
        pytest.param(b"\0" * 1000, id="NUL"),
        pytest.param(random.Random(1).randbytes(50_000), id="random bytes"),
        pytest.param(b"\xef\xbb\xbf", id="only a BOM"),
        pytest.param(b"\xff\xfe\x00", id="half a UTF-16 character"),
        pytest.param(b"(" * 5000 + b"\nparameter_map atc --a", id="open brackets"),
        pytest.param(b"[{" * 5000 + b"}]" * 5000, id="nested brackets"),
        pytest.param(b"[" * 100_000, id="open lists"),
        pytest.param(b'{"a":' * 50_000 + b"1" + b"}" * 50_000, id="deep objects"),
        pytest.param(b'{"black-list": {"to-add": [' + b'"a",' * 100_000 + b'"a"]}}', id="a long list"),
        pytest.param(b"1" * 100_000, id="a number"),
        pytest.param(b'"' + b"\\u0000" * 50_000, id="escapes"),
    ],
)
def test_of_every_kind(tmp_path: Path, data: bytes) -> None:
    for name in _NAMES:
        (tmp_path / name).write_bytes(data)
    _sound(check(*_NAMES, "-j", "1", cwd=tmp_path))


@together(
    ("data", "found"),
    [
        pytest.param(_PYTHON.encode("utf-16"), True, id="UTF-16"),
        pytest.param(("# 中文\n" + _PYTHON).encode("gbk"), True, id="GBK"),
        pytest.param(("# déjà\n" + _PYTHON).encode("latin-1"), True, id="Latin-1"),
        pytest.param(b"\xef\xbb\xbf" + _PYTHON.encode(), True, id="BOM"),
        pytest.param(_PYTHON.replace("\n", "\r").encode() * 3, True, id="CR only"),
        pytest.param(_PYTHON.encode() + b"x = " + b"[" * 5000 + b"]" * 5000 + b"\n" + _PYTHON.encode(), True, id="5,000 brackets"),
        pytest.param(_PYTHON.encode() + b"x = " + b"-" * 50_000 + b"1\n", True, id="50,000 signs"),
        pytest.param(_PYTHON.encode() + b"x = a" + b".b" * 50_000 + b"\n", True, id="50,000 attributes"),
        pytest.param(_PYTHON.encode() + b"".join(b"x = [" + b"1, " * 60_000 + b"]\n" for _ in range(25)), True, id="giant literals"),
        pytest.param(_PYTHON.encode() + b"# " + b"parameter_map" * 300_000 + b"\n", True, id="one long line"),
        pytest.param(_PYTHON.encode() + b'x = """' + b"a\n" * 100_000, True, id="a text without end"),
        pytest.param(b"if x:\n" + b"".join(b" " * n + b"if x:\n" for n in range(1, 1500)) + b" " * 1501 + _PYTHON.encode(), True, id="1,500 blocks"),
        pytest.param(b'op.parameter_map["' + b"a" * 1_000_000 + b'"].b = True\n', None, id="a giant key"),
        pytest.param(b'op.parameter_map["precision_mode"].s = b"' + b"a" * 90_000 + b'"\n', True, id="a giant value"),
        pytest.param(b'op.parameter_map["precision_mode"].s = ' + b'b"a" + ' * 5000 + b'b"a"\n', None, id="a giant sum"),
        pytest.param(b'op.parameter_map["precision_mode"].s = b"%d" % 0x' + b"f" * 5000 + b"\n" + _PYTHON.encode(), True, id="a giant number"),
    ],
)  # fmt: skip
def test_python(tmp_path: Path, data: bytes, found: bool | None) -> None:
    ran = _check(tmp_path, "a.py", data)
    if found is not None:
        assert bool(ran.findings) == found


@together(
    ("data", "found"),
    [
        pytest.param(_SHELL.encode() + b"if true; then\n" * 3000, True, id="3,000 blocks"),
        pytest.param(_SHELL.encode() + b"echo " + b"$(" * 3000 + b"\n", True, id="3,000 substitutions"),
        pytest.param(_SHELL.encode() + b'echo "' + b"a\n" * 50_000, True, id="a text without end"),
        pytest.param(_SHELL.encode() + b"cat <<A\n" * 2000, True, id="2,000 heredocs"),
        pytest.param(_SHELL.encode() + b"# " + b"atc " * 500_000 + b"\n", True, id="one long line"),
        pytest.param(b"atc" + b" --model=a" * 5000 + b"\n", True, id="5,000 flags"),
        pytest.param(b"atc --input_shape=" + b"a:1,2;" * 3000 + b"\n", None, id="a giant value"),
        pytest.param(b"export ASCEND_GLOBAL_LOG_LEVEL=" + b"5" * 5000 + b"\n", True, id="a giant number"),
        pytest.param(b"a=$a$a\n" * 3000 + b"atc --model=$a\n", None, id="a variable that doubles"),
        pytest.param(b"f() { f; f; atc --model=$1; }\n" + b"f a\n" * 1000, None, id="a function that calls itself"),
    ],
)
def test_shell(tmp_path: Path, data: bytes, found: bool | None) -> None:
    ran = _check(tmp_path, "a.sh", data)
    if found is not None:
        assert bool(ran.findings) == found


def test_half_a_character(tmp_path: Path) -> None:
    text = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\nop.parameter_map["fusion_switch_file"].s = "\\ud800"\n'
    old = 'op_select_implmode="high_precision", optypelist_for_implmode="Po\\ud800oling"'
    (tmp_path / "a.py").write_text(f"{text}NPURunConfig({old})\n", encoding="utf-8")
    for form in ("full", "json", "sarif", "github", "gitlab", "junit"):
        ran = check("a.py", f"--output-format={form}", cwd=tmp_path)
        assert (ran.code, ran.err) == (1, "")
    ran = check("a.py", "--fix", "--unsafe-fixes", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")


def test_a_file_of_100_megabytes(tmp_path: Path) -> None:
    with (tmp_path / "a.py").open("wb") as file:
        file.write(_PYTHON.encode())
        file.truncate(100_000_000)
    ran = check("a.py", cwd=tmp_path)
    assert ran.code == 1
    assert len(ran.findings) == 1


def _folder(folder: Path) -> str:
    (folder / "d.ini").mkdir()
    return "d.ini"


def _pipe(folder: Path) -> str:
    os.mkfifo(folder / "p.ini")
    return "p.ini"


def _loop(folder: Path) -> str:
    (folder / "l.ini").symlink_to("l.ini")
    return "l.ini"


@together(
    "make",
    [lambda _: "/dev/zero", lambda _: "/dev/stdin", lambda _: "a.py", lambda _: "../../../../etc/passwd", lambda _: "x" * 5000, lambda _: "a\\0b", _folder, _pipe, _loop],
)  # fmt: skip
def test_options_that_point_to_odd_places(tmp_path: Path, make: Callable[[Path], str]) -> None:
    where = make(tmp_path)
    options = ("op_precision_mode", "modify_mixlist", "fusion_switch_file", "customize_dtypes")
    script = "".join(f'op.parameter_map["{option}"].s = b"{where}"\n' for option in options)
    _check(tmp_path, "a.py", (script + _PYTHON).encode())


def test_deep_folders(tmp_path: Path) -> None:
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(150):
            Path("folder" * 5).mkdir()
            os.chdir("folder" * 5)
        with Path("a.py").open("w", encoding="utf-8") as file:
            file.write(_PYTHON)
    finally:
        os.chdir(here)
    ran = check(".", cwd=tmp_path)
    assert ran.code in (0, 1, 2)
    assert "Traceback" not in ran.err


def test_a_configuration_with_every_key_wrong(tmp_path: Path) -> None:
    from npu_lsp.config.keys import KEYS

    for value in ("{}", "-1", '"\\u0000"', "[[]]", "1979-05-27"):
        (tmp_path / "npu-lsp.toml").write_text("".join(f"{key.name} = {value}\n" for key in KEYS), encoding="utf-8")
        with pytest.raises(ConfigError) as caught:
            read(tmp_path / "npu-lsp.toml", Config())
        assert len(caught.value.problems) > len(KEYS) // 2
        assert check(".", cwd=tmp_path).code == 2


@pytest.mark.parametrize(
    "text",
    [
        "[" * 2000,
        "a = " + "[" * 3000 + "]" * 3000,
        "a." * 3000 + "b = 1",
        "\0",
        "[[option]]\n" * 2000,
        json.dumps({"a": 1}),
        'x = "\\ud800"',
        "max-file-size = " + "9" * 5000,
        "max-file-size = 0x" + "f" * 5000,
    ],
)
def test_toml_that_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "npu-lsp.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        read(file, Config())
    with pytest.raises(CatalogError):
        extended(load(), (file,))


@pytest.fixture
def soon() -> Iterator[None]:
    """Have a test fail that waits for what never comes."""

    def fail(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(int(PATIENCE))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _blocking(_: Path) -> str:
    return "/proc/kmsg"


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "make",
    [lambda _: "/dev/zero", lambda _: "/proc/self/pagemap", lambda _: "a\0b", lambda _: "~nobody-of-that-name/a", lambda _: "x" * 5000, lambda _: "a/" * 3000, lambda _: ".", lambda _: "", _folder, _pipe, _loop, _blocking],
)  # fmt: skip
def test_configurations_that_name_odd_places(tmp_path: Path, make: Callable[[Path], str]) -> None:
    where = make(tmp_path)
    file = tmp_path / "npu-lsp.toml"
    for key in ("extend", "baseline", "cache-dir", "catalog"):
        value = [where] if key == "catalog" else where
        file.write_text(f"{key} = {json.dumps(value)}\n", encoding="utf-8")
        with suppress(ConfigError):
            config = Discovery(here=tmp_path).config_for(tmp_path)
            assert key != "extend"
            if config.baseline is not None:
                with pytest.raises(ConfigError):
                    Baseline.read(config.baseline, str(tmp_path))
            if config.catalog:
                with pytest.raises(CatalogError):
                    extended(load(), config.catalog)
            if config.cache_dir is not None:
                try:
                    cache = Cache(config, Request(), str(tmp_path))
                except RefusedError:
                    continue
                cache.put(str(tmp_path / "a.py"), Checked(state=State(0, 0, 0, 0)), 1 << 60)
                cache.save()


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("other", "message"), [("npu-lsp.toml", "extends itself"), ("again/npu-lsp.toml", "a link or a folder of Git")]
)
def test_files_of_one_name_that_extend_each_other(tmp_path: Path, other: str, message: str) -> None:
    (tmp_path / "again").symlink_to(".", target_is_directory=True)
    (tmp_path / "npu-lsp.toml").write_text(f'extend = "{other}"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        read(tmp_path / "npu-lsp.toml", Config())


@pytest.mark.parametrize(
    "name", ["npu-lsp.toml", "pyproject.toml", ".gitignore", ".git/info/exclude", "op_precision.ini"]
)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: Path(path).symlink_to("/dev/zero")])
def test_pipes_where_files_are_looked_for(tmp_path: Path, name: str, make: Callable[[Path], None]) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    make(tmp_path / name)
    (tmp_path / "a.sh").write_text(_MOVED, encoding="utf-8")
    ran = check("--fix", ".", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("unit", ["a=(", "<<E\n", "<<<"])
@pytest.mark.usefixtures("soon")
def test_a_script_that_the_parser_needs_hours_for(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever the time that it is given, it is over before the parser is.
    monkeypatch.setattr(tree, "_PATIENCE", 0.1)
    document = Document(_SHELL + unit * (200_000 // len(unit)), kind=Kind.SHELL)
    analyzer = Analyzer(Config(), all_rules)
    analyzer.findings(document)
    analyzer.findings(document.edited(Span(0, 0), "#"))
    # What is written in its place is read again.
    assert analyzer.findings(document.edited(Span(0, len(document.text)), _SHELL))


def test_names_that_are_known_as_globs_of_a_stranger() -> None:
    known = ("[" * 100_000, "*a" * 400 + "b", "our_*")
    analyzer = Analyzer(Config(known=known), all_rules)
    text = "".join(
        f'op.parameter_map["{name}"].b = True\n' for name in ("a" * 3000, "precison_mode", "our_precison_mode")
    )
    assert len(analyzer.findings(Document(text, kind=Kind.PYTHON))) == 2

    def analysis(number: int) -> Task:
        some = ("[" * (5 * number), "*a" * (number // 50) + "b", *(f"*a{n}*b" for n in range(number)), "our_*")
        return lambda: Analyzer(Config(known=some), all_rules).findings(Document(text * 5, kind=Kind.PYTHON))

    assert outgrown(analysis, 1 << 14, 0.1) is None
