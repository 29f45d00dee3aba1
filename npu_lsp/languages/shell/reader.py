"""Finds what a script sets: at each place that names a tool, a variable or an interpreter, it asks the tree what stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from npu_lsp.languages.branches import Branch, dominates
from npu_lsp.languages.injections import Injection, joined, keep_regions
from npu_lsp.languages.json.flags import ANY, OF_FLAGS, named_in
from npu_lsp.languages.model import Block, Comment, Fact, ParseResult, Setting, SyntaxFault, SyntaxFinding, renumbered
from npu_lsp.languages.shell.branches import branch_of, outside_of_quotes
from npu_lsp.languages.shell.commands import CommandSettings, doubtful, read_simple
from npu_lsp.languages.shell.deploying import commands_in
from npu_lsp.languages.shell.env_passing import ASSIGNMENT, TO_CONTAINER
from npu_lsp.languages.shell.environment import defaults, exported_names
from npu_lsp.languages.shell.injections import in_heredoc, in_word
from npu_lsp.languages.shell.interpreters import heredoc_language
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.program_names import program_in
from npu_lsp.languages.shell.scope import Variables
from npu_lsp.languages.shell.script import LONGEST, commands
from npu_lsp.languages.shell.shared_text import shared_text
from npu_lsp.languages.shell.sourcing import handed_on, sources
from npu_lsp.languages.shell.statement_at import EnclosingStatement, fed_by, statement_at
from npu_lsp.languages.shell.syntax_findings.assignments import in_lines
from npu_lsp.languages.shell.syntax_findings.lines import carriage_returns
from npu_lsp.languages.shell.training import loose, scripts_in
from npu_lsp.languages.shell.tree import ScriptTree, tree_of
from npu_lsp.languages.shell.triggers import runs_python, tools
from npu_lsp.languages.shell.unset import Unset, environments, taking_out, unset_by
from npu_lsp.languages.shell.vllm import SERVER
from npu_lsp.languages.shell.words import ShellWord, Simple, fields
from npu_lsp.languages.unread import unparsed
from npu_lsp.languages.variable_names import assigned, keys
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_VARIABLE = re.compile(r"[A-Za-z_]\w*")
# What must not stand before is asked behind the first letters: a pattern that starts with plain ones is found ten times faster.
_INTERPRETER = re.compile(r"py(?:(?<![\w.$-]py)(?:thon[\d.]*|py\d*)|(?<=ipy)(?<![\w.$-]ipy)thon[\d.]*)(?![\w./-])")
_RUNS_ARGUMENTS = re.compile(
    r"(?:^|[;&|{!(]|\b(?:then|do|else|eval|time|if|exec|sudo|nohup)\b)[ \t]*\"?\$(?:[@*]|\{[@*]\})", re.MULTILINE
)
_LONGEST_LINE = 1000
_MOST_FED = 16
"""Here-documents of one command: all that stands in front is looked at for each."""
_HEREDOC = re.compile(r"(?P<sign><<-?)(?<!<<<)(?<!<<<-)(?=[ \t]*[\\'\"]?\w)")
_EXPORTING = re.compile(
    r"(?:export(?<![\w$-]export)|declare(?<![\w$-]declare)|typeset(?<![\w$-]typeset))[ \t]+[^\n;&|]*"
)
_FUNCTION = re.compile(r"(?m)^[ \t]*(?:function[ \t]+)?([^\s(){}]{1,200})[ \t]{0,20}(?:\([ \t]{0,20}\))?\s{0,50}\{")
_EXPANDED = re.compile(r"\$(?:\{[#!]?)?([A-Za-z_]\w*)")
_SPOKEN_TO = re.compile("npu-lsp:", re.IGNORECASE)
_NOTHING_SET = frozenset({"", "heredoc", "test_command"})
_MOST_SWALLOWED = 50
_STARTED = re.compile(r"(?:.*/)?(?:python[\d.]*|torchrun|msrun|mpirun|deepspeed|accelerate|vllm|atc)")
"""What starts in a command that somebody keeps in a variable with its environment in front of it."""


def read_script(document: Document, around: Scope | None = None) -> ParseResult:
    """Return all that a script sets, and the scripts in it; `around` is what is known where `eval` runs it."""
    script = tree_of(document)
    if script.unread:
        return unparsed(document)
    reader = _Reader(document, script, around)
    parsed = reader.run()
    # Where a quote is never closed, what belongs to its value is a guess.
    unclosed = script.guessed and any(mistake.kind == SyntaxFault.UNBALANCED_QUOTE for mistake in parsed.syntax)
    return joined(parsed._replace(damaged=script.damaged or unclosed), keep_regions(document, reader.inner))


def _is_command(words: list[ShellWord]) -> bool:
    """Return whether words are a command with variables in front: `RUN="HCCL_BUFFSIZE=200 vllm serve m"`."""
    said = [word.text or "" for word in words]
    program = next((text for text in said if ASSIGNMENT.match(text) is None), "")
    return bool(said) and said[0] != program and _STARTED.fullmatch(program) is not None


def _places(text: str) -> Iterator[Span]:
    """Yield where a script that trains, a flag with JSON, a variable or an interpreter of Python seems to stand."""
    yield from scripts_in(text)
    matches = [
        *((match for form in (ANY, SERVER) for match in form.finditer(text)) if named_in(text) else ()),
        *assigned(text),
        *keys(text),
        *commands_in(text),
    ]
    for match in (*matches, *(_INTERPRETER.finditer(text) if runs_python(text) else ())):
        yield Span(*match.span())


def _comments(document: Document, script: ScriptTree) -> Iterator[Comment]:
    """Yield the comments of a script that speak to npu-lsp, in the order of the text."""
    text = document.text
    if "npu-lsp:" not in text.lower():
        return
    end = 0
    while (spoken := _SPOKEN_TO.search(text, end)) is not None:
        line = document.line_span(document.line_of(spoken.start()))
        end = line.end
        # The first sign may be that of `$#`.
        for start in sorted({text.find("#", *line), text.rfind("#", line.start, spoken.start())} - {-1}):
            node = script.node_at(start, start + 1)
            if start < spoken.start() and node is not None and node.type in ("comment", "ERROR"):
                own = not text[line.start : start].strip(" \t\ufeff")
                yield Comment(Span(start, line.end), own)
                break


class _Reader:
    def __init__(self, document: Document, script: ScriptTree, around: Scope | None) -> None:
        self.document = document
        self.text = document.text
        self.script = script
        self.variables = Variables(self.text, script, around)
        self.blocks: list[Block] = []
        self.exported: list[Setting] = []
        self.plain: list[Setting] = []
        self.inner: list[Injection] = []
        self.syntax: list[SyntaxFinding] = []
        self.scripts: list[Fact] = []
        """Python scripts that commands start."""
        self.names: set[str] = set()
        self.seen: set[int] = set()
        self.given: set[tuple[str, Span]] = set()
        """Texts of other languages that were found, with their places."""
        self.used: dict[str, tuple[bool, bool]] = {}
        """Variables whose uses were looked at: whether all only give their value to another one, and whether none is in a command."""
        self.deep = False
        """Whether a statement stands too deep in others to be read: that is told once."""
        self.lines: dict[int, list[Simple]] = {}
        """The commands of damaged lines, by where a line starts."""
        self.ends: dict[int, int] = {}
        """Where statements end, by where they start."""
        self.runners: dict[str, bool] = {}
        """What functions were asked for, and whether they run their arguments."""

    def run(self) -> ParseResult:
        text = self.text
        for start, end in tools(text):
            place = self.place(start, end)
            if place.kind != "variable_assignment":
                self._read(place)
            for node, around in zip(place.chain, outside_of_quotes(place.chain), strict=True):
                if around == "command_name" and program_in(text[node.start_byte : node.end_byte]):
                    # `$(which atc) --x=y`
                    self._read(self.place(node.start_byte, node.start_byte + 1))
                if node.type == "variable_assignment":
                    # `model_atc="atc ..."`, `ATC=$(which atc)`: what it does is told where it is used.
                    self._uses(node.start_byte)
        for start, end in _places(text):
            self._read(self.place(start, end))
        self._heredocs()
        if not self.scripts and not self.blocks:
            self.blocks += loose(text)
        self._exported_later()
        slips = list(in_lines(text))
        self.syntax += slips
        self.exported = list(doubtful(self.exported, slips)) if slips else self.exported
        if self.exported:
            self.blocks += environments(self.exported, list(self._unset()), open_=sources(text))
        self.syntax += filter(None, [carriage_returns(text)])
        return ParseResult(
            blocks=renumbered(self.blocks),
            syntax=tuple(sorted(self.syntax, key=lambda mistake: (mistake.span, mistake.kind))),
            comments=tuple(_comments(self.document, self.script)),
            facts=(
                *self.scripts,
                *(shared_text(text, self.script, self.variables, self._expanded) if self.variables.carrying else ()),
            ),
        )

    def place(self, start: int, end: int) -> EnclosingStatement:
        """Return the statement that holds `[start, end)`."""
        place = statement_at(self.script, start, end, len(self.text))
        if place.deep and not self.deep:
            self.deep = True
            self.syntax.append(SyntaxFinding(SyntaxFault.LARGE_STATEMENT, Span(start, end)))
        if place.kind in ("command", "test_command") and not place.damaged and self._end(place) < start:
            # The parser may take all lines behind `[ $# == 3 ]` for a part of it.
            return place._replace(kind="line", start=start, damaged=True)
        return place

    def _end(self, place: EnclosingStatement) -> int:
        """Return where the words of a statement end."""
        if place.start not in self.ends:
            self.ends[place.start] = split(self.text, place.start, min(place.limit, place.start + LONGEST)).stop
        return self.ends[place.start]

    # -- statements -------------------------------------------------------------------------------------

    def _read(self, place: EnclosingStatement) -> None:
        if place.damaged:
            self._read_line(place)
        elif place.kind not in _NOTHING_SET and place.start not in self.seen:
            self.seen.add(place.start)
            simple = split(self.text, place.start, min(place.limit, place.start + LONGEST))
            self._take(simple, branch_of(place.chain))

    def _take(self, simple: Simple, branch: Branch) -> None:
        """Take what a simple command sets, and a command that it swallows."""
        left = LONGEST
        if simple.arrays and not simple.words:
            self._add(read_simple(self.text, simple, self._scope(simple.arrays[0].name.start, branch)))
            for array in simple.arrays:
                if any(word.lead.startswith(TO_CONTAINER) for word in array.words):
                    # `ENVS+=(-e X=1)`: a program that starts a container gets them.
                    self._expanding(self.text[slice(*array.name)])
        for _ in range(_MOST_SWALLOWED):
            if not simple.words or left < 0:
                return
            start = simple.words[0].start
            left -= simple.stop - start
            scope = self._scope(start, branch)
            found = read_simple(self.text, simple, scope)
            self._add(found)
            if simple.words[0].text == ":":
                self.exported += defaults(simple, self.text, Span(start, simple.end), scope)
            if found.rest is None or found.rest in self.seen:
                return
            self.seen.add(found.rest)
            simple = split(self.text, found.rest, min(len(self.text), found.rest + LONGEST))

    def _add(self, found: CommandSettings) -> None:
        self.blocks += found.blocks
        self.exported += found.exported
        self.plain += found.plain
        self.syntax += found.syntax
        self.scripts += [found.script] if found.script is not None else []
        # JSON of a variable that several commands get stands there once.
        for inner in found.inner:
            where = inner.text, inner.places.span(Span(0, len(inner.text)))
            if inner.kind not in (*OF_FLAGS, Kind.JSON) or where not in self.given:
                self.inner.append(inner)
                self.given.add(where)
        self.names.update(setting.name for setting in found.exported)

    def _scope(self, at: int, branch: Branch) -> Scope:
        """Return what is known to a command that stands at `at`."""
        variables = self.variables
        return Scope(
            lookup=lambda name: variables.literal(name, at, branch),
            program=variables.program,
            carried=lambda name: variables.carried(name, at, branch),
            branch=branch,
            runs=self._runs,
            evaluate=read_script,
        )

    def _runs(self, name: str) -> bool:
        """Return whether a function of the script runs its arguments as a command: `run() { echo "$@"; "$@"; }`."""
        if name not in self.runners:
            at = self._bodies.get(name)
            end = self.text.find("\n}", at) if at is not None else -1
            body = self.text[at : end if end >= 0 else at + _LONGEST_LINE] if at is not None else ""
            self.runners[name] = _RUNS_ARGUMENTS.search(body) is not None
        return self.runners[name]

    @cached_property
    def _bodies(self) -> dict[str, int]:
        """Return where the bodies of the script's functions start; of two with one name, the first."""
        return {match[1]: match.end() for match in reversed(list(_FUNCTION.finditer(self.text)))}

    @cached_property
    def _expanded(self) -> dict[str, list[re.Match[str]]]:
        """Return where each variable is expanded."""
        found: dict[str, list[re.Match[str]]] = {}
        for match in _EXPANDED.finditer(self.text):
            found.setdefault(match[1], []).append(match)
        return found

    def _uses(self, start: int) -> None:
        """Read the commands that run what a variable holds that is assigned at `start`."""
        if start in self.seen:
            return
        self.seen.add(start)
        name = _VARIABLE.match(self.text, start)
        if name is None:
            return
        handed, unrun = self._expanding(name.group())
        words = split(self.text, start, min(len(self.text), start + LONGEST)).words
        value = words[0].after(name.end() - start + 1) if words else None
        if value is None:
            return
        stored = list(fields(value.pieces))
        node = self.script.node_at(start, start + 1)
        branch = branch_of(self.script.ancestry(node))
        if handed and sources(self.text):
            # A script that this one sources runs it, perhaps under another name.
            self._take(Simple(stored, value.end, value.end), branch)
        elif unrun and _is_command(stored):
            # It goes on in another variable, which is run.
            self.inner.append(in_word(self.text, value, Kind.SHELL, self._scope(start, branch)))

    def _expanding(self, name: str) -> tuple[bool, bool]:
        """Read the commands that get what a variable holds; return whether all uses hand it on, and whether none is in a command."""
        if name not in self.used:
            self.used[name] = True, True  # Such a command may lead here.
            uses = self._expanded.get(name, [])
            commands_of = [use for use in (self.place(*match.span()) for match in uses) if use.kind == "command"]
            for use in commands_of:
                self._read(use)
            self.used[name] = all(handed_on(self.text, match) for match in uses), not commands_of
        return self.used[name]

    def _heredocs(self) -> None:
        """Take the scripts that here-documents feed to an interpreter."""
        text = self.text
        done, fed = 0, Counter[int]()
        for mark in _HEREDOC.finditer(text) if "<<" in text else ():
            if mark.start() < done:
                # It stands in the one before.
                continue
            chain = self.script.ancestry(self.script.node_at(*mark.span("sign")))
            redirect = next((node for node in chain[:2] if node.type == "heredoc_redirect"), None)
            body = next((node for node in redirect.children if node.type == "heredoc_body"), None) if redirect else None
            command = fed_by(chain) if body is not None else None
            if body is None or command is None or fed[command.start_byte] == _MOST_FED:
                continue
            fed[command.start_byte] += 1
            line = self.document.line_of(mark.start())
            start = self.document.line_starts[self.document.line_of(body.start_byte)]
            end = self.document.line_starts[self.document.line_of(body.end_byte)]
            done = end
            simple = split(text, command.start_byte, min(start, command.start_byte + LONGEST))
            header = text[command.start_byte : self.document.line_span(line).end]
            scope = self._scope(start, branch_of(self.script.ancestry(command)))
            language = heredoc_language(header, simple, text[start:end], scope)
            if language is not None:
                quoted = any(heredoc.quoted for heredoc in simple.heredocs)
                indented = mark["sign"] == "<<-"
                span = Span(start, max(start, end))
                self.inner.append(in_heredoc(text, span, language, scope, quoted=quoted, indented=indented))

    def _read_line(self, place: EnclosingStatement) -> None:
        """Read what one line of a damaged part shows alone."""
        start, end = self._logical_line(place.start)
        if start not in self.lines:
            self.lines[start] = list(commands(self.text, start, end))
        for simple in self.lines[start]:
            first = simple.words[0].start if simple.words else start
            if first > place.start:
                continue
            if place.start <= simple.stop and first not in self.seen:
                self.seen.add(first)
                self._take(simple, branch_of(place.chain))

    def _logical_line(self, at: int) -> tuple[int, int]:
        """Return the line of `at` with those that backslashes join to it."""
        document = self.document
        first = last = document.line_of(at)
        while first > 0 and document.line_text(first - 1).endswith("\\"):
            first -= 1
        while last + 1 < document.line_count and document.line_text(last).endswith("\\"):
            last += 1
        return document.line_span(first).start, document.line_span(last).end

    # -- the whole script -------------------------------------------------------------------------------

    def _exported_later(self) -> None:
        """Count plain assignments in where the script exports their variables.

        Where it does so on a condition only, that may be one of the value: `if [ "$X" -gt 0 ]; then export X; fi`.
        """
        if not self.plain:
            return
        wanted = {setting.name for setting in self.plain} - self.names
        later: dict[str, list[Branch]] = {}
        every = re.search(r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*a|-o[ \t]+allexport)", self.text) is not None
        for match in _EXPORTING.finditer(self.text) if wanted else ():
            place = self.place(match.start(), match.start() + 6)
            if place.kind == "declaration_command":
                words = split(self.text, place.start, min(len(self.text), place.start + LONGEST)).words
                for name in exported_names(words):
                    later.setdefault(name, []).append(branch_of(place.chain))
        for setting in self.plain:
            if every or setting.name in self.names:
                self.exported.append(setting)
            elif setting.name in later:
                sure = any(dominates(branch, setting.branch) for branch in later[setting.name])
                unknown = setting.value._replace(known=False, data=None, content=None, items=())
                self.exported.append(setting if sure else setting._replace(value=unknown))
        self.names.update(later)

    def _unset(self) -> Iterator[Unset]:
        """Yield the variables that the script takes out of the environment."""
        for start in taking_out(self.text):
            place = self.place(start, start + 5)
            if place.start == start and place.kind in ("unset_command", "declaration_command"):
                words = split(self.text, place.start, min(place.limit, place.start + LONGEST)).words
                yield from unset_by(words, branch_of(place.chain))
