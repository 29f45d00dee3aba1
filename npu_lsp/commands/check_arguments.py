"""The arguments of `npu-lsp check`, and which of them go together."""

from __future__ import annotations

import argparse

from npu_lsp.checking.shards import Shard
from npu_lsp.commands.arguments import (
    add_colour,
    add_configuration,
    add_diff,
    add_exit_zero,
    add_files,
    add_jobs,
    add_logging,
    add_report,
    add_rules,
)
from npu_lsp.commands.language import chosen, told
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text

_EPILOG = Text(
    """\
exit codes:
  0   nothing found, or everything fixed
  1   something found that is at least as bad as --fail-on
  2   wrong usage, nothing to check, a configuration that can't be used, or an error of npu-lsp itself

examples:
  npu-lsp check                                     everything below the current folder
  npu-lsp check train.py scripts/                   a file and a folder
  npu-lsp check --fix                               mend what is safe to mend
  npu-lsp check --diff                              show what --fix would change, and change nothing
  npu-lsp check --watch                             check again whenever a file changes
  npu-lsp check --target cann=9.0                   what breaks with CANN 9.0?
  npu-lsp check --target vllm-ascend=0.23           and with vLLM-Ascend 0.23?
  npu-lsp check --statistics --group-by option      what is there to do?
  npu-lsp check --write-baseline                    take today's findings as known
  npu-lsp check --add-ignores                       silence today's findings with comments
  npu-lsp check --output-format sarif --output-file npu-lsp.sarif
  cat train.py | npu-lsp check - --stdin-filename train.py

`npu-lsp rule NPU101` explains a finding. `# npu-lsp: ignore[NPU101]` in a comment silences it on its line, or on
the whole next statement when the comment has a line of its own.
""",
    """\
退出码：
  0   没有问题，或问题已全部修复
  1   存在不低于 --fail-on 级别的问题
  2   用法错误、没有可检查的文件、配置不可用，或 npu-lsp 自身出错

示例：
  npu-lsp check                                     检查当前目录下的所有文件
  npu-lsp check train.py scripts/                   检查一个文件和一个目录
  npu-lsp check --fix                               执行安全修复
  npu-lsp check --diff                              只显示 --fix 将做的修改，不写文件
  npu-lsp check --watch                             文件变化时重新检查
  npu-lsp check --target cann=9.0                   升级到 CANN 9.0 会有哪些问题？
  npu-lsp check --statistics --group-by option      按配置项统计问题
  npu-lsp check --write-baseline                    将现有问题记入基线
  npu-lsp check --add-ignores                       用注释忽略现有问题
  npu-lsp check --output-format sarif --output-file npu-lsp.sarif
  cat train.py | npu-lsp check - --stdin-filename train.py

`npu-lsp rule NPU101` 解释一条规则。注释 `# npu-lsp: ignore[NPU101]` 忽略所在行的问题；
注释独占一行时，忽略下一条语句中的问题。
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Checks the Ascend NPU configuration in Python and shell files, notebooks, Markdown, Dockerfiles, YAML and "
        "Makefiles.",
        "检查 Python 与 Shell 文件、Notebook、Markdown、Dockerfile、YAML 和 Makefile 中的昇腾 NPU 配置。",
    )
    parser.usage = "npu-lsp check [OPTIONS] [PATH ...]"
    parser.epilog = _EPILOG.to(chosen())
    paths = told("files, folders, globs, or - for stdin; default: .", "文件、目录、通配模式，- 表示标准输入；默认为 .")
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    name = told("what the text on stdin is called", "标准输入内容的文件名")
    parser.add_argument("--stdin-filename", metavar="NAME", help=name)
    around = told(
        "check the variables and packages of this process, or of --pid; with PATH: as a launch of that script gets them",
        "检查当前进程或 --pid 进程的环境变量和软件包；指定 PATH 时结合该启动脚本检查",
    )
    parser.add_argument("--environment", action="store_true", help=around)
    pid = told("the running process that --environment means", "--environment 所指的运行中进程")
    parser.add_argument("--pid", type=int, metavar="N", help=pid)
    add_logging(parser)
    _add_fixes(parser)
    _add_report(parser)
    add_rules(parser)
    add_configuration(parser)
    add_files(parser)
    _add_baseline(parser)
    _add_speed(parser)


def add_statistics(parser: argparse._ActionsContainer) -> None:
    """Declare what asks for counts."""
    statistics = told("count the findings instead of listing them", "只统计问题数量，不逐条列出")
    parser.add_argument("--statistics", action="store_true", help=statistics)
    group = told(
        "with --statistics: what to count by; default: rule", "与 --statistics 一起使用：统计方式，默认为 rule"
    )
    parser.add_argument("--group-by", choices=("rule", "file", "option"), help=group)


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    fixes = parser.add_argument_group(told("fixes", "修复"))
    fixes.add_argument("--fix", action="store_true", help=told("make the safe fixes", "执行安全修复"))
    unsafe = told("with --fix or --diff: make the unsafe ones too", "与 --fix 或 --diff 一起使用：也执行不安全的修复")
    fixes.add_argument("--unsafe-fixes", action="store_true", help=unsafe)
    add_diff(fixes)
    show = told("with --fix or --diff: list what was fixed where", "与 --fix 或 --diff 一起使用：列出各文件的修复")
    fixes.add_argument("--show-fixes", action="store_true", help=show)
    asks = told(
        "with --fix: show each fix, also those to review, and ask: y(es), n(o), a(ll that are safe), q(uit)",
        "与 --fix 一起使用：逐一显示修复（包括需审阅的）并询问：y 执行，n 跳过，a 执行后续安全修复，q 退出",
    )
    fixes.add_argument("--interactive", action="store_true", help=asks)
    changed = told("with --fix: exit with 1 also when everything was fixed", "与 --fix 一起使用：有修复时也返回 1")
    fixes.add_argument("--exit-non-zero-on-fix", action="store_true", help=changed)
    ignores = told(
        "write comments that silence what is found, where a comment can; with --diff: show them",
        "在可以写注释的位置添加忽略现有问题的注释；与 --diff 一起使用时只显示",
    )
    fixes.add_argument("--add-ignores", action="store_true", help=ignores)


def _add_report(parser: argparse.ArgumentParser) -> None:
    report = parser.add_argument_group(told("report", "报告"))
    add_report(report, "full", "为 full")
    add_statistics(report)
    files = told("list the files that would be checked, and check none", "只列出将被检查的文件，不做检查")
    report.add_argument("--show-files", action="store_true", help=files)
    watch = told("check again whenever a file changes, until Ctrl-C", "文件变化时重新检查，按 Ctrl-C 结束")
    report.add_argument("--watch", action="store_true", help=watch)
    quiet = told("findings only, no summary", "只输出问题，不输出汇总")
    report.add_argument("-q", "--quiet", action="store_true", help=quiet)
    add_colour(report)
    fail = told("exit with 1 from this severity on; default: warning", "达到该级别时返回 1；默认为 warning")
    report.add_argument("--fail-on", choices=[each.value for each in Severity], help=fail)
    add_exit_zero(report)
    empty = told("exit with 0 also when there is nothing to check", "没有可检查的文件时也返回 0")
    report.add_argument("--allow-empty", action="store_true", help=empty)


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    baseline = parser.add_argument_group(told("baseline", "基线"))
    known = told("don't report the findings that this file knows", "不报告该文件中记录的已知问题")
    baseline.add_argument("--baseline", metavar="FILE", help=known)
    write = told("take all findings of this run as known", "将本次检查的所有问题记入基线")
    baseline.add_argument("--write-baseline", action="store_true", help=write)
    baseline.add_argument(
        "--baseline-mode",
        choices=("auto", "shrink", "keep", "lock"),
        default="auto",
        help=told(
            "what becomes of known findings that are gone: shrink the file, keep it, or lock it and fail until it is "
            "brought up to date; default: lock where the variable CI is set, shrink elsewhere",
            "已知问题消除后如何处理基线：shrink 缩减文件，keep 保持不变，lock 锁定并在更新前返回失败；"
            "默认：设置了环境变量 CI 时为 lock，否则为 shrink",
        ),
    )


def _add_speed(parser: argparse.ArgumentParser) -> None:
    speed = parser.add_argument_group(told("speed", "性能"))
    cache = told("neither read nor write the cache", "不读写缓存")
    speed.add_argument("--no-cache", action="store_true", help=cache)
    folder = told("default: .npu-lsp-cache beside the configuration", "默认为配置文件所在目录下的 .npu-lsp-cache")
    speed.add_argument("--cache-dir", metavar="DIR", help=folder)
    add_jobs(speed)
    shard = told(
        "check only the Ith of N parts; see `npu-lsp merge`", "只检查 N 个分片中的第 I 个；参见 `npu-lsp merge`"
    )
    speed.add_argument("--shard", type=_shard, metavar="I/N", help=shard)


def _shard(text: str) -> Shard:
    try:
        return Shard.parse(text)
    except ValueError as error:
        wrong = told(str(error), f"{text!r} 应为 I/N，其中 I 为 1 到 N，例如 2/4")
        raise argparse.ArgumentTypeError(wrong) from error
