"""What is left of Python when a setting is taken out: it runs, and all but the setting is as it was."""

from __future__ import annotations

import os
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

_K, _L = "HCCL_CONNECT_TIMEOUT", "HCCL_EXEC_TIMEOUT"


class _Recorder:
    """Remembers what a script sets."""

    def __init__(self) -> None:
        self.environ: dict[str, str] = {}
        self.parameter_map: dict[str, Any] = defaultdict(SimpleNamespace)
        self.used: list[object] = []

    def run(self, text: str) -> dict[str, object]:
        """Run a script; return the names that it binds."""
        names: dict[str, Any] = {
            "op": self,
            "use": self.used.append,
            "os": SimpleNamespace(environ=self.environ),
            "yes": True,
        }
        code = "\n".join(line for line in text.splitlines() if not line.startswith("import os"))
        exec(compile(code, "script", "exec"), names)  # noqa: S102 - the scripts below
        return {name: value for name, value in names.items() if name != "__builtins__"}


def _without(text: str, name: str) -> str | None:
    """Return a script without the setting called `name`; `None` where it can't be taken out."""
    document = Document(text, kind=Kind.PYTHON)
    found: list[Setting] = [s for block in read(document).blocks for s in block.settings if s.name == name]
    edits = writer_for(found[0]).remove(document, found) if found else ()
    return apply_edits(text, edits) if edits else None


