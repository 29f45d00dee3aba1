"""The command line: finds the command and hands over. Each command is imported when it is called."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from npu_lsp import __version__
from npu_lsp.checking import stderr
from npu_lsp.commands.language import CommandError, choose, chosen, told
from npu_lsp.commands.output import lead_nowhere, write_out
from npu_lsp.commands.parser import Parser
from npu_lsp.config.errors import ConfigError
from npu_lsp.text.bilingual import Text

_COMMANDS = {
    "check": Text("report and fix what is wrong in files", "检查文件并修复问题"),
    "serve": Text("run the language server", "运行语言服务器"),
    "settings": Text("list every setting that files make", "列出文件中的所有配置"),
    "options": Text("show what is known about options", "查询配置项说明"),
    "profile": Text("show how far a folder follows a set of switches", "检查配置是否符合某个方案"),
    "diff": Text("list the settings that differ", "列出不同的配置"),
    "snapshot": Text("write down what a node has", "记录节点环境"),
    "upgrade": Text("tell what an upgrade changes", "列出升级的影响"),
    "rule": Text("explain a rule", "解释规则"),
    "explain": Text("explain an error of CANN and find its cause", "解释 CANN 错误并查找原因"),
    "config": Text("show the configuration that is in force", "显示生效的配置"),
    "schema": Text("print a JSON Schema", "输出 JSON Schema"),
    "merge": Text("join the reports of several shards", "合并多个分片的报告"),
    "clean": Text("remove the cache", "清除缓存"),
    "doctor": Text("print what a bug report needs", "输出问题反馈所需的信息"),
    "mcp": Text("answer coding assistants", "为编码助手提供服务"),
    "completion": Text("print a completion script for a shell", "输出命令行补全脚本"),
    "help": Text("explain a command", "显示命令的帮助"),
}
"""Each is a module of `npu_lsp.commands` with `add_arguments(parser)` and `run(arguments) -> exit code`."""

_EPILOG = Text(
    """\
examples:
  npu-lsp check train.py convert.sh     check two files
  npu-lsp check --fix .                 check a folder and mend what is safe to mend
  npu-lsp options show precision_mode   what is known about an option
  npu-lsp rule NPU101                   what a finding means

`npu-lsp help COMMAND` tells more about a command. `@FILE` among the arguments stands for those in a file, one a line.
""",
    """\
示例：
  npu-lsp check train.py convert.sh     检查两个文件
  npu-lsp check --fix .                 检查当前目录并执行安全修复
  npu-lsp options show precision_mode   查询一个配置项
  npu-lsp rule NPU101                   查询规则含义

`npu-lsp help COMMAND` 显示某个命令的帮助。参数中的 `@FILE` 表示从文件读取参数，每行一个。
""",
)

_USAGE_ERROR = 2
_INTERRUPTED = 130
"""128 and the number of SIGINT, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    _prepare_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    choose(arguments)
    return _guarded(lambda: _called(arguments))


def program() -> int:
    """Run the command of a process that ends with it, and return its exit code."""
    if sys.argv[1:2] == ["check"]:
        # What it makes is needed to its end, and to look for rings in it takes a sixth of what the check of a few files does.
        # `checking.run` looks again where there are many, and so does what runs on and on.
        gc.disable()
    code = main()
    # An interpreter that ends looks for rings in all that isn't set aside.
    gc.freeze()
    return code


def command_parser(command: str) -> Parser:
    """Return the parser of one command, with its arguments."""
    parser = Parser(f"npu-lsp {command}")
    import_module(f"npu_lsp.commands.{command}").add_arguments(parser)
    return parser


def command_names() -> tuple[str, ...]:
    """Return the names of all commands."""
    return tuple(_COMMANDS)


def command_summary(command: str) -> str:
    """Return in a few words what a command is for."""
    return _COMMANDS[command].to(chosen())


def operands(command: str) -> list[argparse.Action]:
    """Return what a command takes besides options."""
    return [action for action in command_parser(command)._actions if not action.option_strings]  # noqa: SLF001


