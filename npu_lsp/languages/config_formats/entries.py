"""How entries of configuration files become settings and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import Block, Comment, Form, Setting, SyntaxFault, SyntaxFinding, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_TO_US = re.compile(r"#\s*npu-lsp:|;\s*npu-lsp:[^=\r\n]*(?=[\r\n]|\Z)")
"""The tools know no `;` for comments, but pass over a line that says so and has no `=`."""


def word(document: Document, span: Span) -> Value:
    """Return the text at `span` as a value that has no type of its own."""
    return Value(ValueKind.WORD, span, True, document.text[span.start : span.end], span)


def entry(
    surface: Surface,
    name: str,
    key: Span,
    value: Value,
    own: Span,
    *,
    receiver: str = "",
    statement: Span | None = None,
) -> Setting:
    """Return one entry."""
    return Setting(surface, name, key, value, Form.ENTRY, statement or own, own, receiver=receiver)


def member(surface: Surface, name: str, each: Member, *, receiver: str = "") -> Setting:
    """Return a member of a JSON object."""
    return entry(surface, name, each.key_span, each.node.value(), each.span, receiver=receiver)


def members(surface: Surface, node: Node, path: tuple[str, ...] = (), item: str = "") -> Iterator[Setting]:
    """Yield a setting for each member of a JSON object and of the objects in it, named by its dotted path; `item` says in which element of a list."""
    for each in node.members:
        yield member(surface, ".".join((*path, each.key)), each, receiver=item)
        yield from members(surface, each.node, (*path, each.key), item)
        several = len(each.node.items) > 1
        for number, inner in enumerate(each.node.items):
            yield from members(surface, inner, (*path, each.key), f"{item}{each.key}[{number}]" if several else item)


def block(number: int, surface: Surface, head: Span, settings: Sequence[Setting], receiver: str = "") -> Block:
    """Return a block that reaches from its head to its last entry."""
    last = max((s.own.end for s in settings), default=head.end)
    return Block(number, surface, head, Span(head.start, max(last, head.end)), tuple(settings), receiver=receiver)


def blocks(surface: Surface, groups: Iterable[tuple[Sequence[Setting], str]]) -> tuple[Block, ...]:
    """Return a block for each group of settings that has any; the word beside a group is its receiver."""
    held = [(settings, receiver) for settings, receiver in groups if settings]
    return tuple(block(i, surface, settings[0].key, settings, receiver) for i, (settings, receiver) in enumerate(held))


def lines(document: Document) -> Iterator[tuple[int, Span]]:
    """Yield each line's number and its text without the blanks around it."""
    for number in range(document.line_count):
        start, end = document.line_span(number)
        yield number, stripped(document.text, Span(start, end))


def stripped(text: str, span: Span) -> Span:
    """Return `span` without the blanks around its text."""
    start, end = span
    while start < end and text[start] in " \t\r\n\ufeff":
        start += 1
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return Span(start, end)


def comments(document: Document) -> tuple[Comment, ...]:
    """Return the comments that speak to npu-lsp, in files where `#` or `;` at the start of a line starts one."""
    if "npu-lsp:" not in document.text:
        return ()
    found = (span for _, span in lines(document))
    return tuple(Comment(s, True) for s in found if _TO_US.match(document.text, s.start))


def malformed(span: Span, reason: str, *edits: Edit, **said: str) -> SyntaxFinding:
    """Return the finding on an entry that its format doesn't allow.

    `reason` chooses the message, `said` fills its placeholders, `edits` are its fix.
    """
    return SyntaxFinding(SyntaxFault.MALFORMED_ENTRY, span, {"reason": reason, **said}, edits)


def once_a_run(document: Document, mistakes: Iterable[SyntaxFinding]) -> Iterator[SyntaxFinding]:
    """Yield `mistakes` without those that go on where one of the same reason ends: lines pasted in are one slip."""
    last: SyntaxFinding | None = None
    for mistake in mistakes:
        goes_on = (
            last is not None
            and not mistake.edits
            and last.arguments.get("reason") == mistake.arguments.get("reason")
            and not document.text[last.span.end : mistake.span.start].strip()
        )
        if not goes_on:
            yield mistake
        last = mistake
