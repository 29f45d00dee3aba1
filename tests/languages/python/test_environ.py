"""Environment variables that a script sets."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form
from tests.languages.python.told import reading, settings, told
from tests.together import together


@together(
    ("text", "expected"),
    [
        ('os.environ["HCCL_A"] = "1"\n', [("HCCL_A", "1")]),
        ("from os import environ\nenviron['HCCL_A'] = str(3)\n", [("HCCL_A", "3")]),
        ('os.environ.setdefault("HCCL_A", "1")\n', [("HCCL_A", "1")]),
        # What is put back was there before.
        ('old = os.environ.get("HCCL_A")\nrun()\nos.environ["HCCL_A"] = old\n', []),
        ('old = os.environ.pop("HCCL_A", None)\nrun()\nos.environ["HCCL_A"] = old\n', []),
        ('old = os.getenv("HCCL_A")\nrun()\nos.environ["HCCL_A"] = old\n', []),
        ('old = os.environ["HCCL_A"]\nrun()\nos.environ["HCCL_A"] = old\n', []),
        ('old = os.environ.get("HCCL_A", "1")\nos.environ["HCCL_A"] = old\n', [("HCCL_A", "<unknown>")]),
        ('old = os.environ.get("HCCL_B")\nos.environ["HCCL_A"] = old\n', [("HCCL_A", "<unknown>")]),
        ('old = "1"\nos.environ["HCCL_A"] = old\n', [("HCCL_A", "1")]),
        # The names of a loop stand in one place, and their values in another.
        (
            'N = ("HCCL_A", "HCCL_B")\no = {k: os.environ.get(k, 1) for k in N}\nfor k, v in o.items():\n    os.environ[k] = v\n',
            [("HCCL_A", "<unknown>"), ("HCCL_B", "<unknown>")],
        ),
        ('os.environ.update({"HCCL_A": "1", "HCCL_B": x})\n', [("HCCL_A", "1"), ("HCCL_B", "<unknown>")]),
        ('os.environ.update(HCCL_A="1")\n', [("HCCL_A", "1")]),
        ('os.environ.update({k: "1" for k in ("HCCL_A", "HCCL_B")})\n', [("HCCL_A", "1"), ("HCCL_B", "1")]),
        ('os.environ.update({k + "_A": "1" for k in ("HCCL",)})\n', []),
        ('[os.environ.setdefault(k, v) for k, v in [("HCCL_A", "1")]]\n', [("HCCL_A", "1")]),
        ('new = {"HCCL_A": "1"}\nos.environ.update(new)\n', [("HCCL_A", "1")]),
        ('os.environ |= {"HCCL_A": "1"}\n', [("HCCL_A", "1")]),
        ('os.putenv("HCCL_A", "1")\n', [("HCCL_A", "1")]),
        ('env = os.environ\nenv["HCCL_A"] = "1"\n', [("HCCL_A", "1")]),
        ('for k, v in {"HCCL_A": "1"}.items():\n    os.environ[k] = v\n', [("HCCL_A", "1")]),
        ('def put(k, v):\n    os.environ[k] = str(v)\nput("HCCL_A", 3)\n', [("HCCL_A", "3")]),
        ('FLAG = "HCCL_A"\nos.environ[FLAG] = "1"\n', [("HCCL_A", "1")]),
        ('subprocess.run(x, env={"HCCL_A": "1"})\n', [("HCCL_A", "1")]),
        ('subprocess.Popen(x, env=dict(os.environ, HCCL_A="1"))\n', [("HCCL_A", "1")]),
        ('env = os.environ.copy()\nenv["HCCL_A"] = "1"\nsubprocess.run(x, env=env)\n', [("HCCL_A", "1")]),
        ('subprocess.check_call(x, env={**os.environ, "HCCL_A": "1"})\n', [("HCCL_A", "1")]),
        ('os.execvpe("x", ["x"], {**os.environ, "HCCL_A": "1"})\n', [("HCCL_A", "1")]),
        ('os.spawnle(os.P_WAIT, "x", "x", dict(os.environ, HCCL_A="1"))\n', [("HCCL_A", "1")]),
        ('os.execvp("x", [{"HCCL_A": "1"}])\n', []),
        ('from os import environ as e\ne["HCCL_A"] = "1"\n', [("HCCL_A", "1")]),
        ('import os as o\no.environ["HCCL_A"] = "1"\no.putenv("HCCL_B", "2")\n', [("HCCL_A", "1"), ("HCCL_B", "2")]),
        ('from os import putenv as p\np("HCCL_A", "1")\n', [("HCCL_A", "1")]),
        ('os.environ.update([("HCCL_A", "1")])\n', [("HCCL_A", "1")]),
        (
            'def put(**kw):\n    for k, v in kw.items():\n        os.environ[k] = v\nput(HCCL_A="1")\n',
            [("HCCL_A", "1")],
        ),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n', []),
        ('print(os.environ["HCCL_A"])\n', []),
        ('if os.environ["HCCL_A"] == "1": pass\n', []),
        ('del os.environ["HCCL_A"]\nos.environ.pop("HCCL_A")\n', []),
        ('x = os.environ.get("HCCL_A", "1")\n', []),
        ('env = os.environ.copy()\nenv["HCCL_A"] = "1"\n', [("HCCL_A", "1")]),
        ('# os.environ["HCCL_A"] = "1"\n', []),
    ],
)
def test_variables(text: str, expected: list[tuple[str, object]]) -> None:
    assert told(text) == expected
    assert all(s.surface is Surface.ENV for s in settings(text))


def test_the_script_has_one_block_and_a_process_its_own() -> None:
    text = """
os.environ["HCCL_A"] = "1"
subprocess.run(x, env={"HCCL_B": "2"})
os.environ["HCCL_C"] = "3"
"""
    own, process = reading(text).blocks
    assert [s.name for s in own.settings] == ["HCCL_A", "HCCL_C"]
    assert [s.form for s in own.settings] == [Form.SUBSCRIPT, Form.SUBSCRIPT]
    assert [s.name for s in process.settings] == ["HCCL_B"]
    assert own.open
    assert process.open
