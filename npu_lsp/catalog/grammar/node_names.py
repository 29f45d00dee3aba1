"""`data;mask`: names of nodes, each looked up in the model as it stands (ge: `api/atc/omg.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the names."""
    for part in whole(text).split(";"):
        bare = part.text.strip()
        if not bare:
            at = max(part.start - 1, 0)
            yield Part(text[at : at + 1], at).problem("a name is missing", "缺少节点名", instead="")
        elif bare != part.text:
            yield part.problem(
                f'the blanks around "{bare}" belong to the name',
                f"“{bare}”前后的空格会被当作节点名的一部分",
                instead=bare,
            )
