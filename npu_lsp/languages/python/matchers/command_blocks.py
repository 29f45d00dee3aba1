"""What a command sets that a script starts: a text for a shell, a list of words, also one that is built up. The shell reader tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.branches import dominates
from npu_lsp.languages.injections import InjectedDocument, Injection, Write, region_of
from npu_lsp.languages.model import Block, FactKind, SyntaxFault, SyntaxFinding, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.contexts import contexts_of
from npu_lsp.languages.python.dataflow.names import Place, added_to
from npu_lsp.languages.python.dataflow.texts import Composer, PythonWord
from npu_lsp.languages.python.matchers.starts import Started, StartedCommand
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import index_of, is_name, names_in, parts, path, positional
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.shell.program_names import MODULES
from npu_lsp.languages.shell.training import may_train
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Edit, Span

_MAX_DEPTH = 20
_MOST = 10_000
"""How many lines are looked at in one reading: those that change a list and those that use it multiply."""
_ADDING = frozenset({"append", "extend"})
_KEEPING = frozenset({"copy", "index", "count"})


class WordLists:
    """Finds the words of a list."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self.composer = Composer(view, self.words)
        self._left = _MOST

    def started(self, started: Started, place: Place) -> list[PythonWord] | None:
        """Return the words of the command that a call starts; `None` where they are not given as words."""
        if isinstance(started, StartedCommand):
            return self.words(started.command, place)
        found = self._element(started.program, place, 1)
        if isinstance(started.words, tuple):
            return found + [word for argument in started.words for word in self._argument(argument, place, 1)]
        listed = self.words(started.words, place)
        return found + ([PythonWord(None, place.line.span(started.words), True)] if listed is None else listed[1:])

    def words(self, node: cst.BaseExpression, place: Place, depth: int = 0) -> list[PythonWord] | None:
        """Return the words of a list with their places; `None` where the expression is none."""
        if depth > _MAX_DEPTH or not self.composer.may_go_on():
            return None
        if isinstance(node, (cst.List, cst.Tuple)):
            return [word for e in parts(node) for word in self._element(e, place, depth + 1)]
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            return self._sum([node.left, node.right], place, depth + 1)
        if not is_name(node):
            return None
        followed = place.followed(node)
        return self.words(*followed, depth + 1) if followed is not None else self._named(node, place, depth)

    def _sum(self, nodes: Sequence[cst.BaseExpression], place: Place, depth: int) -> list[PythonWord] | None:
        """Return the words of lists one after the other; `None` where none of them is known."""
        lists = [self.words(node, place, depth) for node in nodes]
        if all(words is None for words in lists):
            return None
        unknown = [[PythonWord(None, place.line.span(node), True)] for node in nodes]
        return [w for words, rest in zip(lists, unknown, strict=True) for w in (rest if words is None else words)]

    def _named(self, node: cst.Name, place: Place, depth: int) -> list[PythonWord] | None:
        built = self._view.names.built(node.value, place.line.index, place.branch)
        binding = built[0] if built else None
        if (
            binding is None
            or binding.line is None
            or not isinstance(binding.value, (cst.List, cst.Tuple, cst.BinaryOperation))
        ):
            return None
        if binding.index >= place.line.index:
            return None
        found = self.words(binding.value, Place(binding.line, binding.branch), depth + 1)
        return self._changed(found, node.value, binding.index, place, depth + 1) if found is not None else None

    def _argument(self, argument: cst.Arg, place: Place, depth: int) -> list[PythonWord]:
        if argument.star:
            return _or_any(self.words(argument.value, place, depth), place.line.span(argument))
        return self._element(argument.value, place, depth)

    def _element(self, node: cst.BaseExpression, place: Place, depth: int) -> list[PythonWord]:
        if isinstance(node, cst.StarredElement):
            return _or_any(self.words(node.value, place, depth), place.line.span(node))
        return [PythonWord(self.composer.text(node, place), place.line.span(node))]

    def _changed(self, found: list[PythonWord], name: str, index: int, place: Place, depth: int) -> list[PythonWord]:
        """Return a list as it is at the call; what only may be added to it is any number of words."""
        view = self._view
        for at in view.source.lines_with(name, whole=True):
            if not index < at < place.line.index:
                continue
            self._left -= 1
            line = view.source.line(at) if self._left > 0 else None
            if line is None:
                found = [*found, PythonWord(None, view.source.logical_lines.span(at), True)]
                if self._left > 0:
                    continue
                return found
            for call in line.statement.calls:
                function = call.node.func
                if isinstance(function, cst.Attribute) and path(function.value) == name:
                    where = view.place(line, call)
                    found = self._called(found, function.attr.value, call.node, where, place, depth)
            for assignment in line.statement.assignments:
                stmt, target = assignment.statement, assignment.target
                where = view.place(line, assignment)
                added = added_to(name, stmt)
                if added:
                    found = found + self._sure(self._sum(added, where, depth), where, place, line.span(stmt))
                elif isinstance(target, cst.Subscript) and path(target.value) == name:
                    found = self._replaced(found, target, assignment.value, where, place)
            if isinstance(line.statement.header, cst.Del):
                found = [PythonWord(None, line.span(line.statement.header), True)]
        return found

    def _called(
        self, found: list[PythonWord], method: str, call: cst.Call, where: Place, place: Place, depth: int
    ) -> list[PythonWord]:
        """Return the words of a list after `call` of its `method`, such as `append`; a hole where it can't be told which ones are left."""
        span = where.line.span(call)
        if method in _KEEPING:
            return found
        arguments = positional(call)
        if method == "insert" and len(arguments) == 2:
            at = self._index(arguments[0].value, where, found, len(found))
            word = self._sure(self._argument(arguments[1], where, depth), where, place, span)
            return [*found[:at], *word, *found[at:]] if at is not None else [*found, PythonWord(None, span, True)]
        if method not in _ADDING or not arguments:
            # Which words are left can't be told.
            return [PythonWord(None, span, True)]
        if method == "append":
            return found + self._sure(self._argument(arguments[0], where, depth), where, place, span)
        return found + self._sure(self.words(arguments[0].value, where, depth), where, place, span)

    def _replaced(
        self,
        found: list[PythonWord],
        target: cst.Subscript,
        value: cst.BaseExpression | None,
        where: Place,
        place: Place,
    ) -> list[PythonWord]:
        """Return a list behind `name[index] = value`."""
        at = self._index(index_of(target), where, found, len(found) - 1)
        if at is None:
            return [PythonWord(None, where.line.span(target), True)]
        sure = value is not None and dominates(where.branch, place.branch)
        word = self._element(value, where, 1)[0] if sure and value is not None else PythonWord(None, found[at].own)
        return [*found[:at], word, *found[at + 1 :]]

    def _index(self, node: cst.BaseExpression | None, where: Place, found: list[PythonWord], last: int) -> int | None:
        """Return an index that is known, in a list in which the words up to there are known to be single ones."""
        if node is None:
            return None
        abstract = self._view.evaluate.abstract(node, where)
        at = abstract.data if abstract.kind is ValueKind.INT and abstract.known else -1
        return at if 0 <= at <= last and not any(word.many for word in found[: at + 1]) else None

    def _sure(self, added: list[PythonWord] | None, where: Place, place: Place, span: Span) -> list[PythonWord]:
        """Return what is added for sure at `where`, for a use at `place`."""
        return _or_any(added if dominates(where.branch, place.branch) else None, span)


