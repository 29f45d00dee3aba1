"""Whether all arguments of a command are known by the parsers of the program that it starts, though others may start so as well."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.shell.training import is_of_family, may_be_of_family
from npu_lsp.linter.context import Context
from npu_lsp.text import dependencies as surroundings

_LARGEST = 1 << 20
_MANY = 8
"""Arguments of the family by which a script is told to be one of its own, where others may start so as well."""


def is_parsed(setting: Setting, block: Block, context: Context) -> bool:
    """Return whether the parsers of Megatron and its family are those of the program, and have no flag of a name.

    `argparse` takes the start of a flag, and the program that stands beside the text may add flags of its own.
    """
    others = context.catalog.plain("other_flags").get(block.surface.value)
    if others is None:
        return False
    script = context.document.text[block.head.start : block.head.end].strip("\"'")
    if setting.name.startswith("-"):
        return False
    names = (*context.catalog.names(block.surface), *others.get("flags", ()))
    known = {each.name for each in block.settings}.intersection(names)
    if not (is_of_family(script) or (may_be_of_family(script) and len(known) >= _MANY)):
        return False
    return not any(name.startswith(setting.name) for name in names) and not _adds(script, setting.name, context)


def _adds(script: str, name: str, context: Context) -> bool:
    """Return whether the program is there, and has a flag of its own."""
    path = context.document.path
    folders = [Path(path).absolute().parent] if path else []
    folders += [context.root] if context.root is not None else []
    flag = f"--{name}".encode()
    return any(flag in (surroundings.content_below(folder, script, _LARGEST) or b"") for folder in folders)
