"""Fixes on somebody's code: `python -m tests.robustness.fix_trial FOLDER ...` runs `--fix` on a copy and says what it did.

Each file parses as before, what was fixed is told no more, nothing new is told, and a second run changes nothing. The lines that
changed are printed, so that a person can read them. `FOLDER` stays as it is.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

SERIOUS = ("error", "warning")
Told = Counter[tuple[str, str, str]]
"""Findings by file, code and option, with how often each is told: lines move."""


def main() -> None:
    """Try each folder, print what changed and what is wrong, and exit with 1 where something is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--quiet", action="store_true", help="no changed lines")
    arguments = parser.parse_args()
    wrong = [each for folder in arguments.folders for each in trial(folder, show=not arguments.quiet)]
    print(f"{len(wrong)} wrong", *wrong, sep="\n  ")
    raise SystemExit(1 if wrong else 0)


def trial(folder: Path, *, show: bool = True) -> list[str]:
    """Run `--fix` twice on a copy of `folder`, and return what is wrong with the outcome."""
    with tempfile.TemporaryDirectory() as space:
        copy = Path(space, folder.resolve().name)
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        before, fixable = _told(copy)
        old = _contents(copy)
        _run(copy, "--fix")
        new = _contents(copy)
        after, left = _told(copy)
        _run(copy, "--fix")
        wrong = [f"{name}: changed by the second run" for name in _differing(new, _contents(copy))]
        changed = _differing(old, new)
        wrong += [
            f"{name}: no longer parses" for name in changed if _is_broken(name, old.get(name), new.get(name), space)
        ]
    wrong += [f"{name}: {code} of {option} is new" for name, code, option in after - before]
    wrong += [f"{name}: {code} of {option} is still told and fixable" for name, code, option in left]
    if show:
        for name in changed:
            print(*_difference(name, old.get(name, b""), new.get(name, b"")), sep="\n")
    print(f"{folder}: {fixable.total()} fixable, {left.total()} of them left, {len(changed)} files changed")
    return wrong


def _run(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "npu_lsp", "check", ".", "--isolated", "--no-cache", "--exit-zero", *options]
    command += ["--allow-empty", "--output-format", "json"]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def _told(folder: Path) -> tuple[Told, Told]:
    """Return what is told of `folder`, of errors and warnings, and what of all that has a safe fix."""
    findings = json.loads(_run(folder))["findings"]
    told = [(each, (each["path"], each["code"], each["option"] or "")) for each in findings]
    return (
        Counter(key for each, key in told if each["severity"] in SERIOUS),
        Counter(key for each, key in told if each["fixable"]),
    )


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _differing(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[str]:
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _is_broken(name: str, old: bytes | None, new: bytes | None, space: str) -> bool:
    """Return whether a file parsed before and doesn't now; one that was made has to parse, and none may be gone."""
    return new is None or ((old is None or _parses(name, old, space)) and not _parses(name, new, space))


def _parses(name: str, data: bytes, space: str) -> bool:
    try:
        if name.endswith(".py"):
            compile(data, name, "exec", dont_inherit=True)
        elif name.endswith((".json", ".ipynb")):
            json.loads(data)
        elif name.endswith((".sh", ".bash")):
            script = Path(space, "script.sh")
            script.write_bytes(data)
            return subprocess.run(["bash", "-n", script], capture_output=True, check=False).returncode == 0
    except (SyntaxError, ValueError):
        return False
    return True


def _difference(name: str, old: bytes, new: bytes) -> Iterator[str]:
    """Yield the lines that changed; line ends are told as a number."""
    one, other = (data.decode("utf-8", "replace").split("\n") for data in (old, new))
    ends = sum(line.endswith("\r") for line in one) - sum(line.endswith("\r") for line in other)
    if ends:
        yield f"{name}: {ends} line ends"
    one, other = ([line.rstrip("\r") for line in lines] for lines in (one, other))
    yield from difflib.unified_diff(one, other, name, name, lineterm="", n=0)


if __name__ == "__main__":
    main()
