"""Flags as Python's `argparse` reads them, for programs whose catalog says how many words each takes (`nargs`).

A name may be cut short where one flag alone starts so; `--no-` before that of a switch says false; a word that starts with a dash
and has a blank in it is no flag. vLLM reads `_` in a flag with two dashes as `-`, and `--flag.key value` as a key of the flag's JSON
(vllm: `vllm/utils/argparse_utils.py`, `FlexibleArgumentParser`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.catalog.model import Nargs, Option, Surface
from npu_lsp.languages.model import Fact, FactKind, Form, Setting, Value, ValueKind
from npu_lsp.languages.shell.flag_values import Flags, key_span, value_of
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_NUMBER = re.compile(r"-\d+\Z|-\d*\.\d+\Z")
_BLANK = re.compile(r"(?P<flag>--?[A-Za-z][\w-]*)[ \t]+(?P<value>.*)\Z", re.DOTALL)


_ELSEWHERE = frozenset({"config"})
"""Flags that name a file with more of them."""
_OF_OTHERS = {
    Surface.VLLM: frozenset({"omni"}),
    Surface.SGLANG: frozenset(
        {
            *("num-gpus", "ulysses-degree", "ring-degree", "pipeline-class-name", "dit-cpu-offload", "vae-cpu-offload"),
            *("text-encoder-cpu-offload", "image-encoder-cpu-offload", "dit-layerwise-offload"),
        }
    ),
}
"""Flags with which the same command starts another program, whose other flags aren't known: `vllm serve --omni` and `sglang serve` of a
diffusion model (vllm-omni: `vllm_omni/entrypoints/cli/serve.py`; sglang: `multimodal_gen/runtime/server_args.py`)."""


class Spelled(NamedTuple):
    """What a flag says."""

    option: Option
    negated: bool = False


class Spellings:
    """The flags of a surface, however they are written."""

    def __init__(self, surface: Surface) -> None:
        from npu_lsp.catalog.load import load

        # An option is made once somebody asks for it: vLLM has 1,300.
        self._surface, self._catalog = surface, load()
        self._known: dict[str, tuple[str, bool]] = {}
        facts = self._catalog.facts(surface)
        for own in sorted(self._catalog.names(surface) & facts.keys()):
            for name in (own, *facts[own].get("aliases", ())):
                self._known[name] = own, False
                if facts[own].get("negatable") and not name.startswith("-"):
                    self._known[f"no-{name}"] = own, True

    def of(self, name: str) -> Spelled | None:
        """Return what a name says: whole, or as the start of one flag alone; with one dash, which is a part of the name, whole only."""
        found = self._known.get(name)
        if found is None and name and not name.startswith("-"):
            longer = {each for known, each in self._known.items() if known.startswith(name)}
            found = longer.pop() if len(longer) == 1 else None
        option = self._catalog.option(self._surface, found[0]) if found is not None else None
        return Spelled(option, found[1]) if found is not None and option is not None else None


@lru_cache(maxsize=8)
def spellings(surface: Surface) -> Spellings:
    """Return the flags of a surface."""
    return Spellings(surface)


def folded(name: str, surface: Surface) -> str:
    """Return the name of a flag with two dashes as the program looks it up, without the dashes: up to a dot `_` is `-` to some."""
    if not surface.row.folds:
        return name
    own, dot, keys = name.partition(".")
    return own.replace("_", "-") + dot + keys


def read(arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None = None) -> Flags:
    """Return the settings that the `arguments` of a program make."""
    return _Reader(arguments, surface, lookup).read()


class _Reader:
    def __init__(self, arguments: Sequence[Argument], surface: Surface, lookup: Lookup | None) -> None:
        self._arguments = arguments
        self._surface = surface
        self._lookup = lookup
        self._settings: list[Setting] = []
        self._stray: list[ShellWord] = []
        self._facts: list[Fact] = []
        self._open = False
        self._at = 0

    def read(self) -> Flags:
        while self._at < len(self._arguments):
            argument = self._arguments[self._at]
            self._at += 1
            lead = argument.word.lead
            if not argument.whole:
                self._open = True
            elif lead == "--":
                self._stray += [each.word for each in self._arguments[self._at :]]
                break
            elif len(lead) < 2 or lead[0] != "-" or _NUMBER.match(lead):
                self._positional(argument.word)
            elif self._surface is Surface.VLLM and lead.startswith("-O"):
                # A shorthand of vLLM's own, which stands for different flags in different releases.
                if "=" not in lead and (lead == "-O" or "." in lead):
                    self._values(argument, None, equals=False)
            else:
                self._flag(argument)
        others = _OF_OTHERS.get(self._surface, frozenset())
        if any(each.name in others for each in self._settings):
            return Flags(tuple(filter(self._is_known, self._settings)), open=True, stray=(), facts=tuple(self._facts))
        more = self._open or any(each.name in _ELSEWHERE for each in self._settings)
        return Flags(tuple(self._settings), more, tuple(self._stray), tuple(self._facts))

    def _is_known(self, setting: Setting) -> bool:
        return spellings(self._surface).of(setting.name.partition(".")[0]) is not None

    def _positional(self, word: ShellWord) -> None:
        if word.pieces:
            # `$x` may hold a flag; a quoted one is one word, whatever it is.
            self._open = self._open or (word.pieces[0].kind is not PieceKind.TEXT and not word.lead)
            self._stray.append(word)

    def _flag(self, argument: Argument) -> None:
        word = argument.word
        glued = _BLANK.match(word.lead) if word.pieces[0].quoted else None
        if glued is not None:
            self._glued(argument, glued)
            return
        flag, equals, _ = word.lead.partition("=")
        if not equals and word.text is None:
            # What a variable adds to the name, nobody knows.
            self._open = True
            return
        name = folded(flag[2:], self._surface) if flag.startswith("--") else flag
        base = name.partition(".")[0]
        spelled = spellings(self._surface).of(base)
        option = spelled.option if spelled is not None else None
        nargs: Nargs | None = option.nargs if option is not None else None
        if base != name and option is not None and option.type == "dict":
            self._values(argument, None, equals=bool(equals))
            return
        if equals:
            rest = word.after(len(flag) + 1)
            value, separator, end = value_of(rest.pieces, rest.span, self._lookup), "=", word.end
            if value.data == "" and self._next_is_value():
                # `--flag= v`: what was meant is not what the program gets.
                value = Value(ValueKind.WORD, value.span)
        else:
            value, separator, end = self._values(argument, nargs, equals=False)
        if spelled is not None and not separator and nargs is not None:
            value = value._replace(kind=ValueKind.BOOL, known=True, data=not spelled.negated)
        own = argument.own or word.span
        self._settings.append(
            Setting(
                surface=self._surface,
                name=option.name if option is not None and base == name else name,
                key=key_span(word, len(flag)),
                value=value,
                form=Form.FLAG,
                statement=argument.statement,
                own=Span(own.start, max(own.end, end)) if own.end <= end else own,
                branch=argument.branch,
                separator=separator,
            )
        )

    def _glued(self, argument: Argument, glued: re.Match[str]) -> None:
        """Take a word that holds a flag, a blank and perhaps a value: the program doesn't see a flag in it."""
        word = argument.word
        start = word.pieces[0].start
        if word.text is None or len(word.pieces) > 1:
            return
        if spellings(self._surface).of(folded(glued["flag"].lstrip("-"), self._surface)) is None:
            self._stray.append(word)
            return
        self._facts.append(Fact(FactKind.GLUED_WORD, Span(start + glued.end("flag"), start + glued.start("value"))))
        if not glued["value"]:
            self._values(argument, None, equals=False)

    def _values(self, argument: Argument, nargs: Nargs | None, *, equals: bool) -> tuple[Value, str, int]:
        """Take the words behind a flag that are its value; return that, the sign in front of it, and where it ends."""
        word = argument.word
        taken: list[Argument] = []
        most = {"0": 0, "?": 1, "*": len(self._arguments), "+": len(self._arguments)}.get(nargs or "", 1)
        while not equals and len(taken) < most and self._next_is_value():
            taken.append(self._arguments[self._at])
            self._at += 1
        if not taken:
            if most and not equals and self._at < len(self._arguments) and not self._arguments[self._at].whole:
                # `--flag $values`
                self._open = True
                return Value(ValueKind.UNKNOWN, Span(word.end, word.end)), " ", word.end
            return Value(ValueKind.WORD, Span(word.end, word.end)), "", word.end
        last = (taken[-1].own or taken[-1].word.span).end
        if len(taken) > 1:
            return Value(ValueKind.UNKNOWN, Span(taken[0].word.start, taken[-1].word.end)), " ", last
        one = taken[0].word
        return value_of(one.pieces, one.span, self._lookup, tilde=True), " ", last

    def _next_is_value(self) -> bool:
        if self._at >= len(self._arguments):
            return False
        argument = self._arguments[self._at]
        lead = argument.word.lead
        if not argument.whole or not argument.word.pieces:
            return False
        return not lead.startswith("-") or lead == "-" or _NUMBER.match(lead) is not None or " " in lead
