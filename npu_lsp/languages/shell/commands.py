"""Commands as blocks of settings; also those that other languages start.

The Python reader calls `read_command` for a command in one string (`os.system("atc ...")`) and `read_arguments` for a
list of words (`subprocess.run(["atc", ...])`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Branch, Form, Mistake, Reading, Setting, Setup, renumbered
from npu_lsp.languages.places import Places
from npu_lsp.languages.shell.environment import declared, environment_block, exports, settings_of
from npu_lsp.languages.shell.expansions import HOLE
from npu_lsp.languages.shell.flags import read_flags, tool_name
from npu_lsp.languages.shell.handed import handed
from npu_lsp.languages.shell.inner import evaluated_scope, filled_document, filled_word, filling
from npu_lsp.languages.shell.known import Argument, Lookup, Scope
from npu_lsp.languages.shell.launch import TOOLS, Launch, launch, program_in
from npu_lsp.languages.shell.lexer import Simple, split
from npu_lsp.languages.shell.script import commands
from npu_lsp.languages.shell.slips.commands import CUTTING, in_assignments, in_tool_command
from npu_lsp.languages.shell.slips.fullwidth import look_alikes
from npu_lsp.languages.shell.slips.lines import swallowed, swallowing
from npu_lsp.languages.shell.variables import is_variable
from npu_lsp.languages.shell.words import Part, Piece, Word
from npu_lsp.text.spans import Span

__all__ = ["HOLE", "Element", "read_arguments", "read_command"]

_DEPTH = 4
_SEVERAL = (Part.ARRAY, Part.MANY)
_LONGEST_PROGRAM = 200
_SIGNS = re.compile(r"[\"'\\$`;&|<>()*?]")
_QUOTED = re.compile(r"(?P<quote>['\"])(?P<said>[^'\"$`\\]*)(?P=quote)")
_WIDE_BLANK = ("\u3000", " ")


@dataclass(slots=True)
class Found:
    """What one simple command sets."""

    blocks: list[Block] = field(default_factory=list)
    exported: list[Setting] = field(default_factory=list)
    """Variables of the environment."""
    plain: list[Setting] = field(default_factory=list)
    """Variables of the shell: of the environment only where the script exports them elsewhere."""
    mistakes: list[Mistake] = field(default_factory=list)
    rest: int | None = None
    """Where a command starts that this one swallows: a backslash joins its line to this one."""


def read_simple(text: str, simple: Simple, scope: Scope, depth: int = 0) -> Found:
    """Return what a simple command sets: a tool's flags, the variables that it is given, a script that it runs."""
    found = Found()
    if not simple.words:
        return found
    simple.words[:] = [_program(text, word) for word in simple.words]
    arguments = list(_arguments(simple, scope))
    started = launch([argument.word for argument in arguments], scope.program or scope.text_of, scope.runs)
    stored = _stored(arguments, started)
    if stored is not None:
        arguments = list(_arguments(replace(simple, words=[stored]), scope))
        started = launch([argument.word for argument in arguments], scope.program or scope.text_of)
    head = _head(simple.words, arguments, started)
    if head is not None and len(simple.words) > head + 1 and simple.words[-1].text == "}" and simple.words[-1].bare:
        # zsh takes it for the end of a body wherever it stands; for ATC it means nothing.
        del simple.words[-1]
        simple.end = simple.words[-1].end
        arguments = list(_arguments(simple, scope))
    if head is not None:
        cut = swallowed(text, simple.words, head + 1)
        if cut is not None:
            found.mistakes.append(swallowing(text, simple.words, cut))
            found.rest = simple.words[cut].start
            # What follows is no part of the tool's command, and neither is how it ends.
            del simple.words[cut:]
            simple.end = simple.stop = simple.words[-1].end
            simple.operator = ""
            arguments = list(_arguments(simple, scope))
        found.mistakes += in_tool_command(text, simple, simple.words, head)
    words = simple.words
    statement = Span(words[0].start, max(simple.end, words[-1].end))
    if started.at >= 0 or len(started.environment) < len(words):
        given = _given(started, statement, scope)
        if given is not None:
            found.blocks.append(given)
        found.exported = exports(simple, statement, scope)
        found.plain = declared(simple, statement, scope)
    else:
        found.plain = settings_of(words, statement, scope)
    if head is None and _names_tool_before_blank(words[0]):
        found.mistakes += look_alikes(text, words[:1], flags=True)
    if scope.is_variable is not None and head is None:
        found.mistakes += in_assignments(text, simple, scope.is_variable)
    if started.script and depth < _DEPTH:
        evaluated = arguments[started.at - 1].word.text == "eval"
        _take_inner(found, text, arguments[started.at].word, scope, depth, evaluated=evaluated)
    if depth < _DEPTH:
        for word in handed(text, simple):
            _take_inner(found, text, word, scope, depth, evaluated=False)
    if started.surface is not None:
        flags = read_flags(arguments[started.at + 1 : started.stop], started.surface, scope.lookup)
        if stored is not None or any(argument.word.text == "eval" for argument in arguments[: started.at]):
            flags = flags._replace(settings=tuple(map(_evaluated, flags.settings)), stray=())
        lost = found.rest is not None or any(mistake.kind in CUTTING for mistake in found.mistakes)
        found.blocks.append(
            Block(
                id=0,
                surface=started.surface,
                head=_inside(arguments[started.at].word),
                span=statement,
                settings=flags.settings,
                open=flags.open or started.open or lost,
                setup=() if found.mistakes else _strays(flags.stray),
                command=statement,
            )
        )
    if found.mistakes:
        found.blocks = [
            block._replace(settings=tuple(_doubtful(block.settings, found.mistakes))) for block in found.blocks
        ]
        found.exported = list(_doubtful(found.exported, found.mistakes))
        found.plain = list(_doubtful(found.plain, found.mistakes))
    return found


