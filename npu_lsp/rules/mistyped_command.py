"""NPU262: a command, or a file of a deployment, that a script names with a slip."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from npu_lsp.catalog.near import NearNames, slip_of
from npu_lsp.languages.shell.script import commands_of
from npu_lsp.languages.shell.sourcing import of_tools, sourced
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import in_lines_with, lines_with

_FUNCTION = re.compile(
    r"^[ \t]*(?:alias[ \t]+(?P<alias>[\w-]+)=|(?:function[ \t]+)?(?P<name>[A-Za-z_][\w-]*)[ \t]*(?:\(\)|(?<=[\w-])[ \t]*\{))",
    re.MULTILINE,
)
_COMMAND = re.compile(r"[A-Za-z_](?<![^;&|(){}!`\s].)[\w-]{6,60}(?=[\s;&|()<>`\\]|\Z)")
_OPENING = re.compile(r"(?<![\w-])(?:if|then|else|elif|do|while|until|fi|done)\Z")
_SIGNS = frozenset(("", *";&|(){}!`\r\n"))
"""Where a command begins whose name is no short one, which is close to many, as far as that is told without splitting a script into its words, which takes fifty times as long."""
_WORD = re.compile(r"[^\s/\"'`$;&|<>(){}\\]+")
_COPIES = frozenset({"cp", "mv", "copy_or_fail", "chmod", "cat", "source", ".", "bash", "sh", "python", "python3"})
_SET = "export ASCEND_GLOBAL_LOG_LEVEL=3\n"
_FUNCTIONS = "start_engine() {\n    echo\n}\n"


class MistypedCommand(Rule):
    """A command, or a file of a deployment, that a script names with a slip.

    ## What it does
    Looks in scripts for commands whose names are close to a program of MindIE or to a function of the script, and for files that are
    copied or run under a name close to one that a deployment of MindIE has. A script that sources others may have its functions there:
    of such a one the programs alone are compared.

    ## Why is this bad?
    The shell says "command not found" and goes on, mostly in a container whose log nobody reads.

    ## Fix safety
    Unsafe: from then on the command runs.
    """

    code = "NPU262"
    title = Text(en="Mistyped command", zh="命令名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "command": Text(
            en='No command is called "{value}" here. Did you mean "{near}"?',
            zh="没有名为“{value}”的命令，是否应为“{near}”？",
        ),
        "file": Text(
            en='A deployment of MindIE has no file "{value}". Did you mean "{near}"?',
            zh="MindIE 的部署中没有文件“{value}”，是否应为“{near}”？",
        ),
    }
    VALID = (
        _SET + _FUNCTIONS + "start_engine\n",
        # Another number, a function of its own, one of another script, and a script that lies beside.
        _SET + _FUNCTIONS + "start_engine2\nstart_engines() { :; }\nstart_engines\n",
        _SET + _FUNCTIONS + "source ./more.sh\nstart_engines\n",
        Valid(_SET + 'cp "$A/ms_coordinators.json" "$B"\n', Kind.SHELL, files={"ms_coordinators.json": "{}\n"}),
    )
    INVALID = (
        (
            'export MIES_CONTAINER_IP="$POD_IP"\n'
            '«mindie_llm_sever→mindie_llm_server» --config-file "$CONFIG_DIR/config.json"\n'
        ),
        _SET + _FUNCTIONS + "«start_engin→start_engine»\n",
        _SET + "source ./more.sh\n«mindie_motor_controler→mindie_motor_controller» &\n",
        _SET + 'cp "$CONF/«ms_coordinater.json→ms_coordinator.json»" "$B/ms_coordinator.json"\n',
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.SHELL or context.parsed.damaged:
            return
        facts = context.catalog.plain("deployment")
        programs, files = facts["commands"]["names"], facts["files"]["names"]
        own = {match["alias"] or match["name"] for match in in_lines_with(_FUNCTION, document.text, "()", "{", "alias")}
        alone = all(of_tools(each.file) for each in sourced(document))
        close = frozenset((*programs, *(own if alone else ())))
        near = _meant({*_commands(document.text)} - own - close, close)
        if not near and not _names_slip(document.text, files):
            return
        for simple in commands_of(document):
            if not simple.words:
                continue
            first, *rest = simple.words
            name = first.text or ""
            if first.bare and name in near:
                yield self._near("command", first.span, name, near[name], context)
            for word in rest if name in _COPIES else ():
                yield from self._file(word, files, context)

    def _file(self, word: ShellWord, files: list[str], context: Context) -> Iterator[Finding]:
        """Look at the name of a file, where the text says how a path ends."""
        last = word.pieces[-1] if word.pieces else None
        if last is None or last.kind is not PieceKind.TEXT or last.end - last.start != len(last.text):
            return
        name = posixpath.basename(last.text)
        near = slip_of(name, files) if name not in files else None
        path = context.document.path
        if near is not None and not (path and surroundings.exists(Path(path).absolute().parent / name)):
            yield self._near("file", Span(last.end - len(name), last.end), name, near, context)

    def _near(self, kind: str, span: Span, value: str, near: str, context: Context) -> Finding:
        return self.finding(context, span, kind, fixes=self.renamed_at(context, span, near), value=value, near=near)


def _commands(text: str) -> Iterator[str]:
    """Yield the names that stand where a command begins."""
    for match in _COMMAND.finditer(text):
        begin = at = match.start()
        while text[at - 1 : at] in (" ", "\t"):
            at -= 1
        if text[at - 1 : at] in _SIGNS or (at < begin and _OPENING.search(text, max(0, at - 5), at)):
            yield match.group()


def _meant(names: Iterable[str], close: frozenset[str]) -> dict[str, str]:
    """Return the commands that names are close to; one that differs by its hyphens alone is a program of its own."""
    known = NearNames(close)
    found = ((name, known.nearest(name)) for name in names)
    return {name: near for name, near in found if near is not None and near.replace("_", "-") != name.replace("_", "-")}


def _names_slip(text: str, files: Sequence[str]) -> bool:
    """Return whether a word of a script is close to the name of a file of a deployment."""
    ends = tuple(each.rpartition(".")[2] for each in files)
    lines = lines_with(text, ".", *ends)
    words = {word for line in lines for word in _WORD.findall(text, *line) if "." in word or word.endswith(ends)}
    return any(slip_of(word, files) is not None for word in words.difference(files))
