"""The files that settings name, or could name. They are looked for, and never read here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from npu_lsp.languages.model import Setting
from npu_lsp.linter.values import text_of
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import to_path
from npu_lsp.text.spans import Span

_LONGEST = 1024
_MOST = 200
"""So many settings of one document are followed."""
_MOST_LISTED = 500
"""So many entries of a folder are looked at."""


def named_files(view: DocumentView) -> Iterator[tuple[Span, Path]]:
    """Yield each file that exists and that a setting of the document names, with the place of its name."""
    count = 0
    for setting in view.parsed.settings:
        path = _path(view, setting)
        if path is None:
            continue
        count += 1
        if count > _MOST:
            return
        found = _existing(view, path)
        if found is not None:
            yield setting.value.inside, found


def named_file(view: DocumentView, setting: Setting) -> Path | None:
    """Return the file that `setting` names, where it exists."""
    path = _path(view, setting)
    return _existing(view, path) if path is not None else None


def listed(view: DocumentView, path: str) -> list[tuple[str, bool]]:
    """Return what lies in the folder that a script names by `path`, sorted by name, and whether each is a folder itself.

    `path` may lead up, or start at the root: what lies outside of the workspace and of the script's own folder is not looked at,
    and of a folder only the names, never a tree.
    """
    roots = [os.path.normpath(folder) for folder in _folders(view)]
    found: dict[str, bool] = {}
    for root in roots:
        folder = os.path.normpath(os.path.join(root, path))  # noqa: PTH118 - a path that is being typed
        if not any(folder == each or folder.startswith(each.rstrip(os.sep) + os.sep) for each in roots):
            continue
        try:
            with os.scandir(folder) as entries:
                for entry in islice(entries, _MOST_LISTED):
                    if not entry.name.startswith("."):
                        found.setdefault(entry.name, entry.is_dir())
        except (OSError, ValueError):
            continue
    return sorted(found.items())


def _path(view: DocumentView, setting: Setting) -> str | None:
    text = text_of(setting.value)
    if not text or len(text) > _LONGEST or "\0" in text or "$" in text:
        return None
    option = view.context.option(setting)
    return text if option is not None and option.type == "path" else None


def _existing(view: DocumentView, path: str) -> Path | None:
    for folder in _folders(view):
        try:
            candidate = folder / path
            # A device or a pipe is no file to go to.
            if candidate.is_file():
                return candidate
        except (OSError, ValueError):
            continue
    return None


def _folders(view: DocumentView) -> Iterator[Path]:
    """Yield where a script may have been started: beside itself, or in one of the client's folders."""
    if view.document.path:
        yield Path(view.document.path).parent
    for folder in view.client.folders:
        path = to_path(folder.uri)
        if path:
            yield Path(path)
