"""Which words and entries that a name carries go elsewhere, too: what is right where they are read may be wrong there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from npu_lsp.languages.model import Block, Fact, FactKind, Form, Setting
from npu_lsp.languages.python.dataflow.names import is_container
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_CARRIED = (Form.FLAG, Form.ITEM)
_HOLDS = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?:(?::[^=\n]{1,80})?=(?!=)|\+=|\.(?:append|extend|insert|update)\s*\()")
_KEEPS = re.compile(
    r"\s*(?:=(?!=)|\+=|\[|\.(?:append|extend|insert|update|setdefault|pop|clear|items|keys|values|get|copy)\s*\()"
)
"""What stands behind a name that is changed or looked into, and goes nowhere."""
_SHOWS = re.compile(r"print\b|(?:self\.)?_?log(?:ger|ging)?\.\w+\s*\(", re.IGNORECASE)
_DEEPEST = 6


def shared_text(view: SourceView, blocks: Iterable[Block]) -> Iterator[Fact]:
    """Yield where settings stand that a name carries elsewhere, too, than to what `blocks` say of them."""
    uses = _Uses(view)
    told: set[Span] = set()
    for block in blocks:
        for setting in block.settings:
            if setting.form in _CARRIED and setting.own not in told and uses.go_elsewhere(setting, block):
                told.add(setting.own)
                yield Fact(FactKind.SHARED_TEXT, setting.own)


class _Uses:
    def __init__(self, view: SourceView) -> None:
        self._view = view
        self._source = view.source
        self._known: dict[str, dict[int, list[int]]] = {}

    def go_elsewhere(self, setting: Setting, block: Block) -> bool:
        """Return whether a name that holds a setting is handed on more than once."""
        at = self._source.logical_lines.at
        index, head = at(setting.own.start), at(block.head.start)
        if index is None or (setting.form is Form.FLAG and head == index):
            return False  # The program stands there, too: it is a command of that, wherever it goes.
        if setting.form is Form.ITEM and not self._is_held(setting, index):
            return False
        for _ in range(_DEEPEST):
            name = self._held(index)
            uses = self._handed_on(name, index) if name is not None else ()
            if len(uses) != 1 or uses[0] == head:
                return len(uses) > 1
            index = uses[0]
        return True

    def _held(self, index: int) -> str | None:
        """Return the name that holds what stands in a line."""
        held = _HOLDS.match(self._source.text, self._source.logical_lines.starts[index])
        return held["name"] if held is not None else None

    def _is_held(self, setting: Setting, index: int) -> bool:
        """Return whether a dict that a name is bound to has the entry: not one that a call gets at once."""
        line = self._source.line(index)
        return line is not None and any(
            is_container(each.value) and each.value is not None and setting.own.within(line.span(each.value))
            for each in line.statement.assignments
        )

    def _handed_on(self, name: str, index: int) -> tuple[int, ...]:
        """Return the lines of the first two places that hand on what `name` is bound to, or what is added to it, at `index`."""
        lines = self._of(name).get(self._source.scopes.scope(index), ())
        return tuple(islice((line for line in lines if line != index), 2))

    def _of(self, name: str) -> Mapping[int, Sequence[int]]:
        """Return the lines that hand on what `name` is bound to in a scope, by the scope."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = {}
            for line in self._places(name):
                for scope in {binding.scope for binding in self._view.names.visible(name, line)}:
                    found.setdefault(scope, []).append(line)
        return found

    def _places(self, name: str) -> Iterator[int]:
        source = self._source
        for offset in source.occurrences.name(name):
            line = source.logical_lines.at(offset)
            if line is None or _KEEPS.match(source.text, offset + len(name)):
                continue
            if not _SHOWS.match(source.text, source.logical_lines.starts[line]):
                yield line
