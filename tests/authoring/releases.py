"""Files of a Git repository as its release tags have them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from npu_lsp.catalog.target import Version

_CANDIDATE = re.compile(r"[-.](?:alpha|beta|rc|pre)\b.*")
_NAMED = re.compile(r"(?:r|br_release_cann_|tfa_v[\d.]{1,9}_)(?=\d)")
"""What stands before the version in names of branches and tags, beside `v`."""
_DAY = re.compile(r"_\d{8}")


def release_of(tag: str) -> str:
    """Return the release of CANN that a tag is, or that it is a beta of."""
    return _CANDIDATE.sub("", tag.lstrip("v"))


class Releases:
    """The releases of a repository, whose checkout (or bare directory) lies at `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tags(self) -> list[str]:
        """Return the tags that are versions, in the order of the versions."""
        found: dict[str, Version] = {}
        for tag in self._git("tag").split():
            try:
                found[tag] = Version.parse(tag)
            except ValueError:
                continue
        return sorted(found, key=found.__getitem__)

    def refs(self) -> list[str]:
        """Return the names of all branches and tags."""
        return self._git("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags").split()

    def named(self) -> dict[str, Version]:
        """Return the branches and tags that are named after a version, with it, in the order of the versions."""
        found: dict[str, Version] = {}
        for name in self.refs():
            try:
                found[name] = Version.parse(_DAY.split(_NAMED.sub("", name, count=1))[0])
            except ValueError:
                continue
        return dict(sorted(found.items(), key=lambda each: each[1]))

    def holding(self, tag: str, word: str, below: str) -> list[str]:
        """Return the files below a folder that hold `word` at `tag`."""
        told = self._git("grep", "-lwF", "-e", word, tag, "--", below, check=False)
        return [line.partition(":")[2] for line in told.splitlines()]

    def words(self, tag: str, words: Sequence[str], below: str, *, docs: bool = False) -> set[str]:
        """Return those of `words` that the code below a folder holds at `tag`; `docs`: or its documentation."""
        left_out = () if docs else (":!*.md", ":!*.rst")
        told = self._git("grep", "-hwoE", "|".join(words), tag, "--", below, *left_out, check=False)
        return set(told.split())

    def files(self, tag: str, below: str) -> list[str]:
        """Return the files below a folder at `tag`."""
        return self._git("ls-tree", "-r", "--name-only", tag, below, check=False).splitlines()

    def text(self, tag: str, path: str) -> str | None:
        """Return a file at `tag`; `None` where there is none."""
        told = self._git("show", f"{tag}:{path}", check=False)
        return told or None

    def _git(self, *arguments: str, check: bool = True) -> str:
        command = ["git", "-C", str(self._folder), *arguments]
        ran = subprocess.run(command, capture_output=True, check=check, encoding="utf-8")
        return ran.stdout
