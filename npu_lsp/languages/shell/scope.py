"""What the variables of a script hold, as far as its text tells for sure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from npu_lsp.languages.branches import Branch, dominates, exclusive, functions, reaches
from npu_lsp.languages.shell.branches import branch_of
from npu_lsp.languages.shell.known import Argument, Carried, KnownValue, Scope
from npu_lsp.languages.shell.lexer import array, split
from npu_lsp.languages.shell.program_names import TOOLS, program_in
from npu_lsp.languages.shell.tree import ScriptTree
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord, fields
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_DEPTH = 6
_MOST = 64
_MOST_CARRIED = 5000
"""How many words variables bring to all commands of a script: those that add to one and those that use it multiply."""
# Other ways in which variables get values than `X=v`: the names stand somewhere in what these match.
_BY_COMMAND = re.compile(
    r"(?:read|mapfile|readarray|getopts|unset|let|printf[ \t]+-v)\b[^\n;|&]*|(?:for|select)[ \t]+\w+"
)
_COMMANDS = ("read", "mapfile", "getopts", "unset", "let", "printf", "for", "select")
# Two patterns, each of which starts with plain signs, are found faster than one that starts with either.
_BY_EXPANSION = (re.compile(r"\$\{\w+:?="), re.compile(r"\(\([^\n()]*[-+=][^\n)]*"))
OWN_WORDS = "@"
_SET = re.compile(r"(?:^|[;&|({ \t])(?P<set>set[ \t]+--[ \t]+)", re.MULTILINE)
_SHIFT = re.compile(r"(?:^|[;&|({ \t])(?:shift\b|set[ \t]+(?:--?[ \t]*(?:[;&|\r\n]|\Z)|[^-+ \t\r\n;]))", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
# `args[0]=`, and `args[${#args[@]}]=`, which is one more.
_ELEMENT = re.compile(r"\[(?:[^\[\]\r\n]|\[[@*]\]){1,80}\]\+?=")
_LAST = re.compile(r"\[\"?\$\{#(?P<name>\w+)\[[@*]\]\}\"?\]=")


class ShellBinding(NamedTuple):
    """One assignment to a variable."""

    name: str
    start: int
    statement: Span
    branch: Branch
    appended: bool
    value: ShellWord | None
    """`None`: an array."""
    words: tuple[ShellWord, ...]
    """The elements of an array."""
    renews: bool
    """Whether nothing stays of what was there: `opts="$opts --x=y"` and `args=("${args[@]}" --x=y)` keep it, as `+=` does."""

    @property
    def held(self) -> Span:
        """Where the assignment stands, up to the end of what it gives."""
        last = self.value if self.value is not None else self.words[-1] if self.words else None
        return Span(self.start, last.end if last is not None else self.start)

    def given(self) -> list[ShellWord]:
        """Return the words it gives, beside what was there."""
        if self.value is not None:
            return list(fields(piece for piece in self.value.pieces if not _is_own(piece, self.name)))
        return [word for word in self.words if not (len(word.pieces) == 1 and _is_own(word.pieces[0], self.name))]


_SUM = re.compile(r"\$\(\((?P<sum>[\w ${}+*]{1,80})\)\)")
_DIGITS = 7
"""A larger number is no count of anything, and a zero in front makes it octal."""


class Variables:
    """Answers for one version of a script; assignments are looked up by name when somebody asks."""

    def __init__(self, text: str, script: ScriptTree, around: Scope | None = None) -> None:
        self._text = text
        self._around = around
        """What is known where `eval` runs the text."""
        self._script = script
        self._bindings: dict[str, tuple[ShellBinding, ...] | None] = {}
        self._others: dict[str, list[int]] | None = None
        """Where names seem to get values in other ways than `X=v`."""
        self._left = _MOST_CARRIED
        self.carrying: dict[str, set[Span]] = {}
        """Variables whose words reached commands, with the assignments that gave them these."""

    def bindings(self, name: str) -> tuple[ShellBinding, ...] | None:
        """Return the assignments to `name` in their order, or `None` where it gets values in other ways, too.

        `@` stands for the script's own words, which `set --` gives it.
        """
        if name not in self._bindings:
            if name == OWN_WORDS:
                found = [None] if _SHIFT.search(self._text) else list(self._set())
            else:
                found = [None] if self._is_otherwise(name) else list(self._find(name))
            self._bindings[name] = None if None in found else tuple(each for each in found if each is not None)
        return self._bindings[name]

    def literal(self, name: str, at: int, branch: Branch, depth: int = 0) -> KnownValue | None:
        """Return what `name` holds at `at`: it is assigned once, before, whatever happens, and to literal text."""
        bindings = self.bindings(name)
        if bindings == () and self._around is not None:
            text = self._around.text_of(name)
            # Its place is in the text around.
            return KnownValue(text, None) if text is not None else None
        if bindings is None or len(bindings) != 1 or depth > _DEPTH:
            return None
        binding = bindings[0]
        if binding.start >= at or binding.appended or binding.value is None or not dominates(binding.branch, branch):
            return None
        texts: list[str] = []
        for piece in binding.value.pieces:
            if piece.kind is PieceKind.TEXT:
                texts.append(piece.text)
                continue
            text = self._sum(piece, binding, name, depth) if piece.kind is PieceKind.HOLE else None
            if piece.kind is PieceKind.NAME and piece.text != name:
                known = self.literal(piece.text, binding.start, binding.branch, depth + 1)
                text = known.text if known is not None else None
            if text is None:
                return None
            texts.append(text)
        return KnownValue("".join(texts), binding.value.span)

    def _sum(self, piece: Piece, binding: ShellBinding, name: str, depth: int) -> str | None:
        """Return what `$((A * B))` comes to where whole numbers are multiplied and added, all of which are known."""
        said = _SUM.fullmatch(self._text, piece.start, piece.end)
        if said is None:
            return None
        total = 0
        for term in said["sum"].split("+"):
            product = 1
            for factor in map(str.strip, term.split("*")):
                own = factor.strip("${}")
                known = (
                    None
                    if own.isdecimal() or own in ("", name)
                    else self.literal(own, binding.start, binding.branch, max(depth + 1, _DEPTH))
                )
                digits = known.text if known is not None else own
                if not (digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS and digits[0] != "0"):
                    return None
                product *= int(digits)
            total += product
        return str(total)

    def program(self, name: str) -> str | None:
        """Return the tool that `name` holds where every assignment to it names one."""
        found: set[str] = set()
        bindings = self.bindings(name)
        if bindings == () and self._around is not None:
            return self._around.program(name)
        for binding in bindings or ():
            if binding.value is None:
                return None
            start, end = binding.value.span
            named = program_in(self._text[start:end])
            if named is None:
                return None
            found.add(named)
        return found.pop() if len(found) == 1 and found <= TOOLS.keys() else None

    def carried(self, name: str, at: int, branch: Branch, depth: int = 0) -> Carried | None:
        """Return the words that unquoted `$name`, or `${name[@]}`, turns into, or `None` to leave it as it stands."""
        active = self._active(name, at, branch) if depth <= _DEPTH else []
        if not active:
            return None
        first = active[0]
        sure = name != OWN_WORDS or dominates(first.branch, branch)
        complete = sure and first.renews
        arguments: list[Argument] = []
        for binding in active:
            words = binding.given()
            if len(words) > 1 and binding.value is not None and words[0].lead.casefold() == "your":
                return None  # `"your master IP Address"` is one word, once it is filled in.
            for word in words:
                if len(active) == len(words) == 1 and _is_value(word, binding):
                    return None
                self._left -= 1
                if self._left < 0:
                    return Carried((), complete=False)
                complete = self._take(word, binding, arguments, depth) and complete
            self.carrying.setdefault(name, set()).add(binding.held)
        return Carried(tuple(arguments), complete)

    def _active(self, name: str, at: int, branch: Branch) -> list[ShellBinding]:
        """Return the assignments before `at` that can be in force: one that surely runs later takes the place of those before it."""
        reaching: list[ShellBinding] = []
        bindings = self.bindings(name) or ()
        for binding in reversed(bindings[: bisect_left(bindings, at, key=attrgetter("start"))]):
            # A function has words of its own.
            own = name != OWN_WORDS or functions(binding.branch) == functions(branch)
            if own and reaches(binding.branch, branch) and not exclusive(binding.branch, branch):
                reaching.append(binding)
                if binding.renews and dominates(binding.branch, branch):
                    break
        active: list[ShellBinding] = []
        for binding in reversed(reaching):
            if binding.renews:
                active = [b for b in active if not dominates(binding.branch, b.branch)]
            active.append(binding)
        return active

    def _take(self, word: ShellWord, binding: ShellBinding, arguments: list[Argument], depth: int) -> bool:
        """Add `word`, or what it turns into; tell whether that is all of it."""
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if (
            piece is not None
            and piece.kind is not PieceKind.TEXT
            and piece.text
            and not (binding.value is None and piece.quoted)
        ):
            carried = self.carried(piece.text, binding.start, binding.branch, depth + 1)
            if carried is not None:
                arguments += carried.arguments
                return carried.complete
        whole = not any(p.kind in (PieceKind.MANY, PieceKind.ARRAY) for p in word.pieces)
        word = word._replace(pieces=tuple(self._then(p, binding) for p in word.pieces))
        arguments.append(Argument(word, binding.statement, binding.branch, whole=whole))
        return True

    def _then(self, piece: Piece, binding: ShellBinding) -> Piece:
        """Return `piece` as it was when the assignment ran: what a variable gets later is not in it."""
        if piece.kind is PieceKind.NAME and self.literal(piece.text, binding.start, binding.branch) is None:
            return piece._replace(kind=PieceKind.HOLE)
        return piece

    def _set(self) -> Iterator[ShellBinding | None]:
        """Yield what `set --` gives the script for its own words; `None` where that can't be told."""
        for number, match in enumerate(_SET.finditer(self._text)):
            if number >= _MOST:
                yield None
                return
            start = match.end() - len(match["set"])
            chain = self._script.ancestry(self._script.node_at(start, match.end()))
            command = next((node for node in chain if node.type == "command"), None)
            if command is None:
                continue
            if command.start_byte != start:
                # `eval set -- ...`
                yield None
                continue
            span = Span(start, command.end_byte)
            words = tuple(split(self._text, match.end(), command.end_byte).words)
            yield _binding(OWN_WORDS, start, span, branch_of(chain), False, None, words)

    def _find(self, name: str) -> Iterator[ShellBinding | None]:
        """Yield the assignments to `name`; `None` for one to an element of an array, which may be any of them."""
        text = self._text
        for start, sign in sorted(self._assigned.get(name, ()))[:_MOST]:
            value_at = start + len(name) + len(sign)
            node = self._script.node_at(start, start + len(name))
            chain = self._script.ancestry(node)
            if sign[0] == "[":
                del chain[1:2]
            if len(chain) < 2 or chain[0].type != "variable_name" or chain[1].type != "variable_assignment":
                continue
            if len(chain) > 2 and chain[2].type == "command":
                # Only that command gets it.
                continue
            statement = chain[2] if chain[2].type in ("declaration_command", "variable_assignments") else chain[1]
            span = Span(statement.start_byte, statement.end_byte)
            appended = sign == "+="
            branch = branch_of(chain)
            if sign[0] == "[":
                last = _LAST.match(sign)
                if last is None or last["name"] != name:
                    yield None
                    continue
            if text.startswith("(", value_at):
                words, _ = array(text, value_at, chain[1].end_byte)
                yield _binding(name, start, span, branch, appended, None, words)
                continue
            if sign[0] == "[":
                added = split(text, value_at, chain[1].end_byte).words[:1]
                yield _binding(name, start, span, branch, True, None, tuple(added))
                continue
            words_of = split(text, start, max(chain[1].end_byte, value_at)).words
            value = words_of[0].after(value_at - start) if words_of else None
            if value is not None:
                yield _binding(name, start, span, branch, appended, value, ())

    @cached_property
    def _assigned(self) -> dict[str, list[tuple[int, str]]]:
        return _assignments(self._text)

    def _is_otherwise(self, name: str) -> bool:
        """Return whether `name` gets values in other ways than `X=v`."""
        if self._others is None:
            self._others = {}
            for match in _otherwise(self._text):
                for word in set(_WORD.findall(match.group())):
                    self._others.setdefault(word, []).append(match.start())
        nodes = (self._script.node_at(at, at + 1) for at in self._others.get(name, ()))
        return any(node is None or node.type != "comment" for node in nodes)


