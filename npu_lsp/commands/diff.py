"""`npu-lsp diff`: the settings that differ between two files, folders or commits."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.checking.comparing import Difference, NoCommitError, differences, extract
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.node import is_snapshot
from npu_lsp.commands.arguments import add_found
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import CommandError, chosen, told
from npu_lsp.commands.node_diff import compare
from npu_lsp.commands.runs import LISTED, ran
from npu_lsp.reports.settings_table import value
from npu_lsp.reports.style import Style
from npu_lsp.reports.table import FORMS, Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, shown, shown_path

_EPILOG = Text(
    """\
exit codes:
  0   nothing differs
  1   something does
  2   a side that can't be read

examples:
  npu-lsp diff here/run.sh there/run.sh      it ran on the other machine
  npu-lsp diff v1.0 HEAD scripts             what changed since a tag of this repository
  npu-lsp diff node1.json node2.json         in what nodes differ (`npu-lsp snapshot`)
""",
    """\
退出码：
  0   没有差异
  1   有差异
  2   某一侧无法读取

示例：
  npu-lsp diff here/run.sh there/run.sh      为什么在另一台机器上可以运行
  npu-lsp diff v1.0 HEAD scripts             某个标签以来的变化
  npu-lsp diff node1.json node2.json         节点之间的差异（`npu-lsp snapshot`）
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Lists the settings that differ, with the default where one side is silent, and what the difference does.",
        "列出不同的配置；某一侧未配置时给出默认值，并说明差异的作用。",
    )
    parser.epilog = _EPILOG.to(chosen())
    sides = told("a file, a folder, or a commit of this repository", "文件、目录，或当前仓库的提交")
    parser.add_argument("left", metavar="A", help=sides)
    parser.add_argument("right", metavar="B", help=sides)
    below = told(
        "of commits: compare what lies below this path; default: . | of snapshots: more of them",
        "比较提交时只看该路径，默认为 .；比较快照时为更多快照",
    )
    parser.add_argument("more", nargs="*", metavar="PATH", help=below)
    everything = told("of snapshots: ranks, names and addresses, too", "比较快照时包含 rank、名称和地址")
    parser.add_argument("--all", action="store_true", help=everything)
    add_found(parser, "text", "json", *FORMS, target=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the differences: 0 none, 1 some, 2 a side that can't be read."""
    nodes = [arguments.left, arguments.right, *arguments.more]
    if all(is_snapshot(node) for node in nodes):
        return compare(nodes, arguments)
    if len(arguments.more) > 1:
        raise CommandError(
            "two sides are compared, and any number of snapshots",
            "只能比较两侧；多个输入时均须为 `npu-lsp snapshot` 的快照",
        )
    below = arguments.more[0] if arguments.more else "."
    try:
        with ExitStack() as stack:
            roots = [_root(name, below, stack) for name in (arguments.left, arguments.right)]
            left, right = (_rows(root, arguments) for root in roots)
    except NoCommitError as error:
        name = shown(str(error))
        raise CommandError(
            f"{name}: neither a file nor a folder nor a commit", f"{name}: 不是文件、目录，也不是提交"
        ) from error
    found = list(differences(left, right))
    write_found(
        arguments,
        content=lambda: _json(found),
        table=lambda: _table_of(found, (arguments.left, arguments.right), load(), chosen()),
        text=lambda style: _text(found, style),
    )
    return 1 if found else 0


def _root(name: str, below: str, stack: ExitStack) -> str:
    """Return the file or the folder that stands for a side. Raises `NoCommitError`, `OSError`."""
    if os.path.exists(name):
        return os.path.abspath(name)
    folder = stack.enter_context(TemporaryDirectory(prefix="npu-lsp-"))
    try:
        extract(name, below, Path(folder))
    except FileNotFoundError as error:
        # There is no Git.
        raise NoCommitError(name) from error
    return folder


def _rows(root: str, arguments: argparse.Namespace) -> list[Row]:
    """Return the settings of a side, their paths below it. Raises `ConfigError`."""
    single = os.path.isfile(root)
    here = os.path.dirname(root) if single else root
    rows = ran([root], arguments, LISTED, here=here).rows
    return [
        row._replace(path="" if single else os.path.relpath(row.path, here) if os.path.isabs(row.path) else row.path)
        for row in rows
    ]


_TITLE = Text("npu-lsp: differences", "npu-lsp：配置差异")
_UNSET = Text("not set", "未配置")
_DEFAULT = Text("not set (default: {value})", "未配置（默认值：{value}）")
_DIFFERS = Text("not set (the default differs by product or use)", "未配置（默认值因产品或场景而异）")
_SAME = Text("No difference: that is the default.", "无差异：该取值即为默认值。")
_UNKNOWN = Text("not known", "无法确定")


def _table_of(found: Iterable[Difference], names: tuple[str, str], catalog: Catalog, language: Language) -> Table:
    """Return a row for each difference; `names` are those of the two sides."""
    columns = (
        Column(Text("surface", "入口"), filter=True),
        Column(Text("option", "配置项"), code=True),
        Column(Text("file", "文件"), code=True),
        *(Column(Text(name, name), code=True) for name in names),
        Column(Text("what it does", "作用")),
    )
    rows = [
        (
            each.surface,
            one_line(each.option),
            each.path.replace("\\", "/"),
            side(each, each.left, catalog, language),
            side(each, each.right, catalog, language),
            " ".join(about(each, catalog, language)),
        )
        for each in found
    ]
    return Table(_TITLE, columns, rows)


def side(difference: Difference, row: Row | None, catalog: Catalog, language: Language) -> str:
    """Return what one side sets, or that it doesn't, with the default where there is one."""
    if row is not None:
        return value(row) if row.known else _UNKNOWN.to(language)
    option = catalog.option(Surface(difference.surface), difference.option)
    if option is None or not option.defaults:
        return _UNSET.to(language)
    default = _default(option)
    if default is None:
        return _DIFFERS.to(language)
    shown = default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)
    return _DEFAULT.to(language).format(value=one_line(shown))


