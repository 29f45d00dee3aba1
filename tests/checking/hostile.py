"""A project in which nearly every name leads to a file of somebody else."""

from __future__ import annotations

import os
from pathlib import Path

SECRET = "s3cr3t"
"""A word of each file that nobody asked to have looked at."""
WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
_LIST = f'{{"black-list": {{"to-ad": ["{SECRET}"]}}}}\n'
_SHELL = f"atc --model={SECRET}.onnx --framework=5 --output=a --soc_verison=Ascend310P3\n"
_OLD = (
    "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 "
    "--op_select_implmode=high_precision --optypelist_for_implmode=Gelu\n"
)
_NAMING = 'op.parameter_map["modify_mixlist"].s = b"{}"\n'
_NAMED = (
    "p/list.json", "folder/list.json", "../user/list.json", ".git/list.json", "git.json", "git/list.json",
    "folder/../list.json", "round.json", "pipe.json", "zero.json", "p/../git.json",
)  # fmt: skip
_CONFIG = 'exclude = []\ninclude = ["*"]\nrespect-gitignore = false\n'
FIXED = {"project/train.py", "project/p/old.sh", "project/read_only.py"}
"""What `--fix` is asked to change, and the file that one of the fixes makes."""
MADE = {"project/p/op_precision_2.ini"}


def build(root: Path) -> Path:
    """Make the project below `root`, and beside it the files of somebody else; return the project."""
    user, made = root / "user", root / "project"
    texts = {
        "user/train.py": f"# {SECRET}\n{WRONG}",
        "user/run.sh": _SHELL,
        "user/list.json": _LIST,
        "user/conf.py": f'MODE = b"{SECRET}"\n',
        "user/op_precision.ini": f"{SECRET}\n",
        "user/hard.py": WRONG,
        "user/package/__init__.py": f'MODE = b"{SECRET}"\n',
        "project/npu-lsp.toml": _CONFIG,
        "project/train.py": WRONG + "".join(_NAMING.format(name) for name in (*_NAMED, user / "list.json")),
        "project/imports.py": 'from conf import MODE\nop.parameter_map["precision_mode"].s = MODE\n',
        "project/imports_too.py": 'import package\nop.parameter_map["precision_mode"].s = package.MODE\n',
        "project/p/old.sh": _OLD,
        "project/read_only.py": WRONG,
        "project/.git/config": f'[remote "origin"]\n\turl = https://{SECRET}@host/x\n{_SHELL}{WRONG}',
        "project/.git/hooks/pre-commit": f"#!/bin/sh\n{_SHELL}",
        "project/.git/hooks/hook.py": f"# {SECRET}\n{WRONG}",
        "project/.git/list.json": _LIST,
        "project/sub/.GIT/hook.py": f"# {SECRET}\n{WRONG}",
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    links = {
        "link.py": "../user/train.py",
        "link.sh": str(user / "run.sh"),
        "conf.py": "../user/conf.py",
        "package": "../user/package",
        "p/list.json": "../../user/list.json",
        "folder": "../user",
        "git": ".git",
        "git.json": ".git/list.json",
        "git.py": ".git/hooks/hook.py",
        "config.sh": ".git/config",
        "round.json": "round.json",
        "round.py": "round.py",
        "here": ".",
        "nothing.py": "nosuch.py",
        "zero.py": "/dev/zero",
        "zero.json": "/dev/zero",
        "p/op_precision.ini": "../../user/op_precision.ini",
        "p/op_precision_1.ini": "../nosuch.ini",
        ".gitignore": "../user/train.py",
        ".npu-lsp-cache": "../user",
        "npu-lsp-baseline.json": "../user/train.py",
    }
    for name, target in links.items():
        (made / name).symlink_to(target)
    (made / "hard.py").hardlink_to(user / "hard.py")
    (made / "read_only.py").chmod(0o444)
    for name in ("pipe.py", "pipe.json"):
        os.mkfifo(made / name)
    return made
