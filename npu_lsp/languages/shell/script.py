"""The simple commands of a piece of shell, without a tree.

For what no tree tells: damaged scripts, and what is being typed. It knows keywords, brackets and here-documents as far
as they tell where a command starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.words import Heredoc, ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_SKIP = re.compile(r"(?:[ \t\r\n;&|]|\\[\r\n]|[){}!](?=[ \t\r\n(;]|$)|\()+")
_KEYWORDS = frozenset({"if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "fi", "done"})
_COMMENT = re.compile(r"#[^\r\n]*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_DEPTH = 20
# A command longer than this is no command that a person wrote.
LONGEST = 100_000


def commands(text: str, start: int, end: int, depth: int = 0, passed: list[Span] | None = None) -> Iterator[Simple]:
    """Yield the simple commands of `text[start:end]` in their order, with those inside substitutions.

    Keywords in front are no words of theirs. The bodies of here-documents and comments are passed over; they are added to
    `passed`.
    """
    passed = passed if passed is not None else []
    at = start
    pending: list[Heredoc] = []
    while at < end:
        skipped = _SKIP.match(text, at, end)
        if skipped:
            if pending and ("\n" in skipped.group() or "\r" in skipped.group()):
                at = _behind(text, at, end, pending, passed)
                pending = []
                continue
            at = skipped.end()
            continue
        comment = _COMMENT.match(text, at, end)
        if comment:
            passed.append(Span(at, comment.end()))
            at = comment.end()
            continue
        simple = split(text, at, min(end, at + LONGEST))
        pending += simple.heredocs
        _drop_keywords(simple.words)
        if simple.words or simple.arrays:
            yield simple
        if depth < _DEPTH:
            for inner in simple.inner:
                yield from commands(text, inner.start, inner.end, depth + 1, passed)
        # A line end stays, so that here-documents are looked for behind it.
        following = simple.stop if simple.operator[:1] in ("\n", "\r") else simple.stop + len(simple.operator)
        at = max(following, at + 1)


@Memoized
def commands_of(document: Document) -> tuple[Simple, ...]:
    """Return the simple commands of a script."""
    return tuple(commands(document.text, 0, len(document.text)))


def _drop_keywords(words: list[ShellWord]) -> None:
    while words and words[0].bare and words[0].pieces[0].text in _KEYWORDS:
        del words[0]


def _behind(text: str, at: int, end: int, pending: list[Heredoc], passed: list[Span]) -> int:
    """Return where the bodies of here-documents end; `at` is on the line that starts them."""
    line = _LINE.match(text, at, end)
    at = line.end() if line else end
    for heredoc in pending:
        passed.append(Span(at, at))
        while at < end:
            line = _LINE.match(text, at, end)
            stop = line.end() if line else end
            content = text[at:stop].rstrip("\r\n")
            at = max(stop, at + 1)
            if (content.lstrip("\t") if heredoc.indented else content) == heredoc.tag:
                break
            passed[-1] = Span(passed[-1].start, min(at, end))
    return min(at, end)
