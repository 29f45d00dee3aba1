"""Finds the files to check: those that are named, and below folders those that a reader exists for."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from npu_lsp.checking import stderr
from npu_lsp.checking.ignoring import FILE, IgnoreLine, Ignores
from npu_lsp.config.discover import NAMES, Discovery
from npu_lsp.config.verify import verify
from npu_lsp.languages.detection import detect, is_read
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Text
from npu_lsp.text.globs import Globs, globs
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import GIT, behind_link, leads_into_git
from npu_lsp.text.small_file import reason

_INTO_GIT = Text(en="{path}: a link into a folder of Git; it was not checked", zh="{path}：指向 Git 目录的链接，未检查")
_SAID = Text(en="{path}: {said}", zh="{path}：{said}")


_CONFIGURATIONS = frozenset(NAMES)
_TELLING = frozenset({*NAMES, FILE, GIT})
"""What says how the rest of a folder is to be gone through."""
_PASSED_OVER = 100
"""So many of the things that are ignored are kept in mind."""


class Candidate(NamedTuple):
    """A file to check."""

    path: str
    """As reports show it."""
    absolute: str
    kind: Kind | None
    """`None`: only the first line tells."""
    config: int
    """The number of its configuration in `Walk.configs`."""
    explicit: bool
    """Named on the command line itself."""


class Found(NamedTuple):
    """Files to check that are in one folder."""

    shown: str
    """What stands before their names in reports: a path and its separator, or nothing."""
    above: str
    """The folder's absolute path and a separator."""
    config: int
    """The number of their configuration in `Walk.configs`."""
    names: Sequence[str]
    """Sorted."""
    explicit: bool = False
    """Named on the command line themselves."""

    @classmethod
    def of(cls, candidate: Candidate) -> Found:
        """Return the folder's entry with `candidate` as its only file."""
        above, name = os.path.split(candidate.absolute)
        shown = candidate.path.removesuffix(name)
        return cls(shown, os.path.join(above, ""), candidate.config, (name,), candidate.explicit)

    def candidate(self, name: str) -> Candidate:
        """Return the file called `name`, which is one of `names`."""
        return Candidate(self.shown + name, self.above + name, _kind(name), self.config, self.explicit)

    def candidates(self) -> Iterator[Candidate]:
        """Yield the files."""
        return map(self.candidate, self.names)


class _Folder(NamedTuple):
    shown: str
    absolute: str
    relative: str
    """Below the root of its configuration, with a separator at its end as globs have it; or empty."""
    config: int
    ignores: Ignores


class PassedOver(NamedTuple):
    """A file or folder that Git ignores."""

    shown: str
    """Its path as reports show it."""
    above: str
    """Its folder, absolute, and a separator."""
    name: str
    folder: bool
    ignores: Ignores

    def line(self) -> IgnoreLine | None:
        """Return the line of an ignore file that says so; `None` where it is gone by now."""
        return self.ignores.line(self.above, self.name, self.folder)


