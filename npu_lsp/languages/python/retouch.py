"""Takes what is typed between the quotes of a setting's value into what was read, without reading anything again.

Most keys that matter go there. Only a literal that stands in an assignment to a `parameter_map`, or behind a keyword of
the call that takes it, is treated so: nothing but that setting hangs on its text. Everything else is read anew.
"""

from __future__ import annotations

import re

from npu_lsp.languages.model import Form, Reading
from npu_lsp.languages.python.reuse import Asked, Versions
from npu_lsp.text.source_map import OffsetShift
from npu_lsp.text.spans import Span

# Nothing that ends a literal, means something in one, or has more than one byte.
_PLAIN = re.compile(r"[ !$%&()*+,\-./0-9:;<=>?@A-Z\[\]^_`a-z{|}~]*")
# Elsewhere a name, a loop or another call may take the literal, too.
_ALONE = frozenset({Form.PARAMETER_MAP, Form.KEYWORD})
_LONGEST = 2_000
"""Characters of a logical line: a very long one isn't read at all."""


def retouched(reading: Reading, versions: Versions, asked: Asked) -> Reading | None:
    """Return `reading` as it is after the edit between `versions`, or `None` where that must be read anew."""
    found = _content_at(reading, versions)
    if found is None:
        return None
    block, place, content = found
    change, new = versions.change, versions.new
    before = versions.old_text[content.start : content.end]
    content = Span(content.start, content.end + change.new_end - change.old_end)
    now = versions.new_text[content.start : content.end]
    if not _PLAIN.fullmatch(now) or asked.concerns(before) or asked.concerns(now):
        return None
    line = new.at(content.start)
    if line is None or new.ends[line] - new.starts[line] > _LONGEST:
        return None
    return _with_text(reading.mapped(OffsetShift(change)), block, place, now, content)


def _content_at(reading: Reading, versions: Versions) -> tuple[int, int, Span] | None:
    """Return the text that the change lies in, with the numbers of its block and its setting."""
    change = versions.change
    for number, block in enumerate(reading.blocks):
        for place, setting in enumerate(block.settings):
            content = setting.value.content
            if content is not None and content.start <= change.start and change.old_end <= content.end:
                # `mode = op.parameter_map["precision_mode"].s = "fp16"` names it, too.
                named = versions.old_text.count("=", setting.own.start, content.start) != 1
                return (number, place, content) if setting.form in _ALONE and not named else None
    return None


def _with_text(reading: Reading, number: int, place: int, text: str, content: Span) -> Reading:
    block = reading.blocks[number]
    setting = block.settings[place]
    value = setting.value._replace(data=text, content=content)
    settings = (*block.settings[:place], setting._replace(value=value), *block.settings[place + 1 :])
    blocks = (*reading.blocks[:number], block._replace(settings=settings), *reading.blocks[number + 1 :])
    return reading._replace(blocks=blocks)
