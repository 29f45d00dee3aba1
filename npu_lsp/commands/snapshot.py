"""`npu-lsp snapshot`: writes down what a node has, to be compared with others."""

from __future__ import annotations

import argparse
from pathlib import Path

from npu_lsp.catalog.load import load
from npu_lsp.checking import processes, smi
from npu_lsp.checking.node import snapshot
from npu_lsp.commands.language import CommandError, add_language, chosen, told
from npu_lsp.commands.output import write_file, write_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.small_file import read_text
from npu_lsp.text.terminal import as_json

_LARGEST = 1_000_000
_EPILOG = Text(
    """\
Keys, tokens, passwords and addresses are masked; nothing is changed, and nothing is run but `npu-smi info`, if asked for.

examples:
  npu-lsp snapshot -o node1.json              variables, versions, packages, files
  npu-lsp snapshot --npu-smi -o node1.json    the devices as well
  npu-lsp snapshot --pid 4711 -o node1.json   those of a running process
  npu-lsp diff node1.json node2.json          in what they differ
""",
    """\
密钥、令牌、密码和地址会被遮盖；不修改任何内容，除指定时运行 `npu-smi info` 外不运行任何程序。

示例：
  npu-lsp snapshot -o node1.json              环境变量、版本、软件包、文件
  npu-lsp snapshot --npu-smi -o node1.json    同时包含设备
  npu-lsp snapshot --pid 4711 -o node1.json   某个运行中进程的环境
  npu-lsp diff node1.json node2.json          比较两个节点
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Writes down what a node has: variables, versions, packages, devices, and the files that everybody reads.",
        "记录节点的环境变量、版本、软件包、设备及常用配置文件。",
    )
    parser.epilog = _EPILOG.to(chosen())
    output = told("where to write it; default: stdout", "输出文件；默认为标准输出")
    parser.add_argument("-o", "--output-file", metavar="FILE", help=output)
    pid = told("the environment of this running process", "该运行中进程的环境")
    parser.add_argument("--pid", type=int, metavar="N", help=pid)
    devices = told(
        "run `npu-smi info` for the devices, or read what it printed from FILE",
        "运行 `npu-smi info` 获取设备信息，或从 FILE 读取其输出",
    )
    parser.add_argument("--npu-smi", nargs="?", const="", metavar="FILE", help=devices)
    root = told("look below this folder: an image that is mounted there", "在该目录下查找，例如挂载的镜像")
    parser.add_argument("--root", default="/", metavar="DIR", help=root)
    shown = told("mask nothing", "不遮盖任何内容")
    parser.add_argument("--unmasked", action="store_true", help=shown)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the snapshot; 2 where the process can't be read."""
    process = process_of(arguments.pid)
    devices = None
    if arguments.npu_smi:
        devices = smi.read(read_text(Path(arguments.npu_smi), _LARGEST))
    elif arguments.npu_smi is not None:
        devices = smi.ask()
        if devices is None:
            raise CommandError("`npu-smi info` can't be run here", "此处无法运行 `npu-smi info`")
    made = snapshot(process, load(), devices, root=Path(arguments.root).absolute(), shown=arguments.unmasked)
    text = [as_json(made)]
    if arguments.output_file:
        write_file(arguments.output_file, text)
    else:
        write_out(text)
    return 0


def process_of(number: int | None) -> processes.Process:
    """Return this process or a running one. Raises `CommandError`."""
    if number is None:
        return processes.own()
    try:
        return processes.running(number)
    except PermissionError as error:
        raise CommandError(f"process {number} is somebody else's", f"无权读取进程 {number}") from error
    except OSError as error:
        raise CommandError(f"there is no process {number} here", f"没有进程 {number}") from error
