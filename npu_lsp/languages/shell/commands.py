"""Commands as blocks of settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import LOOSE
from npu_lsp.languages.injections import Injection
from npu_lsp.languages.model import Block, Fact, FactKind, Setting, SyntaxFinding
from npu_lsp.languages.placeholders import is_left_open
from npu_lsp.languages.shell.deploying import deployed
from npu_lsp.languages.shell.environment import declared, declares, exporting, settings_of
from npu_lsp.languages.shell.flag_values import Flags
from npu_lsp.languages.shell.flags import STARTING, read_flags
from npu_lsp.languages.shell.injections import in_word, stored
from npu_lsp.languages.shell.interpreters import scripts
from npu_lsp.languages.shell.json_arguments import in_words
from npu_lsp.languages.shell.known import Argument, Scope
from npu_lsp.languages.shell.object_keys import object_keys
from npu_lsp.languages.shell.program_names import TOOLS, interpreted_by, program_in
from npu_lsp.languages.shell.resolve import ResolvedProgram, resolve
from npu_lsp.languages.shell.syntax_findings.commands import cuts, in_assignments, in_tool_command
from npu_lsp.languages.shell.syntax_findings.cut_off import cut_off
from npu_lsp.languages.shell.syntax_findings.fullwidth import look_alikes
from npu_lsp.languages.shell.syntax_findings.lines import dangling, swallowed, swallowing
from npu_lsp.languages.shell.training import script_given, training
from npu_lsp.languages.shell.vllm import beside
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import IntervalIndex, Span

_SEVERAL = (PieceKind.ARRAY, PieceKind.MANY)
_LONGEST_PROGRAM = 200
_SIGNS = re.compile(r"[\"'\\$`;&|<>()*?]")
_QUOTED = re.compile(r"(?P<quote>['\"])(?P<said>[^'\"$`\\]*)(?P=quote)")
_WIDE_BLANK = ("\u3000", " ")


class CommandSettings:
    """What one simple command sets."""

    __slots__ = ("blocks", "exported", "inner", "plain", "rest", "script", "syntax")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.exported: list[Setting] = []
        """Variables of the environment."""
        self.plain: list[Setting] = []
        """Variables of the shell: of the environment only where the script exports them elsewhere."""
        self.syntax: list[SyntaxFinding] = []
        self.inner: list[Injection] = []
        """The scripts that it runs."""
        self.script: Fact | None = None
        """The Python script that it starts."""
        self.rest: int | None = None
        """Where a command starts that this one swallows: a backslash joins its line to this one."""


_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})
_FEW = 4
"""Words of a command that a page may show with a list of flags below it."""


def read_simple(text: str, simple: Simple, scope: Scope) -> CommandSettings:
    """Return what a simple command sets: a tool's flags, the variables that it is given, a script that it runs."""
    found = CommandSettings()
    for words in (*(array.words for array in simple.arrays), simple.words):
        for each in in_words(text, words, scope, array=words is not simple.words):
            if isinstance(each, SyntaxFinding):
                found.syntax.append(each)
            else:
                found.inner.append(each)
    if not simple.words:
        return found
    if declares(simple.words):
        # It starts nothing.
        statement = _span(simple)
        (found.exported if exporting(simple.words) else found.plain).extend(declared(simple.words, statement, scope))
        found.syntax += in_assignments(text, simple)
        found.inner += stored(text, simple.words, scope)
    else:
        _read_program(text, simple, scope, found)
    if found.syntax:
        found.blocks = [
            block._replace(settings=tuple(doubtful(block.settings, found.syntax))) for block in found.blocks
        ]
        found.exported = list(doubtful(found.exported, found.syntax))
        found.plain = list(doubtful(found.plain, found.syntax))
    return found


