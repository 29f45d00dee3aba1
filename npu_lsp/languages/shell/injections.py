"""The text of a script inside a word or a here-document: what its interpreter gets to see, and where that stands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from npu_lsp.languages.injections import Injection, Write, as_it_is, careful
from npu_lsp.languages.shell.env_passing import ASSIGNMENT, is_assignment
from npu_lsp.languages.shell.expansions import dollar
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, LocatedText, SourceMap, slices_of
from npu_lsp.text.spans import Span

_FILLED = re.compile(r"\\[$`\\]|[$`]")
# A backslash that joins two lines does so in the script and around it.
_IN_DOUBLE = re.compile(r'["$`]|\\(?![\r\n])')
_IN_HEREDOC = re.compile(r"[$`]|\\(?![\r\n])")
_WITHIN_QUOTES = re.compile(r"(?P<joint>(?:\\(?:\r\n|\n|\r))*)\\?")
_TABS = re.compile(r"^\t+", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")

_EXPORT = re.compile(r"(?:^|\\n)[ \t]*export[ \t]+(?P<name>[A-Z]\w*)=", re.MULTILINE)
_LINE_END = re.compile(r"\\n")
_PREFIX = "export "
_SEVERAL = 2
"""One `X=v` may be a text about a variable."""

Fill = Callable[[str], str | None]
"""Returns the text that the outer script puts in the place of a variable, `None` where nobody knows."""


def in_word(text: str, word: ShellWord, language: Kind, scope: Scope) -> Injection:
    """Return the script that a command gets in `word`; the shell fills variables in before."""
    inner, places, filled = _said(text, word, _filling(scope))
    return Injection(language, inner, places, _write(text, word), branch=scope.branch, filled=filled)


def inner_text(text: str, word: ShellWord) -> tuple[str, SourceMap]:
    """Return what `word` says as a script, and where its characters stand. Variables keep their `$name`, as they are typed."""
    inner, places, _ = _said(text, word, None)
    return inner, places


def in_heredoc(text: str, span: Span, language: Kind, scope: Scope, *, quoted: bool, indented: bool) -> Injection:
    """Return the script in a here-document; where its mark isn't `quoted`, the shell fills variables in before.

    `indented`: `<<-` takes the tabs away that its lines start with.
    """
    if quoted:
        inner, places = slices_of(text, list(_without_tabs(text, span)) if indented else [span])
        return Injection(language, inner, places, _indenting(text, span, indented), branch=scope.branch)
    made = LocatedText()
    filled = False
    fill = _filling(scope)
    at = span.start
    while at < span.end:
        match = _FILLED.search(text, at, span.end)
        stop = match.start() if match else span.end
        made.take(text, Span(at, stop))
        if match is None:
            break
        at = match.end()
        if match.group()[0] == "\\":
            made.put(match.group()[1], stop, at)
            continue
        part, name, at, _ = dollar(text, stop, span.end)
        if part is PieceKind.TEXT:
            made.take(text, Span(stop, at))
        else:
            filled = True
            _put(made, fill(name) if part is PieceKind.NAME else None, stop, at)
    inner, places = made.said, SourceMap(0, made.starts, made.ends)
    if inner == text[span.start : span.end]:
        places = SourceMap(span.start)
    write: Write = careful if indented else lambda said: _IN_HEREDOC.sub(_escaped, said)
    return Injection(language, inner, places, write, branch=scope.branch, filled=filled)


def _without_tabs(text: str, span: Span) -> Iterator[Span]:
    at = span.start
    while at < span.end:
        match = _LINE.match(text, at, span.end)
        end = match.end() if match is not None and match.end() > at else span.end
        tabs = _TABS.match(text, at, end)
        yield Span(tabs.end() if tabs is not None else at, end)
        at = end


def _indenting(text: str, span: Span, indented: bool) -> Write:
    tabs = _TABS.match(text, *span) if indented else None
    return (lambda said: said.replace("\n", "\n" + tabs.group())) if tabs is not None else as_it_is


def _said(text: str, word: ShellWord, fill: Fill | None) -> tuple[str, SourceMap, bool]:
    """Return what `word` says, its places, and whether something is filled in; without `fill` nothing is."""
    pieces = word.pieces
    known = fill is None or all(piece.kind is PieceKind.TEXT for piece in pieces)
    if known and all(one.end == other.start for one, other in itertools.pairwise(pieces)):
        # One to one: a quoted text without escapes.
        start = pieces[0].start if pieces else word.start
        return text[start : pieces[-1].end if pieces else start], SourceMap(start), False
    made = LocatedText()
    end = pieces[0].start
    for piece in pieces:
        within = _WITHIN_QUOTES.match(text, end, piece.start)
        _take(made, text, word.start, Span(end, within.end("joint") if within is not None else end))
        end = piece.end
        if piece.kind is PieceKind.TEXT or fill is None:
            said = piece.text if piece.kind is PieceKind.TEXT else None
            _take(made, text, word.start, Span(piece.start, piece.end), said)
        else:
            _put(made, fill(piece.text) if piece.kind is PieceKind.NAME else None, piece.start, piece.end)
    return made.said, SourceMap(0, made.starts, made.ends), not known


def _write(text: str, word: ShellWord) -> Write:
    """Return how a text is written into the script in `word`: what its quotes need."""
    quote = text[word.start : word.start + 1]
    if text[word.end - 1 : word.end] != quote or quote not in ("'", '"') or _ends_between(text, word):
        return careful
    if quote == "'":
        return lambda said: None if "'" in said else said
    return lambda said: _IN_DOUBLE.sub(_escaped, said)


def _ends_between(text: str, word: ShellWord) -> bool:
    """Return whether the word's quotes end before it does: `'a'"b"'c'`."""
    gaps = ((one.end, other.start) for one, other in itertools.pairwise(word.pieces))
    return any(_WITHIN_QUOTES.fullmatch(text, *gap) is None for gap in gaps) or not all(p.quoted for p in word.pieces)


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()