def _or_any(words: list[PythonWord] | None, span: Span) -> list[PythonWord]:
    """Return `words`; where they aren't known, what stands at `span` may be any number of them."""
    return words if words is not None else [PythonWord(None, span, True)]


_SAFE = re.compile(r"[\w./:,@%+=^ -]*")
_OPENING = re.compile(r"(?<![\"'A-Za-z_\d\\])(?P<quote>\"\"\"|'''|\"|')\Z")


class Commands:
    """Adds the blocks of commands to what a script sets."""

    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._lists = WordLists(view)
        self._composer = self._lists.composer

    def add(self, call: cst.Call, place: Place, started: Started) -> None:
        """Add the blocks of the command that a call starts."""
        self._composer.begin()
        listed = self._lists.started(started, place)
        if listed is not None:
            if self._list(listed, place.statement, place) or all(word.text is not None for word in listed):
                return
        elif isinstance(started, StartedCommand):
            texts = self._composer.texts(started.command, place)
            for text, at in texts:
                region = self._text(text, at, started.prefix)
                if region is not None and not started.prefix:
                    self._view.syntax += _lost(region, call, place)
            if any(at is place for _, at in texts):
                return
        # The words, or some of them, are what a function gets.
        names = {name for node in started.nodes() for name in names_in(node)}
        for context in contexts_of(self._view).of(place, names) or ():
            self._composer.begin()
            inside = Place(place.line, context.branch + context.inner, context.given)
            listed = self._lists.started(started, inside)
            if listed is not None:
                self._list(listed, context.statement or place.statement, inside)

    def _add(self, blocks: tuple[Block, ...]) -> bool:
        """Add the blocks of a command unless they are there: it may be started in two places, but it is written once."""
        new = [
            block
            for block in blocks
            if self._view.first_sight("command", block.surface, block.head, *((s.name, s.key) for s in block.settings))
        ]
        self._view.blocks.ready += new
        return len(new) == len(blocks)

    def add_text(self, node: cst.BaseExpression, place: Place) -> None:
        """Add the blocks of the command that a text is by its shape."""
        for text, at in self._composer.texts(node, place):
            self._text(text, at, "")

    def _text(self, text: LocatedText, place: Place, prefix: str) -> InjectedDocument | None:
        if prefix and text.starts:
            said, text = text, LocatedText.of(prefix, Span(text.starts[0], text.starts[0]))
            text.add(said)
        command = text.said
        if not may_match(command):
            return None
        write = _writing(self._view.source.text, text.starts[0], text.ends[-1]) if not prefix else in_any_literal
        return self._region(Injection(Kind.SHELL, command, text.places(_apart(text)), write, branch=place.branch))

    def _region(self, found: Injection) -> InjectedDocument | None:
        """Add what a script in a text sets; return its region, `None` where there is nothing new in it."""
        region = region_of(found, self._view.nest)
        if region is None:
            return None
        parsed = region.parsed()
        scripts = [fact for fact in parsed.facts if fact.kind is FactKind.SCRIPT]
        if not self._add(parsed.blocks) and not scripts:
            return None
        self._view.facts += scripts
        self._view.regions.append(region)
        self._view.syntax += parsed.syntax
        self._view.spoken += parsed.comments
        return region

    def _list(self, listed: list[PythonWord], statement: Span, place: Place) -> bool:
        """Add the block of a command that is given as words; tell whether there is one."""
        if not any(word.text is None or _names_tool(word.text) for word in listed) and not _trains(listed):
            return False
        from npu_lsp.languages.shell.argument_list import ListElement, read_arguments

        elements = []
        for word in listed:
            text, own, many = word.text, word.own, word.many
            if text is None or not text.starts:
                elements.append(ListElement(own, "" if text is not None else None, own=own, many=many))
                continue
            elements.append(ListElement(own, text.said, text.exact, own, places=(text.starts, text.ends)))
        inside = [e.span for e in elements if not e.span.within(statement)]
        whole = Span(min([statement.start, *(s.start for s in inside)]), max([statement.end, *(s.end for s in inside)]))
        started = read_arguments(elements, whole, branch=place.branch)
        self._add(started.blocks)
        regions = [self._region(found) for found in started.inner]
        return bool(started.blocks or any(regions))