def _read_program(text: str, simple: Simple, scope: Scope, found: CommandSettings) -> None:
    """Add what a command sets that may start a program."""
    simple.words[:] = [_program(text, word) for word in simple.words]
    arguments, started, evaluated = _started(simple, scope)
    head = _head(simple.words, arguments, started)
    if head is not None and started.surface not in LOOSE:
        if _cut(text, simple, head, found):
            arguments = list(_arguments(simple, scope, simple.words))
        found.syntax += in_tool_command(text, simple, simple.words, head)
    statement = _span(simple)
    if started.at < 0 and len(started.environment) >= len(simple.words):
        found.plain = settings_of(simple.words, statement, scope)
    elif (variables := _given(started, statement, scope)) is not None:
        found.blocks.append(variables)
    if head is None:
        found.syntax += _beside_tools(text, simple)
    found.inner += (*_inner(text, simple, arguments, started, scope), *stored(text, simple.words, scope))
    # A container may start a program of ours: both are told.
    around = deployed(arguments, statement, scope.lookup)
    beneath = beside(arguments, statement, scope.lookup) if started.surface is None else None
    found.blocks += [each for each in (around, beneath) if each is not None]
    if started.surface is not None:
        given = arguments[started.at + 1 : started.stop]
        flags = read_flags(given, started.surface, scope.lookup)
        if evaluated:
            flags = flags._replace(settings=tuple(map(_evaluated, flags.settings)), stray=())
        block = tool_block(started, arguments[started.at].word, flags, statement)
        lost = found.rest is not None or any(map(cuts, found.syntax))
        found.blocks.append(block._replace(open=block.open or lost, facts=() if found.syntax else block.facts))
        found.blocks += object_keys(given, started.surface, block.head, statement, scope.lookup)
    found.blocks += _trained(started, arguments, statement, scope)
    _add_script(text, simple, arguments, started, found)
    background = simple.operator == "&"
    found.blocks = [each._replace(branch=scope.branch, background=background) for each in found.blocks]


def _add_script(
    text: str, simple: Simple, arguments: Sequence[Argument], started: ResolvedProgram, found: CommandSettings
) -> None:
    """Add the Python script that a command starts, and what cuts flags off it; what `--help` says may be the lines below."""
    script = script_given(arguments)
    if script is None or script.value is None:
        # `sudo` may stand in front; cut in two, a `docker run` has no image, and nothing of it is known.
        long = len(simple.words) > _FEW or simple.blanks >= 0
        runs = long and any(word.text in _CONTAINERS for word in simple.words[:2])
        if runs or (started.surface is not None and started.surface in LOOSE):
            found.syntax += cut_off(text, simple)
        return
    flagged = any(item.data.startswith("--") for item in script.value.items)
    found.script = script if flagged else None
    loose = started.surface is None or started.surface in LOOSE
    if loose and flagged and (cut := swallowed(text, simple.words, 1, strict=True)) is not None:
        found.syntax.append(swallowing(text, simple.words, cut))
    elif loose and not any(word.text in ("--help", "-h") for word in simple.words):
        found.syntax += cut_off(text, simple, flagged=flagged)
        found.syntax += dangling(text, simple) if flagged else ()


def _trained(started: ResolvedProgram, arguments: Sequence[Argument], statement: Span, scope: Scope) -> list[Block]:
    """Return what a script that trains models is given, which no tool starts, or one that starts programs."""
    if started.surface is not None and started.surface not in STARTING:
        return []
    trained = training(arguments, statement, scope.lookup)
    return [trained] if trained is not None else []


def _started(simple: Simple, scope: Scope) -> tuple[list[Argument], ResolvedProgram, bool]:
    """Return the words of a command, what they start, and whether `eval` reads them once more."""
    arguments = list(_arguments(simple, scope, simple.words))
    started = resolve([argument.word for argument in arguments], scope.program, scope.runs)
    stored = _stored(arguments, started)
    if stored is not None:
        arguments = list(_arguments(simple, scope, [stored]))
        within = resolve([argument.word for argument in arguments], scope.program)
        started = within._replace(environment=(*started.environment, *within.environment))
    evaluated = any(argument.word.text == "eval" for argument in arguments[: max(started.at, 0)])
    return arguments, started, stored is not None or evaluated