def _names_tool_before_blank(word: Word) -> bool:
    """Tell whether a word goes on behind a tool's name with a blank that is none for the shell."""
    name, blank, _ = word.lead.replace(*_WIDE_BLANK).partition(" ")
    return bool(blank) and word.bare and name.rpartition("/")[2] in TOOLS


def _program(text: str, word: Word) -> Word:
    """Return a word that finds a tool, such as `$(which atc)` or `${ATC:-atc}`, as the tool's name."""
    piece = word.pieces[0] if len(word.pieces) == 1 else None
    if piece is None or piece.part is not Part.HOLE or piece.end - piece.start > _LONGEST_PROGRAM:
        return word
    name = program_in(text[piece.start : piece.end])
    if name not in TOOLS or name is None:
        return word
    return word._replace(pieces=(Piece(Part.TEXT, name, piece.start, piece.end, quoted=True),))


def _stored(arguments: Sequence[Argument], started: Launch) -> Word | None:
    """Return the word that carries a whole command: `eval "$convert"`, `bash -c "$convert"`."""
    word = arguments[started.at].word if started.script else None
    if word is None or len(word.pieces) != 1 or word.pieces[0].part is not Part.NAME:
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


def _strays(words: Iterable[Word]) -> tuple[Setup, ...]:
    """Return the words of a command that are no flags, and no values of flags."""
    return tuple(Setup("stray_word", word.span) for word in words if word.lead.strip("\\") and word.lead[0] != "-")


def _doubtful(settings: Iterable[Setting], mistakes: Sequence[Mistake]) -> Iterator[Setting]:
    """Yield `settings`, with no value where a slip is in it: what was meant isn't what the tool gets."""
    for setting in settings:
        value = setting.value
        if value.known and any(_touch(mistake.span, setting.own) for mistake in mistakes):
            yield setting._replace(value=value._replace(known=False, data=None, content=None))
        else:
            yield setting


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _head(words: Sequence[Word], arguments: Sequence[Argument], started: Launch) -> int | None:
    """Return which of a command's own words names a tool; `None` where a variable carries it, or there is none."""
    if started.surface is None:
        return None
    start = arguments[started.at].word.start
    return next((index for index, word in enumerate(words) if word.start == start), None)


def _inside(word: Word) -> Span:
    """Return where the text of a word stands, without quotes that enclose it."""
    if len(word.pieces) == 1:
        return Span(word.pieces[0].start, word.pieces[0].end)
    return word.span


