"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from npu_lsp.text import lazy_re

_CHECK = """\
import re, sys
compiled = []
made = re.compile
re.compile = lambda source, flags=0: (compiled.append(source), made(source, flags))[1]
from npu_lsp.commands.main import main
main(["check", "--isolated", "--no-cache", sys.argv[1]])
print(len(compiled), file=sys.stderr)
"""


def test_it_behaves_as_the_pattern() -> None:
    source, text = r"(?P<key>\w+)=(\d+)", "a=1, b=22"
    lazy, plain = lazy_re.compile(source, lazy_re.ASCII), re.compile(source, re.ASCII)
    assert [each.groups() for each in lazy.finditer(text)] == [each.groups() for each in plain.finditer(text)]
    assert lazy.sub(r"\2", text) == plain.sub(r"\2", text)
    assert (lazy.pattern, lazy.flags, lazy.groups, lazy.groupindex) == (
        *(plain.pattern, plain.flags, plain.groups),
        plain.groupindex,
    )
    with pytest.raises(AttributeError):
        _ = lazy.nothing  # type: ignore[attr-defined]


def test_one_that_is_none_says_so_when_it_is_used() -> None:
    broken = lazy_re.compile("(")
    with pytest.raises(re.error):
        broken.search("")


def test_a_check_compiles_few(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_text("export HCCL_CONNECT_TIMEOUT=abc\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", _CHECK, str(file)], capture_output=True, text=True, check=True)
    assert 0 < int(done.stderr) < 150
