"""Remembers from one run to the next what was found in which file.

One JSON file for each configuration, so that what it holds is right by its name alone: the name is made from everything
that findings depend on besides the files. It is replaced at once; of two runs that end together the later one wins, and
either content is right.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from npu_lsp import __version__
from npu_lsp.catalog import environment, toolkit
from npu_lsp.checking import cache_folder, stderr
from npu_lsp.checking.checked import NOTHING, Checked, Settings
from npu_lsp.checking.loading import TooLargeError, UnreadableError, digest, load, state_of
from npu_lsp.checking.looks import Looks, look_at
from npu_lsp.checking.report import Creation, Entry, InCell, Note, Range, Remedy, Replacement
from npu_lsp.checking.walking import Candidate
from npu_lsp.checking.writing import replace_or_create
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from npu_lsp.text.kinds import Kind

FOLDER = ".npu-lsp-cache"
_FORMAT = 5
RACY = 50_000_000
"""In ns: a file that was written this shortly before it was read may be written again without a new time."""
_LIMIT = 200_000_000

Row = list[Any]
"""What is kept of a file: state, then for one that was analysed the hash, the entries, the numbers of what else was looked
at, and which files its settings name."""


class Cache:
    """What earlier runs found under one configuration."""

    def __init__(
        self,
        config: Config,
        settings: Settings,
        here: str,
        listed: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
    ) -> None:
        """Make the cache of `config`; no result is read before one is asked for.

        `listed` grows while the run goes through folders: by folder the names in it, in small letters.

        Raises `RefusedError` where the folder that it would be in is somebody else's.
        """
        self._root = os.fspath(config.root) if config.root is not None else here
        folder = config.cache_dir if config.cache_dir is not None else os.path.join(self._root, FOLDER)
        self._folder = os.path.abspath(folder)
        cache_folder.verify(self._folder, self._root)
        self._path = os.path.join(self._folder, f"{_key(config, settings)}.json")
        self._rows: dict[str, dict[str, Row]] | None = None
        self._changed = False
        self._fix = settings.fix
        self._listed = listed
        self._looks = Looks([], listed)
        self.hits = 0

    def get(self, candidate: Candidate) -> Checked | None:
        """Return what was found in a file when it looked as it does now."""
        try:
            return self._get(candidate.absolute, candidate.path, candidate.explicit)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            # Someone else wrote into the file: what it says of this one counts for nothing.
            return None

    def _get(self, path: str, shown: str, explicit: bool) -> Checked | None:
        folder, _, name = path.rpartition(os.sep)
        row = self._all().get(folder, {}).get(name)
        # Of a file that holds nothing more may be said when it is named.
        if row is None or (explicit and len(row) == 1):
            return None
        try:
            status = os.stat(path)
        except OSError:
            return None
        now = list(state_of(status))
        if row[0] != now and not self._same_content(path, row, now):
            return None
        if len(row) == 1:
            self.hits += 1
            return NOTHING
        if not self._looks.are_as_before(row[3], anew=self._fix):
            return None
        entries = tuple(_entry(shown, fields) for fields in row[2])
        if self._fix and any(entry.remedies for entry in entries):
            # What there is to mend is known, but not what mending gives.
            return None
        self.hits += 1
        points_to = {path: Kind(kind).value for path, kind in row[4].items()}
        return Checked(entries, points_to=points_to)

    def looked_at(self) -> Iterator[str]:
        """Yield the absolute paths of what remembered results rest on besides their own files."""
        return self._looks.paths()

    def put(self, path: str, checked: Checked, now: int) -> None:
        """Remember what was found in the file at `path`, which was read at `now` (in ns since the epoch)."""
        state = checked.state
        if state is None or checked.failed or max(state.modified, state.changed) > now - RACY:
            return
        if checked.entries and not checked.digest:
            return
        row: Row = [list(state)]
        rows = self._all()
        if checked.digest:
            looks = [*self._looks.numbers(checked.looked_at)]
            row += [checked.digest, [_fields(entry) for entry in checked.entries], looks, dict(checked.points_to)]
        folder, _, name = path.rpartition(os.sep)
        rows.setdefault(folder, {})[name] = row
        self._changed = True

    def keep(self, folders: Iterable[str], seen: Container[str]) -> None:
        """Forget the files in `folders`, which were gone through, that are not among the `seen` ones."""
        rows = self._rows or {}
        for folder in folders:
            above = folder.rstrip(os.sep)
            for name in [name for name in rows.get(above, ()) if f"{above}{os.sep}{name}" not in seen]:
                del rows[above][name]
                self._changed = True

    def save(self) -> None:
        """Write what is new. Where that isn't possible there is no cache, which is no error."""
        if not self._changed:
            return
        try:
            looks = self._looks.in_use(row[3] for rows in self._all().values() for row in rows.values() if len(row) > 1)
            content = {"format": _FORMAT, "looks": looks, "files": self._rows}
            cache_folder.make_ready(self._folder, self._root)
            replace_or_create(self._path, json.dumps(content, separators=(",", ":")).encode("ascii"))
            cache_folder.tidy(self._folder, os.path.basename(self._path))
        except cache_folder.RefusedError as error:
            stderr.warn(error.told)
        except (OSError, ValueError, TypeError, IndexError, RecursionError) as error:
            # A path may be none, or name a thousand folders; somebody else may have written into the file.
            stderr.debug("the cache can't be written: {error}", error=error)

    def _all(self) -> dict[str, dict[str, Row]]:
        if self._rows is None:
            self._rows = {}
            try:
                content = json.loads(load(self._path, _LIMIT, links=False)[0])
                good = all(isinstance(rows, dict) for rows in content["files"].values())
                if content["format"] == _FORMAT and good:
                    self._looks = Looks(content["looks"], self._listed)
                    self._rows = content["files"]
            except UnreadableError:
                pass
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                stderr.debug("the cache can't be read and is made anew: {error}", error=error)
        return self._rows

    def _same_content(self, path: str, row: Row, now: list[int]) -> bool:
        """Tell whether a file with another time has the content it had: a fresh checkout has new times only."""
        if len(row) == 1 or row[0][2] != now[2]:
            return False
        try:
            data, state = load(path, now[2])
        except (UnreadableError, TooLargeError):
            return False
        if digest(data) != row[1]:
            return False
        row[0] = list(state)
        self._changed = True
        return True


