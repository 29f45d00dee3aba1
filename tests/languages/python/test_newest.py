"""What a file says doesn't depend on the Python that reads it: libcst knows the newest grammar under each of them."""

from __future__ import annotations

from npu_lsp.languages.python.tree.constants import UNTOLD, constant, text_of
from npu_lsp.languages.python.tree.statement import parse
from tests.languages.python.told import settings
from tests.together import together


def test_settings_are_found_on_each_interpreter() -> None:
    text = (
        "def put[T](op: T, k, v):\n    op.parameter_map[k].s = as_bytes(v)\n"
        'put(custom_op, "a", "x")\n'
        'op.parameter_map["b"].s = f"{d["中"]}/y"; op.parameter_map["c"].i = 3\n'
        'if x == f"{d["a"]}": op.parameter_map["d"].b = True\n'
        '[] = ""\nop.parameter_map["e"].s = as_bytes("/" + f"{d["a"]}")\n'
        'op.parameter_map["f"].s = t"{a}"\n'
        'op.parameter_map["g"].s = f"{"中" + f"{1}"}/{2}"\n'
    )
    found = {s.name: (s.value.data if s.value.known else None) for s in settings(text)}
    assert found == {"a": "x", "b": None, "c": 3, "d": True, "e": None, "f": None, "g": "中1/2"}
    for setting in settings(text):
        assert text[slice(*setting.key)].strip("\"'") == setting.name


@together(
    ("written", "value"),
    [
        ("'a'", "a"), ('"""a\r\nb\rc"""', "a\nb\nc"), ("r'\\n'", "\\n"), ("'\\n\\x41\\101\\u4e2d\\U0001F600\\N{NO SUCH}'", None),
        ("'\\n\\x41\\101\\u4e2d\\U0001F600\\N{EM DASH}'", "\nAA中😀—"), ("'\\d\\ \\\n'", "\\d\\ "), ("'a' \"b\"", "ab"), ("b'\\x41\\u4e2d\\377'", b"A\\u4e2d\xff"),
        ("Rb'\\x41'", b"\\x41"), ("'\\x4'", None), ("'\\ud800'", "\ud800"), ("'\\U00110000'", None), ("b'中'", None), ("'\\777'", "\u01ff"),
        ("0x1F", 31), ("1_000", 1000), ("0o17", 15), ("1_0.5e1_0", 10.5e10), ("2j", 2j), ("True", True), ("None", None), ("...", ...), ("9" * 5000, None),
    ],
)  # fmt: skip
def test_literals_say_what_they_say_to_python(written: str, value: object) -> None:
    statement = parse(f"x = ({written})")
    assert statement is not None
    found = constant(statement.assignments[0].value)
    assert found is not None
    assert found.value == value if value is not None or written == "None" else found.value is UNTOLD
    assert type(found.value) is type(value) or value is None
    assert text_of(statement.assignments[0].value) == (value if isinstance(value, str) else None)