def _span(simple: Simple) -> Span:
    return Span(simple.words[0].start, max(simple.end, simple.words[-1].end))


def _beside_tools(text: str, simple: Simple) -> Iterator[SyntaxFinding]:
    """Yield the syntax findings in a command that names no tool of its own."""
    if _names_tool_before_blank(simple.words[0]):
        yield from look_alikes(text, simple.words[:1], flags=True)
    yield from in_assignments(text, simple)


def _cut(text: str, simple: Simple, head: int, found: CommandSettings) -> bool:
    """Take off a tool's command what is no part of it, and tell of it; tell whether there is anything."""
    words = simple.words
    count = len(words)
    if count > head + 1 and words[-1].text == "}" and words[-1].bare:
        # zsh takes it for the end of a body wherever it stands; for ATC it means nothing.
        del words[-1]
        simple.end = words[-1].end
    cut = swallowed(text, words, head + 1)
    if cut is not None:
        found.syntax.append(swallowing(text, words, cut))
        found.rest = words[cut].start
        # What follows is no part of the tool's command, and neither is how it ends.
        del words[cut:]
        simple.end = simple.stop = words[-1].end
        simple.operator = ""
    return len(words) < count


def _names_tool_before_blank(word: ShellWord) -> bool:
    """Return whether a word goes on behind a tool's name with a blank that is none for the shell."""
    name, blank, _ = word.lead.replace(*_WIDE_BLANK).partition(" ")
    return bool(blank) and word.bare and name.rpartition("/")[2] in TOOLS


def _program(text: str, word: ShellWord) -> ShellWord:
    """Return a word that finds a tool, such as `$(which atc)` or `${ATC:-atc}`, as the tool's name."""
    piece = word.pieces[0] if len(word.pieces) == 1 else None
    if piece is None or piece.kind is not PieceKind.HOLE or piece.end - piece.start > _LONGEST_PROGRAM:
        return word
    name = program_in(text[piece.start : piece.end])
    if name not in TOOLS or name is None:
        return word
    return word._replace(pieces=(Piece(PieceKind.TEXT, name, piece.start, piece.end, quoted=True),))


def _stored(arguments: Sequence[Argument], started: ResolvedProgram) -> ShellWord | None:
    """Return the word that carries a whole command: `eval "$convert"`, `bash -c "$convert"`."""
    word = arguments[started.at].word if started.script else None
    if word is None or len(word.pieces) != 1 or word.pieces[0].kind is not PieceKind.NAME:
        return None
    return word._replace(pieces=(word.pieces[0]._replace(quoted=False),))


def _evaluated(setting: Setting) -> Setting:
    """Return a setting as `eval` makes it: quotes that a variable holds are quotes there."""
    value = setting.value
    if not value.known or not isinstance(value.data, str) or not _SIGNS.search(value.data):
        return setting
    quoted = _QUOTED.fullmatch(value.data)
    if quoted is None or value.content is None:
        return setting._replace(value=value._replace(known=False, data=None, content=None))
    content = Span(value.content.start + 1, value.content.end - 1)
    return setting._replace(value=value._replace(data=quoted["said"], content=content))


def _is_name_of(word: ShellWord, surface: Surface) -> bool:
    name = word.lead.rpartition("/")[2]
    return name in surface.row.commands or (bool(surface.row.modules) and interpreted_by(name) is Kind.PYTHON)


def _is_left_open(word: ShellWord) -> bool:
    """Return whether a word is a place that is filled in later; in `{{x}}` of a page in YAML, `x` is gone by now."""
    return is_left_open(word.lead) or (word.text is None and bool(word.lead) and not word.lead.strip("{"))


def _names_module(setting: Setting) -> bool:
    """Return whether a setting is the `-m module` that starts its tool."""
    return setting.name.lstrip("-") == "m" and setting.value.data in setting.surface.row.modules


