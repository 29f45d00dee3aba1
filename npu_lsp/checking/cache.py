"""Remembers from one run to the next what was found in which file.

One JSON file for each configuration, so that what it holds is right by its name alone: the name is made from everything
that findings depend on besides the files. It is replaced at once; of two runs that end together the later one wins, and
either content is right.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from npu_lsp import __version__
from npu_lsp.catalog import environment, toolkit
from npu_lsp.checking import cache_folder, stderr
from npu_lsp.checking.checked import NOTHING, Checked, FixMode, Request
from npu_lsp.checking.fingerprints import Fingerprints, look_at
from npu_lsp.checking.loading import TooLargeError, UnreadableError, digest, load, word_at
from npu_lsp.checking.report import Creation, InCell, Note, Range, Replacement, ReportedFinding, ReportedFix
from npu_lsp.checking.walking import Candidate, Found
from npu_lsp.checking.writing import replace_or_create
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from npu_lsp.text.kinds import Kind

FOLDER = ".npu-lsp-cache"
_FORMAT = 7
RACY = 50_000_000
"""In ns: a file that was written this shortly before it was read may be written again without a new time."""
_LIMIT = 200_000_000


_SEPARATOR = "/"
"""Stands between names, none of which can have it, and between what the files looked like."""

Row = list[Any]
"""What is kept of a file that was analysed: what it looked like, the hash, the entries, the numbers of what else was looked at,
and which files its settings name."""


class FolderCache:
    """The files of one folder. Those that hold nothing are taken apart only where one of them is another than before."""

    __slots__ = ("_names", "_quiet", "_same", "_states", "rows")

    def __init__(self, names: str = "", states: str = "", rows: dict[str, Row] | None = None) -> None:
        """Take what `fields` returned; raise `TypeError` or `ValueError` where it can't have been that."""
        if not (isinstance(names, str) and isinstance(states, str) and isinstance(rows, dict | None)):
            raise TypeError
        if names.count(_SEPARATOR) != states.count(_SEPARATOR):
            raise ValueError
        self._names = names
        self._states = states
        self._quiet: dict[str, str] | None = None
        """What those looked like that hold nothing, as soon as it had to be taken apart."""
        self._same = False
        """This run found just these, and has not taken them apart."""
        self.rows = rows if rows is not None else {}

    def changed(self, above: str, names: Sequence[str]) -> list[str]:
        """Return those of the `names` that aren't files that held nothing and look as they did then.

        `above` is the folder and a separator, `names` are sorted.
        """
        now = [word_at(above + name) for name in names]
        if self._quiet is None:
            self._same = _SEPARATOR.join(now) == self._states and _SEPARATOR.join(names) == self._names
            if self._same:
                return []
        before = self._apart()
        return [name for name, state in zip(names, now, strict=True) if not state or before.get(name) != state]

    def has_just(self, quiet: int) -> bool:
        """Return whether no other files that hold nothing are known than those so many that `changed` was asked of and found so."""
        return self._same or (self._quiet is not None and len(self._quiet) == quiet)

    def put(self, name: str, state: str, row: Row | None) -> None:
        """Remember a file: with a `row`, or that it holds nothing."""
        if row is None:
            self.rows.pop(name, None)
            self._apart()[name] = state
        else:
            self._apart().pop(name, None)
            self.rows[name] = row

    def keep(self, names: Container[str]) -> bool:
        """Forget the files that aren't among `names`; tell whether there was one."""
        gone = [name for name in self.rows if name not in names]
        if self._quiet is not None or not self._same:
            gone += [name for name in self._apart() if name not in names]
        for name in gone:
            self.rows.pop(name, None)
            self._apart().pop(name, None)
        return bool(gone)

    def fields(self) -> list[Any]:
        """Return what makes the same shelf again, as JSON can have it; nothing for an empty one."""
        if self._quiet is not None:
            quiet = sorted(self._quiet.items())
            self._names = _SEPARATOR.join(name for name, _ in quiet)
            self._states = _SEPARATOR.join(state for _, state in quiet)
        fields = [self._names, self._states, self.rows]
        return fields if self.rows else fields[:2] if self._names else []

    def _apart(self) -> dict[str, str]:
        if self._quiet is None:
            states = self._states.split(_SEPARATOR)
            self._quiet = dict(zip(self._names.split(_SEPARATOR), states, strict=True)) if self._names else {}
        return self._quiet


