"""What can be said of a surface as a whole: the form of a row. The rows themselves are in `surfaces.py`."""

from __future__ import annotations

from enum import Enum
from typing import Literal, NamedTuple

from npu_lsp.catalog.calls import CUSTOMARY, ArgumentCall, DictCall


class Typing(Enum):
    """How the type of a value is told from its text."""

    SLOTS = "slots"
    """By the field of TensorFlow's `AttrValue` that it is stored in."""
    PYTHON = "python"
    WORDS = "words"
    """A word has no type of its own: what counts is whether it can be read as one."""
    TEXTS = "texts"
    """Texts only, also where Python sets them."""
    JSON = "json"
    PROTO = "proto"
    """Text protobuf: texts stand in quotes, and nothing else does."""


class SurfaceRow(NamedTuple):
    """All facts about one surface: who reads it, how types are told, which calls, commands or files hold its options."""

    surface: str
    """A `Surface`; these are listed with the rows."""
    tool: str
    """Who reads it, as messages name it."""
    example: str | None = None
    """A line that sets an option; `npu_lsp.docs.example` tells what can stand in its braces."""
    typing: Typing | None = None
    """`None`: types are not compared there."""
    calls: tuple[DictCall, ...] = ()
    """The calls in Python that take the options as a dict."""
    arguments: tuple[ArgumentCall, ...] = ()
    """The calls in Python whose arguments are the options."""
    inner: tuple[tuple[str, str], ...] = ()
    """Dicts in such arguments whose keys are options of another `Surface`."""
    apart: tuple[str, ...] = ()
    """Dicts in such arguments that are found whatever gets them, with what is in them."""
    roots: tuple[str, ...] = ()
    """Modules with objects whose attributes are the options: `torch.npu` of `torch.npu.config.allow_internal_format`."""
    objects: tuple[str, ...] = ()
    """The names of those objects."""
    word: str = ""
    """What each text has that holds such a call or such an object."""
    members: tuple[str, ...] = ()
    """Classes of constants that are values of options: `AiCMetrics` of `AiCMetrics.Memory`."""
    commands: tuple[str, ...] = ()
    """The programs that take the options as flags."""
    modules: tuple[str, ...] = ()
    """The Python modules that do: `python3 -m ge.pyatc`."""
    subcommands: tuple[str, ...] = ()
    """The words behind the program's name that take these flags; others have flags of their own. None: there are no such words."""
    positionals: int = 0
    """How many words without a dash the program takes behind a subcommand."""
    flags: Literal["folded", "short", "whole", "argparse", "lists", "overrides"] = "whole"
    """How much of a flag's name must be written: whole, or a start that fits one alone, as in getopt; folded: `-` is `_`, too;
    argparse: as Python's `argparse` reads words; lists: whole, and any may take several words; overrides: words `a.b=c` instead of flags, as Hydra reads them."""
    folds: bool = False
    """True: `_` in a flag with two dashes is `-`."""
    starts: bool = False
    """Commands: the first word without a dash is a program that is started, and what follows belongs to that."""
    beside: bool = False
    """True: flags among those of others on the same command line."""
    environment: bool = False
    """True: environment variables. Other programs may read them, and whoever starts a script may set them."""
    file: bool = False
    """True: the options are entries of a file that another option names."""
    nested: Literal["calls", "attributes", "entries"] | None = None
    """What a dot in a name leads into: the call of another class, an attribute's own ones, an entry's own ones."""
    grouped: bool = False
    """Entries: each group of them has names of its own, so that a name of another group is a slip."""
    silent: bool = False
    """True: a name that isn't known is silently ignored. False: the tool stops, or raises an exception."""
    complains: bool = False
    """True: a value is looked at when it is set, whether or not it has an effect later."""
    needs: bool = False
    """True: the tool stops where an option is missing that it can't do without."""
    once: bool = False
    """True: the tool stops at an option that stands twice. False: the last one counts."""
    many: bool = False
    """True: a name may stand several times, and each of them counts."""
    adapter: Literal[1, 2] | None = None
    """The generation of the TensorFlow adapter that reads it."""
    lists: Literal["names", "sections"] | None = None
    """Files that list operators, nodes or rules: a name counts once, in all of the file or in each section."""
    named: Literal["rules", "operators"] | None = None
    """Files: what the names are that are no options, but things of the graph compiler, which lists them."""
    sign: str | None = None
    """Files of lines in which entries can be added and taken out: what stands between a name and its value."""
    values: Literal["one", "several"] = "one"
    """Files of lines: whether a line may hold several values with commas between them."""

    @property
    def shortens(self) -> bool:
        """Whether the start of a name is enough where it fits one alone."""
        return self.flags in ("folded", "short", "argparse")

    @property
    def words(self) -> tuple[str, ...]:
        """All that each text has with such a call or object: `word`, and what the names of all modules have in common.

        Nothing where a module has a customary name, which needs no import.
        """
        modules = (*(module for call in self.arguments for module in call.modules), *self.roots)
        if not {*modules}.isdisjoint(CUSTOMARY):
            return ()
        first = modules[0].split(".") if modules else ()
        return (*dict.fromkeys((*(part for part in first if all(part in each for each in modules)), self.word)),)
