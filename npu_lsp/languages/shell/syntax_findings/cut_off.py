"""Lines of flags that a missing backslash, blanks behind one, or a comment cuts off the command above them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.words import Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span, line_start

_FLAG_LINE = re.compile(
    r"[ \t]*(?P<flag>(?:--[A-Za-z]|-[A-Za-z]{2})[\w-]*|\$\{?[A-Za-z_]{0,40}(?:ARGS|args|OPTS|opts)\}?)(?=[= \t\\\r\n]|$)"
)
"""A flag at the beginning of a line, or a variable that holds some."""
_GIVEN_LINE = re.compile(
    r"[ \t]*(?P<flag>--[A-Za-z][\w-]*)(?:[= \t][ \t]*(?![A-Z][A-Z_]*(?:\s|\Z))[^\s\\]+)?[ \t]*\\?[ \t]*(?:#[^\r\n]*)?(?=\r|\n|\Z)"
)
"""Such a line with one value at most, which is no name in capitals, as manuals have it."""
_SKIPPED = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r(?!\n)))*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_JOINED_TO_COMMENT = re.compile(r"\\[ \t]*#[^\r\n]*")
_COMMENT = re.compile(r"(?:(?<=[ \t])|^)#[^\r\n]*", re.MULTILINE)
_LEFT_OUT = frozenset({"...", "…", "......"})
"""Words for arguments that a page doesn't show: what stands below belongs to the command all the same."""
_MOST = 200


class _Cut(NamedTuple):
    """A place where a command ends too early."""

    kind: SyntaxFault
    span: Span
    arguments: dict[str, str]
    edits: tuple[Edit, ...] | None
    """What joins the lines; `None` where that isn't certain."""
    comments: tuple[str, ...] = ()
    """What stands in between and has to move above the command."""


def cut_off(text: str, simple: Simple, *, flagged: bool = True) -> Iterator[SyntaxFinding]:
    """Yield what cuts the flags below a command off it, one mistake a reason: who forgets one backslash forgets more.

    `flagged`: it has flags of its own; below one without any, a manual may list what there is.
    """
    start = simple.words[0].start
    cuts: list[_Cut] = []
    if (simple.words[0].text or "").endswith(":"):
        return  # Usage: what follows is shown, and run by nobody.
    for _ in range(_MOST):
        if simple.operator not in ("\n", "\r\n", "\r") or simple.words[-1].text in _LEFT_OUT:
            break
        ended = simple.stop + len(simple.operator)
        skipped = _SKIPPED.match(text, ended)
        below = skipped.end() if skipped else ended
        flag = (_FLAG_LINE if cuts or flagged else _GIVEN_LINE).match(text, below)
        if flag is None:
            last = _last(text, simple, moved=any("reason" in cut.arguments for cut in cuts))
            if last is not None:
                cuts.append(last)
            break
        cuts.append(_cut(text, simple, below, Span(*flag.span("flag"))))
        simple = split(text, flag.start("flag"), len(text))
    reasons = dict.fromkeys((cut.kind, cut.arguments.get("reason")) for cut in cuts)
    for reason in reasons:
        yield _told(text, start, [cut for cut in cuts if (cut.kind, cut.arguments.get("reason")) == reason])


def _told(text: str, start: int, cuts: list[_Cut]) -> SyntaxFinding:
    """Return the one mistake that several cuts of a command are."""
    first = cuts[0]
    if len(cuts) > 1 and first.kind is SyntaxFault.LOST_BACKSLASH:
        # The last of them doesn't get there either.
        first = first._replace(span=Span(first.span.start, cuts[-1].span.end))
    arguments = first.arguments if len(cuts) == 1 else {**first.arguments, "count": str(len(cuts))}
    edits: list[Edit] = []
    for cut in cuts:
        if cut.edits is None:
            return SyntaxFinding(first.kind, first.span, arguments)
        edits += cut.edits
    comments = [comment for cut in cuts for comment in cut.comments]
    if comments:
        above = _above(text, start, comments)
        if above is None:
            return SyntaxFinding(first.kind, first.span, arguments)
        edits.insert(0, above)
    return SyntaxFinding(first.kind, first.span, arguments, tuple(edits))