class Cache:
    """What earlier runs found under one configuration."""

    def __init__(
        self,
        config: Config,
        request: Request,
        here: str,
        listed: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> None:
        """Make the cache of `config`; no result is read before one is asked for.

        `listed` grows while the run goes through folders: by folder the names in it.

        Raises `RefusedError` where the folder that it would be in is somebody else's.
        """
        self._root = os.fspath(config.root) if config.root is not None else here
        folder = config.cache_dir if config.cache_dir is not None else os.path.join(self._root, FOLDER)
        self._folder = os.path.abspath(folder)
        cache_folder.verify(self._folder, self._root)
        self._path = os.path.join(self._folder, f"{_key(config, request)}.json")
        self._files: dict[str, list[Any]] | None = None
        """By folder what makes its shelf."""
        self._shelves: dict[str, FolderCache] = {}
        """Those that this run has asked for."""
        self._changed = False
        self._complete: set[str] = set()
        """Folders where nothing is new and nothing gone."""
        self._mending = request.mending
        self._listed = listed
        self._looks = Fingerprints([], listed)
        self.hits = 0

    @property
    def writable(self) -> bool:
        """Whether what is new can be remembered, as far as permissions tell."""
        return os.access(self._folder if os.path.isdir(self._folder) else self._root, os.W_OK)

    @property
    def folders(self) -> int:
        """The number of folders that the cache has results of."""
        return len(self._all())

    def get(self, candidate: Candidate) -> Checked | None:
        """Return what was found in a file when it looked as it does now."""
        told, unknown = self.known(Found.of(candidate))
        return None if unknown else told[0][1] if told else NOTHING

    def known(self, found: Found) -> tuple[list[tuple[str, Checked]], list[str]]:
        """Return what is to be said of files that look as they did, by name, and the names of those of which nothing is known.

        All others are as they were, and held nothing that there is anything to say of.
        """
        shelf = self._shelf(found.above)
        quiet = [name for name in found.names if name not in shelf.rows] if shelf.rows else found.names
        # Of a file that holds nothing more may be said when it is named.
        unknown = [*quiet] if found.explicit else shelf.changed(found.above, quiet)
        told: list[tuple[str, Checked]] = []
        for name in found.names if len(quiet) < len(found.names) else ():
            if name not in shelf.rows:
                continue
            try:
                checked = self._remembered(found, name, shelf.rows[name])
            except (ValueError, TypeError, KeyError, IndexError, AttributeError):
                # Someone else wrote into the file: what it says of this one counts for nothing.
                checked = None
            if checked is None:
                unknown.append(name)
            elif checked is not NOTHING:
                told.append((name, checked))
        self.hits += len(found.names) - len(unknown)
        if not unknown and len(found.names) == len(quiet) + len(shelf.rows) and shelf.has_just(len(quiet)):
            self._complete.add(_key_of(found.above))
        return told, unknown

    def _remembered(self, found: Found, name: str, row: Row) -> Checked | None:
        path = found.above + name
        now = word_at(path)
        if row[0] != now and not self._same_content(path, row, now):
            return None
        if not self._looks.are_as_before(row[3], anew=self._mending is not FixMode.NOTHING):
            return None
        if not (row[2] or row[4]):
            return NOTHING
        entries = tuple(_entry(found.shown + name, fields) for fields in row[2])
        if any(map(self._is_mended, entries)):
            # What there is to mend is known, but not what mending gives.
            return None
        return Checked(entries, points_to={path: Kind(kind).value for path, kind in row[4].items()})

    def _is_mended(self, entry: ReportedFinding) -> bool:
        """Return whether the run may do something about what an entry tells."""
        if self._mending is FixMode.SILENCED:
            return not entry.silenced
        return self._mending is not FixMode.NOTHING and bool(entry.reported_fixes)

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
        row: Row | None = None
        if checked.digest:
            looks = [*self._looks.numbers(checked.looked_at)]
            entries = [_fields(entry) for entry in checked.entries]
            row = [state.word, checked.digest, entries, looks, dict(checked.points_to)]
        above, name = os.path.split(path)
        self._shelf(above).put(name, state.word, row)
        self._changed = True

    def keep(self, folders: Iterable[str], names: Mapping[str, Container[str]]) -> None:
        """Forget the files in `folders`, which were gone through, that are not among the `names` of those found in each."""
        for folder in folders:
            key = _key_of(folder)
            if key not in self._complete and key in self._all():
                self._changed |= self._shelf(folder).keep(names.get(folder, ()))

    def save(self) -> None:
        """Write what is new. Where that isn't possible there is no cache, which is no error."""
        if not self._changed:
            return
        try:
            shelves = {folder: shelf.fields() for folder, shelf in self._shelves.items()}
            files = {folder: fields for folder, fields in {**self._all(), **shelves}.items() if fields}
            looks = self._looks.in_use(
                row[3] for fields in files.values() for row in fields[2:] for row in row.values()
            )
            content = {"format": _FORMAT, "looks": looks, "files": files}
            cache_folder.make_ready(self._folder, self._root)
            replace_or_create(self._path, json.dumps(content, separators=(",", ":")).encode("ascii"))
            cache_folder.tidy(self._folder, os.path.basename(self._path))
        except cache_folder.RefusedError as error:
            stderr.warn(error.told)
        except (OSError, ValueError, TypeError, IndexError, RecursionError) as error:
            # A path may be none, or name a thousand folders; somebody else may have written into the file.
            stderr.debug("the cache can't be written: {error}", error=error)

    def _shelf(self, folder: str) -> FolderCache:
        key = _key_of(folder)
        shelf = self._shelves.get(key)
        if shelf is None:
            fields = self._all().get(key, ())
            try:
                shelf = FolderCache(*fields)
            except (TypeError, ValueError):
                shelf = FolderCache()
            self._shelves[key] = shelf
        return shelf

    def _all(self) -> dict[str, list[Any]]:
        if self._files is None:
            self._files = {}
            try:
                content = json.loads(load(self._path, _LIMIT, links=False)[0])
                good = all(isinstance(fields, list) for fields in content["files"].values())
                if content["format"] == _FORMAT and good:
                    self._looks = Fingerprints(content["looks"], self._listed)
                    self._files = content["files"]
            except UnreadableError:
                pass
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                stderr.debug("the cache can't be read and is made anew: {error}", error=error)
        return self._files

    def _same_content(self, path: str, row: Row, now: str) -> bool:
        """Return whether a file with another time has the content it had: a fresh checkout has new times only."""
        size = row[0].split()[2]
        if size not in now.split()[2:3]:
            return False
        try:
            data, state = load(path, int(size))
        except (UnreadableError, TooLargeError):
            return False
        if digest(data) != row[1]:
            return False
        row[0] = state.word
        self._changed = True
        return True


def _key_of(folder: str) -> str:
    """Return how the cache calls a folder, with or without a separator at its end."""
    return folder.removesuffix(os.sep)


def _key(config: Config, request: Request) -> str:
    """Return a word made from all that findings depend on besides the files that are looked at."""
    facts = [
        _FORMAT,
        __version__,
        _code_stamp(),
        request.language,
        toolkit.stamp(),
        sorted(environment.installed().items()),
        config.select,
        config.extend_select,
        config.ignore,
        config.extend_safe_fixes,
        config.extend_unsafe_fixes,
        config.per_file_ignores,
        sorted((rule, severity.value) for rule, severity in config.severity.items()),
        config.known,
        sorted(config.house_rules.items()),
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


def _fields(entry: ReportedFinding) -> list[Any]:
    return [entry.place, entry.code, entry.name, entry.severity.value, *entry[5:]]


def _entry(path: str, fields: list[Any]) -> ReportedFinding:
    place, code, name, severity, message, option, fixable, silenced, fixes, notes, *shown = fields
    source, first, in_cell, surface, tags = shown
    # Reports would stumble over anything else.
    _all_are(str, code, name, message, surface, *source, *tags)
    _all_are(int, first)
    return ReportedFinding(
        path,
        _place(place),
        code,
        name,
        Severity(severity),
        message,
        option,
        fixable,
        silenced,
        tuple(_remedy(remedy) for remedy in fixes),
        tuple(Note(_place(place), message) for place, message in notes),
        tuple(source),
        first,
        InCell(*in_cell) if in_cell else None,
        surface,
        tuple(tags),
    )


def _place(fields: list[Any]) -> Range:
    _all_are(int, *fields)
    return Range(*fields)


def _all_are(kind: type, *values: object) -> None:
    for value in values:
        if not isinstance(value, kind):
            raise TypeError


def _remedy(fields: list[Any]) -> ReportedFix:
    title, safe, replacements, creations, note = fields
    return ReportedFix(
        title,
        safe,
        tuple(Replacement(_place(place), text) for place, text in replacements),
        tuple(Creation(path, text) for path, text in creations),
        note,
    )
