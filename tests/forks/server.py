"""Becomes `python -m npu_lsp` as often as it is asked to, without loading it anew: `python server.py SOCKET`.

Most of the time of a short command goes into loading modules, the catalog and what is made of both. This process has loaded them,
and has run no command. For each one it divides: what is left of it in the new process falls out of the loop and runs the module as
`python -m` does. It ends as the interpreter does, with the exit code, what is still to be written, and the handlers of the end, but
doesn't take apart what is loaded: that would touch, and so copy, all that is shared.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import selectors
import socket
import sys
import threading
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import npu_lsp
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_RUNS = ".__main__"
"""A module that does something when it is loaded."""
_TEXTS = (
    (Kind.PYTHON, 'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")\n'),
    (Kind.SHELL, "export HCCL_BUFFSIZE=200\natc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n"),
)


def load() -> None:
    """Load all modules."""
    for module in walk_packages(npu_lsp.__path__, "npu_lsp."):
        if not module.name.endswith(_RUNS):
            import_module(module.name)
    # What is made at the first need, such as tables of words, is made: a short text of each language needs most of it.
    analyzer = Analyzer(Config(), all_rules)
    for kind, text in _TEXTS:
        analyzer.findings(Document(text, path="/nowhere/file", kind=kind))
    # What is there is shared with each process that comes of this one: nobody looks through it, which would copy it.
    gc.collect()
    gc.freeze()


def received(link: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return what is asked for, and the descriptors that came with it: stdin, stdout, stderr, and one for what comes of it."""
    head, descriptors, _, _ = socket.recv_fds(link, 8, 4)
    if not head:
        return None
    length, body = int.from_bytes(head, "big"), b""
    while len(body) < length:
        body += link.recv(length - len(body))
    asked: dict[str, Any] = json.loads(body)
    return asked, descriptors


def become(asked: dict[str, Any], streams: list[int]) -> None:
    """Make this process one that has just been started with these arguments, in this folder, with these streams."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.umask(asked["umask"])
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[0] = str(Path.cwd())
    sys.argv[:] = ["-m", *asked["arguments"]]


def end(raised: SystemExit) -> None:
    """End the process; return where the interpreter says something at the end, which is left to it."""
    if raised.code is not None and not isinstance(raised.code, int):
        return
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the end does
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit((raised.code or 0) & 0xFF)


def serve(link: socket.socket) -> None:
    """Answer until nobody asks any more; return in each process that is to become a command."""
    waiting = selectors.DefaultSelector()
    waiting.register(link, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is not link:
                # A process has ended.
                pid, report = key.data
                waiting.unregister(key.fileobj)
                os.close(key.fd)
                os.write(report, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                os.close(report)
                continue
            found = received(link)
            if found is None:
                os._exit(0)
            asked, (*streams, report) = found
            pid = os.fork()
            if pid == 0:
                for other in list(waiting.get_map().values()):
                    if other.fileobj is not link:
                        os.close(other.fd)
                        os.close(other.data[1])
                waiting.close()
                link.close()
                os.close(report)
                become(asked, streams)
                return
            for descriptor in streams:
                os.close(descriptor)
            os.write(report, b"%d\n" % pid)
            waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, report))


if __name__ == "__main__":
    load()
    serve(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("npu_lsp", run_name="__main__", alter_sys=True)
    except SystemExit as raised:
        end(raised)
        raise
