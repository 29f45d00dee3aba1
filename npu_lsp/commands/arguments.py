"""Arguments that several commands take: which configuration, which files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog.model import Surface
from npu_lsp.checking import stderr
from npu_lsp.commands.language import language_of, told
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.reports import FORMATS
from npu_lsp.text.bilingual import LANGUAGE_CHOICES

_MOST_PROCESSES = 1024


def add_configuration(parser: argparse.ArgumentParser, *, target: bool = True) -> None:
    """Declare what says which configuration is in force; without `target`, all but what the code must run on."""
    group = parser.add_argument_group(told("configuration", "配置"))
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE|KEY=VALUE",
        help=told(
            "use this file instead of the nearest one, or set one key, as in --config 'max-file-size = 5_000_000'",
            "使用该配置文件而不是最近的一个，或设置单个键，例如 --config 'max-file-size = 5_000_000'",
        ),
    )
    isolated = told("ignore all configuration files", "忽略所有配置文件")
    group.add_argument("--isolated", action="store_true", help=isolated)
    if target:
        _add_target(group)
    catalog = told("use your own file of options besides the catalog", "在内置目录之外使用自有的配置项文件")
    group.add_argument("--catalog", action="append", metavar="FILE", help=catalog)
    language = told("language of messages; default: that of the locale", "提示信息的语言；默认跟随系统区域设置")
    group.add_argument("--lang", choices=LANGUAGE_CHOICES, help=language)


def _add_target(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=told(
            "check for versions and products: --target cann=9.0,vllm-ascend=0.23, --target product=a2; may be given again",
            "针对某些版本和产品检查：--target cann=9.0,vllm-ascend=0.23、--target product=a2；可多次使用",
        ),
    )


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Declare what is looked at; nothing at all means the current folder."""
    paths = told("files, folders or globs; default: .", "文件、目录或通配模式；默认为 .")
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)


def add_diff(parser: argparse._ActionsContainer) -> None:
    """Declare `--diff`, beside a `--fix`."""
    diff = told("show what --fix would change, and exit with 1 if it would", "显示 --fix 将做的修改；如有修改则返回 1")
    parser.add_argument("--diff", action="store_true", help=diff)


def add_format(parser: argparse.ArgumentParser, default: str, *others: str) -> None:
    """Declare the form of what is printed."""
    form = told(f"default: {default}", f"默认为 {default}")
    parser.add_argument("--format", choices=(default, *others), default=default, help=form)


def add_report(parser: argparse._ActionsContainer, default: str, default_zh: str) -> None:
    """Declare the form of a report about findings, with what it is where none is asked for, and where the report goes."""
    formats = ", ".join(FORMATS)
    parser.add_argument(
        "--output-format",
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=told(f"one of {formats}; default: {default}", f"输出格式：{formats}；默认{default_zh}"),
    )
    output = told("write the report there instead of stdout", "将报告写入文件而不是标准输出")
    parser.add_argument("-o", "--output-file", metavar="FILE", help=output)


def add_found(parser: argparse.ArgumentParser, *forms: str, target: bool = True) -> None:
    """Declare what every command takes that reads files and prints what it found there; the first of its `forms` is the default."""
    add_format(parser, *forms)
    add_colour(parser)
    add_logging(parser)
    add_configuration(parser, target=target)
    add_files(parser)


def add_exit_zero(parser: argparse._ActionsContainer) -> None:
    """Declare that findings are no failure."""
    zero = told("exit with 0 also when something was found", "有问题时也返回 0")
    parser.add_argument("--exit-zero", action="store_true", help=zero)


def add_colour(parser: argparse._ActionsContainer) -> None:
    """Declare when a report has colours."""
    colour = told("default: auto", "默认为 auto")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help=colour)


def add_jobs(parser: argparse._ActionsContainer) -> None:
    """Declare how many processes share the work."""
    jobs = told("processes; default: one for each processor", "进程数；默认与处理器数相同")
    parser.add_argument("-j", "--jobs", type=_count, metavar="N", help=jobs)