def _arguments(simple: Simple, scope: Scope) -> Iterator[Argument]:
    """Yield the words of a command with unquoted variables and arrays in their place."""
    words = simple.words
    statement = Span(words[0].start, max(simple.end, words[-1].end))
    for word in words:
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if piece is None or piece.part is Part.TEXT:
            many = any(p.part in (Part.MANY, Part.ARRAY) for p in word.pieces)
            yield Argument(word, statement, scope.branch, whole=not many)
            continue
        if (piece.part in _SEVERAL and piece.text) or (piece.part is Part.NAME and not piece.quoted):
            carried = scope.carried(piece.text) if scope.carried is not None else None
            if carried is not None:
                yield from carried.arguments
                if not carried.complete:
                    yield Argument(word, statement, scope.branch, whole=False)
                continue
        whole = piece.part is not Part.MANY and piece.part is not Part.ARRAY
        yield Argument(word, statement, scope.branch, whole=whole)


def _given(started: Launch, statement: Span, scope: Scope) -> Block | None:
    """Return the variables that a command is given by words in front of it."""
    settings = settings_of(started.environment, statement, scope)
    if not settings:
        return None
    # The command gets what the script exports, too.
    return Block(0, Surface.ENV, settings[0].key, statement, tuple(settings), open=True, command=statement)


def _take_inner(found: Found, text: str, word: Word, scope: Scope, depth: int, *, evaluated: bool) -> None:
    """Take what the script sets that `bash -c` gets in `word`, or `eval`, which knows all that the script knows."""
    inner, places = filled_word(text, word, filling(scope))
    around = evaluated_scope(inner, scope) if evaluated else Scope(is_variable=scope.is_variable)
    reading = read_script(inner, around, depth + 1)
    found.blocks += _in_branch((_in_place(places.block(block), text) for block in reading.blocks), scope.branch)
    found.mistakes += _without_edits(places.mistake(mistake) for mistake in reading.mistakes)


def read_filled(text: str, span: Span, scope: Scope) -> Reading:
    """Return what the script in a here-document sets that `text` fills its variables into."""
    inner, places = filled_document(text, span, filling(scope))
    reading = read_script(inner, Scope(is_variable=scope.is_variable))
    mistakes = (places.mistake(mistake) for mistake in reading.mistakes)
    return Reading(
        blocks=tuple(_in_place(places.block(block), text) for block in reading.blocks),
        mistakes=tuple(mistakes if inner == text[span.start : span.end] else _without_edits(mistakes)),
    )


def _in_place(block: Block, text: str) -> Block:
    """Return a block of a text that was filled in, as far as it stands in `text`.

    Flags that a variable brought stand elsewhere, and so does what it says of a value.
    """
    settings = tuple(_standing(setting, text) for setting in block.settings if _stands(setting, text))
    return block._replace(settings=settings, open=block.open or len(settings) < len(block.settings))


def _stands(setting: Setting, text: str) -> bool:
    key = text[setting.key.start : setting.key.end]
    return (tool_name(key) if setting.form is Form.FLAG else key) == setting.name


def _standing(setting: Setting, text: str) -> Setting:
    content = setting.value.content
    if content is None or text[content.start : content.end] == setting.value.data:
        return setting
    return setting._replace(value=setting.value._replace(content=None))


