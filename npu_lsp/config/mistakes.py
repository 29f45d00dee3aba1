"""What is wrong with the text of one configuration file, and where: for the editor that has it open.

The command reads such a file as a whole and stops; here, each mistake is underlined while the file is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from npu_lsp.config.apply import applied, resolved
from npu_lsp.config.errors import ConfigProblem
from npu_lsp.config.keys import FORM
from npu_lsp.config.outline import Outline, TomlPiece, outline
from npu_lsp.config.verify import problems
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.severity import Severity
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Said, Text, remark
from npu_lsp.text.dependencies import Fingerprint, is_file, look
from npu_lsp.text.spans import Edit, Span
from npu_lsp.text.toml import TomlError, parse
from npu_lsp.text.toml_shape import UNKNOWN_KEY, ShapeProblem, meant

LONGEST = 200_000
"""Code points of a text that is looked at."""
_CHANGE = Text('Change to "{word}"', "改为“{word}”")
_SECTION = ("tool", "npu-lsp")
_OURS = re.compile(r"^[ \t]*\[tool\.npu-lsp\b", re.MULTILINE)


def section(name: str) -> tuple[str, ...]:
    """Return the table that holds the configuration in a file of that name."""
    return _SECTION if name == "pyproject.toml" else ()


def mistakes(text: str, name: str, folder: Path | None, language: Language) -> tuple[Finding, ...]:
    """Return the mistakes in the configuration file `name` with that text, in the order of the text.

    Paths are relative to `folder`; without one, they aren't looked at.
    """
    if len(text) > LONGEST or (section(name) and not _OURS.search(text)):
        return ()
    try:
        table: Any = parse(text.removeprefix("\ufeff"))
    except TomlError as error:
        return (_finding(_line(text, error.line), error.told.to(language)),)
    for part in section(name):
        table = table.get(part, {}) if isinstance(table, dict) else {}
    found = list(_mistakes(table, _Positions(outline(text), section(name)), folder, language))
    return tuple(sorted(found, key=lambda each: each.span))


class _Positions:
    """Finds the spans of what messages are about."""

    def __init__(self, made: Outline, prefix: tuple[str, ...]) -> None:
        self._pieces: dict[str, TomlPiece] = {}
        self.values = [piece for piece in made.pieces if piece.part == "value"]
        for piece in made.pieces:
            if piece.path[: len(prefix)] == prefix:
                # The value comes after its key and is what most messages are about.
                self._pieces[_dotted(piece.path[len(prefix) :])] = piece
        self._keys = {
            _dotted(p.path[len(prefix) :]): p
            for p in made.pieces
            if p.part == "key" and p.path[: len(prefix)] == prefix
        }

    def of(self, problem: ShapeProblem) -> TomlPiece | None:
        """Return the piece that `problem` is about, or the nearest one around it."""
        known = self._keys if problem.message is UNKNOWN_KEY else self._pieces
        return known.get(problem.at) or self._pieces.get(re.sub(r"(?:\[\d+\]|\.[^.]*)$", "", problem.at))

    def word(self, key: str, word: str | None) -> TomlPiece | None:
        """Return where `word` stands in the value of `key`, as a value or as a name."""
        below = [
            p
            for at, p in (*self._pieces.items(), *self._keys.items())
            if at == key or at.startswith((f"{key}.", f"{key}["))
        ]
        return next((piece for piece in below if piece.text == word), None) or self._keys.get(key)


def _mistakes(table: Any, places: _Positions, folder: Path | None, language: Language) -> Iterator[Finding]:
    wrong: set[str] = set()
    for problem in FORM.problems(table, ""):
        wrong.add(re.split(r"[.\[]", problem.at)[0])
        yield from _about(places.of(problem), problem.placed, problem.suggestion, language)
    right = {key: value for key, value in table.items() if key not in wrong} if isinstance(table, dict) else {}
    if folder is None:
        right = {key: value for key, value in right.items() if key not in ("catalog", "extend")}
    for each in _unknown(right, folder or Path()):
        severity = Severity.WARNING if each.warning else Severity.ERROR
        piece = places.word(str(each.source), each.word)
        yield from _about(piece, each.message, each.suggestion, language, severity)


def _unknown(table: Mapping[str, Any], folder: Path) -> Iterable[ConfigProblem]:
    """Yield a problem for each rule, product, version or file that a well-formed configuration names and that doesn't exist.

    The `source` of a problem is the key that names it.
    """
    if "extend" in table and not is_file(resolved(table["extend"], folder)):
        yield _no_file("extend", table["extend"])
    rest = {key: value for key, value in table.items() if key != "catalog"}
    for problem in problems(applied(Config(), rest, folder=folder, origin=lambda key: key)):
        yield problem
    named = {word: resolved(word, folder) for word in table.get("catalog", ())}
    missing = [word for word, path in named.items() if not is_file(path)]
    for word in missing:
        yield _no_file("catalog", word)
    if not missing:
        paths = tuple(named.values())
        for problem in _catalog_problems(paths, tuple(look(path) for path in paths)):
            yield ConfigProblem("catalog", None, Text(problem.told("en"), problem.told("zh")))


@lru_cache(maxsize=4)
def _catalog_problems(paths: tuple[Path, ...], _looks: tuple[Fingerprint, ...]) -> tuple[ConfigProblem, ...]:
    """Return what is wrong in the catalog's files at `paths`, which is found out once for each state of them."""
    # To lay them over the catalog takes a tenth of a second, and somebody is typing.
    return tuple(problems(Config(catalog=paths))) if paths else ()


def _no_file(key: str, word: str) -> ConfigProblem:
    message = Text(f"{key}: there is no file {word!r}", f"{key}：没有文件 {word!r}")
    return ConfigProblem(key, None, message, None, word)


def _about(
    piece: TomlPiece | None,
    message: Said,
    suggestion: Said | None,
    language: Language,
    severity: Severity = Severity.ERROR,
) -> Iterator[Finding]:
    span = piece.span if piece is not None else Span(0, 0)
    word = meant(suggestion)
    fixes: tuple[Fix, ...] = ()
    if piece is not None and word is not None:
        fixes = (Fix(_CHANGE.to(language).format(word=word), (Edit(span, word),), Safety.UNSAFE),)
    yield _finding(span, remark("", message, suggestion, language), fixes, severity)


def _finding(span: Span, message: str, fixes: tuple[Fix, ...] = (), severity: Severity = Severity.ERROR) -> Finding:
    return Finding("", "configuration", severity, span, message, fixes=fixes)


def _line(text: str, number: int | None) -> Span:
    """Return the line with that number, 1-based, or the last one that says something."""
    lines = list(re.finditer(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", text))
    line = (
        lines[min(number, len(lines)) - 1] if number else next((m for m in reversed(lines) if m[0].strip()), lines[0])
    )
    words = line[0].rstrip()
    return Span(line.start() + len(words) - len(words.lstrip()), line.start() + len(words))


def _dotted(path: tuple[str | int, ...]) -> str:
    """Return a place as `npu_lsp.text.toml_shape` writes it."""
    made = ""
    for part in path:
        made += f"[{part}]" if isinstance(part, int) else f".{part}" if made else part
    return made
