"""Writes into the text of a configuration file that a rule doesn't run, and leaves the rest as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from npu_lsp.config.outline import outline
from npu_lsp.text.spans import Edit, Span, apply_edits
from npu_lsp.text.toml import TomlError, parse

_HEAD = re.compile(r"\ufeff?(?:[ \t]*#[^\r\n]*(?:\r\n|\r|\n|\Z))*")
_LINE_END = re.compile(r"[^\r\n]*")
_KEY = "ignore"


def switched_off(text: str, section: tuple[str, ...], rule: str) -> tuple[Edit, ...]:
    """Return the edit that makes `text` ignore `rule`, given by its code; empty where that can't be done for sure.

    `section` is the table that holds the configuration.
    """
    before = _ignored(text, section)
    if before is None or rule in before:
        return ()
    edit = _edit(text, section, rule)
    after = _ignored(apply_edits(text, (edit,)), section) if edit is not None else None
    return (edit,) if edit is not None and after == [*before, rule] else ()


def _edit(text: str, section: tuple[str, ...], rule: str) -> Edit | None:
    made, said = outline(text), json.dumps(rule)
    newline = "\r\n" if "\r\n" in text else "\n"
    listed = next((each for each in made.holders if each.path == (*section, _KEY)), None)
    if listed is not None:
        inside = text[listed.span.start : listed.span.end]
        kept = inside.rstrip()
        at = listed.span.start + len(kept)
        return _insert(at, f" {said}" if kept.endswith(",") else f", {said}" if kept else said)
    line = f"{_KEY} = [{said}]"
    if not section:
        head = _HEAD.match(text)
        return _insert(head.end() if head else 0, line + newline)
    header = next((start for path, start in made.headers if path == section), None)
    if header is not None:
        end = _LINE_END.match(text, header)
        return _insert(end.end(), newline + line) if end is not None else None
    lead = "" if not text or text.endswith(("\n", "\r")) else newline
    return _insert(len(text), f"{lead}{newline}[{'.'.join(section)}]{newline}{line}{newline}")


def _ignored(text: str, section: tuple[str, ...]) -> list[Any] | None:
    """Return what a configuration ignores; `None` where its text is no configuration."""
    try:
        table: Any = parse(text.removeprefix("\ufeff"))
    except TomlError:
        return None
    for name in section:
        table = table.get(name, {}) if isinstance(table, dict) else None
    found = table.get(_KEY, []) if isinstance(table, dict) else None
    return found if isinstance(found, list) else None


def _insert(at: int, text: str) -> Edit:
    return Edit(Span(at, at), text)
