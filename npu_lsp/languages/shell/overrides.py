"""Words `a.b=c` as Hydra reads them: what they change is a configuration whose other values stand in files.

`+a.b=c` adds a value, `++a.b=c` sets it whatever is there, `~a.b` takes it out: https://hydra.cc/docs/advanced/override_grammar/basic/
"""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.shell.flag_values import Flags, key_span, value_of
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import PieceKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_WORD = re.compile(r"(?P<adds>\+{0,2})(?P<name>(?:--(?=[a-z_]{1,40}\.))?[A-Za-z_][\w.@/-]*)=")
_OTHER_FILES = re.compile(r"--config|-c[pdn](?![\w-])")
"""Another configuration has other values where none is given."""


def read(arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None = None) -> Flags:
    """Return the settings of the words of a command; open: there may be more of them, or other defaults."""
    settings: list[Setting] = []
    more = False
    for argument in arguments:
        word = argument.word
        match = _WORD.match(word.lead)
        if match is not None and argument.whole:
            settings.append(_setting(argument, match, surface, lookup))
        elif word.pieces:
            hidden = not argument.whole or (word.pieces[0].kind is not PieceKind.TEXT and not word.lead)
            more = more or hidden or _OTHER_FILES.match(word.lead) is not None
    return Flags(tuple(settings), more, ())


def _setting(argument: Argument, match: re.Match[str], surface: Surface, lookup: Lookup | None) -> Setting:
    word = argument.word
    rest = word.after(match.end())
    key = key_span(word, match.end("name"))
    return Setting(
        surface=surface,
        name=match["name"],
        key=Span(key.start + len(match["adds"]), key.end),
        value=value_of(rest.pieces, rest.span, lookup),
        form=Form.FLAG,
        statement=argument.statement,
        own=argument.own or word.span,
        branch=argument.branch,
        abbreviated=False,
        separator="=",
    )