def _lost(region: InjectedDocument, node: cst.Call, place: Place) -> Iterator[SyntaxFinding]:
    """Yield the mistake of a command that sets variables and ends."""
    from npu_lsp.languages.shell.syntax_findings.exports import lost_export

    lost = lost_export(region.found.text, region.parsed().blocks)
    if lost is None:
        return
    edits: tuple[Edit, ...] = ()
    stmt = place.stmt
    alone = isinstance(stmt, cst.Expr) and stmt.value is node and path(node.func) == "os.system"
    if alone and lost.value is not None and text_of(node.args[0].value) is not None:
        edits = (Edit(place.statement, f'os.environ["{lost.name}"] = "{lost.value}"'),)
    yield SyntaxFinding(
        SyntaxFault.LOST_EXPORT, region.span(lost.span), {"name": lost.name, "instead": "os.environ"}, edits
    )


def _apart(text: LocatedText) -> frozenset[int]:
    """Return where the characters of a text go on in another literal, or behind something else."""
    return frozenset(at for at in range(1, len(text.starts)) if text.starts[at] != text.ends[at - 1])


def in_any_literal(text: str) -> str | None:
    """Return a text that means the same in any literal, whatever stands in front of its quote."""
    return text if _SAFE.fullmatch(text) else None


def _writing(source: str, start: int, end: int) -> Write:
    """Return how a text is written into the command that starts at `start`, where one plain literal holds all of it."""
    opening = _OPENING.search(source, max(0, start - 6), start) if start < end else None
    quote = opening["quote"] if opening is not None else ""
    if opening is None or not source.startswith(quote, end) or quote in source[start:end].replace("\\" + quote, ""):
        return in_any_literal

    def write(text: str) -> str | None:
        if "\n" in text and len(quote) == 1:
            return None
        return text.replace("\\", "\\\\").replace(quote[0], "\\" + quote[0])

    return write


def _trains(listed: list[PythonWord]) -> bool:
    """Return whether words start a script with flags of MindSpeed: none of them alone tells that."""
    return may_train(" ".join(word.text.said for word in listed if word.text is not None))


def _names_tool(text: LocatedText) -> bool:
    word = text.said
    return word.rpartition("/")[2] in (*PROGRAMS, *SERVERS) or word in MODULES or may_match(word)
