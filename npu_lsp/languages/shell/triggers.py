"""The places at which a text seems to name one of the tools, and whether it holds anything that makes it worth parsing."""

from __future__ import annotations

from functools import lru_cache

from npu_lsp.catalog.programs import STARTS
from npu_lsp.languages import triggers
from npu_lsp.languages.json.excerpts import shown
from npu_lsp.languages.json.flags import named_in
from npu_lsp.languages.shell.deploying import may_deploy
from npu_lsp.languages.shell.training import may_train
from npu_lsp.languages.variable_names import assigned, keys, lacks_equals, names_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NAMES = tuple((name, re.compile(pattern)) for name, pattern in STARTS)
_BEFORE = re.compile(r"(?:^|[^\w.$-]|[^\w \t-]-|(?:^|[^\w.])ge\.)(?:py)?$")  # python3 -m ge.pyatc
_CUT_LIST = re.compile(
    r"export(?<!\wexport)[ \t]+(?P<name>LD_PRELOAD|LD_LIBRARY_PATH|PYTHONPATH)=\S{1,400}[ \t]+\$\{?(?P=name)\b"
)
"""`export LD_PRELOAD=/a.so $LD_PRELOAD`: its blank cuts a list that NPUs need as others do."""
_WRITTEN = ("kubectl", ".yaml", ".yml")


@lru_cache(maxsize=2)
def tools(text: str) -> tuple[Span, ...]:
    """Return the places at which a tool seems to be named, in the order of the text."""
    found: list[Span] = []
    for word, name in _NAMES:
        for match in name.finditer(text) if word in text else ():
            at = match.start()
            # A few characters in front tell; looking back by pattern over the whole text would cost more.
            if _BEFORE.search(text[max(0, at - 6) : at]):
                start = at - 2 if at >= 2 and text.startswith("py", at - 2) else at
                found.append(Span(start, match.end()))
    return tuple(sorted(found))


def may_match(text: str) -> bool:
    """Return whether a script is worth parsing: it names a tool, gives a variable a value, or runs Python that may; False is certain."""
    return bool(
        tools(text)
        or named_in(text)
        or assigned(text)
        or keys(text)
        or may_train(text)
        or may_deploy(text)
        or lacks_equals(text)
        or runs_python(text)
        or _writes_yaml(text)
        or _writes_config(text)
        or ("${$" in text and names_variable(text))
        or _CUT_LIST.search(text) is not None
    )


def _writes_config(text: str) -> bool:
    """Return whether a here-document may be a file that an option points to."""
    return "<<" in text and shown(text) is not None


def runs_python(text: str) -> bool:
    """Return whether a script may hold Python that is worth parsing."""
    return "python" in text and triggers.may_match(Kind.PYTHON, text)


def _writes_yaml(text: str) -> bool:
    """Return whether a here-document may be YAML that gives variables to something."""
    return "<<" in text and any(word in text for word in _WRITTEN) and names_variable(text)