class Walk:
    """Goes through what a command line names. Links are followed where they are named, and nowhere else."""

    def __init__(self, discovery: Discovery, here: str) -> None:
        self.configs: list[Config] = []
        self.missing: list[str] = []
        """What was named and isn't there: files, folders, and globs that nothing matches."""
        self.folders: dict[str, Ignores] = {}
        """The folders that were gone through, absolute; each with what Git ignores there."""
        self.listed: dict[str, Sequence[str]] = {}
        """The names of all that is in these folders."""
        self.names: dict[str, set[str]] = {}
        """The names of the files that were found, by their folder, absolute."""
        self.passed_over: list[PassedOver] = []
        """The first few things that Git ignores."""
        self._discovery = discovery
        self._here = here
        self._numbers: dict[int, int] = {}

    def files(self, paths: Iterable[str]) -> Iterator[Candidate]:
        """Yield each file once. Raises `ConfigError` where a configuration can't be used."""
        for found in self.found(paths):
            yield from found.candidates()

    def found(self, paths: Iterable[str]) -> Iterator[Found]:
        """Yield each file once, those directly in a folder together. Raises `ConfigError` as `files` does."""
        for path in paths:
            absolute = os.path.normpath(os.path.join(self._here, path))
            if leads_into_git(absolute):
                # Whoever names everything in a folder doesn't know where a link in it leads.
                stderr.warn(_INTO_GIT, path=path)
            elif os.path.isdir(absolute):
                yield from self._below(path, absolute)
            elif os.path.lexists(absolute):
                yield from self._named(path, absolute, explicit=True)
            elif any(sign in path for sign in "*?["):
                yield from self._matching(path)
            else:
                self.missing.append(path)

    def has(self, absolute: str) -> bool:
        """Return whether the walk found the file at this absolute path, or `add` was told of it."""
        folder, name = os.path.split(absolute)
        return name in self.names.get(folder, ())

    def add(self, absolute: str) -> bool:
        """Take a file for found; tell whether it was not before."""
        folder, name = os.path.split(absolute)
        names = self.names.setdefault(folder, set())
        before = len(names)
        names.add(name)
        return len(names) > before

    def passes_over(self, absolute: str) -> bool:
        """Return whether a file would not be found: its folder is none of `folders`, or it is excluded or ignored there."""
        folder, name = os.path.split(absolute)
        ignores = self.folders.get(folder)
        if ignores is None:
            return True
        config = self._discovery.config_for(folder)
        if config.excludes(absolute):
            return True
        return config.respect_gitignore and ignores.ignored(absolute, name, folder=False)

    def number_of(self, config: Config) -> int:
        """Return the number of `config`; a new one is verified and gets a new number."""
        number = self._numbers.get(id(config))
        if number is None:
            verify(config, stderr.warn)
            number = self._numbers[id(config)] = len(self.configs)
            self.configs.append(config)
        return number

    def _named(self, path: str, absolute: str, *, explicit: bool) -> Iterator[Found]:
        if not self.add(absolute):
            return
        folder, name = os.path.split(absolute)
        config = self._discovery.config_for(folder)
        if not (config.force_exclude and config.excludes(absolute)):
            shown = path.removesuffix(name)
            yield Found(shown, os.path.join(folder, ""), self.number_of(config), (name,), explicit)

    def _matching(self, pattern: str) -> Iterator[Found]:
        import glob
        import re

        found = sorted(glob.glob(pattern, root_dir=self._here, recursive=True))
        if not found:
            self.missing.append(pattern)
        # What stands before the first sign was named; what the signs stand for was not.
        plain = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
        named = os.path.normpath(os.path.join(self._here, os.path.dirname(plain)))
        for path in found:
            absolute = os.path.normpath(os.path.join(self._here, path))
            if os.path.isfile(absolute) and not behind_link(absolute, named):
                yield from self._named(path, absolute, explicit=False)

    def _below(self, path: str, absolute: str) -> Iterator[Found]:
        config = self._discovery.config_for(absolute)
        if config.force_exclude and config.excludes(absolute):
            return
        start = "" if os.path.normpath(path) == os.curdir else os.path.join(path, "")
        relative = _prefix(config, absolute)
        waiting = [_Folder(start, absolute, relative, self.number_of(config), Ignores.above(absolute))]
        while waiting:
            found = self._in(waiting.pop(), waiting)
            if found.names:
                yield found

    def _in(self, folder: _Folder, waiting: list[_Folder]) -> Found:
        """Return the files directly in `folder`; add its folders to `waiting`."""
        shown, absolute, prefix, number, ignores = folder
        entries = _entries(folder)
        names = [entry.name for entry in entries]
        config = self.configs[number]
        if not _TELLING.isdisjoint(names):
            if not _CONFIGURATIONS.isdisjoint(names):
                config = self._discovery.config_for(absolute, names)
                number = self.number_of(config)
                prefix = _prefix(config, absolute)
            if GIT in names:
                # A repository of its own: what others ignore and track ends here.
                ignores = Ignores.above(absolute)
            if config.respect_gitignore and FILE in names:
                ignores = ignores.below(absolute)
        self.folders[absolute] = ignores
        if names:
            # What can't be listed may still have files that are looked at by name.
            self.listed[absolute] = names
        above = absolute if absolute.endswith(os.sep) else absolute + os.sep
        folders, files = _readable(entries, globs(config.include), prefix)
        excluded = globs(config.exclude)
        folders = _spared(folders, excluded.told(prefix, folders, True))
        files = _spared(files, excluded.told(prefix, files, False))
        inside: Collection[str] = ()
        if config.respect_gitignore and ignores:
            folders, inside = self._not_ignored(folder, ignores, above, folders, True)
            files, _ = self._not_ignored(folder, ignores, above, files, False)
        for name in folders:
            its = ignores.inside() if name in inside else ignores
            waiting.append(_Folder(f"{shown}{name}{os.sep}", above + name, f"{prefix}{name}/", number, its))
        files.sort()
        known = self.names.get(absolute)
        if known is None:
            if files:
                self.names[absolute] = set(files)
        else:
            files = [name for name in files if name not in known]
            known.update(files)
        return Found(shown, above, number, files)

    def _not_ignored(
        self, folder: _Folder, ignores: Ignores, above: str, names: list[str], folders: bool
    ) -> tuple[list[str], Collection[str]]:
        """Return which of the `names` Git doesn't ignore, and which of these only because something there is tracked."""
        told = ignores.ignored_names(above, names, folders)
        if not told:
            return names, ()
        tracked = {name for name in told if ignores.tracks(above + name, folders)}
        ignored = {name: True for name in told if name not in tracked}
        room = _PASSED_OVER - len(self.passed_over)
        for name in sorted(ignored)[:room]:
            self.passed_over.append(PassedOver(folder.shown + name, above, name, folders, ignores))
        return _spared(names, ignored), tracked