def tool_block(started: ResolvedProgram, head: ShellWord, flags: Flags, statement: Span) -> Block:
    """Return the block of a command of a tool, whose name is `head`, with the words that are no flags and no values of flags."""
    surface = cast(Surface, started.surface)
    # A variable that finds the tool may hold its name several times, one for each branch.
    names = {word for word in flags.stray if word.start < statement.start and _is_name_of(word, surface)}
    settings = tuple(each for each in flags.settings if not _names_module(each))
    said = [word for word in flags.stray if word not in names and not _is_left_open(word)]
    is_open = flags.open or started.open or len(said) + len(names) < len(flags.stray)
    if surface.row.subcommands:
        said = [] if is_open else said[surface.row.positionals if head.text in surface.row.subcommands else 0 :]
    stray = (word.span for word in said if word.lead.strip("\\") and word.lead[0] != "-")
    facts = (*flags.facts, *(Fact(FactKind.STRAY_WORD, span) for span in stray))
    return Block(0, surface, _inside(head), statement, settings, is_open, facts, command=statement)


def doubtful(settings: Iterable[Setting], mistakes: Sequence[SyntaxFinding]) -> Iterator[Setting]:
    """Yield `settings`, with no value where a slip is in it: what was meant isn't what the tool gets."""
    slips = IntervalIndex(mistake.span for mistake in mistakes)
    for setting in settings:
        value = setting.value
        if value.known and slips.touches(setting.own):
            yield setting._replace(value=value._replace(known=False, data=None, content=None))
        else:
            yield setting


def _head(words: Sequence[ShellWord], arguments: Sequence[Argument], started: ResolvedProgram) -> int | None:
    """Return which of a command's own words names a tool; `None` where a variable carries it, or there is none."""
    if started.surface is None:
        return None
    start = arguments[started.at].word.start
    return next((index for index, word in enumerate(words) if word.start == start), None)


def _inside(word: ShellWord) -> Span:
    """Return the span of a word, without the quotes where they enclose all of it."""
    if len(word.pieces) == 1:
        return Span(word.pieces[0].start, word.pieces[0].end)
    return word.span


def _arguments(simple: Simple, scope: Scope, words: Iterable[ShellWord]) -> Iterator[Argument]:
    """Yield the words of a command with unquoted variables and arrays in their place."""
    statement = _span(simple)
    for word in words:
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if piece is None or piece.kind is PieceKind.TEXT:
            many = any(p.kind in (PieceKind.MANY, PieceKind.ARRAY) for p in word.pieces)
            yield Argument(word, statement, scope.branch, whole=not many)
            continue
        if (piece.kind in _SEVERAL and piece.text) or (piece.kind is PieceKind.NAME and not piece.quoted):
            carried = scope.carried(piece.text)
            if carried is not None:
                yield from carried.arguments
                if not carried.complete:
                    yield Argument(word, statement, scope.branch, whole=False)
                continue
        whole = piece.kind is not PieceKind.MANY and piece.kind is not PieceKind.ARRAY
        yield Argument(word, statement, scope.branch, whole=whole)


def _given(started: ResolvedProgram, statement: Span, scope: Scope) -> Block | None:
    """Return the variables that a command is given by words in front of it."""
    settings = settings_of(started.environment, statement, scope)
    if not settings:
        return None
    # The command gets what the script exports, too.
    return Block(0, Surface.ENV, settings[0].key, statement, tuple(settings), open=True, command=statement)


def _inner(
    text: str, simple: Simple, arguments: Sequence[Argument], started: ResolvedProgram, scope: Scope
) -> Iterator[Injection]:
    """Yield the scripts that a command runs."""
    for word, language in scripts(text, simple, [argument.word for argument in arguments], started):
        inner = in_word(text, word, language, scope)
        is_own = started.script is not None and word is arguments[started.at].word
        evaluated = is_own and arguments[started.at - 1].word.text == "eval"
        yield inner._replace(read=lambda document: scope.evaluate(document, scope)) if evaluated else inner
