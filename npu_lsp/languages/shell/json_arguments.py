"""Words of a command that are JSON, whatever program gets them.

`--additional-config '{"a": 1}'`, and environments: `--runtime-env-json '{"env_vars": {"X": "v"}}'`, `CONFIG='{"env": ...}'`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.languages.injections import Injection, careful
from npu_lsp.languages.json.flags import ANY, is_flag, is_of_vllm, kind_of
from npu_lsp.languages.json.tree import parse
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding, ValueKind
from npu_lsp.languages.shell.injections import in_word
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.languages.variable_names import keys
from npu_lsp.languages.variable_texts import NUMBERS, no_text
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Edit, Span

_MOST_WORDS = 20
"""JSON without quotes is short."""
_OF_RAY = frozenset({"--runtime-env-json", "--runtime_env_json"})
_NAMED = re.compile(r"(?:(?P<name>[A-Za-z_]\w*|--?[\w-]+)=)?\s*[\[{]")
"""What gets JSON: a variable, a flag, or the flag in front."""


def in_words(
    text: str, words: Sequence[ShellWord], scope: Scope, *, array: bool
) -> Iterator[Injection | SyntaxFinding]:
    """Yield the JSON in `words`; where the shell takes the quotes in it away, that mistake instead."""
    # `--port 8000 --additional-config {"a":1}`: what a program was started with, as a log shows it, behind the shell.
    logged = not array and len(words) > 0 and words[0].lead[:1] in ("-", "[")
    for kind, value, behind in _values(text, words, array=array):
        stored = _stored(text, value, scope, kind)
        if stored is not None:
            yield stored
            continue
        found = in_word(text, value, kind, scope)
        unquoted = _unquoted(text, value, behind, found)
        if not logged:
            yield _doubled(text, value, found) or unquoted or found
        elif unquoted is None and parse(found.text)[1] is None:
            yield found
    flag = ""
    for word in words:
        named = _NAMED.match(word.lead) if text.find("{", *word.span) >= 0 and keys(text, *word.span) else None
        if named is not None:
            value = word if named["name"] is None else word.after(named.end("name") + 1)
            found = in_word(text, value, Kind.JSON, scope)
            yield found
            if (named["name"] or flag) in _OF_RAY:
                yield from _no_texts(found)
        flag = word.lead


def _no_texts(found: Injection) -> Iterator[SyntaxFinding]:
    """Yield the values of variables that are no texts."""
    node, problem = parse(found.text)
    of_workers = (m.node for m in node.members if m.key == "env_vars") if node is not None and problem is None else ()
    for each in (member for variables in of_workers for member in variables.members):
        if each.node.kind in NUMBERS:
            said = found.text[slice(*each.node.span)]
            yield from no_text(each.key, found.places.span(each.node.span), said, found.write(f'"{said}"'), "ray")


def _values(
    text: str, words: Sequence[ShellWord], *, array: bool
) -> Iterator[tuple[Kind, ShellWord, Sequence[ShellWord]]]:
    """Yield each value with its language and the words behind it; where the words start nothing, the text says whose they are."""
    started = not array and len(words) > 0 and words[0].lead[:1] not in ("-", "[")
    program = text[words[0].start : words[-1].end] if started else text
    for at, word in enumerate(words):
        match = ANY.match(word.lead)
        if match is None or not is_of_vllm(kind_of(match), program):
            continue
        if word.lead[match.end() :].startswith("="):
            yield kind_of(match), word.after(match.end() + 1), words[at + 1 :]
        elif is_flag(word.text) and at + 1 < len(words):
            yield kind_of(match), words[at + 1], words[at + 2 :]


def _stored(text: str, word: ShellWord, scope: Scope, kind: Kind) -> Injection | SyntaxFinding | None:
    """Return the JSON of a variable where it is written: `CONFIG='{...}'`, `--additional-config "$CONFIG"`.

    Where the assignment loses its quotes, as `CONFIG="{"a": 1}"` does, that mistake instead.
    """
    piece = word.pieces[0] if len(word.pieces) == 1 else None
    known = scope.lookup(piece.text) if piece is not None and piece.kind is PieceKind.NAME else None
    if known is None or known.origin is None:
        return None
    start = text.find(known.text, known.origin.start, known.origin.end)
    if start < 0:
        lost = known.text.startswith("{") and parse(known.text)[1] is not None
        return _shell_quotes(text, known.origin) if lost else None
    end = start + len(known.text)
    quoted = text[start - 1 : start] == "'" == text[end : end + 1]
    write = _in_single_quotes if quoted else careful
    return Injection(kind, known.text, SourceMap(start), write, branch=scope.branch)


def _in_single_quotes(said: str) -> str | None:
    return None if "'" in said else said


def _doubled(text: str, word: ShellWord, found: Injection) -> SyntaxFinding | None:
    """Return the mistake of JSON in single quotes whose double quotes stand twice each, as in a table that was exported."""
    said = found.text
    if '""' not in said or text[word.start : word.end] != f"'{said}'" or parse(said)[1] is None:
        return None
    node, problem = parse(said.replace('""', '"'))
    if problem is not None or node is None or node.kind is not ValueKind.DICT:
        return None
    first = word.start + 1
    edits = tuple(Edit(Span(first + each.start(), first + each.start() + 1), "") for each in re.finditer('""', said))
    return SyntaxFinding(SyntaxFault.JSON_SYNTAX, Span(word.start, word.end), {"reason": "doubled_quotes"}, edits)


def _unquoted(text: str, word: ShellWord, behind: Sequence[ShellWord], found: Injection) -> SyntaxFinding | None:
    """Return the mistake of JSON without quotes around it: the shell takes those within it for its own."""
    if HOLE in found.text or not found.text.startswith("{") or parse(found.text)[1] is None:
        return None
    # Without quotes a blank ends the word, but not what was meant.
    for end in (word.end, *(each.end for each in behind[:_MOST_WORDS])):
        if (slip := _shell_quotes(text, Span(word.start, end))) is not None:
            return slip
    return None


def _shell_quotes(text: str, span: Span) -> SyntaxFinding | None:
    """Return the mistake of a place that is JSON as it is written, but for quotes around it."""
    written = text[span.start : span.end]
    inside = written[1:-1] if written[:1] == '"' == written[-1:] else written
    node, problem = parse(inside)
    if problem is not None or node is None or node.kind is not ValueKind.DICT:
        return None
    edits = (Edit(span, f"'{inside}'"),) if not set(inside) & {"'", "\n"} else ()
    return SyntaxFinding(SyntaxFault.JSON_SYNTAX, span, {"reason": "shell_quotes"}, edits)
