"""`npu-lsp serve`: the language server."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from npu_lsp.commands.language import chosen, told
from npu_lsp.text.small_file import reason

_LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Runs the language server. Editors start it; it speaks over standard input and output.",
        "运行语言服务器。由编辑器启动，通过标准输入输出通信。",
    )
    stdio_too = told("use standard input and output (default)", "使用标准输入输出（默认）")
    parser.add_argument("--stdio", action="store_true", help=stdio_too)
    address = told(
        "wait for one client at an address (default host: 127.0.0.1)", "在该地址等待一个客户端（默认主机：127.0.0.1）"
    )
    parser.add_argument("--tcp", metavar="[HOST:]PORT", help=address)
    port = told("the same as --tcp PORT", "与 --tcp PORT 相同")
    parser.add_argument("--port", type=int, metavar="PORT", help=port)
    log = told("write the log to a file, too", "同时将日志写入文件")
    parser.add_argument("--log-file", type=Path, metavar="FILE", help=log)
    level = told("what is logged; default: info", "日志级别；默认为 info")
    parser.add_argument("--log-level", choices=_LEVELS, default="info", help=level)


def run(arguments: argparse.Namespace) -> int:
    """Serve one client; 0 when it took its leave, 1 when it just went, 2 for an address or a file that can't be used."""
    _leave_out_tls()
    from npu_lsp.lsp.warm_up import calm_collector, load_basics

    calm_collector()
    from npu_lsp.lsp.reporting import start_logging
    from npu_lsp.lsp.streams import stdio

    tcp = arguments.tcp if arguments.tcp is not None else arguments.port
    try:
        # First the streams: a log that goes to /dev/stdout must not stand between the messages.
        connection = stdio() if tcp is None else None
        early = start_logging(arguments.log_level, arguments.log_file)
        if connection is None:
            from npu_lsp.lsp.listening import listen

            connection = listen(*_address(str(tcp)), _announce)
    except (OSError, ValueError, OverflowError) as error:
        named = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        print(f"npu-lsp: {named}{reason(error).to(chosen())}", file=sys.stderr)
        return 2
    # What every session needs comes before the client's first question, the rest after the answer: a client waits for
    # both, and a file that comes right behind the answer for all that isn't loaded by then.
    from npu_lsp.lsp.endpoint import Endpoint
    from npu_lsp.lsp.server import wire

    load_basics()
    try:
        code = Endpoint(wire, early).serve(connection)
    except KeyboardInterrupt:
        code = 130
    return _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process while a thread may still read a document.

    An interpreter that ends stops its threads wherever they are; libcst's parser, stopped there, ends the process with
    SIGABRT ("exception not rethrown"), which clients show as a crash.
    """
    logging.shutdown()
    with suppress(OSError, ValueError):  # nobody reads it any more, or it is closed
        sys.stderr.flush()
    os._exit(code)


def _leave_out_tls() -> None:
    """Load asyncio as a Python without TLS does: nothing here is encrypted, and it would cost 10 ms and 4 MB."""
    tls = "ssl"
    if tls in sys.modules or "asyncio" in sys.modules:
        return
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    modules[tls] = None
    try:
        import asyncio as asyncio
    finally:
        del modules[tls]


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit():
        raise ValueError(told(f"{text!r} is no HOST:PORT", f"{text!r} 不是 HOST:PORT 形式的地址"))
    return host.strip("[]") or "127.0.0.1", int(port)


def _announce(host: str, port: int) -> None:
    print(f"npu-lsp: listening at {host}:{port}", file=sys.stderr, flush=True)
