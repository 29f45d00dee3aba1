"""A script in which every word that means nothing to its structure is letters.

tree-sitter-bash stumbles over words and redirections that bash takes, and one of them may cost it the whole file. It is only
asked where statements start and what they stand in: what the words say, the lexer tells. So a script that it can't parse is
parsed again in this form, in which there is nothing left to stumble over. Every character keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.shell.script import commands
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.languages.shell.words import ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

# A word of its own to the grammar, and to bash a name.
_PLAIN = re.compile(r"(?!unsetenv$)[\w./:,@%+*][\w./:,@%+=*-]*")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*(?:\[(?P<index>[^\]\r\n]*)\])?\+?=")
_SIGN = re.compile(r"[^\s\w]|\\$")
# A backslash at the end of the text joins nothing.
_DANGLING = re.compile(r"\\(?=\s*\Z)")


def in_letters(text: str) -> str:
    """Return `text` with letters in the place of words, and blanks in that of redirections: as long as it was."""
    found = list(text)
    passed: list[Span] = []
    for simple in commands(text, 0, len(text), passed=passed):
        _simplify(simple, text, found)
        if simple.comment >= 0:
            passed.append(Span(simple.comment, simple.stop))
    for start, end in passed:
        said = text[start:end]
        found[start:end] = said[:1] + _SIGN.sub("x", said[1:]) if said[:1] == "#" else _SIGN.sub("x", said)
    return _DANGLING.sub(" ", "".join(found))


def _simplify(simple: Simple, text: str, found: list[str]) -> None:
    for word in simple.words:
        _letters(word, text, simple, found)
    for array in simple.arrays:
        for word in array.words:
            _letters(word, text, simple, found)
    for redirect in simple.redirects:
        for start, end in _outside(Span(redirect.start, redirect.target.end), text, simple):
            found[start:end] = " " * (end - start)


def _letters(word: ShellWord, text: str, simple: Simple, found: list[str]) -> None:
    """Put letters in the place of a word, but for a name that gets a value, and for commands inside of it."""
    if _PLAIN.fullmatch(text, word.start, word.end):
        return
    name = _ASSIGNED.match(text, word.start, word.end)
    start = name.end() if name is not None else word.start
    if name is not None and name["index"]:
        found[name.start("index") : name.end("index")] = "x" * len(name["index"])
    for first, end in _outside(Span(start, word.end), text, simple):
        found[first:end] = "x" * (end - first)


def _outside(span: Span, text: str, simple: Simple) -> Iterator[Span]:
    """Yield what of `span` is in no command inside of it that matters; the signs around such a command are its own."""
    at = span.start
    for each in simple.inner:
        if each.start < at or each.end > span.end or not may_match(text[each.start : each.end]):
            continue
        before = each.start - 2 if each.start - 2 >= at else each.start - 1
        if before >= at:
            yield Span(at, before)
        at = min(each.end + 1, span.end)
    yield Span(at, span.end)
