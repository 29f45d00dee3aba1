"""What tools declare with a type stands in the catalog or is left out for a reason, and a release shows what it changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring import reads, release
from tests.authoring.declared import FORMS, Fact
from tests.authoring.release import DECLARED, Declared, Record, changes, main, open_rows, options_of, records, untold
from tests.together import together


def test_every_component_was_read_and_each_name_is_decided() -> None:
    recorded = {each.name: each for each in records()}
    assert recorded.keys() == DECLARED.keys()
    assert {name: rows for name, each in recorded.items() if (rows := open_rows(load(), each))} == {}


_OF_OTHERS = {
    "mindspeed": {"context-parallel-algo"},
    "mindspeed-mm": {"ema_decay"},
    "verl": {"mode", "n_gpus_per_node", "strategy"},
}
"""Names of several declarations, of which the first one that is found is another's: an older parser's, a tool's, another group's."""


def test_a_default_is_the_declared_one() -> None:
    for record in records():
        found = untold(options_of(load(), DECLARED[record.name].surfaces), record, record)
        wrong = {line for line in found if ": default " in line}
        assert {line.split()[1].rstrip(":") for line in wrong} == _OF_OTHERS.get(record.name, set()), wrong


def test_what_the_catalog_does_not_tell_of_a_release_is_told() -> None:
    surfaces = DECLARED["mindspeed-llm"].surfaces
    fact, options = Fact("int", "1", "", "x"), options_of(load(), surfaces)
    before = Record("mindspeed-llm", "26.0.0", "", {"lora-load": fact, "seq-length": fact})
    after = before._replace(release="26.1.0", names={"stage": fact, "brand-new": fact})
    assert list(untold(options, before, after)) == [
        "! lora-load: gone in 26.1.0, and the catalog has it",
        "! stage: came with 26.1.0, and the catalog says 1.0",
    ]


def test_a_name_that_nobody_decided_is_open() -> None:
    fact = Fact("int", "1", "", "a/b.py")
    record = Record("mindspeed", "1.0", "", {"use-mc2": fact, "use_mc2": fact, "brand-new": fact})
    assert open_rows(load(), record) == ["brand-new"]
    for decision in ({"reason": ""}, {"reason": "", "names": ["brand-new"]}, {"reason": "", "paths": ["a/"]}):
        assert open_rows(load(), record._replace(left_out=[decision])) == []
    assert open_rows(load(), record._replace(left_out=[{"reason": "", "paths": ["b/"]}])) == ["brand-new"]


def test_every_decision_has_a_reason_and_is_needed() -> None:
    for record in records():
        for decision in record.left_out:
            assert len(decision["reason"].split()) >= 5, record.name
            others = [each for each in record.left_out if each is not decision]
            assert open_rows(load(), record._replace(left_out=others)), (record.name, decision["reason"])


def test_the_newest_release_was_read() -> None:
    for record in records():
        component = (
            record.name.removesuffix("-llm").removesuffix("-mm") if record.name.startswith("mindspeed") else record.name
        )
        if component in load().plain("versions") and component != "mooncake":
            assert reads.later(component, record.release) == (), record.name


@together(
    ("form", "text", "found"),
    [
        (
            "arguments",
            "p.add_argument('--a-b', '-a', type=int, default=3, choices=[1, 3])\np.add_argument('--on', action='store_true')\n",
            {"a-b": Fact("int", "3", "1 3", "x"), "on": Fact("str 0", "", "", "x")},
        ),
        (
            "fields",
            "class C:\n    a: A[int, 'help'] = 3\n    b: Literal['x', 'y'] = 'x'\n    c: A[str, Arg(choices=['p', 'q'])] = 'p'\n",
            {
                "a": Fact("int", "3", "", "x"),
                "b": Fact("Literal['x', 'y']", "'x'", "x y", "x"),
                "c": Fact("str", "'p'", "p q", "x"),
            },
        ),
        (
            "keys",
            "T = {'a': set_a, 'b': ctx().set_b, 'c': ctx.set_c, 'd': 4}\n",
            dict.fromkeys("abc", Fact("", "", "", "x")),
        ),
        ("gflags", 'DEFINE_int32(port, 8010, "text");\n', {"port": Fact("int32", "8010", "", "x")}),
        ("go flags", 'flag.IntVar(&level, "logLevel", 0, "text")\n', {"logLevel": Fact("int", "0", "", "x")}),
        (
            "checked keys",
            'IsJsonIntValid(config["a"], "port", 1, 9) && IsJsonBoolValid(config, "on")\n',
            {"port": Fact("int", "", "1, 9", "x"), "on": Fact("bool", "", "", "x")},
        ),
    ],
)
def test_each_form_is_read(form: str, text: str, found: dict[str, Fact]) -> None:
    _, reader = FORMS[form]
    assert dict(reader("x", text)) == found
    assert dict(reader("x", "def broken(:\n")) == {}


def test_what_changed_is_told_by_what_it_is() -> None:
    before = {"a": Fact("int", "1", "", "x"), "b": Fact("str", "", "p q", "x"), "c": Fact("", "", "", "x")}
    after = {"a": Fact("int", "2", "", "y"), "b": Fact("int", "", "p q r", "x"), "d": Fact("bool", "True", "", "x")}
    assert list(changes(before, after)) == [
        "+ d: kind bool, default True, path x",
        "- c",
        "~ a: default 1 -> 2",
        "~ b: kind str -> int",
        "~ b: choices p q -> p q r",
    ]


def test_a_release_is_read_from_its_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout, folder = tmp_path / "LMCache+LMCache-Ascend", tmp_path / "records"
    (checkout / "tool").mkdir(parents=True)
    folder.mkdir()
    monkeypatch.setattr(release, "FOLDER", folder / "declared")
    monkeypatch.setattr(reads, "FOLDER", folder)
    monkeypatch.setattr(release, "DECLARED", {"lmcache-ascend": Declared("arguments", ("tool",), (Surface.MINDSPEED,))})
    monkeypatch.setattr(reads, "extracts", lambda: [reads.Extract("lmcache-ascend", "0.1", "", {"OLD_NPU": "a.py"})])

    def commit(text: str, tag: str) -> None:
        (checkout / "tool" / "a.py").write_text(text, "utf-8")
        who = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"]
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", tag]):
            subprocess.run(["git", "-C", str(checkout), *who, *arguments], check=True, capture_output=True)

    commit("p.add_argument('--use-mc2', default=1)\n", "v0.2.0")
    assert main([str(tmp_path), "lmcache-ascend", "--write"]) == 0
    assert "+ use-mc2: kind str, default 1, path tool/a.py\n" in capsys.readouterr().out
    commit(
        "import os\nos.getenv('NEW_NPU')\np.add_argument('--use-mc2', default=2)\np.add_argument('--new')\n", "v0.3.0"
    )
    assert main([str(tmp_path), "lmcache-ascend"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("lmcache-ascend: ") for line in told[:-1]] == [
        "+ variable NEW_NPU (tool/a.py)",
        "- variable OLD_NPU",
        "+ new: kind str, path tool/a.py",
        "~ use-mc2: default 1 -> 2",
        "open: new (tool/a.py)",
    ]
    assert told[-1].startswith("lmcache-ascend: 0.3.0, 5 lines, ")
    assert main([str(tmp_path), "lmcache-ascend", "--before", "v0.2.0"]) == 0
    assert "lmcache-ascend: ~ use-mc2: default 1 -> 2\n" in capsys.readouterr().out
    assert main([str(tmp_path / "new"), "lmcache-ascend", "--fetch", "--from", str(tmp_path)]) == 0
    assert "lmcache-ascend: 0.3.0, 5 lines, " in capsys.readouterr().out
    assert main([str(tmp_path / "empty"), "lmcache-ascend"]) == 1
    with pytest.raises(SystemExit):
        main([str(tmp_path), "no-such-component"])
