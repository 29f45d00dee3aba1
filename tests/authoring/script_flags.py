"""Renews `script_flags.toml`: what scripts of MindSpeed-LLM take that convert weights and data, by release.

`python -m tests.authoring.script_flags FOLDER`: a folder with a clone of `MindSpeed-LLM`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.files import DATA
from tests.authoring.parsers import Argument, git
from tests.authoring.parsers import read as arguments_of

_RELEASES = ("1.0.RC1", "1.0.RC2", "1.0.RC3", "1.0.0", "2.0.0", "2.1.0", "2.2.0", "2.3.0", "26.0.0", "26.1.0")
_NEXT = "master"
_PLUGINS = ("tools/checkpoint", "modellink/tasks/checkpoint", "mindspeed_llm/tasks/checkpoint")
_SCRIPTS = {
    "convert_ckpt.py": ("convert_ckpt.py", "mindspeed_llm/mindspore/convert_ckpt.py", *_PLUGINS),
    "convert_ckpt_v2.py": ("convert_ckpt_v2.py", "mindspeed_llm/mindspore/convert_ckpt_v2.py"),
    "preprocess_data.py": (
        *("preprocess_data.py", "tools/preprocess_data.py"),
        *("modellink/tasks/preprocess", "mindspeed_llm/tasks/preprocess"),
    ),
}
"""Where each reads its arguments; plugins add theirs to the parser of the first one."""
_HEAD = """\
# Arguments of scripts whose parsers are not those of training, by release; made by `python -m tests.authoring.script_flags`.
# `first` and `last` are releases of MindSpeed-LLM; without `last` the newest one has it, too. `lenient`: the last release that goes on
# at an argument that it doesn't know. `closed`: the first release since which nothing but the choices is taken.
"""


class _Life(NamedTuple):
    """In which releases something is there."""

    first: str
    last: str


def main(arguments: Sequence[str]) -> int:
    """Write the file."""
    folder = Path(arguments[0]) / "MindSpeed-LLM"
    lines = [_HEAD]
    for script, below in _SCRIPTS.items():
        seen: dict[str, dict[str, list[Argument]]] = {}
        for release in (*_RELEASES, _NEXT):
            for each in arguments_of(folder, release, below):
                for name in each.names:
                    if name.startswith("--"):
                        seen.setdefault(name[2:], {}).setdefault(release, []).append(each)
        passing = [release for release in _RELEASES if _passes_over(folder, release, below[0])]
        lines += [f'["{script}"]', *([f'lenient = "{passing[-1]}"'] if passing else []), ""]
        lines += [f'["{script}".flags]', *(_row(name, having) for name, having in sorted(seen.items())), ""]
    (DATA / "script_flags.toml").write_text("\n".join(lines), encoding="utf-8")
    return 0


def _passes_over(folder: Path, release: str, path: str) -> bool:
    """Return whether a script goes on at an argument that it doesn't know."""
    return "\n    args, _ = parser.parse_known_args()" in git(folder, "show", f"{release}:{path}")


def _row(name: str, having: Mapping[str, Sequence[Argument]]) -> str:
    parts = list(_life(_Life(*_ends(having))))
    newest = having[list(having)[-1]]
    if all(each.nargs not in ("0", "?", "*") and not each.open for each in newest):
        parts.append("takes = true")
    closed = list(having)
    while closed and not all(_is_closed(having[release]) for release in closed):
        del closed[0]
    if closed:
        by_value: dict[str, list[str]] = {}
        for release in closed:
            found = having[release]
            for value in dict.fromkeys(str(value) for each in found for value in each.choices):
                by_value.setdefault(value, []).append(release)
        told = (f'"{value}" = {{ {", ".join(_life(_Life(*_ends(where))))} }}' for value, where in by_value.items())
        parts.append(f"choices = {{ {', '.join(told)} }}")
        parts += [f'closed = "{closed[0]}"'] if closed[0] != next(iter(having)) else []
    return f'"{name}" = {{ {", ".join(parts)} }}'


def _is_closed(found: Sequence[Argument]) -> bool:
    return all(each.choices and not each.open for each in found)


def _ends(releases: Mapping[str, object] | Sequence[str]) -> tuple[str, str]:
    """Return the first and the last release; `-` for one that comes, and where it is still there in the newest one."""
    names = [release for release in releases if release != _NEXT]
    if not names:
        return "-", "-"
    return names[0], "-" if names[-1] == _RELEASES[-1] or _NEXT in releases else names[-1]


def _life(life: _Life) -> Iterator[str]:
    if life.first != "-":
        yield f'first = "{life.first}"'
    else:
        yield "coming = true"
    if life.last != "-":
        yield f'last = "{life.last}"'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
