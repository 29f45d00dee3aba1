"""`true,false,true`, in small letters, blanks around them allowed (ge: `api/atc/omg.cc`, `CheckInputTrueOrFalse`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_MEANT = {"true": "true", "1": "true", "false": "false", "0": "false"}


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is neither `true` nor `false`."""
    for part in whole(text).split(","):
        bare = part.strip()
        if bare.text not in ("true", "false"):
            yield bare.problem(
                f'"{bare.text}" is neither "true" nor "false"',
                f"“{bare.text}”既不是 true 也不是 false",
                instead=_MEANT.get(bare.text.lower()),
            )
