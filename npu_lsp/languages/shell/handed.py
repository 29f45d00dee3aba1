"""Scripts that a command hands to a shell in other ways than `-c`: on its input, or for its start files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from npu_lsp.languages.shell.launch import SHELLS, name_of
from npu_lsp.languages.shell.lexer import Simple
from npu_lsp.languages.shell.words import Part, Word

_TO_SHELL = r"\|[ \t]*(?:sudo[ \t]+(?:-\w+[ \t]+(?:\w+[ \t]+)?)*)?(?:[^\s|]*/)?(?:ba|da|k|z)?sh\b"
_PIPED = re.compile(_TO_SHELL)
_FILE = r"(?:(?:ba|k|z)shrc|profile)"
_STARTUP = re.compile(rf"{_FILE}\Z")
# `cat <<EOF | bash`, `ssh host <<EOF`, `cat >> ~/.bashrc <<EOF`, `tee -a ~/.bashrc <<EOF`.
_HEREDOC = re.compile(
    _TO_SHELL + r"|\Assh[ \t]+(?:-[a-zA-Z]+[ \t]+(?:(?<=[bcDEeFIiJLlmOopQRSWw][ \t])\S+[ \t]+)?)*[^\s-]\S*[ \t]*<<"
    rf"|\Acat\b[^|;&]*>[ \t]*[\"']?[^\s|;&<>\"']*?{_FILE}[\"']?(?=[\s<]|\Z)"
    rf"|(?:\A|\|)[ \t]*(?:sudo[ \t]+)?tee[ \t]+(?:-\w+[ \t]+)*[\"']?[^\s|;&<>\"']*?{_FILE}[\"']?(?=[\s<]|\Z)"
)
_BEFORE_SHELL = frozenset({"sudo", "env", "ssh", "docker", "exec"})
_SAYING = frozenset({"echo", "printf"})


def takes_heredoc(header: str, words: Sequence[Word]) -> bool:
    """Tell whether the here-document of a command is a script; `header` is its text up to the end of its line."""
    names = [name_of(word) for word in words]
    if not names:
        return False
    if names[0] in SHELLS or (names[0] in _BEFORE_SHELL and any(name in SHELLS for name in names[1:])):
        return True
    return _HEREDOC.search(header) is not None


def handed(text: str, simple: Simple) -> list[Word]:
    """Return the words of a command that are scripts: `bash <<< "..."`, `echo "..." | bash`, `echo "..." >> ~/.bashrc`."""
    words = simple.words
    if words[0].text in _SAYING and (_PIPED.match(text, simple.stop) or _is_written(simple)):
        return [word for word in words[1:] if any(" " in p.text for p in word.pieces if p.part is Part.TEXT)]
    strings = [each.target for each in simple.redirects if each.operator == "<<<"]
    return strings[-1:] if strings and _reads_script(words) else []


def _is_written(simple: Simple) -> bool:
    """Tell whether what a command says goes into a file that shells read when they start."""
    targets = [each.target.pieces for each in simple.redirects if each.operator in (">", ">>", ">|")]
    return any(pieces and pieces[-1].part is Part.TEXT and _STARTUP.search(pieces[-1].text) for pieces in targets)


def _reads_script(words: Sequence[Word]) -> bool:
    """Tell whether a command is a shell that reads its script from its input."""
    for at, word in enumerate(words):
        if name_of(word) in SHELLS:
            return all(other.lead.startswith("-") and "c" not in other.lead for other in words[at + 1 :])
    return False
