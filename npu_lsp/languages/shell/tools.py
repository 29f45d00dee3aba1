"""The places at which a text seems to name one of the tools, and whether it names anything that has settings."""

from __future__ import annotations

import re
from functools import lru_cache

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.json.flags import named_in
from npu_lsp.languages.shell.deploying import may_deploy
from npu_lsp.languages.shell.training import may_train
from npu_lsp.languages.variable_names import assigned, keys, lacks_equals
from npu_lsp.text.spans import Span

# Patterns that start with plain letters are found ten times faster than one that starts with what may stand before.
_NAMES = (
    *(re.compile(rf"{re.escape(name)}(?:\.bin)?(?![\w./:=-])") for name in PROGRAMS),
    *(re.compile(pattern) for patterns in SERVERS.values() for pattern in patterns),
)
_BEFORE = re.compile(r"(?:^|[^\w.$-]|[^\w \t-]-|(?:^|[^\w.])ge\.)(?:py)?$")  # python3 -m ge.pyatc


@lru_cache(maxsize=2)
def tools(text: str) -> tuple[Span, ...]:
    """Return the places at which a tool seems to be named, in the order of the text."""
    found: list[Span] = []
    for name in _NAMES:
        for match in name.finditer(text):
            at = match.start()
            # A few characters in front tell; looking back by pattern over the whole text would cost more.
            if _BEFORE.search(text[max(0, at - 6) : at]):
                start = at - 2 if at >= 2 and text.startswith("py", at - 2) else at
                found.append(Span(start, match.end()))
    return tuple(sorted(found))


def names_any(text: str) -> bool:
    """Tell whether a text names a tool, or gives a variable a value."""
    return bool(
        tools(text)
        or named_in(text)
        or assigned(text)
        or keys(text)
        or may_train(text)
        or may_deploy(text)
        or lacks_equals(text)
    )