def _otherwise(text: str) -> Iterator[re.Match[str]]:
    """Yield what gives variables values in other ways; plain searches are ten times a pattern's speed."""
    for word in _COMMANDS:
        at = text.find(word)
        while at >= 0:
            of_word = at and (text[at - 1].isalnum() or text[at - 1] in "_$./-")
            match = _BY_COMMAND.match(text, at) if not of_word else None
            if match is not None:
                yield match
            at = text.find(word, match.end() if match is not None else at + 1)
    for pattern in _BY_EXPANSION:
        yield from pattern.finditer(text)


def _assignments(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return where names seem to be assigned, with the signs behind them; plain searches are ten times a pattern's speed."""
    found: dict[str, list[tuple[int, str]]] = {}
    for sign in ("=", "["):
        at = text.find(sign)
        while at >= 0:
            end = at - (sign == "=" and text[at - 1 : at] == "+")
            start = end
            while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
                start -= 1
            if start < end and not (start and text[start - 1] in "${-"):
                element = _ELEMENT.match(text, at) if sign == "[" else None
                whole = text[end : at + 1] if sign == "=" else element.group() if element is not None else ""
                if whole:
                    found.setdefault(text[start:end], []).append((start, whole))
            at = text.find(sign, at + 1)
    return found


def _binding(
    name: str,
    start: int,
    span: Span,
    branch: Branch,
    appended: bool,
    value: ShellWord | None,
    words: tuple[ShellWord, ...],
) -> ShellBinding:
    held = words if value is None else (value, *words)
    refers = any(_is_own(piece, name) for word in held for piece in word.pieces)
    return ShellBinding(name, start, span, branch, appended, value, words, not appended and not refers)


def _is_own(piece: Piece, name: str) -> bool:
    return piece.kind is not PieceKind.TEXT and piece.text == name


def _is_value(word: ShellWord, binding: ShellBinding) -> bool:
    """Return whether a single word is a value, and no flag: it is told where it is used."""
    return not word.lead.startswith("-") and binding.value is not None
