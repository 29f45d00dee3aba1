"""Names that stand for constants: of the file, of its classes, of modules beside it."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.python.told import told
from tests.together import together

USE = 'op.parameter_map["k"].s = tf.compat.as_bytes({})\n'


@together(
    ("before", "expression", "value"),
    [
        ('class C:\n    MODE = "x"\n', "C.MODE", "x"),
        ('class C(Base):\n    MODE: str = "x"\n', "C.MODE", "x"),
        ('OPTIONS = {"mode": "x"}\n', 'OPTIONS["mode"]', "x"),
        ('A = "x"\nB = A\nC = B + "y"\n', "C", "xy"),
        ('OPTIONS = dict(mode="x")\n', 'OPTIONS["mode"]', "x"),
        ('OPTIONS = dict(mode="x", **more)\n', 'OPTIONS["mode"]', None),
        ('class C(Enum):\n    MODE = "x"\n', "C.MODE.value", "x"),
        ('class C(str, Enum):\n    MODE = "x"\n', "C.MODE.value", "x"),
        ('class C(str, Enum):\n    MODE = "x"\n', "C.MODE", "x"),
        ('class C(Enum):\n    MODE = "x"\n', "C.MODE", None),
        ('class C:\n    MODE = "x"\n', "C.MODE.value", None),
        ('if (MODE := "x") != y: pass\n', "MODE", "x"),
        ('if y and (MODE := "x"): pass\n', "MODE", None),
        ('MODE = "x"\nif (MODE := "y") != y: pass\n', "MODE", None),
        ('def f():\n    mode = "x"\n    def g():\n        pass\n', "mode", None),
        ('class C:\n    MODE = "x"\nC.MODE = "y"\n', "C.MODE", None),
        ('class C:\n    if a:\n        MODE = "x"\n', "C.MODE", None),
        ('class C:\n    MODE = "x"\nclass D(C):\n    MODE = "y"\n', "D.MODE", None),
        ('class C:\n    MODE = "x"\n', "c.MODE", None),
        ('OPTIONS = {"mode": "x"}\nOPTIONS["mode"] = "y"\n', 'OPTIONS["mode"]', None),
        ('OPTIONS = {"mode": "x"}\n', 'OPTIONS["other"]', None),
        ('MODE = "x"\nfor MODE in y: pass\n', "MODE", None),
    ],
)
def test_constants_of_the_file(before: str, expression: str, value: str | None) -> None:
    assert told(before + USE.format(expression)) == [("k", value if value is not None else "<bytes>")]


@together(
    ("body", "value"),
    [
        ('    MODE = "x"\n    def f(self):\n        {}', "x"),
        ('    def __init__(self):\n        self.MODE = "x"\n    def f(self):\n        {}', "x"),
        ("    def __init__(self, m):\n        self.MODE = m\n    def f(self):\n        {}", None),
        ('    def __init__(self):\n        if a: self.MODE = "x"\n    def f(self):\n        {}', None),
        (
            '    def __init__(self):\n        self.MODE = "x"\n    def f(self):\n        self.MODE = "y"\n        {}',
            None,
        ),
        ('    def g(self):\n        self.MODE = "x"\n    def f(self):\n        {}', None),
    ],
)
def test_constants_of_an_object(body: str, value: str | None) -> None:
    text = "class C:\n" + body.format(USE.format("self.MODE"))
    assert told(text) == [("k", value if value is not None else "<bytes>")]


@together(
    ("file", "line", "expression", "value"),
    [
        ("settings.py", "from settings import MODE", "MODE", "x"),
        ("settings.py", "from settings import MODE as M", "M", "x"),
        ("settings.py", "from .settings import MODE", "MODE", "x"),
        ("settings.py", "import settings", "settings.MODE", "x"),
        ("settings.py", "import settings as cfg", "cfg.MODE", "x"),
        ("pack/settings.py", "import pack.settings", "pack.settings.MODE", "x"),
        ("pack/settings.py", "from pack.settings import MODE", "MODE", "x"),
        ("pack/settings.py", "from pack import settings", "settings.MODE", "x"),
        ("pack/__init__.py", "from pack import MODE", "MODE", "x"),
        ("../settings.py", "from settings import MODE", "MODE", "x"),
        ("../settings.py", "from ..settings import MODE", "MODE", "x"),
        ("settings.py", "from settings import OTHER", "OTHER", None),
        ("settings.py", "from settings import TWICE", "TWICE", None),
        ("settings.py", "from elsewhere import MODE", "MODE", None),
        ("settings.py", "from settings import *", "MODE", None),
        ("settings.py", 'from settings import MODE\nMODE = "y"', "MODE", None),
        ("settings.py", "if a:\n    from settings import MODE", "MODE", None),
    ],
)
def test_constants_of_a_module(tmp_path: Path, file: str, line: str, expression: str, value: str | None) -> None:
    folder = tmp_path / "project" / "scripts"
    folder.mkdir(parents=True)
    module = folder / file
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text('BASE = "x"\nMODE = BASE\nTWICE = "a"\nTWICE = "b"\nraise SystemExit\n')
    text = f"{line}\n{USE.format(expression)}"
    reading = read(Document(text, path=str(folder / "train.py"), kind=Kind.PYTHON))
    (setting,) = reading.blocks[0].settings
    assert (setting.value.known, setting.value.data) == (value is not None, value)
    assert setting.value.content is None
    assert setting.value.origin is None


def test_a_module_that_changes_is_read_again(tmp_path: Path) -> None:
    module = tmp_path / "settings.py"
    for value in ("x", "yy"):
        module.write_text(f'MODE = "{value}"\n')
        text = "from settings import MODE\n" + USE.format("MODE")
        reading = read(Document(text, path=str(tmp_path / "train.py"), kind=Kind.PYTHON))
        assert reading.blocks[0].settings[0].value.data == value


def test_modules_that_import_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import MODE\n")
    (tmp_path / "b.py").write_text("from a import MODE\n")
    text = "from a import MODE\n" + USE.format("MODE")
    reading = read(Document(text, path=str(tmp_path / "train.py"), kind=Kind.PYTHON))
    assert not reading.blocks[0].settings[0].value.known
