"""What stands where in the block style of Kubernetes' YAML: each key with those that lead to it, and its value. One pass over the lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_ENTRY = re.compile(
    r"(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)(?P<key>[\w./-]+|\"[^\"\r\n]*\")[ ]*:(?:[ ]+(?P<rest>[^\r\n]*?))?[ ]*"
)
_BLOCK = re.compile(r"[|>][+-]?[0-9]?(?:[ ]+#.*)?\Z")
_VALUE = re.compile(
    r"\"(?P<double>[^\"\r\n]*)\"|'(?P<single>[^'\r\n]*)'|(?P<plain>[^#\"'{\[&*!|>\s][^\r\n]*?)(?:[ ]+#.*)?\Z"
)
_GLUED = re.compile(r"(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*)(?P<key>[A-Za-z]+):(?P<rest>[^ \r\n]+)[ ]*(?:#[^\r\n]*)?")
_ITEM = re.compile(r"(?P<indent>[ ]*)(?P<dashes>(?:-[ ]+)*-(?:[ ]+|\Z))(?P<rest>[^\r\n]*)")
"""An item of a list that has no key on its line."""
_NO_VALUE = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ ]+|\Z))*(?:#.*)?\Z")
"""Nothing, a remark, or an anchor or a tag of what stands below."""
_DEEPEST = 40


class ManifestEntry(NamedTuple):
    """A key, and the value on its line."""

    part: int
    """Which of the texts of the file, counted from 0: `---` is between them."""
    path: tuple[str, ...]
    """The keys around it and its own; items of lists as `[0]`."""
    text: str
    span: Span
    """The value without quotes; of other kinds than `value` the key."""
    key: Span
    kind: str
    """`value`; `quoted`: a value in quotes; `around`: what belongs to it stands below; `glued`: no blank is behind its colon; `other`:
    a text of several lines, or what is in braces."""


# branches: one arm for each kind of line; the first that fits counts.
def entries(document: Document) -> Iterator[ManifestEntry]:
    """Yield the keys of a file."""
    part = 0
    stack: list[tuple[int, str]] = []
    counts: dict[tuple[int, tuple[str, ...]], int] = {}
    skip: int | None = None
    for number in range(document.line_count):
        start, end = document.line_span(number)
        line = document.text[start:end].rstrip("\r\n")
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if not bare or bare.startswith("#") or (skip is not None and indent > skip):
            continue
        skip = None
        if line.startswith("---"):
            part, stack = part + 1, []
            continue
        match = _ENTRY.fullmatch(line) or _GLUED.fullmatch(line) or _ITEM.fullmatch(line)
        if match is None or len(stack) > _DEEPEST:
            continue
        column = len(match["indent"])
        for offset in (at for at, sign in enumerate(match["dashes"]) if sign == "-"):
            place = column + offset
            while stack and (stack[-1][0] > place or (stack[-1][0] == place and stack[-1][1][0] == "[")):
                stack.pop()
            around = tuple(key for _, key in stack)
            counts[part, around] = counts.get((part, around), -1) + 1
            stack.append((place, f"[{counts[part, around]}]"))
        column += len(match["dashes"])
        rest = match["rest"] or ""
        if "key" not in match.re.groupindex:
            skip = None if _NO_VALUE.match(rest) else indent
            continue
        while stack and stack[-1][0] >= column:
            stack.pop()
        stack.append((column, match["key"].strip('"')))
        path = tuple([key for _, key in stack])
        key = Span(start + match.start("key"), start + match.end("key"))
        value = _VALUE.match(rest)
        # What stands deeper than a value goes on with it.
        skip = None if _NO_VALUE.match(rest) else column
        if line[match.end("key") :].startswith(f":{rest}") and rest:
            yield ManifestEntry(part, path, rest, key, key, "glued")
        elif value is None or _BLOCK.match(rest):
            yield ManifestEntry(part, path, rest, key, key, "around" if skip is None else "other")
        else:
            name = value.lastgroup or "plain"
            at = start + match.start("rest")
            kind = "value" if name == "plain" else "quoted"
            yield ManifestEntry(part, path, value[name], Span(at + value.start(name), at + value.end(name)), key, kind)
