"""Which words and here-documents of a command are scripts of their own, and in which language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.languages.detection import detect
from npu_lsp.languages.registry import BY_KIND, BY_LABEL
from npu_lsp.languages.shell.known import Scope
from npu_lsp.languages.shell.program_names import interpreted_by, name_of
from npu_lsp.languages.shell.resolve import ResolvedProgram
from npu_lsp.languages.shell.words import PieceKind, ShellWord, Simple
from npu_lsp.languages.variable_names import exports_variable, keys
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind

_SUDO = r"(?:sudo[ \t]+(?:-\w+[ \t]+(?:\w+[ \t]+)?)*)?(?:[^\s|]*/)?"
_TO_SHELL = rf"\|[ \t]*{_SUDO}(?:ba|da|k|z)?sh\b"
_TO_PYTHON = re.compile(rf"\|[ \t]*{_SUDO}python[\d.]*(?:[ \t]+-)?[ \t]*(?:$|[\r\n;&|])")
_PIPED = re.compile(_TO_SHELL)
_FILE = r"(?:(?:ba|k|z)shrc|profile)"
_STARTUP = re.compile(rf"{_FILE}\Z")
# `cat <<EOF | bash`, `ssh host <<EOF`, `cat >> ~/.bashrc <<EOF`, `tee -a ~/.bashrc <<EOF`.
_HEREDOC = re.compile(
    _TO_SHELL + r"|\Assh[ \t]+(?:-[a-zA-Z]+[ \t]+(?:(?<=[bcDEeFIiJLlmOopQRSWw][ \t])\S+[ \t]+)?)*[^\s-]\S*[ \t]*<<"
    rf"|\Acat\b[^|;&]*>[ \t]*[\"']?[^\s|;&<>\"']*?{_FILE}[\"']?(?=[\s<]|\Z)"
    rf"|(?:\A|\|)[ \t]*(?:sudo[ \t]+)?tee[ \t]+(?:-\w+[ \t]+)*[\"']?[^\s|;&<>\"']*?{_FILE}[\"']?(?=[\s<]|\Z)"
)
_FROM_INPUT = re.compile(r"-(?:f|-filename)[ \t=]*-(?![^\s<|;&])")
_TO_FILE = re.compile(r"\|[ \t]*(?:sudo[ \t]+)?tee[ \t]+(?:-\w+[ \t]+)*[\"']?(?P<name>[^\s|;&<>\"']+)")
_BEFORE_INTERPRETER = frozenset({"sudo", "env", "ssh", "docker", "exec", "nohup", "time"})
_INPUT = frozenset({"-", "/dev/stdin"})
_SAYING = frozenset({"echo", "printf"})
_FILES = frozenset({Kind.SHELL, Kind.PYTHON, Kind.YAML, Kind.DOCKERFILE, Kind.MAKEFILE, Kind.DOTENV, Kind.JSON})
"""What a here-document may become; a file that options point to is read where nothing is filled in."""
_FILLED = re.compile(r"[$`]")


def heredoc_language(header: str, simple: Simple, body: str, scope: Scope) -> Kind | None:
    """Return the language of the here-document of a command; `header` is its text up to the end of its line."""
    words = simple.words
    names = [name_of(word) for word in words]
    if not names:
        return None
    at = 0 if names[0] not in _BEFORE_INTERPRETER else _interpreter(names)
    language = interpreted_by(names[at] or "")
    if language is Kind.PYTHON:
        return Kind.PYTHON if all(_is_flag(word) for word in words[at + 1 :]) else None
    if language is not None or _HEREDOC.search(header):
        return Kind.SHELL
    if names[0] == "cat" and _TO_PYTHON.search(header):
        return Kind.PYTHON
    return Kind.YAML if "kubectl" in header and _FROM_INPUT.search(header) else _written(header, simple, body, scope)


def _written(header: str, simple: Simple, body: str, scope: Scope) -> Kind | None:
    """Return the kind of the file that a here-document becomes: `cat > run.sh <<EOF`, `tee job.yaml <<EOF`.

    Where its name tells nothing, its mark does: `cat > $file <<YAML`; a script is told by the variables that it exports, too.
    """
    names = [name_of(word) for word in simple.words]
    written = [each.target for each in simple.redirects if each.operator in (">", ">>", ">|")]
    if "tee" in names[:2]:
        written = [word for word in simple.words[1:] if word.text != "tee" and not word.lead.startswith("-")]
    elif names[0] != "cat":
        return None
    if written:
        last = written[-1].pieces[-1]
        said = last.text if last.kind is PieceKind.TEXT else None
        name = (scope.text_of(last.text) if last.kind is PieceKind.NAME else said) or ""
    elif (piped := _TO_FILE.search(header)) is not None:
        name = piped["name"]
    else:
        # `CONFIG=$(cat <<EOF`: JSON that gives variables is told by its keys, whoever gets it.
        return Kind.JSON if body.lstrip().startswith("{") and keys(body, 0, len(body)) else None
    kind = detect(name, body.lstrip("\t"))
    if kind is Kind.OTHER:
        kind = BY_LABEL.get(simple.heredocs[0].tag.lower(), kind) if simple.heredocs else kind
    if _is_read(kind, body):
        return kind
    return Kind.SHELL if kind is Kind.OTHER and exports_variable(body) else None


def _is_read(kind: Kind, body: str) -> bool:
    """Return whether a here-document is read as a file of its kind: one that options point to where it is all of it, and nothing filled in."""
    if kind in _FILES or kind is Kind.OTHER or not BY_KIND[kind].json:
        return kind in _FILES
    return _FILLED.search(body) is None and all(body.count(start) == body.count(end) for start, end in ("{}", "[]"))


def _interpreter(names: Sequence[str | None]) -> int:
    return next((at for at, name in enumerate(names) if name is not None and interpreted_by(name) is not None), 0)


def _is_flag(word: ShellWord) -> bool:
    """Return whether a word of `python3 -u - <<EOF` leaves it at reading its input."""
    if word.text in _INPUT:
        return True
    return word.lead.startswith("-") and not set(word.lead) & {"c", "m"}


def scripts(
    text: str, simple: Simple, words: Sequence[ShellWord], program: ResolvedProgram
) -> Iterator[tuple[ShellWord, Kind]]:
    """Yield the words of a command that are scripts, each with its language; `words` are those that `program` was told from.

    `bash -c "..."`, `python3 -c "..."`, `bash <<< "..."`, `echo "..." | bash`, `echo "..." >> ~/.bashrc`.
    """
    if program.script is not None:
        yield words[program.at], program.script
    own = simple.words
    if own[0].text in _SAYING and (_PIPED.match(text, simple.stop) or _is_written(simple)):
        for word in own[1:]:
            if any(" " in piece.text for piece in word.pieces if piece.kind is PieceKind.TEXT):
                yield word, Kind.SHELL
        return
    strings = [each.target for each in simple.redirects if each.operator == "<<<"]
    language = _reads_script(own) if strings else None
    if language is not None:
        yield strings[-1], language


def _is_written(simple: Simple) -> bool:
    """Return whether what a command says goes into a file that shells read when they start."""
    targets = [each.target.pieces for each in simple.redirects if each.operator in (">", ">>", ">|")]
    return any(pieces and pieces[-1].kind is PieceKind.TEXT and _STARTUP.search(pieces[-1].text) for pieces in targets)


def _reads_script(words: Sequence[ShellWord]) -> Kind | None:
    """Return the language of what a command reads from its input, where that is a script."""
    for at, word in enumerate(words):
        language = interpreted_by(name_of(word) or "")
        if language is not None:
            plain = all(_is_flag(other) for other in words[at + 1 :])
            return language if plain else None
    return None
