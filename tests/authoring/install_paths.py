"""Counts the folders below that of Ascend's software: `python -m tests.authoring.install_paths MIRRORS` writes `install_paths.toml`.

MIRRORS holds `owner+name/repo` git directories, of whose heads each path below `/usr/local/Ascend` and its kin is read. A word is
kept that so many repositories have in such paths that it is no slip of one of them; `holders` is kept by hand, and isn't written.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from npu_lsp.catalog.files import DATA

_PATH = r"(/usr/local|/opt|/home/HwHiAiUser|\$HOME|\$\{HOME\}|~)/Ascend(/[A-Za-z0-9_.-]+)+"
_WORD = re.compile(
    r"(?=[\w.-]*[a-z]{3})(?![\w.-]*(?:ascend\d|\.(?:so|pem|egg|whl|txt)|[-_.]$))[a-zA-Z][\w.-]{2,}|lib64|set_env\.sh"
)
_SEVERAL = 3


def _words(mirrors: Path) -> list[str]:
    held: dict[str, set[str]] = defaultdict(set)
    for repository in sorted(mirrors.iterdir()):
        command = ("git", "-C", str(repository / "repo"), "grep", "-hoIE", _PATH, "HEAD")
        for path in subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        ).stdout.split():
            for word in path.partition("/Ascend/")[2].split("/"):
                held[word].add(repository.name)
    return sorted(word for word, having in held.items() if len(having) >= _SEVERAL and _WORD.fullmatch(word))


def main(mirrors: Path) -> None:
    """Write the words, and the folders that hold `set_env.sh` as they are."""
    written = [
        "# The folders and files that installers of Ascend's software make; counted by `python -m tests.authoring.install_paths`.",
        "",
    ]
    written += ["words = [", *(f'    "{word}",' for word in _words(mirrors)), "]"]
    (DATA / "install_paths.toml").write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
