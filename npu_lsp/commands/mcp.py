"""`npu-lsp mcp`: answers coding assistants over the Model Context Protocol."""

from __future__ import annotations

import argparse
import os

from npu_lsp.commands.language import CommandError, add_language, chosen, told
from npu_lsp.text.bilingual import Text

_EPILOG = Text(
    """\
Needs the package `mcp`: pip install 'npu-lsp[mcp]'. It speaks over standard input and output, writes nothing, and reads only below the
given folders, and the configuration that is in force there.

examples:
  npu-lsp mcp                    the current folder
  npu-lsp mcp deploy scripts     two folders
""",
    """\
需要 `mcp` 包：pip install 'npu-lsp[mcp]'。通过标准输入输出通信，不写入任何内容，只读取指定目录中的文件及其生效的配置。

示例：
  npu-lsp mcp                    当前目录
  npu-lsp mcp deploy scripts     两个目录
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Answers coding assistants over the Model Context Protocol: findings, options, rules, errors, settings, recipes.",
        "通过 Model Context Protocol 为编码助手提供检查结果、配置项、规则、错误说明、配置清单和官方配方。",
    )
    parser.epilog = _EPILOG.to(chosen())
    folders = told("the folders that may be read; default: .", "允许读取的目录；默认为 .")
    parser.add_argument("folders", nargs="*", metavar="DIR", help=folders)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve one client until it goes; 2 where the package isn't installed, or a folder isn't there."""
    folders = arguments.folders or ["."]
    for folder in folders:
        if not os.path.isdir(folder):
            raise CommandError(f"{folder}: there is no such folder", f"{folder}：目录不存在")
    try:
        import mcp as mcp
    except ImportError as error:
        raise CommandError(
            "the package `mcp` isn't installed: pip install 'npu-lsp[mcp]'",
            "未安装 `mcp` 包：pip install 'npu-lsp[mcp]'",
        ) from error
    from npu_lsp.commands.assistant import server

    server(folders, chosen()).run("stdio")
    return 0
