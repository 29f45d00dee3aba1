"""Writes another target into the text of a configuration file, and leaves the rest as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from npu_lsp.config.outline import Holder, Outline, Path, outline
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span, apply_edits, line_start
from npu_lsp.text.toml import TomlError, parse

_HEAD = re.compile(r"\ufeff?(?:[ \t]*#[^\r\n]*(?:\r\n|\r|\n|\Z))*")
_LINE_END = re.compile(r"[^\r\n]*")
_BEFORE = re.compile(r"(?<![ \t])(?:[ \t]*,)?[ \t]*\Z")
_BEHIND = re.compile(r"[ \t]*,[ \t]*")
_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")


def retargeted(
    text: str, section: tuple[str, ...], versions: Mapping[str, str | None], products: Sequence[str] | None = None
) -> tuple[Edit, ...]:
    """Return the edits that make `text` say that the code must run on `versions`, by component, and on `products`.

    `None` for a version takes its key out, and for the products leaves them as they are. `section` is the table that holds
    the configuration. A text that is no TOML is edited as far as it can be read; TOML that would be none isn't.
    """
    edits = _retargeted(text, section, versions, products)
    return edits if _table(apply_edits(text, edits)) is not None or _table(text) is None else ()


def _retargeted(
    text: str, section: tuple[str, ...], versions: Mapping[str, str | None], products: Sequence[str] | None
) -> tuple[Edit, ...]:
    made, table = outline(text), (*section, "target")
    newline = "\r\n" if "\r\n" in text else "\n"
    wanted = {name: json.dumps(version) for name, version in versions.items() if version is not None}
    if products is not None:
        wanted["products"] = "[" + ", ".join(json.dumps(each) for each in products) + "]"
    gone = [_gone(made, (*table, name)) for name, version in versions.items() if version is None]
    spans = {name: _value(made, (*table, name)) for name in wanted}
    edits = [
        Edit(span, wanted[name])
        for name, span in spans.items()
        if span is not None and made.text[span.start : span.end] != wanted[name]
    ]
    missing = {name: value for name, value in wanted.items() if spans[name] is None and value != "[]"}
    return (*edits, *(edit for edit in gone if edit is not None), *_added(made, section, missing, newline))


def _gone(made: Outline, path: Path) -> Edit | None:
    """Return the edit that takes a key out with its value: a whole line, or a pair between commas."""
    key = next((each for each in made.pieces if each.part == "key" and each.path == path), None)
    value = _value(made, path)
    if key is None or value is None or value.start < key.span.start:
        return None
    start, text = key.span.start - len(key.quote), made.text
    line = line_start(text, start)
    rest = _REST.match(text, value.end)
    if "=" not in text[line:start] and rest is not None:
        return Edit(Span(line, rest.end()), "")
    behind = _BEHIND.match(text, value.end)
    if behind is not None:
        return Edit(Span(start, behind.end()), "")
    before = _BEFORE.search(text, line, start)
    comma = before is not None and "," in before.group()
    return Edit(Span(before.start() if before is not None and comma else start, value.end), "")


def _value(made: Outline, path: Path) -> Span | None:
    """Return where the value at `path` stands, with its quotes or brackets."""
    holder = next((each for each in made.holders if each.path == path), None)
    if holder is not None:
        closed = made.text[holder.span.end : holder.span.end + 1] == "]"
        return Span(holder.span.start - 1, holder.span.end + closed)
    piece = next((each for each in made.pieces if each.part == "value" and each.path == path), None)
    if piece is None:
        return None
    quotes = len(piece.quote)
    return Span(piece.span.start - quotes, piece.span.end + (quotes if piece.closed else 0))


def _added(made: Outline, section: tuple[str, ...], wanted: dict[str, str], newline: str) -> Iterator[Edit]:
    """Yield the edit that adds keys to the table `target`, which may have to be made."""
    if not wanted:
        return
    table = (*section, "target")
    pairs = [f"{name} = {value}" for name, value in wanted.items()]
    braces: Holder | None = next((each for each in made.holders if each.path == table), None)
    if braces is not None:
        rest = made.text[braces.span.start : braces.span.end].strip()
        lead = " " if made.text[braces.span.start : braces.span.start + 1] != " " else ""
        yield _insert(braces.span.start, " " + ", ".join(pairs) + (f",{lead}" if rest else lead))
    elif (header := _header(made, table)) is not None:
        yield _insert(header, "".join(newline + pair for pair in pairs))
    else:
        yield _made(made, section, pairs, newline)


def _made(made: Outline, section: Path, pairs: list[str], newline: str) -> Edit:
    """Return the edit that makes a table `target`, or adds to one that is only written as `target.cann = ...`."""
    table = (*section, "target")
    dotted = any(piece.path[: len(table)] == table for piece in made.pieces)
    lines = [f"target.{pair}" for pair in pairs] if dotted else [f"target = {{ {', '.join(pairs)} }}"]
    return _below(made, section, lines, newline, (table, pairs))


def _below(made: Outline, section: Path, lines: list[str], newline: str, whole: tuple[Path, list[str]]) -> Edit:
    """Return the edit that puts `lines` below the header of `section`, or a `whole` table at the end where there is none."""
    text = made.text
    if not section:
        head = _HEAD.match(text)
        at = head.end() if head else 0
        lead = "" if text[at - 1 : at] in ("", "\ufeff", "\n", "\r") else newline
        return _insert(at, lead + "".join(line + newline for line in lines))
    if (header := _header(made, section)) is not None:
        return _insert(header, "".join(newline + line for line in lines))
    lead = "" if not text or text.endswith(("\n", "\r")) else newline
    body = "".join(line + newline for line in whole[1])
    return _insert(len(text), f"{lead}{newline}[{'.'.join(map(str, whole[0]))}]{newline}{body}")


def _header(made: Outline, table: Path) -> int | None:
    """Return the end of the line that begins `table`."""
    start = next((start for path, start in made.headers if path == table), None)
    line = _LINE_END.match(made.text, start) if start is not None else None
    return line.end() if line is not None else None


def _insert(at: int, text: str) -> Edit:
    return Edit(Span(at, at), text)


_KEY = "ignore"


def switched_off(text: str, section: tuple[str, ...], rule: str) -> tuple[Edit, ...]:
    """Return the edit that makes `text` ignore `rule`, given by its code; empty where that can't be done for sure.

    `section` is the table that holds the configuration.
    """
    before = _ignored(text, section)
    if before is None or rule in before:
        return ()
    edit = _edit(text, section, rule)
    return (edit,) if _ignored(apply_edits(text, (edit,)), section) == [*before, rule] else ()


def _edit(text: str, section: tuple[str, ...], rule: str) -> Edit:
    made, said = outline(text), json.dumps(rule)
    newline = "\r\n" if "\r\n" in text else "\n"
    listed = next((each for each in made.holders if each.path == (*section, _KEY)), None)
    if listed is not None:
        inside = text[listed.span.start : listed.span.end]
        kept = inside.rstrip()
        at = listed.span.start + len(kept)
        return _insert(at, f" {said}" if kept.endswith(",") else f", {said}" if kept else said)
    lines = [f"{_KEY} = [{said}]"]
    return _below(made, section, lines, newline, (section, lines))


def _ignored(text: str, section: tuple[str, ...]) -> list[Any] | None:
    """Return what a configuration ignores; `None` where its text is no configuration."""
    table: Any = _table(text)
    for name in section:
        table = table.get(name, {}) if isinstance(table, dict) else None
    found = table.get(_KEY, []) if isinstance(table, dict) else None
    return found if isinstance(found, list) else None


def _table(text: str) -> dict[str, Any] | None:
    try:
        return parse(text.removeprefix("\ufeff"))
    except TomlError:
        return None
