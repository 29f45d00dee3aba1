"""`op_select_implmode` (and `optypelist_for_implmode`) → `op_precision_mode`.

The new option takes an .ini file. With a list of operators the file is written from the list. Without one the old mode
means a list that comes with the toolkit: a copy of it where a toolkit is installed, else its place in the toolkit.
Source: ge:docs/zh/user_guides/atc_tools/CLI_options/--op_select_implmode.md and --op_precision_mode.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.branches import dominates, exclusive
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Fix, NewFile, Safety
from npu_lsp.linter.relations import is_set
from npu_lsp.linter.values import text_of
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.memo import Memoized, MemoTable
from npu_lsp.text.spans import Edit, apply_edits

_MODE = "op_select_implmode"
_LIST = "optypelist_for_implmode"
_NEW = "op_precision_mode"
_BUILT_IN = "opp/built-in/op_impl/ai_core/tbe/impl_mode"
_MODES = ("high_precision", "high_performance", "high_precision_for_all", "high_performance_for_all")
_LISTED_MODES = _MODES[:2]
_OPERATOR = re.compile(r"[A-Za-z_][\w./-]*", re.ASCII)
_HOME = "ASCEND_HOME_PATH"
_MAX_COPY = 1_000_000
"""Bytes of a toolkit's list that are copied at the most."""

_DEAD = Text(
    en='Remove the old options: "op_precision_mode" is set and wins',
    zh="删除旧配置项：已设置的“op_precision_mode”优先生效",
)
_DEFAULT = Text(
    en='Remove "op_select_implmode": it is set to its default', zh="删除“op_select_implmode”：取值与默认值相同"
)
_WRITE = Text(en='Write "{file}" and use "op_precision_mode"', zh="生成“{file}”并改用“op_precision_mode”")
_COPY = Text(
    en='Copy the toolkit\'s "{file}" and use "op_precision_mode"', zh="复制工具包内的“{file}”并改用“op_precision_mode”"
)
_POINT = Text(
    en='Use "op_precision_mode" with the toolkit\'s "{file}"', zh="改用“op_precision_mode”并指向工具包内的“{file}”"
)
_NOTE = Text(en="Create {file} with this content:\n{text}", zh="请创建 {file}，内容如下：\n{text}")


class _Old(NamedTuple):
    """The old settings of one block that act together."""

    mode: Setting
    names: Setting | None
    settings: tuple[Setting, ...]


def op_precision_file(setting: Setting, option: Option, block: Block, context: Context) -> Sequence[Fix]:
    """Return the moves to `op_precision_mode`, the best first; none where a value that counts isn't known."""
    topics = _by_topic(block, context)
    if max(map(len, topics.values()), default=0) > MOST_OF_ONE:
        return ()
    dead = [s for s in (*topics.get(_MODE, ()), *topics.get(_LIST, ())) if not exclusive(s.branch, setting.branch)]
    winners = [s for s in topics.get(_NEW, ()) if all(not exclusive(s.branch, d.branch) for d in dead)]
    if winners:
        always = all(any(dominates(w.branch, d.branch) for w in winners) for d in dead)
        if not always or _for_some(dead, winners, block, context):
            return ()
        return removal(context, _DEAD.to(context.language), dead)
    fixes = _moves(setting, topics, block, context)
    if Companions.of_block(block, context).shows_all(_NEW):
        return fixes
    return [fix._replace(safety=Safety.UNSAFE) for fix in fixes]


def _moves(setting: Setting, topics: Mapping[str, Sequence[Setting]], block: Block, context: Context) -> Sequence[Fix]:
    """Return the moves to the new option where it isn't set."""
    old = _together(setting, topics)
    mode = text_of(old.mode.value) if old else None
    if old is None or mode not in _MODES or _for_some(old.settings, (), block, context):
        return ()
    if old.names is not None and mode in _LISTED_MODES:
        operators = _operators(old.names)
        return _written(old, mode, operators, block, context) if operators else ()
    fixes: list[Fix] = []
    if mode == "high_performance" and block.surface is Surface.ATC:
        fixes += removal(context, _DEFAULT.to(context.language), old.settings)
    fixes += _built_in(old, mode, context)
    return fixes


def _for_some(old: Sequence[Setting], new: Sequence[Setting], block: Block, context: Context) -> bool:
    """Return whether others get a part of the settings from the same text: what is right here may be wrong there."""
    if not any(context.shared(setting) for setting in (*old, *new)):
        return False
    mine = {setting.own for setting in (*old, *new)}
    for other in context.parsed.blocks:
        if other is not block and any(s.own in mine for s in other.settings):
            its = {setting.own for settings in _by_topic(other, context).values() for setting in settings}
            if its != mine:
                return True
    return False


_TOPICS: MemoTable[Context, int, dict[str, list[Setting]]] = MemoTable()
"""By the number of a block."""


def _by_topic(block: Block, context: Context) -> dict[str, list[Setting]]:
    """Return the settings of the three options that a block has; each of its settings asks, and each of the others'."""
    by_block = _TOPICS.of(context)
    found = by_block.get(block.id)
    if found is None:
        found = by_block[block.id] = {}
        for setting, option in context.settings(block):
            if option.topic in (_MODE, _LIST, _NEW) and is_set(setting, option):
                found.setdefault(option.topic, []).append(setting)
    return found