def add_surface(parser: argparse.ArgumentParser) -> None:
    """Declare what says where options are written."""
    surfaces = [surface.value for surface in Surface]
    listed = ", ".join(surfaces)
    parser.add_argument(
        "--surface",
        action="append",
        choices=surfaces,
        metavar="S",
        help=told(
            f"only options written there; may be given again: {listed}",
            f"只列出在该处设置的配置项；可多次使用：{listed}",
        ),
    )


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Declare what says which rules run."""
    group = parser.add_argument_group(
        told(
            "rules (codes such as NPU101, prefixes such as NPU3, names, or ALL)",
            "规则（编号如 NPU101、前缀如 NPU3、名称，或 ALL）",
        )
    )
    select = told("run only these, with commas", "只运行这些规则，以逗号分隔")
    group.add_argument("--select", metavar="RULES", type=_words, action="extend", help=select)
    more = told("run these too", "额外运行这些规则")
    group.add_argument("--extend-select", metavar="RULES", type=_words, action="extend", help=more)
    ignore = told("don't run these", "不运行这些规则")
    group.add_argument("--ignore", metavar="RULES", type=_words, action="extend", help=ignore)
    group.add_argument(
        "--per-file-ignores",
        metavar="GLOB:RULE",
        type=_words,
        action="extend",
        default=[],
        help=told("don't run a rule in the files that a glob matches", "对匹配通配模式的文件不运行某条规则"),
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    """Declare what says which files are read."""
    group = parser.add_argument_group(told("files", "文件"))
    exclude = told("pass over these, not the default ones", "跳过这些文件，替换默认列表")
    group.add_argument("--exclude", metavar="GLOBS", type=_words, action="extend", help=exclude)
    more = told("pass over these too", "额外跳过这些文件")
    group.add_argument("--extend-exclude", metavar="GLOBS", type=_words, action="extend", help=more)
    include = told("read these whatever their name", "无论文件名如何都检查这些文件")
    group.add_argument("--include", metavar="GLOBS", type=_words, action="extend", help=include)
    force = told("pass over excluded files even when they are named", "即使显式指定，也跳过被排除的文件")
    group.add_argument("--force-exclude", action="store_true", default=None, help=force)
    git = told("read what Git ignores", "也检查被 Git 忽略的文件")
    group.add_argument("--no-respect-gitignore", action="store_false", default=None, dest="respect_gitignore", help=git)


def add_logging(parser: argparse.ArgumentParser) -> None:
    """Declare how much is said on stderr."""
    verbose = told("say on stderr what is done", "在标准错误中输出执行过程")
    parser.add_argument("-v", "--verbose", action="store_true", help=verbose)


def _count(text: str) -> int:
    """Return how many processes `text` asks for."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= _MOST_PROCESSES:
        wrong = told(f"must be from 1 to {_MOST_PROCESSES}", f"取值范围为 1 到 {_MOST_PROCESSES}")
        raise argparse.ArgumentTypeError(wrong)
    return number


def discovery(arguments: argparse.Namespace, more: Mapping[str, Any] | None = None) -> Discovery:
    """Return what finds configurations under these arguments; raise `ConfigError` for what can't be used.

    `more` has further keys that the command line sets.
    """
    given = vars(arguments)
    values: dict[str, Any] = {
        key: given.get(key.replace("-", "_"))
        for key in (
            "select", "extend-select", "ignore", "exclude", "extend-exclude", "include", "force-exclude",
            "respect-gitignore", "catalog",
        )
    }  # fmt: skip
    values["language"] = given.get("lang")
    words, ignores = given.get("target") or (), given.get("per_file_ignores") or ()
    files: Sequence[str] = given.get("config") or ()
    values = {key: value for key, value in {**values, **(more or {})}.items() if value is not None}
    if not (values or words or ignores or files):
        return Discovery(isolated=arguments.isolated)
    from npu_lsp.config import overrides

    pairs = [word for word in files if overrides.is_pair(word)]
    names = [word for word in files if word not in pairs]
    values |= {
        key: value
        for key, value in (
            ("target", overrides.target(words)),
            ("per-file-ignores", overrides.per_file_ignores(ignores)),
        )
        if value is not None
    }
    return Discovery(
        fixed=Path(os.path.expanduser(names[-1])) if names else None,
        isolated=arguments.isolated,
        overrides=overrides.overrides(values, pairs),
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def complain(error: ConfigError, arguments: argparse.Namespace) -> None:
    """Say on stderr what is wrong with the configuration, in the language of the command line or the locale."""
    language = language_of(arguments.lang or "auto")
    for problem in error.problems:
        stderr.tell(f"npu-lsp: {problem.told(language)}")
