"""Moves a variable of vLLM-Ascend to the key of `additional_config` that takes its place: to take it out would switch it off."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.languages.branches import dominates
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.shell.environment import DECLARING
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.values import allows, text_of
from npu_lsp.linter.variable_uses import is_used
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_TITLE = Text(en='Move it to the key "{name}"', zh="移至键“{name}”")
_STARTS = re.compile(r"[vL](?:(?<=\bv)llm[ \t]+serve\b|(?<=v)llm\.entrypoints|(?<=\bL)LM\()")
_FENCE = re.compile(r"^[ \t>]{0,20}(?:```|~~~)", re.MULTILINE)
_IN_ORDER = PAGES | {Kind.SHELL}
"""Kinds of files in which a variable of the shell is there for all that comes behind it; elsewhere it may be another process's."""
_FLAGS = {"0": False, "1": True}


def to_key(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the move to each configuration behind the variable; none where a server is started without one.

    Never safe: who else reads the variable, nobody can tell.
    """
    new = _key(option, context)
    value = _translated(setting, new) if new is not None else None
    found = _configurations(setting, context)
    if new is None or value is None or not found or context.shared(setting) or is_used(setting, context.document):
        return []
    edits = list(writer_for(setting).remove(context.document, [setting]))
    for each in found:
        top = [s for s in each.settings if "." not in s.name]
        made = writer_for(top[-1]).add(context.document, each, top[-1], Added(new.name, value)) if top else ()
        if not made or not edits:
            return []
        edits += made
    return [Fix(_TITLE.to(context.language).format(name=new.name), tuple(edits), Safety.UNSAFE)]


def _key(option: Option, context: Context) -> Option | None:
    """Return the key that the target has, the newest place first."""
    for name in option.deprecated.keys if option.deprecated is not None else ():
        new = context.catalog.option(Surface.ADDITIONAL_CONFIG, name)
        if new is not None and standing(new, context.target).usable:
            return new
    return None


def _translated(setting: Setting, new: Option) -> Scalar:
    """Return what the key must be; `None` where nobody can tell."""
    text = text_of(setting.value) if setting.value.known else None
    if text is None or not text.isdecimal():
        return None
    value: Scalar = _FLAGS.get(text) if new.type == "bool" else int(text) if new.type == "int" else None
    if not allows(new, Value(ValueKind.INT, setting.value.span, known=True, data=value)):
        return None
    return value


def _configurations(setting: Setting, context: Context) -> Sequence[Block]:
    """Return the configurations that the variable reaches, where each server behind it has one."""
    text, kind = context.document.text, context.document.kind
    configurations = [block for block in context.parsed.blocks if block.surface is Surface.ADDITIONAL_CONFIG]
    if (kind not in _IN_ORDER or setting.form is not Form.ASSIGNMENT) and len(configurations) != 1:
        return ()
    fence = _FENCE.search(text, setting.key.end) if kind in PAGES else None
    again = [
        other.key.start
        for block in context.parsed.blocks
        for other in block.settings
        if other.name == setting.name and other.surface is setting.surface and other.key.start > setting.key.start
    ]
    # In front of a command, or among the arguments of one that starts it, a variable is there for that command alone.
    alone = setting.own.end < setting.statement.end and not text.startswith((*DECLARING,), setting.statement.start)
    behind = setting.statement.end if alone and kind in _IN_ORDER else len(text)
    end = min([behind, *again, *([fence.start()] if fence is not None else [])])
    found = [block for block in configurations if setting.key.start < block.head.start < end]
    if len(_STARTS.findall(text, setting.key.end, end)) > len(found):
        return ()
    if not all(dominates(setting.branch, other.branch) for block in found for other in block.settings):
        return ()
    return found