@together(
    ("script", "goes"),
    [
        ('os.environ["K"] = "v"', True),
        ('os.environ["K"] = "v"; z = 1', True),
        ('if yes: os.environ["K"] = "v"', True),
        ('try:\n    os.environ["K"] = "v"\nexcept KeyError:\n    pass', True),
        ('os.environ.setdefault("K", "v")', True),
        ('os.environ.__setitem__("K", "v")', True),
        ('os.environ.update(K="v", L="w")', True),
        ('os.environ.update({"K": "v", "L": "w"})', True),
        ('os.environ |= {"K": "v", "L": "w"}', True),
        ('for k, v in (("K", "v"), ("L", "w")):\n    os.environ[k] = v', True),
        ('for k, v in {"K": "v", "L": "w"}.items():\n    os.environ[k] = v', True),
        ('def put(k, v):\n    os.environ[k] = v\nput("K", "v")\nput("L", "w")', True),
        # A name is bound, or somebody waits for the result.
        ('x = os.environ["K"] = "v"', False),
        ('os.environ["K"] = x = "v"', False),
        ('os.environ["L"] = os.environ["K"] = "v"', False),
        ('x, os.environ["K"] = 1, "v"', False),
        ('x = os.environ.setdefault("K", "v")', False),
        ('x: str = os.environ.setdefault("K", "v")', False),
        ('x = ""\nx += os.environ.setdefault("K", "v")', False),
        ('x = [os.environ.setdefault("K", "v")]', False),
        ('x = os.environ.setdefault("K", "v").lower()', False),
        ('op.x = os.environ.setdefault("K", "v")', False),
        ('op.environ["L"] = os.environ.setdefault("K", "v")', False),
        ('(x := os.environ.setdefault("K", "v"))', False),
        ('use(os.environ.setdefault("K", "v"))', False),
        ('use(os.environ.update(K="v"))', True),
        ('use([os.environ.setdefault("K", "v")])', False),
        ("use(f\"{os.environ.setdefault('K', 'v')}\")", False),
        ('if os.environ.setdefault("K", "v"):\n    use(1)', False),
        ('if os.environ.setdefault("K", "v"): use(1)', False),
        ('while not os.environ.setdefault("K", "v"):\n    pass', False),
        ('for x in os.environ.setdefault("K", "v"):\n    use(x)', False),
        ('def f():\n    return os.environ.setdefault("K", "v")\nuse(f())', False),
        ('def f():\n    yield os.environ.setdefault("K", "v")\nuse(list(f()))', False),
        ('def f(x=os.environ.setdefault("K", "v")):\n    return x\nuse(f())', False),
        ('f = lambda: os.environ.setdefault("K", "v")\nuse(f())', False),
        ('use(1) or os.environ.setdefault("K", "v")', False),
        ('os.environ.setdefault("K", "v") and use(1)', False),
        ('use(1) if os.environ.setdefault("K", "v") else use(2)', False),
        ('os.environ.setdefault("L", os.environ.setdefault("K", "v"))', False),
        ('os.environ.setdefault("K", use(1) or "v")', True),
        ('x = [os.environ.setdefault(k, v) for k, v in (("K", "v"), ("L", "w"))]', True),
        ('assert os.environ.setdefault("K", "v")', False),
        ('def put(k, v):\n    os.environ[k] = v\n    return v\nx = put("K", "v")', False),
        ('def put(k, v):\n    os.environ[k] = v\n    return v\nuse(put("K", "v"))', False),
        ('def put(k, v):\n    os.environ[k] = v\n    return v\nput("K", "v")', True),
        # What stands beside it is counted.
        ('for k, v in zip(["K", "L"], ["v", "w"]):\n    os.environ[k] = v', False),
        ('for i, k in enumerate(["K", "L"]):\n    os.environ[k] = str(i)', False),
        ('names = ["K", "L"]\nfor k in names:\n    os.environ[k] = "v"', True),
        ('names = ["K", "L"]\nfor i, k in enumerate(names):\n    os.environ[k] = str(i)', False),
        ('names = ["K", "L"]\nfor k, v in zip(names, "vw"):\n    os.environ[k] = v', False),
        ('names = ["K", "L"]\nfor k in names:\n    os.environ[k] = "v"\nx = names[1]', False),
        ('names = ["K", "L"]\nfor k in names:\n    os.environ[k] = str(len(names))', False),
        ('names = ["K", "L"]\nfor k in names:\n    os.environ[k] = "v"\nx, y = names', False),
        ('given = {"K": "v", "L": "w"}\nfor k, v in given.items():\n    os.environ[k] = v', True),
        ('given = {"K": "v", "L": "w"}\nfor k in given:\n    os.environ[k] = given[k]', True),
        ('given = {"K": "v", "L": "w"}\nos.environ.update(given)\nx = given["L"]', True),
        ('given = {"K": "v", "L": "w"}\nos.environ.update(given)\nx = given["K"]', False),
        ('given = {"K": "v", "L": "w"}\nfor i, k in enumerate(given):\n    os.environ[k] = str(i)', False),
        ('op.parameter_map["enable_dump"].b = True', True),
        ('x = op.parameter_map["enable_dump"].b = True', False),
        ('x, op.parameter_map["enable_dump"].b = 1, True', False),
        ('setattr(op.parameter_map["enable_dump"], "b", True)', True),
        ('x = setattr(op.parameter_map["enable_dump"], "b", True)', False),
        ('p = op.parameter_map["enable_dump"]\np.b = True', True),
        ('for k, v in zip(["enable_dump", "mix_compile_mode"], [True, False]):\n    op.parameter_map[k].b = v', False),
    ],
)
def test_what_is_left_runs_and_sets_the_rest(script: str, goes: bool) -> None:
    name = "enable_dump" if "enable_dump" in script else _K
    text = "import os\n" + script.replace('"K"', f'"{_K}"').replace('"L"', f'"{_L}"').replace("'K'", f"'{_K}'")
    text = text.replace("(K=", f"({_K}=").replace(" L=", f" {_L}=") + "\n"
    without = _without(text, name)
    assert (without is not None) is goes, without
    if without is None:
        return
    before, after = _Recorder(), _Recorder()
    names = before.run(text), after.run(without)
    assert name not in after.environ
    assert not vars(after.parameter_map[name])
    assert {k: v for k, v in before.environ.items() if k != name} == after.environ
    assert names[0].keys() == names[1].keys()
    assert os.environ.get(_K) is None
