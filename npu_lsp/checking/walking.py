"""Finds the files to check: those that are named, and below folders those that a reader exists for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.checking import stderr
from npu_lsp.checking.ignoring import Ignores
from npu_lsp.config.discover import Discovery
from npu_lsp.config.verify import verify
from npu_lsp.languages.detection import detect, tells_only_inside
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Text
from npu_lsp.text.globs import Globs, globs
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import GIT, behind_link, leads_into_git
from npu_lsp.text.system import reason

_INTO_GIT = Text(en="{path}: a link into a folder of Git; it was not checked", zh="{path}：指向 Git 目录的链接，未检查")
_SAID = Text(en="{path}: {said}", zh="{path}：{said}")


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


class _Folder(NamedTuple):
    shown: str
    absolute: str
    config: int
    ignores: Ignores


class Walk:
    """Goes through what a command line names. Links are followed where they are named, and nowhere else."""

    def __init__(self, discovery: Discovery, here: str) -> None:
        self.configs: list[Config] = []
        self.missing: list[str] = []
        """What was named and isn't there: files, folders, and globs that nothing matches."""
        self.folders: dict[str, Ignores] = {}
        """The folders that were gone through, absolute; each with what Git ignores there."""
        self.listed: dict[str, AbstractSet[str]] = {}
        """All that is in these folders, in small letters: some file systems tell no others apart."""
        self._discovery = discovery
        self._here = here
        self._numbers: dict[int, int] = {}
        self.seen: set[str] = set()
        """The files that were found, absolute."""

    def files(self, paths: Iterable[str]) -> Iterator[Candidate]:
        """Yield each file once. Raises `ConfigError` where a configuration can't be used."""
        for path in paths:
            absolute = os.path.normpath(os.path.join(self._here, path))
            if leads_into_git(absolute):
                # Whoever names everything in a folder doesn't know where a link in it leads.
                stderr.warn(_INTO_GIT, path=path)
            elif os.path.isdir(absolute):
                yield from self._below(path, absolute)
            elif os.path.lexists(absolute):
                yield from self._named(path, absolute)
            elif any(sign in path for sign in "*?["):
                yield from self._matching(path)
            else:
                self.missing.append(path)

    def passes_over(self, absolute: str) -> bool:
        """Tell whether a file would not be found: its folder is none of `folders`, or it is excluded or ignored there."""
        folder, name = os.path.split(absolute)
        ignores = self.folders.get(folder)
        if ignores is None:
            return True
        config = self._discovery.config_for(folder)
        if config.excludes(absolute):
            return True
        return config.respect_gitignore and ignores.ignored(absolute, name, folder=False)

    def leaves_out(self, absolute: str) -> bool:
        """Tell whether a file in a folder that was not gone through would not be found, were all gone through again."""
        folder = os.path.dirname(absolute)
        above = os.path.dirname(folder)
        while above not in self.folders and above != os.path.dirname(above):
            folder, above = above, os.path.dirname(above)
        ignores, name = self.folders.get(above), os.path.basename(folder)
        if ignores is None or name.lower() == GIT or os.path.islink(folder):
            return True
        config = self._discovery.config_for(above)
        if globs(config.exclude).verdict(config.relative(folder), name, True):
            return True
        return config.respect_gitignore and ignores.ignored(folder, name, folder=True)

    def candidate(self, absolute: str) -> Candidate | None:
        """Return the file as `files` would find it below a folder that was gone through; `None` where it would not."""
        folder, name = os.path.split(absolute)
        if self.passes_over(absolute) or not os.path.isfile(absolute) or os.path.islink(absolute):
            return None
        config, kind = self._discovery.config_for(folder), _kind(name)
        if kind is Kind.OTHER and not globs(config.include).matches(config.relative(absolute)):
            return None
        known = None if kind is Kind.OTHER else kind
        return Candidate(absolute, absolute, known, self.number_of(config), explicit=False)

    def number_of(self, config: Config) -> int:
        """Return the number of `config`; a new one is verified and gets a new number."""
        number = self._numbers.get(id(config))
        if number is None:
            verify(config, stderr.warn)
            number = self._numbers[id(config)] = len(self.configs)
            self.configs.append(config)
        return number

    def _named(self, path: str, absolute: str) -> Iterator[Candidate]:
        if absolute in self.seen:
            return
        self.seen.add(absolute)
        config = self._discovery.config_for(os.path.dirname(absolute))
        if config.force_exclude and config.excludes(absolute):
            return
        kind = detect(path, "")
        yield Candidate(path, absolute, None if kind is Kind.OTHER else kind, self.number_of(config), explicit=True)

    def _matching(self, pattern: str) -> Iterator[Candidate]:
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
                yield from (each._replace(explicit=False) for each in self._named(path, absolute))

    def _below(self, path: str, absolute: str) -> Iterator[Candidate]:
        config = self._discovery.config_for(absolute)
        if config.force_exclude and config.excludes(absolute):
            return
        start = "" if os.path.normpath(path) == os.curdir else path
        waiting = [_Folder(start, absolute, self.number_of(config), Ignores.above(absolute))]
        while waiting:
            yield from self._in(waiting.pop(), waiting)

    def _in(self, folder: _Folder, waiting: list[_Folder]) -> Iterator[Candidate]:
        """Yield the files directly in `folder`; add its folders to `waiting`."""
        entries = _entries(folder)
        names = {entry.name for entry in entries}
        config = self._discovery.config_for(folder.absolute, names)
        number = self.number_of(config)
        ignores = folder.ignores
        if config.respect_gitignore and ".gitignore" in names:
            ignores = ignores.below(folder.absolute)
        self.folders[folder.absolute] = ignores
        if names:
            # What can't be listed may still have files that are looked at by name.
            self.listed[folder.absolute] = {name.lower() for name in names}
        excludes, included = globs(config.exclude).verdict, globs(config.include)
        ignored = ignores.ignored if config.respect_gitignore and ignores else None
        prefix = config.relative(folder.absolute)
        prefix = f"{prefix}/" if prefix else ""
        above, shown_above = f"{folder.absolute.rstrip(os.sep)}{os.sep}", os.path.join(folder.shown, "")
        for name, is_folder, kind in _readable(entries, included, prefix):
            if excludes(prefix + name, name, is_folder):
                continue
            absolute = above + name
            if ignored is not None and ignored(absolute, name, is_folder):
                continue
            if is_folder:
                waiting.append(_Folder(shown_above + name, absolute, number, ignores))
            elif absolute not in self.seen:
                self.seen.add(absolute)
                yield Candidate(shown_above + name, absolute, kind, number, explicit=False)


def _readable(
    entries: Iterable[os.DirEntry[str]], included: Globs, prefix: str
) -> Iterator[tuple[str, bool, Kind | None]]:
    """Yield the names of folders, and of the files that something can read or that are `included`, with their kinds."""
    for entry in entries:
        name = entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        kind = None if is_folder else _kind(name)
        if kind is Kind.OTHER:
            if not included or not included.matches(prefix + name):
                continue
            kind = None
        if name.lower() != GIT and (is_folder or entry.is_file(follow_symlinks=False)):
            yield name, is_folder, kind


def _entries(folder: _Folder) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder.absolute) as found:
            return list(found)
    except OSError as error:
        stderr.warn(_SAID, path=folder.shown or folder.absolute, said=reason(error))
        return ()


@lru_cache(maxsize=4096)  # a large tree has the same few names again and again
def _kind(name: str) -> Kind | None:
    """Return the kind that a name tells, `None` where the text must tell: without a suffix, or with a name that many have."""
    kind = detect(name, "")
    return None if kind is Kind.OTHER and tells_only_inside(name) else kind
