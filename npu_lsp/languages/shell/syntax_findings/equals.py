"""Blanks around `=`, and two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.environment import declares
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SWITCH = re.compile(r"true|false|on|off|enable|disable|yes|no", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r",|.[ \t]*;[ \t]*(?://[^\n]*)?(?:\r?\n|\Z)|.[ \t]*(?:(?://[^\n]*)?\r?\n\s{0,99})?\}[ \t\w]{0,80};"
)
"""Where an assignment of C ends, or an item of its enumerations: from the last character of the value."""
_MAKEFILE = re.compile(r"^[ \t]*(?:ifn?(?:def|eq)\b|endif\b|[A-Za-z_]\w{0,99}[ \t]{0,9}[:?]=)", re.MULTILINE)
_NEAR = 4_000
"""Code points around an assignment where a makefile shows itself: pages put one in a fence that says "text", or nothing."""
_BLANKS = re.compile(r"[ \t]+")


def around_flags(text: str, words: Sequence[ShellWord], first: int) -> Iterator[SyntaxFinding]:
    """Yield `--flag =v`, `--flag= v` and `--flag==v` among a tool's words."""
    skip = -1
    for index in range(first, len(words)):
        word = words[index]
        lead = word.lead
        if index <= skip or not lead.startswith("-"):
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        on_line = following is not None and _BLANKS.fullmatch(text, word.end, following.start) is not None
        if "=" not in lead and len(word.pieces) == 1 and following is not None and on_line:
            if following.lead.startswith("="):
                end, skip = _end_of_value(text, words, index + 1)
                yield SyntaxFinding(
                    SyntaxFault.SPACE_BEFORE_EQUALS, Span(word.start, end), {"flag": lead}, _joined(words, index, skip)
                )
        elif (
            lead.endswith("=") and lead.count("=") == 1 and len(word.pieces) == 1 and following is not None and on_line
        ):
            if following.lead[:1] not in ("-", "=") and not _is_hole(following):
                yield SyntaxFinding(
                    SyntaxFault.SPACE_AFTER_EQUALS,
                    Span(word.start, following.end),
                    {"flag": lead[:-1]},
                    _joined(words, index, index + 1),
                )
        elif _is_double(word):
            at = word.pieces[0].start + lead.index("=")
            yield SyntaxFinding(
                SyntaxFault.DOUBLE_EQUALS, Span(at, at + 2), {"name": lead[: lead.index("=")]}, _one(at)
            )


def _is_hole(word: ShellWord) -> bool:
    """Return whether a word may be nothing at all: an unquoted variable."""
    return len(word.pieces) == 1 and word.pieces[0].kind is not PieceKind.TEXT and not word.pieces[0].quoted


def _end_of_value(text: str, words: Sequence[ShellWord], index: int) -> tuple[int, int]:
    """Return where `=v` or `= v` ends that starts with the word `index`, and which word ends it."""
    word = words[index]
    if word.text == "=" and index + 1 < len(words):
        following = words[index + 1]
        if following.lead[:1] != "-" and _BLANKS.fullmatch(text, word.end, following.start):
            return following.end, index + 1
    return word.end, index


def _joined(words: Sequence[ShellWord], first: int, last: int) -> tuple[Edit, ...]:
    pairs = zip(words[first:last], words[first + 1 : last + 1], strict=True)
    return tuple(Edit(Span(one.end, other.start), "") for one, other in pairs)


def _is_double(word: ShellWord) -> bool:
    lead = word.lead
    at = lead.find("=")
    return at >= 0 and lead[at + 1 : at + 2] == "=" and at + 2 <= len(word.pieces[0].text)


def _one(at: int) -> tuple[Edit, ...]:
    return (Edit(Span(at + 1, at + 2), ""),)


def in_assignments(text: str, words: Sequence[ShellWord]) -> Iterator[SyntaxFinding]:
    """Yield `X==v`, `export X = v`, `export X= v` and `X = v` for variables that matter."""
    declaring = declares(words)
    skip = -1
    for index in range(1 if declaring else 0, len(words) if declaring else 1):
        word = words[index]
        lead = word.lead
        name, equals, _ = lead.partition("=")
        if index <= skip or not is_variable(name) or word.pieces[0].quoted:
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        on_line = following is not None and _BLANKS.fullmatch(text, word.end, following.start) is not None
        if not equals:
            if following is not None and on_line and following.lead.startswith("=") and word.bare:
                end, skip = _end_of_value(text, words, index + 1)
                if not declaring and _is_no_assignment(following, text, end, last=skip + 1 == len(words)):
                    continue
                yield SyntaxFinding(
                    SyntaxFault.EXPORT_SPACE, Span(word.start, end), {"name": name}, _joined(words, index, skip)
                )
        elif _is_double(word):
            at = word.pieces[0].start + len(name)
            yield SyntaxFinding(SyntaxFault.DOUBLE_EQUALS, Span(at, at + 2), {"name": name}, _one(at))
        elif word.text == f"{name}=" and following is not None and on_line and _cannot_follow(following, declaring):
            yield SyntaxFinding(
                SyntaxFault.EXPORT_SPACE,
                Span(word.start, following.end),
                {"name": name},
                _joined(words, index, index + 1),
            )


def _is_no_assignment(sign: ShellWord, text: str, end: int, *, last: bool) -> bool:
    """Tell what looks alike: `X == v` is a test that lost its brackets, `X = 0, Y = 1 done` what a program prints.

    Others are of C, or of a makefile. The value ends at `end` of `text`.
    """
    if sign.lead.startswith("==") or not last or _ELSEWHERE.match(text, end - 1) is not None:
        return True
    return _MAKEFILE.search(text, max(0, end - _NEAR), end + _NEAR) is not None


def _cannot_follow(word: ShellWord, declaring: bool) -> bool:
    """Return whether a word behind `X=` must have been meant as its value."""
    text = word.text
    if text is None:
        return False
    if _NUMBER.fullmatch(text):
        return True
    return declaring and (_SWITCH.fullmatch(text) is not None or text.startswith(("/", "./")))
