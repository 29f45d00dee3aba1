"""Tells what a change makes of public code: `python -m tests.ecosystem BASE HEAD --clones DIR [OWNER/NAME ...]`.

BASE and HEAD are commits, or `.` for the files as they are. Both check the newest commit of each Git repository below DIR, and
each finding, fix and setting that one has and the other has not is printed, by rule, with its line. Exits with 1 where they differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.ecosystem.differences import compared, findings, settings, written
from tests.ecosystem.states import asked, state


def repositories(clones: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the Git folder of each repository below `clones`: `NAME`, `NAME/repo` or `NAME/.git`."""
    for folder in sorted(path for path in clones.iterdir() if path.is_dir()):
        found = (path for path in (folder / ".git", folder / "repo", folder) if (path / "objects").is_dir())
        for path in found:
            yield folder.name.replace("+", "/"), path
            break


def laid_out(git: Path, tree: Path) -> str:
    """Write the newest commit of `git` into `tree`, as far as that works; return the first complaint, or nothing.

    A name may be too long for this machine, and the largest files may be missing from a mirror. Both states check what is there.
    """
    with subprocess.Popen(["git", "--git-dir", str(git), "archive", "HEAD"], stdout=subprocess.PIPE) as archive:
        tar = subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, stderr=subprocess.PIPE, check=False)
    if not tar.returncode and not archive.returncode:
        return ""
    complaints = tar.stderr.decode(errors="replace").splitlines()
    return complaints[0] if complaints else f"git archive ended with {archive.returncode}"


def main() -> int:
    """Compare both states on each repository; return 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("head")
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR")
    parser.add_argument("names", nargs="*", help="only these repositories")
    parser.add_argument("--no-settings", action="store_true", help="compare findings and fixes alone")
    parser.add_argument("--target", action="append", default=[], help="as `npu-lsp check` takes it")
    arguments = parser.parse_intermixed_args()
    target = [word for each in arguments.target for word in ("--target", each)]
    chosen = [each for each in repositories(arguments.clones) if not arguments.names or each[0] in arguments.names]
    if not chosen:
        parser.error(f"no Git repository of that name below {arguments.clones}")
    total = 0
    with tempfile.TemporaryDirectory(prefix="npu-lsp-ecosystem-") as name, ExitStack() as stack:
        folder = Path(name)
        base, head = (stack.enter_context(state(each, folder)) for each in (arguments.base, arguments.head))
        for repository, git in chosen:
            tree = folder / "trees" / repository.replace("/", "+")
            tree.mkdir(parents=True)
            complaint = laid_out(git, tree)
            if complaint:
                print(f"{repository}: without some of its files: {complaint}", flush=True)
            check = ("check", "--no-cache", *target)
            changes = compared(findings(asked(base, tree, *check)), findings(asked(head, tree, *check)))
            if not arguments.no_settings:
                listed = ("settings", *target)
                changes += compared(settings(asked(base, tree, *listed)), settings(asked(head, tree, *listed)))
            total += len(changes)
            print(f"{repository}: {len(changes)} differences", flush=True)
            for line in written(repository, tree, changes):
                print(line, flush=True)
    print(f"{total} differences on {len(chosen)} repositories")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