class Reach:
    """Tells of single paths whether a walk through a folder would come to them; what it has to read for that is read once."""

    def __init__(self, discovery: Discovery, root: str) -> None:
        self._discovery = discovery
        self._ignores: dict[str, Ignores | None] = {root: Ignores.above(root).below(root)}
        """What Git ignores in each folder; `None` where the walk doesn't go."""

    def has(self, absolute: str) -> bool:
        """Return whether the walk would come to the file or folder, or to what was there."""
        return self._within(absolute, folder=os.path.isdir(absolute)) is not None

    def _of(self, folder: str) -> Ignores | None:
        if folder not in self._ignores:
            ignores = self._within(folder, folder=True)
            if ignores is not None:
                above, name = os.path.split(folder)
                if ignores.ignored_names(os.path.join(above, ""), (name,), True):
                    ignores = ignores.inside()  # something in it is tracked
                if os.path.exists(os.path.join(folder, GIT)):
                    ignores = Ignores.above(folder)
                ignores = ignores.below(folder)
            self._ignores[folder] = ignores
        return self._ignores[folder]

    def _within(self, absolute: str, *, folder: bool) -> Ignores | None:
        """Return what Git ignores in the folder that holds `absolute`; `None` where that is passed over, or lies elsewhere."""
        above, name = os.path.split(absolute)
        ignores = self._of(above) if name else None
        if ignores is None or name.lower() == GIT or os.path.islink(absolute):
            return None
        config = self._discovery.config_for(above)
        if globs(config.exclude).verdict(config.relative(absolute), name, folder):
            return None
        return None if config.respect_gitignore and ignores.ignored(absolute, name, folder) else ignores


def _prefix(config: Config, folder: str) -> str:
    relative = config.relative(folder)
    return f"{relative}/" if relative else ""


def _readable(entries: Iterable[os.DirEntry[str]], included: Globs, prefix: str) -> tuple[list[str], list[str]]:
    """Return the names of folders, and of the files that something can read or that are `included`."""
    folders: list[str] = []
    files: list[str] = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if name.lower() != GIT:
                folders.append(name)
        elif (is_read(name) or _is_included(name, included, prefix)) and entry.is_file(follow_symlinks=False):
            files.append(name)
    return folders, files


def _is_included(name: str, included: Globs, prefix: str) -> bool:
    return bool(included) and name.lower() != GIT and included.matches(prefix + name)


def _spared(names: list[str], told: Mapping[str, bool]) -> list[str]:
    return [name for name in names if not told.get(name)] if told else names


def _entries(folder: _Folder) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder.absolute) as found:
            return list(found)
    except OSError as error:
        stderr.warn(_SAID, path=folder.shown.rstrip(os.sep) or folder.absolute, said=reason(error))
        return ()


def _kind(name: str) -> Kind | None:
    """Return the kind that a name tells, `None` where the text must tell."""
    kind = detect(name, "")
    return None if kind is Kind.OTHER else kind