def _cut(text: str, simple: Simple, below: int, flag: Span) -> _Cut:
    """Return what cuts `flag`, whose line starts at `below`, off the command."""
    arguments = {"flag": text[flag.start : flag.end]}
    between = text[simple.stop : below]
    join = f" \\{simple.operator}"
    behind = _comment_behind_backslash(text, simple)
    if simple.comment >= 0 or behind is not None:
        at = behind if behind is not None else simple.comment
        start = line_start(text, at)
        own_line = not text[start:at].strip(" \t")
        # The lines above it end in their own backslashes.
        edit = Edit(Span(start, below), "") if own_line else Edit(Span(_end_before(text, at), below), join)
        span = Span(at, simple.stop)
        return _Cut(
            SyntaxFault.LOST_BACKSLASH, span, {**arguments, "reason": "comment"}, (edit,), _comments(text, at, below)
        )
    if simple.blanks >= 0:
        edits = (Edit(Span(simple.blanks + 1, simple.stop), ""),) if between == simple.operator else None
        return _Cut(SyntaxFault.BLANK_AFTER_BACKSLASH, Span(simple.blanks, simple.stop), arguments, edits)
    # Blank lines in between go: a backslash would join the first of them and nothing more.
    edit = Edit(Span(simple.end, below), join)
    return _Cut(SyntaxFault.LOST_BACKSLASH, flag, arguments, (edit,), _comments(text, simple.end, below))


def _last(text: str, simple: Simple, *, moved: bool) -> _Cut | None:
    """Return what is wrong with the end of a command that nothing is cut off from: its backslash has to go.

    `moved`: comments of its other lines move above the command, and so does this one.
    """
    behind = _comment_behind_backslash(text, simple)
    if behind is not None and moved:
        edit = Edit(Span(_end_before(text, behind), simple.stop), "")
        comments = _comments(text, behind, simple.stop)
        return _Cut(SyntaxFault.LOST_BACKSLASH, Span(behind, simple.stop), {"reason": "comment"}, (edit,), comments)
    after = _LINE_END.match(text, simple.stop)
    below = after.end() if after else len(text)
    following = text[below:].lstrip(" \t")
    first = simple.words[0].start
    # What stands further in than the command goes on with it: an image, the name of a model.
    deeper = len(text) - below - len(following) > first - line_start(text, first)
    joined = deeper and following[:1] not in ("", "\r", "\n", "#")
    if behind is not None:
        hash_sign = text.index("#", behind)
        edit = Edit(Span(_end_before(text, behind), hash_sign), "  ")
        edits = None if joined else (edit,)
        return _Cut(SyntaxFault.BLANK_AFTER_BACKSLASH, Span(behind, simple.stop), {"reason": "comment"}, edits)
    if simple.blanks < 0 or simple.comment >= 0:
        return None
    edit = Edit(Span(simple.blanks + 1 if joined else simple.end, simple.stop), "")
    certain = joined or following[:1] not in "\"'$" or not following
    return _Cut(SyntaxFault.BLANK_AFTER_BACKSLASH, Span(simple.blanks, simple.stop), {}, (edit,) if certain else None)


def _comment_behind_backslash(text: str, simple: Simple) -> int | None:
    r"""Return where the backslash of `\  # why` stands: it makes a word of the blank behind it, and joins no lines."""
    line = line_start(text, simple.stop)
    for word in reversed(simple.words[1:]):
        if text[word.start] == "\\":
            match = _JOINED_TO_COMMENT.match(text, word.start)
            return word.start if match is not None and match.end() == simple.stop else None
        if word.start < line:
            break
    return None


def _comments(text: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(found.rstrip(" \t") for found in _COMMENT.findall(text[start:end].lstrip("\\")))


def _end_before(text: str, at: int) -> int:
    """Return where what stands before `at` on its line ends."""
    return line_start(text, at) + len(text[line_start(text, at) : at].rstrip(" \t"))


def _above(text: str, start: int, comments: Iterable[str]) -> Edit | None:
    """Return the edit that puts comments above the command that starts at `start`."""
    top = line_start(text, start)
    if top > 1 and text[:top].rstrip("\r\n").endswith("\\"):
        return None
    indent = text[top:start]
    indent = indent[: len(indent) - len(indent.lstrip(" \t"))]
    newline = _LINE_END.search(text, start)
    end = newline.group() if newline else "\n"
    return Edit(Span(top, top), "".join(f"{indent}{comment}{end}" for comment in comments))
