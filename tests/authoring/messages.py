"""Lists the messages of a tool's sources that depend on its configuration, and of which `explain` knows neither meaning nor form.

`python -m tests.authoring.messages CHECKOUT [FOLDER ...]`: a Git repository (a bare one will do) at `--ref`. Of Python every `raise`,
`assert` and `logger.error` counts, of C++ what `LOG(ERROR)`, `TORCH_CHECK` and their like are given. What is filled in is `{}`.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import libcst as cst

from npu_lsp.catalog.load import load
from npu_lsp.checking.diagnosis import diagnosed
from npu_lsp.checking.logs.named import words_of
from npu_lsp.checking.logs.reader import LogReader
from tests.authoring.python_tree import code, parse, walk
from tests.authoring.refusals import said, text_of

_CPP = re.compile(
    r"\b(?:LOG\((?:ERROR|FATAL)\)|TORCH_CHECK|TORCH_NPU_WARN|ULOG_ERROR|MINDIE_LLM_LOG_ERROR|PTA_ERROR|MS_EXCEPTION\(\w+\)|ASCEND_LOGE|HCCL_ERROR"
    r"|RPT_\w+|GELOGE|REPORT_\w+|ADP_LOG\(ERROR\)|RT_LOG_\w*ERROR|std::c(?:out|err) <<)[^;]{0,600}?;"
)
_OF_CODE = re.compile(r"E[A-Z0-9]\d{4}\{\}")
"""What is filled into the text that a code has: `explain` knows it by the code."""
_HOLE = re.compile(r"%[-+0-9.]*(?:l{1,2}|z|h)?[sducxfpi]")
"""What `printf` fills in."""
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_TEST = re.compile(r"(?:^|/)(?:tests?|examples?|benchmarks?|docs?|tools?)/|(?:^|/)test_|_test\.\w+$")
_SHORTEST, _LARGEST = 20, 400_000


def messages(checkout: Path, ref: str, folders: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each message once."""
    seen: set[str] = set()
    for path in _run(checkout, "ls-tree", "-r", "--name-only", ref, "--", *folders).splitlines():
        if _TEST.search(path) or not path.endswith((".py", ".cpp", ".cc", ".h")):
            continue
        text = _run(checkout, "show", f"{ref}:{path}")
        found = () if len(text) > _LARGEST else of_python(text) if path.endswith(".py") else of_cpp(text)
        for message in found:
            if len(message) >= _SHORTEST and message not in seen:
                seen.add(message)
                yield path, message


def of_python(text: str) -> Iterator[str]:
    """Yield what a module raises, asserts and logs as errors."""
    yield from said(text)
    tree = parse(text) if ".error(" in text else None
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, cst.Call) and node.args and code(node.func).endswith((".error", ".critical")):
            yield text_of(node.args[0].value)


def of_cpp(text: str) -> Iterator[str]:
    """Yield what a file logs as errors or checks."""
    for match in _CPP.finditer(text):
        said = _HOLE.sub("{}", "{}".join(_STRING.findall(match[0])))
        if _OF_CODE.match(said) is None:
            yield said


def is_known(message: str) -> bool:
    """Return whether `explain` knows what the message means, or what its form asks of the settings that it names."""
    reader = LogReader(load())
    reader.read(io.BytesIO(f"ValueError: {message.replace('{}', 'x')}\n".encode()))
    return any(
        not each.unknown and each.code.kind != "wrapper" for each in diagnosed(reader.log(), load(), None).errors
    )


def _run(checkout: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", "-C", str(checkout), *arguments], check=True, capture_output=True)
    return ran.stdout.decode("utf-8", "replace")


def main() -> None:
    """Print what lacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--ref", default="HEAD")
    arguments = parser.parse_args()
    known = total = 0
    for path, message in messages(arguments.checkout, arguments.ref, arguments.folders):
        if not any(words_of(message, keys=True)):
            continue
        total += 1
        if is_known(message):
            known += 1
        else:
            sys.stdout.write(f"{path}: {message[:240]}\n")
    sys.stdout.write(f"{known} of {total} messages that name settings are known\n")


if __name__ == "__main__":
    main()