def _key(config: Config, settings: Settings) -> str:
    """Return a word made from all that findings depend on besides the files that are looked at."""
    facts = [
        _FORMAT,
        __version__,
        _code_stamp(),
        settings.language,
        toolkit.stamp(),
        sorted(environment.installed().items()),
        config.select,
        config.extend_select,
        config.ignore,
        config.per_file_ignores,
        sorted((rule, severity.value) for rule, severity in config.severity.items()),
        config.known,
        [(os.fspath(path), look_at(os.fspath(path))) for path in config.catalog],
        (sorted(config.target.versions.items()), config.target.products),
        config.max_file_size,
        os.fspath(config.root or ""),
    ]
    return blake2b(json.dumps(facts).encode(), digest_size=12).hexdigest()


def _code_stamp() -> str:
    """Return what the program itself looks like: in a checkout it changes without a new version."""
    stamps: list[str] = []
    waiting = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                elif entry.name.endswith((".py", ".toml")):
                    status = entry.stat()
                    stamps.append(f"{entry.name} {status.st_mtime_ns} {status.st_size}")
    return blake2b("\n".join(sorted(stamps)).encode(), digest_size=12).hexdigest()


def _fields(entry: Entry) -> list[Any]:
    return [entry.place, entry.code, entry.name, entry.severity.value, *entry[5:]]


def _entry(path: str, fields: list[Any]) -> Entry:
    place, code, name, severity, message, option, fixable, silenced, remedies, notes, source, first, in_cell = fields
    # Reports would stumble over anything else.
    _all_are(str, code, name, message, *source)
    _all_are(int, first)
    return Entry(
        path,
        _place(place),
        code,
        name,
        Severity(severity),
        message,
        option,
        fixable,
        silenced,
        tuple(_remedy(remedy) for remedy in remedies),
        tuple(Note(_place(place), message) for place, message in notes),
        tuple(source),
        first,
        InCell(*in_cell) if in_cell else None,
    )


def _place(fields: list[Any]) -> Range:
    _all_are(int, *fields)
    return Range(*fields)


def _all_are(kind: type, *values: object) -> None:
    if not all(isinstance(value, kind) for value in values):
        raise TypeError


def _remedy(fields: list[Any]) -> Remedy:
    title, safe, replacements, creations, note = fields
    return Remedy(
        title,
        safe,
        tuple(Replacement(_place(place), text) for place, text in replacements),
        tuple(Creation(path, text) for path, text in creations),
        note,
    )