def _filling(scope: Scope) -> Fill:
    """Return a function that gives the text of a variable of the script, or the program that it holds; `None` for an unknown one."""

    def fill(name: str) -> str | None:
        known = scope.text_of(name)
        return known if known is not None else scope.program(name)

    return fill


def _take(made: LocatedText, text: str, first: int, span: Span, said: str | None = None) -> None:
    """Add what stands at `span`; `said` where it is known already. The word starts at `first`."""
    start, end = span
    if end <= start:
        return
    made.pieces.append(text[start:end] if said is None else said)
    # A character with a backslash in front takes both.
    escaped = start - 1 >= first and text[start - 1] == "\\"
    made.starts.extend((start - 1 if escaped else start, *range(start + 1, end)))
    made.ends.extend(range(start + 1, end + 1))


def _put(made: LocatedText, said: str | None, start: int, end: int) -> None:
    """Add what comes in the place of `[start, end)`; `None`: nobody knows what."""
    made.put(HOLE if said is None else said, start, end)


# -- texts in variables -----------------------------------------------------------------------------------

# They are scripts whoever runs them or writes them into a file: their shape and their names tell. `options="X=1 Y=2"` with
# `env $options ...` or `eval "$options ..."`, and lines of `export X=1`.


def stored(text: str, words: Sequence[ShellWord], scope: Scope) -> Iterator[Injection]:
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


def _lines(found: Injection) -> Injection:
    r"""Return a script with the line ends that `echo -e` makes of `\n`."""
    if "\\n" not in found.text or "\n" in found.text:
        return found
    return found._replace(text=_LINE_END.sub(" \n", found.text), write=careful)


def _is_list(said: str) -> bool:
    """Return whether a text is nothing but `X=v`, several times, and one of the variables is known."""
    words = split(said, 0, len(said)).words
    names = [ASSIGNMENT.match(word.lead) for word in words if is_assignment(word)]
    return _SEVERAL <= len(words) == len(names) and any(
        name is not None and is_variable(name["name"]) for name in names
    )


def _exported(found: Injection) -> Injection:
    """Return a list of variables as what it means to the command that gets it."""
    places, count = found.places, len(found.text)
    starts = places.starts or range(places.shift, places.shift + count)
    ends = places.ends or range(places.shift + 1, places.shift + count + 1)
    before = [starts[0]] * len(_PREFIX)
    return found._replace(
        text=_PREFIX + found.text, places=SourceMap(0, [*before, *starts], [*before, *ends]), write=careful
    )
