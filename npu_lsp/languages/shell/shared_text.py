"""Which text that a variable carries into a command goes elsewhere, too: what is right for the command may be wrong there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from tree_sitter import Node

from npu_lsp.languages.model import Fact, FactKind
from npu_lsp.languages.shell.scope import OWN_WORDS, Variables
from npu_lsp.languages.shell.tree import ScriptTree
from npu_lsp.text import lazy_re as re

_PRINTS = ("echo", "printf")
_GOES_ON = frozenset({"pipeline", "redirected_statement", "command_substitution", "process_substitution"})
_MOST = 100
"""Uses of a variable that are looked at, and perhaps passed over; others count."""
_OWN = re.compile(r"\$(?:[@*]|\{#?[@*])")


def shared_text(
    text: str, script: ScriptTree, variables: Variables, expanded: Mapping[str, Sequence[re.Match[str]]]
) -> Iterator[Fact]:
    """Yield where text stands that more than one command may get; `expanded` are the uses of each variable.

    A use in a comment is none, nor one that only shows it on the terminal; one that adds to the variable itself takes it nowhere else.
    """
    carrying = variables.carrying
    assigned = sorted((span, name) for name, spans in carrying.items() for span in spans)
    starts = [span.start for span, _ in assigned]

    def assigned_at(at: int) -> str | None:
        """Return the variable that gets what stands at `at`."""
        index = bisect_right(starts, at) - 1
        return assigned[index][1] if index >= 0 and at < assigned[index][0].end else None

    def uses(name: str) -> Iterator[int]:
        found = _OWN.finditer(text) if name == OWN_WORDS else expanded.get(name, ())
        for number, match in enumerate(each for each in found if assigned_at(each.start()) != name):
            # To find what stands around one takes as long as the script is.
            node = script.node_at(match.start(), match.end()) if number < _MOST else None
            if number >= _MOST or (node is not None and not _is_shown(node, script, text)):
                yield match.start()

    @cache
    def goes_elsewhere(name: str) -> bool:
        seen = list(islice(uses(name), 2))
        holder = assigned_at(seen[0]) if len(seen) == 1 else None
        # What is assigned later can hold what is assigned before, never the other way round, but for text that says so.
        later = holder is not None and min(carrying[holder]) > min(carrying[name])
        return len(seen) > 1 or (later and holder is not None and goes_elsewhere(holder))

    for name, spans in carrying.items():
        if goes_elsewhere(name):
            yield from (Fact(FactKind.SHARED_TEXT, span) for span in sorted(spans))


def _is_shown(node: Node, script: ScriptTree, text: str) -> bool:
    """Return whether a place is read by people only: a comment, or what `echo` prints and no program gets."""
    around = script.ancestry(node)
    if around and around[0].type == "comment":
        return True
    command = next((each for each in around if each.type == "command"), None)
    name = command.child_by_field_name("name") if command is not None else None
    if name is None or any(each.type in _GOES_ON for each in around):
        return False
    # Not `name.text`: the library never frees what it reads for it.
    return text[name.start_byte : name.end_byte] in _PRINTS
