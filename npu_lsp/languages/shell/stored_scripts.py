"""Texts in variables that are scripts, whoever runs them or writes them into a file: their shape and their names tell.

`options="X=1 Y=2"` with `env $options ...` or `eval "$options ..."`, and lines of `export X=1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from npu_lsp.languages.embedding import Embedded, careful
from npu_lsp.languages.shell.embedded import in_word
from npu_lsp.languages.shell.handing_over import ASSIGNMENT, is_assignment
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.words import Word
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap

_EXPORT = re.compile(r"(?:^|\\n)[ \t]*export[ \t]+(?P<name>[A-Z]\w*)=", re.MULTILINE)
_LINE_END = re.compile(r"\\n")
_PREFIX = "export "
_SEVERAL = 2
"""One `X=v` may be a text about a variable."""


def stored(text: str, words: Sequence[Word], scope: Scope) -> Iterator[Embedded]:
    """Yield the scripts in the values that `words` give to variables of the shell."""
    for word in words:
        name = ASSIGNMENT.match(word.lead) if is_assignment(word) else None
        written = text[word.start : word.end] if name is not None else ""
        if name is None or "=" not in written[name.end() :]:
            continue
        if any(is_variable(match["name"]) for match in _EXPORT.finditer(written[name.end() :].lstrip("\"'"))):
            yield _lines(in_word(text, word.after(name.end()), Kind.SHELL, scope))
        elif not written.rstrip("\"'").endswith(("\n", ";")) and " " in written:
            found = in_word(text, word.after(name.end()), Kind.SHELL, scope)
            if _is_list(found.text):
                yield _exported(found)


def _lines(found: Embedded) -> Embedded:
    r"""Return a script with the line ends that `echo -e` makes of `\n`."""
    if "\\n" not in found.text or "\n" in found.text:
        return found
    return replace(found, text=_LINE_END.sub(" \n", found.text), write=careful)


def _is_list(said: str) -> bool:
    """Tell whether a text is nothing but `X=v`, several times, and one of the variables is known."""
    words = split(said, 0, len(said)).words
    names = [ASSIGNMENT.match(word.lead) for word in words if is_assignment(word)]
    return _SEVERAL <= len(words) == len(names) and any(
        name is not None and is_variable(name["name"]) for name in names
    )


def _exported(found: Embedded) -> Embedded:
    """Return a list of variables as what it means to the command that gets it."""
    places, count = found.places, len(found.text)
    starts = places.starts or range(places.shift, places.shift + count)
    ends = places.ends or range(places.shift + 1, places.shift + count + 1)
    before = [starts[0]] * len(_PREFIX)
    return replace(
        found, text=_PREFIX + found.text, places=SourceMap(0, [*before, *starts], [*before, *ends]), write=careful
    )