def _without_edits(mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield `mistakes` without what mends them: in a string the host's quotes and escapes matter, too."""
    for mistake in mistakes:
        yield mistake._replace(edits=())


def read_script(text: str, scope: Scope, depth: int = 0) -> Reading:
    """Return what the commands in `text` set; the exports of the whole text are one block. Ids are all 0."""
    blocks: list[Block] = []
    exported: list[Setting] = []
    mistakes: list[Mistake] = []
    for simple in commands(text, 0, len(text)):
        found = read_simple(text, simple, scope, depth)
        blocks += found.blocks
        exported += found.exported
        mistakes += found.mistakes
        if found.rest is not None and depth < _DEPTH:
            rest = read_simple(text, split(text, found.rest, len(text)), scope, _DEPTH)
            blocks += rest.blocks
    if exported:
        blocks.append(environment_block(exported))
    return Reading(blocks=tuple(blocks), mistakes=tuple(mistakes))


def read_command(
    text: str,
    places: Places,
    *,
    lookup: Lookup | None = None,
    is_variable: Callable[[str], bool] = is_variable,
    branch: Branch = (),
) -> Reading:
    """Read the shell commands in `text`, a string of another language, and return them with their places in that file.

    `places` tells where the characters of `text` stand there. What isn't known until it runs (an f-string's `{...}`) is
    one or more `HOLE` characters. `lookup` answers for shell variables. `is_variable` picks the environment variables
    that become settings.
    """
    reading = read_script(text, Scope(lookup=lookup, is_variable=is_variable))
    blocks = [places.block(block) for block in reading.blocks]
    mistakes = _without_edits(places.mistake(mistake) for mistake in reading.mistakes)
    return Reading(blocks=renumbered(_in_branch(blocks, branch)), mistakes=tuple(mistakes))


def _in_branch(blocks: Iterable[Block], branch: Branch) -> Iterator[Block]:
    for block in blocks:
        if branch:
            block = block._replace(settings=tuple(s._replace(branch=branch + s.branch) for s in block.settings))
        yield block


@dataclass(frozen=True, slots=True)
class Element:
    """One word of an argument list in another language."""

    span: Span
    """The whole expression."""
    text: str | None = None
    """What it says; parts that aren't known are `HOLE` characters, `None` means nothing is known."""
    content: Span | None = None
    """Where `text` stands one to one, as in `Value.content`."""
    own: Span | None = None
    """What goes when the element is removed: itself with its comma."""
    many: bool = False
    """True: any number of words (`*extra`)."""
    places: tuple[Sequence[int], Sequence[int]] | None = None
    """Without `content`: where each character of `text` starts, and where it ends."""


def read_arguments(
    elements: Sequence[Element],
    statement: Span,
    *,
    branch: Branch = (),
) -> tuple[Block, ...]:
    """Read a command that is given as a list of words; no shell looks at them, so nothing in them is expanded.

    A text with neither `content` nor `places` has no places of its own and says nothing.
    """
    arguments = [_argument(element, statement, branch) for element in elements]
    words = [argument.word for argument in arguments]
    if not words:
        return ()
    started = launch(words)
    if started.script and started.at < len(elements):
        element = elements[started.at]
        if element.text is None or element.content is None:
            return ()
        return read_command(element.text, Places(element.content.start), branch=branch).blocks
    if started.surface is None:
        return ()
    flags = read_flags(arguments[started.at + 1 :], started.surface)
    head = words[started.at]
    block = Block(
        id=0,
        surface=started.surface,
        head=_inside(head),
        span=statement,
        settings=flags.settings,
        open=flags.open or started.open,
        setup=_strays(flags.stray),
        command=statement,
    )
    return (block,)


def _argument(element: Element, statement: Span, branch: Branch) -> Argument:
    span = element.span
    text = element.text
    if text is not None and element.content is not None:
        start, end = element.content
        pieces = tuple(_pieces(text, range(start, end), range(start + 1, end + 1)))
    elif text is not None and element.places is not None:
        pieces = tuple(_pieces(text, *element.places))
    else:
        pieces = (Piece(Part.HOLE, "", span.start, span.end, quoted=True),)
    word = Word(span.start, span.end, pieces)
    return Argument(word, statement, branch, element.own, whole=not element.many)


def _pieces(text: str, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Piece]:
    """Yield the stretches of `text` that stand one to one, and its holes."""
    at = 0
    while at < len(text):
        hole = text[at] == HOLE
        end = at + 1
        while end < len(text) and (text[end] == HOLE) == hole and (hole or ends[end] == ends[end - 1] + 1):
            end += 1
        if hole:
            yield Piece(Part.HOLE, "", starts[at], ends[end - 1], quoted=True)
        else:
            # Of an escape, its last character stands for it.
            yield Piece(Part.TEXT, text[at:end], ends[at] - 1, ends[end - 1], quoted=True)
        at = end
