"""The files that options point to: which file a setting names, and what kind of file that is.

A file is looked for where a setting says, relative to the script's folder, and nowhere else; devices and pipes are no
files, and nothing is read here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.languages.registry import LANGUAGES
from npu_lsp.linter.values import text_of
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import behind_link

if TYPE_CHECKING:
    from npu_lsp.catalog.load import Catalog
    from npu_lsp.catalog.model import Option
    from npu_lsp.languages.model import ParseResult, Setting

_KINDS = {option: row.kind for row in LANGUAGES for option in row.named_by}
"""By the option's name across surfaces."""
_IN_FOLDER = {option: (row.kind, name) for row in LANGUAGES for option, name in row.found_in}
_LONGEST = 1024
_MOST = 200
_MOST_SETTINGS = 10_000
_UNKNOWN = "$*?~`{\0"
"""A path with one of these is not what will be opened."""


class Pointer(NamedTuple):
    """A setting that names a file."""

    setting: Setting
    written: str
    """The path as the setting has it."""
    kind: Kind


def takes_file(option: Option) -> bool:
    """Return whether a value of `option` names a file of a kind that is known."""
    return option.topic in _KINDS or option.topic in _IN_FOLDER


def pointer(setting: Setting, option: Option) -> Pointer | None:
    """Return what file `setting` names; `None` where its option takes no such file, or the path can't be known."""
    path = text_of(setting.value)
    if not path or len(path) > _LONGEST or any(sign in path for sign in _UNKNOWN) or path.startswith("/dev/"):
        return None
    if option.topic in _KINDS:
        return Pointer(setting, path, _KINDS[option.topic])
    if option.topic in _IN_FOLDER:
        kind, name = _IN_FOLDER[option.topic]
        return Pointer(setting, os.path.join(path, name), kind)
    return None


def pointers(parsed: ParseResult, catalog: Catalog) -> Iterator[Pointer]:
    """Yield the files that the settings of a script name; of a script with thousands of settings, the first ones."""
    for setting in islice(parsed.settings, _MOST_SETTINGS):
        option = catalog.option(setting.surface, setting.name)
        found = pointer(setting, option) if option is not None else None
        if found is not None:
            yield found


def located(found: Pointer, folder: str) -> str | None:
    """Return where the named file lies, seen from `folder`; `None` where there is no such regular file, or only by a link."""
    path = os.path.normpath(os.path.join(folder, found.written))
    return path if surroundings.is_file(path) and not behind_link(path, folder) else None


def referenced(parsed: ParseResult, catalog: Catalog, folder: str) -> dict[str, Kind]:
    """Return the files that exist and that the script in `folder` names, with what each of them is."""
    files: dict[str, Kind] = {}
    for found in pointers(parsed, catalog):
        path = located(found, folder)
        if path is not None:
            files.setdefault(path, found.kind)
            if len(files) >= _MOST:
                break
    return files
