"""Variables that a command line puts into the environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.languages.shell.env_passing import ASSIGNMENT
from npu_lsp.languages.shell.flag_values import value_of
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.words import ShellWord, Simple
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

DECLARING = frozenset({"export", "declare", "typeset", "local", "readonly"})
"""Commands that give variables a value, and start no program."""
_EXPORTING = re.compile(r"-[A-Za-z]*x")
_DEFAULT = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*):?=(?P<value>[^}$`\\\"']*)\}")


def declares(words: Sequence[ShellWord]) -> bool:
    """Return whether a command is one of these."""
    return words[0].text in DECLARING


def exporting(words: Sequence[ShellWord]) -> bool:
    """Return whether a command exports what it assigns: `export`, `declare -x`, `typeset -x`."""
    return words[0].text == "export" or any(_EXPORTING.fullmatch(word.lead) for word in words[1:])


def declared(words: Sequence[ShellWord], statement: Span, scope: Scope) -> list[Setting]:
    """Return the variables to which such a command gives a value; `export -n` takes them out of the environment."""
    removes = words[0].text == "export" and len(words) > 1 and words[1].lead[:1] == "-" and "n" in words[1].lead
    return [] if removes else settings_of(words[1:], statement, scope)


def exported_names(words: Sequence[ShellWord]) -> Iterator[str]:
    """Yield the names that `export X Y` and `declare -x X` export without a value of their own."""
    if declares(words) and exporting(words):
        for word in words[1:]:
            if word.bare and word.pieces[0].text.isidentifier():
                yield word.pieces[0].text


def defaults(simple: Simple, text: str, statement: Span, scope: Scope) -> Iterator[Setting]:
    """Yield what `: "${X:=v}"` sets where `X` has no value yet."""
    for word in simple.words[1:]:
        for match in _DEFAULT.finditer(text, word.start, word.end):
            if not is_variable(match["name"]):
                continue
            span = Span(*match.span("value"))
            yield Setting(
                surface=Surface.ENV,
                name=match["name"],
                key=Span(*match.span("name")),
                value=Value(ValueKind.WORD, span, known=True, data=match["value"], content=span),
                form=Form.ASSIGNMENT,
                statement=statement,
                own=word.span,
                branch=scope.branch,
            )


def settings_of(words: Iterable[ShellWord], statement: Span, scope: Scope) -> list[Setting]:
    """Return the settings that those of `words` make that have the form `X=v`."""
    found = (assignment(word, statement, scope) for word in words)
    return [setting for setting in found if setting is not None]


def assignment(word: ShellWord, statement: Span, scope: Scope) -> Setting | None:
    """Return the setting that a word `X=v` makes, or `None` for a word or a variable that doesn't matter."""
    match = ASSIGNMENT.match(word.lead)
    if match is None or match["sign"] != "=" or not is_variable(match["name"]):
        return None
    rest = word.after(match.end())
    return Setting(
        surface=Surface.ENV,
        name=match["name"],
        key=Span(word.pieces[0].start, word.pieces[0].start + match.end("name")),
        value=value_of(rest.pieces, rest.span, scope.lookup, tilde=True),
        form=Form.ASSIGNMENT,
        statement=statement,
        own=word.span,
        branch=scope.branch,
    )


def environment_block(settings: Sequence[Setting], *, open_: bool = False) -> Block:
    """Return the block of variables that are in force together."""
    ordered = tuple(sorted(settings, key=lambda setting: setting.key))
    span = Span(min(s.statement.start for s in ordered), max(s.statement.end for s in ordered))
    return Block(0, Surface.ENV, ordered[0].key, span, ordered, open=open_)
