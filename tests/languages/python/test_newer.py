"""What a file says doesn't depend on the Python that reads it."""

from __future__ import annotations

import ast

import pytest

from npu_lsp.languages.python.newer import plain
from tests.languages.python.told import settings


@pytest.mark.parametrize(
    ("code", "older"),
    [
        ('x = f"{a["b"]}/c"', 'x = f"{[]    }/c"'),
        ('x = f"{a}{b["c"]:>{w}}"', 'x = f"{a}{[]    :>{w}}"'),
        ("x = rf'{a('b')!r}'", "x = rf'{[]    !r}'"),
        ('x = f"{f"{a[\'b\']}"}"', 'x = f"{[]         }"'),
        ("def put[T: int, *P](op: T): pass", "def put            (op: T): pass"),
        ("class A[T]: pass", "class A   : pass"),
        ('x = t"{a}" + "中"', 'x = []     + "中"'),
        ('x = "中", f"{a["中"]}"', 'x = "中", f"{[]    }"'),
    ],
)
def test_what_is_newer_is_worth_nothing(code: str, older: str) -> None:
    assert plain(code) == older
    assert len(older) == len(code)
    ast.parse(older)


@pytest.mark.parametrize(
    "code",
    [
        "x = 1",
        'x = f"{a}"',
        "x = f\"{a['b']",
        'print f"{a["b"]}"',
        'x = f"{a[\n"b"]}"',
        "f" + '"{' * 3,
        'x = f"{a["b"]}"' + " + 1" * 5_000,
        'x = f"{' + "(" * 200 + '"a"' + ")" * 200 + '}"',
        "def f[",
    ],
)
def test_other_code_is_left(code: str) -> None:
    assert plain(code) is None


def test_settings_are_found_on_each_interpreter() -> None:
    text = (
        "def put[T](op: T, k, v):\n    op.parameter_map[k].s = as_bytes(v)\n"
        'put(custom_op, "a", "x")\n'
        'op.parameter_map["b"].s = f"{d["中"]}/y"; op.parameter_map["c"].i = 3\n'
        'if x == f"{d["a"]}": op.parameter_map["d"].b = True\n'
        '[] = ""\nop.parameter_map["e"].s = as_bytes("/" + f"{d["a"]}")\n'
    )
    found = {s.name: (s.value.data if s.value.known else None) for s in settings(text)}
    assert found == {"a": "x", "b": None, "c": 3, "d": True, "e": None}
    for setting in settings(text):
        assert text[slice(*setting.key)].strip("\"'") == setting.name
