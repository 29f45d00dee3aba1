"""What one report of a tree has that the other has not, as lines that tell themselves where they belong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Told(NamedTuple):
    """A finding, one of its fixes, or a setting: all that must be the same for two states to say the same."""

    group: str
    """What differences are sorted under: the rule's code and name, or the setting's surface."""
    path: str
    line: int
    """1-based."""
    text: str


def findings(report: Mapping[str, Any]) -> Iterator[Told]:
    """Yield each finding of a report of `check`, and each fix as one of its own, so that a change of either shows."""
    for each in report["findings"]:
        group = f"{each['code']} {each['name']}"
        place = f"{each['column']}-{each['end_line']}:{each['end_column']}"
        yield Told(group, each["path"], each["line"], f"{each['severity']} at {place}: {each['message']}")
        for fix in each["fixes"]:
            edits = " | ".join(
                f"{e['line']}:{e['column']}-{e['end_line']}:{e['end_column']} -> {e['text']!r}" for e in fix["edits"]
            )
            safety = "safe" if fix["safe"] else "unsafe"
            yield Told(f"{group}, {safety} fix", each["path"], each["line"], f"{fix['title']}: {edits}")


def settings(report: Mapping[str, Any]) -> Iterator[Told]:
    """Yield each setting of a report of `settings`."""
    for each in report["settings"]:
        text = f"{each['option']} = {each['value']!r}"
        yield Told(f"setting of {each['surface']}", each["path"], each["line"], text)


def compared(before: Iterable[Told], after: Iterable[Told]) -> list[tuple[str, Told]]:
    """Return what was lost (`-`) and gained (`+`), in the order of groups and places."""
    old, new = Counter(before), Counter(after)
    both = [("-", told) for told in (old - new).elements()] + [("+", told) for told in (new - old).elements()]
    return sorted(both, key=lambda each: (each[1], each[0]))


def written(name: str, tree: Path, changes: list[tuple[str, Told]]) -> Iterator[str]:
    """Yield the lines that show the changes on a tree, each with the line of text that it is about."""
    groups: dict[str, list[tuple[str, Told]]] = defaultdict(list)
    for change in changes:
        groups[change[1].group].append(change)
    for group, found in groups.items():
        signs = Counter(sign for sign, _ in found)
        yield f"{name}: {group}: +{signs['+']} -{signs['-']}"
        for sign, told in found:
            yield f"  {sign} {told.path}:{told.line}: {told.text}"
            yield f"      {_line(tree / told.path, told.line)}"


def _line(path: Path, number: int) -> str:
    """Return one line of a file, cut where it is long; nothing where the file isn't text."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    return ascii(lines[number - 1].strip()[:160])[1:-1] if 0 < number <= len(lines) else ""
