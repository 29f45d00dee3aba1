"""How a script names the folder that a file lies in."""

from __future__ import annotations

from npu_lsp.languages.model import Setting
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_BESIDE = '$(dirname "$0")'
_GOES_HOME = re.compile(r"^[ \t]*cd[ \t][^\n]*(?:dirname|BASH_SOURCE|%/\*)", re.MULTILINE)


def folder_of(document: Document, setting: Setting, base: str) -> str:
    """Return source text for the folder `base`, or nothing where a plain path does.

    `script` is the script's own folder. A script that first goes there itself needs no folder, and neither does one that
    has none: a command in a manual, a step of a pipeline.
    """
    if base != "script":
        return f"${{{base}}}" if base else ""
    if document.kind is not Kind.SHELL or not document.path:
        return ""
    return "" if _home(document) <= setting.statement.start else _BESIDE


@Memoized
def _home(document: Document) -> int:
    """Return where a script has gone to its own folder; every command of it asks."""
    found = _GOES_HOME.search(document.text)
    return found.end() if found is not None else len(document.text) + 1