def _together(setting: Setting, topics: Mapping[str, Sequence[Setting]]) -> _Old | None:
    """Return the one mode and the at most one list that meet `setting`; more than that is not for a machine."""
    modes = [s for s in topics.get(_MODE, ()) if not exclusive(s.branch, setting.branch)]
    lists = [s for s in topics.get(_LIST, ()) if not exclusive(s.branch, setting.branch)]
    if len(modes) != 1 or len(lists) > 1 or any(s.branch != setting.branch for s in (*modes, *lists)):
        return None
    return _Old(modes[0], lists[0] if lists else None, (*modes, *lists))


def _operators(names: Setting) -> list[str]:
    """Return the listed operators; none where one has a name that can't stand in a line of the file."""
    text = text_of(names.value) or ""
    found = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    return found if all(_OPERATOR.fullmatch(name) for name in found) else []


def _ini(mode: str, operators: Sequence[str]) -> str:
    return "[ByOpType]\n" + "".join(f"{operator}={mode}\n" for operator in operators)


def _written(old: _Old, mode: str, operators: list[str], block: Block, context: Context) -> Sequence[Fix]:
    text = _ini(mode, operators)
    name, create = _file_for(text, block, context)
    return _moved(old, context, _WRITE, name, text if create else None)


def _built_in(old: _Old, mode: str, context: Context) -> list[Fix]:
    file = f"{mode}.ini"
    fixes: list[Fix] = []
    text = _toolkit_text(context, file)
    if text is not None:
        # The toolkit where the script runs may have another one.
        moved = _moved(old, context, _COPY, file, None if _holds(context, file, text) else text)
        fixes += [fix._replace(safety=Safety.UNSAFE) for fix in moved]
    edits = _point(old, context, f"{_BUILT_IN}/{file}", _HOME)
    # The variable may not be set where the script runs.
    fixes += _fix(context, _POINT, edits, safety=Safety.UNSAFE, file=file)
    return fixes


def _moved(old: _Old, context: Context, title: Text, name: str, create: str | None) -> list[Fix]:
    edits = _point(old, context, name, "script")
    files = (NewFile(name, create),) if create is not None else ()
    note = _NOTE.to(context.language).format(file=name, text=create) if create is not None else ""
    # Where the commands of a manual are typed, nobody knows: the file may not lie there.
    safety = Safety.UNSAFE if context.document.kind in PAGES else Safety.SAFE
    return _fix(context, title, edits, safety=safety, files=files, note=note, file=name)


def _point(old: _Old, context: Context, path: str, base: str) -> tuple[Edit, ...]:
    writer = writer_for(old.mode)
    renamed = writer.rename(context.document, old.mode, _NEW)
    pointed = writer.set_path(context.document, old.mode, path, base=base, slot=old.mode.slot)
    rest = [s for s in old.settings if s is not old.mode]
    removed = writer.remove(context.document, rest) if rest else ()
    if not renamed or not pointed or (rest and not removed):
        return ()
    edits = (*renamed, *pointed, *removed)
    try:
        apply_edits(context.document.text, edits)
    except ValueError:
        return ()
    return edits


def _fix(
    context: Context,
    title: Text,
    edits: tuple[Edit, ...],
    *,
    safety: Safety = Safety.SAFE,
    files: tuple[NewFile, ...] = (),
    note: str = "",
    file: str = "",
) -> list[Fix]:
    return [Fix(title.to(context.language).format(file=file), edits, safety, files, note)] if edits else []


def _file_for(text: str, block: Block, context: Context) -> tuple[str, bool]:
    """Return a name beside the script that is free or holds `text` already, and whether it is to be created.

    Commands of one script with other lists get other files, numbered in the order of the script.
    """
    number = _numbers(context).get((block.surface, text), 0)
    while True:
        name = f"op_precision_{number + 1}.ini" if number else "op_precision.ini"
        present = _present(context, name)
        if present is None:
            return name, True
        if present == text:
            return name, False
        number += 1


@Memoized
def _numbers(context: Context) -> dict[tuple[Surface, str], int]:
    """Return the number of each file that the blocks of a surface ask for."""
    found: dict[tuple[Surface, str], int] = {}
    last: Counter[Surface] = Counter()
    for block in context.parsed.blocks:
        text = _asked(block, context)
        if text is not None and (block.surface, text) not in found:
            found[block.surface, text] = last[block.surface]
            last[block.surface] += 1
    return found


def _asked(block: Block, context: Context) -> str | None:
    topics = _by_topic(block, context)
    modes, lists = topics.get(_MODE, []), topics.get(_LIST, [])
    if len(modes) != 1 or len(lists) != 1 or _NEW in topics:
        return None
    mode = text_of(modes[0].value)
    operators = _operators(lists[0])
    return _ini(mode, operators) if mode in _LISTED_MODES and operators else None


def _holds(context: Context, name: str, text: str) -> bool:
    return _present(context, name) == text


def _present(context: Context, name: str) -> str | None:
    """Return the text of the file `name` beside the document, `None` where there is none."""
    if not context.document.path:
        return None
    return _read(Path(context.document.path).parent / name, links=False)


def _toolkit_text(context: Context, file: str) -> str | None:
    return (
        (_read(context.toolkit.implementation_modes(file), links=True) or None) if context.toolkit is not None else None
    )


def _read(path: Path, *, links: bool) -> str | None:
    data = surroundings.content(path, _MAX_COPY, links=links)
    if data is None:
        # Something is there that can't be read: its name is taken.
        return "" if surroundings.is_taken(path) else None
    return data.decode("utf-8", "replace")
