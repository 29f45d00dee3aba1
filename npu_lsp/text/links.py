"""Tells whether the way to a file passes a link, or a folder of Git: whoever commits a link names a file of somebody else.

A file that a person names is taken as it is. One that was found, or that a file names, is taken only where no link is on
the way to it: else a checked tree could have any file of the machine shown in a report, or changed.
"""

from __future__ import annotations

import os

GIT = ".git"
"""What holds addresses with passwords, and programs that Git runs."""

_is_junction = getattr(os.path, "isjunction", lambda _: False)
"""Windows' other links to folders; Python knows them since 3.12."""


def is_link(path: str) -> bool:
    """Return whether there is a link at `path`, wherever it leads."""
    try:
        return os.path.islink(path) or bool(_is_junction(path))
    except ValueError:  # it can be no path
        return False


def behind_link(path: str | os.PathLike[str], start: str | os.PathLike[str]) -> bool:
    """Return whether the way from the folder `start` to `path` passes a link or a folder of Git.

    What both have in common doesn't count: that is where whoever named `start` stands. Both are taken as they are written,
    without `..`.
    """
    at, origin = os.path.abspath(path), os.path.abspath(start)
    while not _holds(at, origin):
        above, name = os.path.split(at)
        if is_link(at) or name.lower() == GIT:
            return True
        if above == at:  # another drive
            return False
        at = above
    return False


def behind_link_below(path: str | os.PathLike[str], root: str | os.PathLike[str]) -> bool:
    """Return whether `path` lies below the folder `root` and the way there passes a link or a folder of Git."""
    return _holds(os.path.abspath(root), os.path.abspath(path)) and behind_link(path, root)


def leads_into_git(path: str) -> bool:
    """Return whether links lead from `path`, which isn't in a folder of Git, into one."""
    return _in_git(os.path.realpath(path)) and not _in_git(os.path.abspath(path))


def _in_git(path: str) -> bool:
    return GIT in path.lower().split(os.sep)


def _holds(folder: str, path: str) -> bool:
    """Return whether `path` is `folder` or lies below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
