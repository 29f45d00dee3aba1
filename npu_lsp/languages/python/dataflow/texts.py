"""Texts that a script puts together: literals, format strings, sums. What isn't known is a hole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages.branches import Branch, dominates
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import contexts_of
from npu_lsp.languages.python.dataflow.names import Place, added_to
from npu_lsp.languages.python.dataflow.operations import TEXTS
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.constants import is_text, pieces_of, text_of
from npu_lsp.languages.python.tree.located_text import located
from npu_lsp.languages.python.tree.nodes import is_name, names_in, path, positional
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.shell.expansions import HOLE
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Span

_MAX_DEPTH = 150
_MAX_STEPS = 3000
"""How many expressions one command is put together of."""
_MOST = 8000
"""And all commands of one reading: those that add to a text and those that use it multiply."""
_PERCENT = re.compile(r"%%|%(?:\(\w*\))?[-+ #0]*(?:[1-9*][\d*]*)?(?:\.[\d*]+)?[a-zA-Z]")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")

_BEFORE = re.compile(r"[\s=\"']\Z|\\[nt]\Z")
_BEHIND = re.compile(r"[\s\"';&|)]|\\[nt\"'\r\n]")


class PythonWord(NamedTuple):
    """One word of a command."""

    text: LocatedText | None
    """`None` where nothing of it is known."""
    own: Span
    many: bool = False
    """It may be any number of words."""


Words = Callable[[cst.BaseExpression, Place, int], "list[PythonWord] | None"]


class Composer:
    """Puts texts together as the script would."""

    def __init__(self, view: SourceView, words: Words) -> None:
        """`words` finds the words of a list."""
        self._view = view
        self._words = words
        self._steps = _MAX_STEPS
        self._left = _MOST

    def may_go_on(self) -> bool:
        """Count one step; tell whether more may be made: `x += x` doubles a text with each line."""
        self._steps -= 1
        self._left -= 1
        return self._steps > 0 and self._left > 0

    def begin(self) -> None:
        """Allow the next text its full number of steps."""
        self._steps = _MAX_STEPS

    def text(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> LocatedText | None:
        """Return the text that `node` is, or `None` where nothing of it is known."""
        if depth > _MAX_DEPTH or not self.may_go_on():
            return None
        depth += 1
        if is_text(node):
            return self._literal(node, place, depth)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            return self._sum([node.left, node.right], place, depth)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
            template = self.text(node.left, place, depth)
            return _filled(template, _PERCENT, "%") if template is not None else None
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            return self._method(node, node.func, place, depth)
        if is_name(node):
            followed = place.followed(node)
            return self.text(*followed, depth) if followed is not None else self._named(node, place, depth)
        abstract = self._view.evaluate.abstract(node, place)
        if abstract.kind in TEXTS and abstract.known:
            return LocatedText.of(str(abstract.data), place.line.span(node))
        return None

    def _named(self, node: cst.Name, place: Place, depth: int) -> LocatedText | None:
        """Return the text under a name: what is assigned to it once, and what `+=` adds."""
        built = self._view.names.built(node.value, place.line.index, place.branch)
        found: LocatedText | None = None
        for binding in built or ():
            line = binding.line
            if line is None:
                return None
            if not binding.augments and binding.value is not None:
                found = self.text(binding.value, Place(line, binding.branch), depth)
                continue
            added = (
                self._added(node.value, line, binding.branch, depth)
                if dominates(binding.branch, place.branch)
                else None
            )
            if found is None:
                return None
            if added is None:
                # It may go on with the last word, and bring words of its own.
                added = LocatedText.of(f"{HOLE} {HOLE}", place.line.span(node))
            found.add(added)
        return found

    def _added(self, name: str, line: LogicalLine, branch: Branch, depth: int) -> LocatedText | None:
        for assignment in line.statement.assignments:
            added = added_to(name, assignment.statement)
            if added:
                return self._sum(added, Place(line, branch), depth)
        return None

    def texts(self, node: cst.BaseExpression, place: Place) -> list[tuple[LocatedText, Place]]:
        """Return the texts that `node` is: one, or one for each call of the function that gets it, or a part of it."""
        self.begin()
        single = self.text(node, place)
        if single is not None and (HOLE not in single.said or may_match(single.said)):
            return [(single, place)]
        found: list[tuple[LocatedText, Place]] = []
        for context in contexts_of(self._view).of(place, names_in(node)) or ():
            self.begin()
            inside = Place(place.line, context.branch + context.inner, context.given)
            text = self.text(node, inside)
            if text is not None:
                found.append((text, inside))
        return _once(found) if found or single is None else [(single, place)]

    def _literal(self, node: cst.BaseExpression, place: Place, depth: int) -> LocatedText | None:
        apart = {id(part) for piece in pieces_of(node) for part in _standing_apart(piece)}

        def fill(part: cst.FormattedStringExpression) -> str | LocatedText:
            if part.conversion is not None or part.format_spec is not None or part.equal is not None:
                return HOLE
            field = part.expression
            if is_name(field) and place.given and field.value in place.given:
                given = self.text(field, place, depth)
                if given is not None and " " in given.said:
                    # Words that a call hands over stand there.
                    return given.moved(-place.line.start)
            abstract = self._view.evaluate.abstract(field, place)
            plain = abstract.known and isinstance(abstract.data, (str, int)) and not isinstance(abstract.data, bool)
            said = str(abstract.data) if plain else ""
            # What is written under a name is told where it is written, whichever way it comes here.
            own = bool(said) and id(part) in apart and is_name(field) and field.value not in (place.given or ())
            written = self.text(field, place, depth) if own else None
            if written is not None and written.said == said:
                return written.moved(-place.line.start)
            return said or HOLE

        found = located(node, place.line.statement, fill)
        return found.moved(place.line.start) if found is not None else None

    def _sum(self, nodes: Sequence[cst.BaseExpression], place: Place, depth: int) -> LocatedText | None:
        """Return texts one after the other, with holes for those that aren't known."""
        texts = [self.text(node, place, depth) for node in nodes]
        if all(text is None for text in texts):
            return None
        found = LocatedText()
        for node, text in zip(nodes, texts, strict=True):
            found.add(text or LocatedText.of(HOLE, place.line.span(node)))
        return found

    def _method(self, node: cst.Call, function: cst.Attribute, place: Place, depth: int) -> LocatedText | None:
        method, arguments = function.attr.value, positional(node)
        if method == "join" and len(arguments) == 1:
            return self._join(function.value, arguments[0].value, place, depth)
        if path(function) == "shlex.split" and arguments:
            return self.text(arguments[0].value, place, depth)
        if method == "split":
            # A command whose words are apart is the same command.
            blank = all(text_of(a.value) == " " for a in arguments)
            return self.text(function.value, place, depth) if blank else None
        if method not in ("format", "strip", "rstrip", "lstrip"):
            return None
        template = self.text(function.value, place, depth)
        if template is None or method != "format":
            return template
        return _filled(template, _FIELD, "{}")

    def _join(
        self, glue: cst.BaseExpression, parts: cst.BaseExpression, place: Place, depth: int
    ) -> LocatedText | None:
        between = self._view.text(glue, place)
        words = self._words(parts, place, depth // 8)
        if between is None or words is None:
            return None
        found = LocatedText()
        for word in words:
            text = word.text if word.text is not None else LocatedText.of(HOLE, word.own)
            if found.starts and text.starts:
                found.put(between, found.ends[-1], max(found.ends[-1], text.starts[0]))
            found.add(text)
        return found


def _standing_apart(piece: cst.CSTNode) -> Iterator[cst.FormattedStringExpression]:
    """Yield the fields of an f-string that are a word, a value or what stands between quotes: nothing is joined to them."""
    parts = piece.parts if isinstance(piece, cst.FormattedString) else ()
    for before, part, after in zip((None, *parts), parts, (*parts[1:], None), strict=False):
        begins = before is None or (isinstance(before, cst.FormattedStringText) and _BEFORE.search(before.value))
        ends = after is None or (isinstance(after, cst.FormattedStringText) and _BEHIND.match(after.value))
        if isinstance(part, cst.FormattedStringExpression) and begins and ends:
            yield part


def _once(found: list[tuple[LocatedText, Place]]) -> list[tuple[LocatedText, Place]]:
    """Return the texts without those that stand where another one does: the rounds of a loop around one call."""
    at: dict[tuple[int, int], tuple[LocatedText, Place]] = {}
    for text, place in found:
        if text.starts:
            where = min(text.starts), max(text.ends)
            known = at.get(where)
            at[where] = (_either(known[0], text), known[1]) if known is not None else (text, place)
    return list(at.values())


def _either(one: LocatedText, other: LocatedText) -> LocatedText:
    """Return a text that stands in one place and says different things: with a hole wherever it does."""
    if one.said == other.said:
        return one
    found, others = LocatedText(), _by_place(other)
    for where, said in _by_place(one).items():
        if others.get(where) == said:
            found.add(LocatedText.of("".join(said), Span(*where)))
        else:
            found.put(HOLE, *where)
    return found


def _by_place(text: LocatedText) -> dict[tuple[int, int], list[str]]:
    said: dict[tuple[int, int], list[str]] = {}
    for char, start, end in zip(text.said, text.starts, text.ends, strict=True):
        said.setdefault((start, end), []).append(char)
    return said


def _filled(template: LocatedText, pattern: re.Pattern[str], doubled: str) -> LocatedText:
    """Return a template with a hole in the place of each field."""
    text = template.said
    found = LocatedText()
    done = 0
    for match in pattern.finditer(text):
        found.add(template.part(done, match.start()))
        done = match.end()
        single = match.group()[0] if len(match.group()) == 2 and match.group()[0] == match.group()[1] else HOLE
        found.put(single if single in doubled else HOLE, template.starts[match.start()], template.ends[match.end() - 1])
    found.add(template.part(done, len(text)))
    return found