def about(difference: Difference, catalog: Catalog, language: Language) -> Iterator[str]:
    """Yield what the option does, and what each of the two values means, where the catalog says so."""
    surface = Surface(difference.surface)
    option = catalog.option(surface, difference.option)
    if option is None:
        return
    yield one_line(catalog.docs(surface, option.name).summary.to(language))
    sides = [
        row.value if row is not None and row.known else _default(option) if row is None else None
        for row in (difference.left, difference.right)
    ]
    if None not in sides and str(sides[0]) == str(sides[1]):
        yield _SAME.to(language)
        return
    for data in sides:
        if isinstance(data, (str, int, float, bool)):
            said = catalog.value_text(surface, option.name, _spelled(option, data))
            if said is not None:
                yield f"{one_line(str(data))}: {one_line(said.to(language))}"


def _default(option: Option) -> Scalar:
    """Return the default of an option that has the same one everywhere."""
    values = {default.value for default in option.defaults}
    return values.pop() if len(values) == 1 else None


def _spelled(option: Option, data: Scalar) -> Scalar:
    """Return a value as the catalog writes it, where the tool doesn't look at upper and lower case."""
    if not isinstance(data, str) or option.case_sensitive:
        return data
    return next((each.value for each in option.values if str(each.value).lower() == data.lower()), data)


def _text(found: Sequence[Difference], style: Style) -> Iterator[str]:
    path = None
    for each in found:
        if each.path != path and each.path:
            yield f"{style.bold(shown_path(each.path))}\n"
        path = each.path
        yield f"  {each.surface} {style.bold(shown(each.option))}\n"
        for sign, row, paint in (("-", each.left, style.red), ("+", each.right, style.green)):
            line = told(f"   (line {row.line})", f"   （第 {row.line} 行）") if row is not None else ""
            yield f"    {paint(f'{sign} {side(each, row, load(), chosen())}')}{line}\n"
        yield from (f"      {line}\n" for line in about(each, load(), chosen()))


def _json(found: Sequence[Difference]) -> dict[str, Any]:
    rows = [
        {
            "path": each.path or None,
            "surface": each.surface,
            "option": each.option,
            "left": each.left._asdict() if each.left is not None else None,
            "right": each.right._asdict() if each.right is not None else None,
        }
        for each in found
    ]
    return {"differences": rows}
