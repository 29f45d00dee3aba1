"""What a file of each reader may hold thousands of, made from one example of each surface in each language that holds it.

`tests.lsp.every_surface` has these: a surface or a language without one fails there and here, so that no new reader is left out.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.languages.shell.syntax_findings.fullwidth import _ASCII
from npu_lsp.text.kinds import Kind
from tests.lsp.every_surface import KEY, VALUE, everywhere
from tests.robustness.constructs import Construct

_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_SIGNS = (
    *string.punctuation,
    *(" ", "\t", "\n", "\r", "\\\n", "a"),
    *(
        "$(",
        "${",
        "$((",
        "<<A\n",
        "{a,b}",
        "a,",
        "a:",
        "a=",
        "''",
        '""',
        "()",
        "{}",
        "[]",
        "$a",
        "${a}",
        "$(a)",
        "//",
        "/*",
    ),
    *_ASCII,
    "－",
    *("if a\n", "if a A=1; ", "# npu-lsp:\n", "# npu-lsp: off[a]\n"),
)
"""What a value may be full of: signs alone and in pairs, what they begin, and what an input method writes instead."""
_CODES = "NPU101,a,"


def constructs() -> Iterator[tuple[Kind, str, Construct]]:
    """Yield constructs with their kinds and what each is called."""
    signed: set[Kind] = set()
    nested: set[tuple[Kind, Kind]] = set()
    for surface, inner, kind, example in everywhere():
        if inner is not kind and (inner, kind) in nested:
            continue
        nested.add((inner, kind))
        name = f"{surface.value} in {kind.value}"
        before, entry, value, after = _parts(example.text)
        for form, made in _forms(kind, before, entry, value, after):
            yield kind, f"{name}: {form}", made
        if kind not in signed:
            signed.add(kind)
            for sign in _SIGNS:
                yield kind, f"{name}: {sign!r}", Construct(kind.value, sign, before + entry, after)


def _parts(text: str) -> tuple[str, str, str, str]:
    """Return what stands before an entry, its key with the sign behind it, its value, and what is behind that.

    An example without a key is an entry as it is.
    """
    key = KEY.search(text)
    if key is None:
        entry = text.rstrip("\n")
        return "", entry, "", text[len(entry) :]
    value = VALUE.search(text, key.end())
    end = value.end() if value is not None else key.end()
    middle = text[key.end() : value.start()] if value is not None else ""
    return text[: key.start()], key[1] + middle, value[1] if value is not None else "", text[end:]


def _forms(kind: Kind, before: str, entry: str, value: str, after: str) -> Iterator[tuple[str, Construct]]:
    """Yield an entry, its line, its value, its key and what is around it, each as often as one likes."""
    start = before.rfind("\n") + 1
    end = after.find("\n") + 1 or len(after)
    yield "lines", Construct(kind.value, before[start:] + entry + value + after[:end], before[:start], after[end:])
    quote = before[-1] if before[-1:] in ("'", '"') else ""
    joint = f"{after[:1] if quote else ''}, {quote}" if before.rstrip("\"'")[-1:] in ("{", "(", "[", ",") else " "
    yield "entries", Construct(kind.value, entry + value + joint, before, entry + value + after)
    yield "values", Construct(kind.value, value + ",", before + entry, value + after)
    yield "keys", Construct(kind.value, entry[:1], before, entry + value + after)
    opening = _innermost(before)
    if opening >= 0:
        around = before[opening:]
        yield "nested", Construct(kind.value, around, before, entry + value + after, _CLOSERS[around[0]])
    if BY_KIND[kind].hash_comments:
        yield (
            "comments",
            Construct(
                kind.value, "# npu-lsp: ignore[NPU101]\n", before[:start], before[start:] + entry + value + after
            ),
        )
        above = f"{before[:start]}# npu-lsp: ignore["
        yield "codes", Construct(kind.value, _CODES, above, f"]\n{before[start:]}{entry}{value}{after}")


def _innermost(text: str) -> int:
    """Return where the bracket stands that is open at the end of `text`; -1: there is none."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        if text[at] in ")]}":
            depth += 1
        elif text[at] in "([{":
            if depth == 0:
                return at
            depth -= 1
    return -1
