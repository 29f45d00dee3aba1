"""`--enable_autofuse=true;--autofuse_enable_pass=reduce,concat`: flags in an environment variable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_FLAG = re.compile(r"\s*--\w+=[^=]*\Z")


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no flag with a value."""
    for part in whole(text).lines(";"):
        if part.text.strip() and not _FLAG.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form --name=value', f"“{part.text}”格式错误，应为“--名称=取值”"
            )