def program_parser() -> argparse.ArgumentParser:
    """Return the parser of what stands in front of a command."""
    listed = "\n".join(f"  {name:<12}{what.to(chosen())}" for name, what in _COMMANDS.items())
    about = told("Checks Ascend NPU configuration in Python and shell.", "检查 Python 和 Shell 中的昇腾 NPU 配置。")
    parser = Parser(
        "npu-lsp",
        usage="npu-lsp COMMAND [ARGUMENTS]",
        description=f"{about}\n\n{told('commands:', '命令：')}\n{listed}",
        epilog=_EPILOG.to(chosen()),
    )
    version = told("print the version and the catalog's date", "显示版本和配置项目录的日期")
    parser.add_argument("-V", "--version", action="store_true", help=version)
    parser.add_argument("command", choices=list(_COMMANDS), metavar="COMMAND", help=argparse.SUPPRESS)
    return parser


def _called(arguments: Sequence[str]) -> int:
    if any(word.startswith("@") for word in arguments):
        arguments = _unfolded(arguments)
        choose(arguments)
    if not arguments:
        program_parser().print_help(sys.stderr)
        return _USAGE_ERROR
    command, *others = arguments
    if command in _COMMANDS:
        return _run(command, others)
    if command in ("-V", "--version"):
        return _version()
    if command in ("-h", "--help"):
        program_parser().print_help()
        return 0
    return _wrong(arguments)


def _run(command: str, arguments: Sequence[str]) -> int:
    parsed = command_parser(command).parse(arguments)
    stderr.start(verbose=getattr(parsed, "verbose", False), language=chosen())
    try:
        code: int = import_module(f"npu_lsp.commands.{command}").run(parsed)
        return code
    except CommandError as error:
        stderr.tell(f"npu-lsp: {error}")
    except ConfigError as error:
        from npu_lsp.commands.arguments import complain

        complain(error, parsed)
    return _USAGE_ERROR


def _unfolded(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with those in place of each `@FILE` that the file has, one a line; raise `OSError`.

    Behind `--`, and where a file is called so, sign and all, it is a path.
    """
    found: list[str] = []
    for number, word in enumerate(arguments):
        if word == "--":
            return [*found, *arguments[number:]]
        if not word.startswith("@") or os.path.lexists(word):
            found.append(word)
            continue
        lines = Path(word[1:]).read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
        found += [line.strip() for line in lines if line.strip()]
    return found


def _wrong(arguments: Sequence[str]) -> int:
    """Say what is wrong with a command line that begins with no command."""
    from npu_lsp.commands.meant import meant

    parser = program_parser()
    command = meant(arguments, command_parser)
    if command is None:
        parser.parse_args(arguments)
    else:
        parser.error(
            told(
                f"{arguments[0]!r} is no command; did you mean `{command}`?",
                f"{arguments[0]!r} 不是命令；是否应为 `{command}`？",
            )
        )
    return _USAGE_ERROR


def _guarded(run: Callable[[], int]) -> int:
    try:
        return run()
    except BrokenPipeError:
        # Nobody reads what is wrong (`2>&1 | head`): nothing more can be said.
        lead_nowhere(sys.stderr)
        return _USAGE_ERROR
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        # What the system refuses: room on the disk, a folder that is gone.
        stderr.speak(chosen())
        stderr.tell(f"npu-lsp: {stderr.told(error)}")
        return _USAGE_ERROR
    except Exception:
        # An uncaught exception would exit with 1, which means findings.
        import traceback

        stderr.tell(*traceback.format_exc().splitlines())
        sys.stderr.write(
            told(
                "npu-lsp: this is an error of npu-lsp; please report it with what `npu-lsp doctor` prints\n",
                "npu-lsp：这是 npu-lsp 自身的错误，请连同 `npu-lsp doctor` 的输出一起反馈\n",
            )
        )
        return _USAGE_ERROR


def _prepare_streams() -> None:
    """Put nothing in the place of a stream that was closed before we were started (`>&-`); escape what one can't show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - no pathlib; open as long as we are
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _version() -> int:
    from npu_lsp.catalog.load import load

    write_out([f"npu-lsp {__version__} (catalog {load().date})\n"])
    return 0
