"""Where a statement that never ends must have ended: guesses for code that is being typed.

Each guess depends only on the text from the statement's start up to the place that shows the damage, so that a
scanner can tell which statements an edit can have an influence on.
"""

from __future__ import annotations

from npu_lsp.text import lazy_re as re

# What can't stand inside brackets at the start of a line: a statement of its own.
_STATEMENT = re.compile(
    r"""
    @\w
    | (?:async[ \t]+)?def[ \t]+\w | class[ \t]+\w+[ \t]*[(:]
    | (?:import|with|while|assert|raise|del|global|nonlocal|except|return|from|print)[ \t]+[\w("'*{\[]
    | (?:return|pass|break|continue|raise)[ \t]*(?:[#;\r\n]|\Z)
    | (?:try|else|finally|except)[ \t]*:
    | (?:if|elif|for|while|with)\b[^\r\n]*:[ \t]*(?:\#[^\r\n]*)?(?:[\r\n]|\Z)
    | [^\W\d]\w*(?:\.\w+|\[[^\]\r\n]*\])+[ \t]*[-+*/%&|^]?=(?!=)
    """,
    re.VERBOSE,
)
# What can't stand inside brackets wherever it is: a keyword argument has a plain name.
_TARGET = re.compile(r"[^\W\d]\w*(?:\.\w+|\[[^\]\r\n]*\])+[ \t]*=(?!=)")
_LINE_START = re.compile(r"(?<=[\r\n])(?P<indent>[ \t\f]*)(?=[@\w])")
_NAME_ASSIGNMENT = re.compile(r"[^\W\d]\w*[ \t]*(?::[^=\r\n]*)?=(?!=)")
_WORD = re.compile(r"[^\W\d]\w*(?!\w|['\"])")
_INFIX = frozenset({"if", "else", "for", "in", "and", "or", "not", "is", "async", "await", "lambda", "as"})

_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:]|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b"
    r"|@\w|[^\W\d][\w.]*(?:\[[^\]\r\n]*\][\w.]*)?[ \t]*=[ \t]*\S)",
    re.MULTILINE,
)
_HEADER = re.compile(r"[ \t]*(?:(?:async[ \t]+)?def|class)\b")
_COMMENT_BEHIND = re.compile(r":[ \t]*#")


def may_hold_statement(text: str, start: int, end: int, width: int) -> bool:
    """Return whether a line in the text may start a statement: True wherever one of the guesses below could say so.

    That is a line that is indented by no more than `width` columns, or one that assigns to an attribute or an item. A
    character takes one column at least, but for a form feed, which takes back those before it.
    """
    return any(
        len(found["indent"]) <= width or "\f" in found["indent"] or _TARGET.match(text, found.end())
        for found in _LINE_START.finditer(text, start, end)
    )


def is_assignment(text: str, start: int) -> bool:
    """Return whether the line whose code starts at `start` assigns to an attribute or an item."""
    return _TARGET.match(text, start) is not None


def starts_statement(text: str, start: int, before: str) -> bool:
    """Return whether the line whose code starts at `start` can't be inside brackets.

    `before` is the last character of code in front of it.
    """
    if _STATEMENT.match(text, start):
        return True
    if before not in ",([{" and _NAME_ASSIGNMENT.match(text, start):
        return True
    # Two operands side by side: `foo(a` and then `bar`. Text literals may stand side by side.
    if before.isalnum() or before in "_)]}\"'":
        word = _WORD.match(text, start)
        return word is not None and word.group() not in _INFIX
    return False


def may_start_statement(text: str, start: int) -> bool:
    """Return whether the line looks like an assignment, though it could be a keyword argument in a call."""
    return _NAME_ASSIGNMENT.match(text, start) is not None


def is_stray_quote(text: str, start: int, end: int) -> bool:
    """Return whether the triple quotes at `start` close nothing and open nothing: those at `end` open the next text.

    A text in triple quotes that nobody closed runs up to the next docstring. Then code stands in it, and right
    after its end, where nothing but an operator could follow, comes the docstring's text; or the header of a
    function stands right before its end.
    """
    content = text[start + 3 : end]
    if "\n" not in content and "\r" not in content:
        return False
    follows = text[end + 3 : end + 4]
    if not (follows.isalnum() or follows == "_" or _ends_with_header(content)):
        return False
    return _CODE_LINE.search(content) is not None


def _ends_with_header(content: str) -> bool:
    """Return whether the last line with something on it is the header of a function or a class."""
    said = content.rstrip()
    line = said[max(said.rfind("\n"), said.rfind("\r")) + 1 :]
    return _HEADER.match(line) is not None and (line.endswith(":") or _COMMENT_BEHIND.search(line) is not None)
