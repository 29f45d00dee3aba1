"""Which rules run: what the configuration selects and ignores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath

from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding, Safety
from npu_lsp.linter.rule import Rule
from npu_lsp.text.globs import globs

HOUSE = "HOUSE"
"""The word that means all house rules."""


def selected(rules: Iterable[Rule], config: Config, *, in_editor: bool = False) -> tuple[Rule, ...]:
    """Return the rules that run under `config`; the more exact word wins, and `ignore` wins a draw."""
    return tuple(rule for rule in rules if _runs(rule, config, in_editor))


def safety_of(finding: Finding, config: Config) -> Safety | None:
    """Return how safe the fixes of a finding are by the configuration's word; `None` where it says nothing of them."""
    safe = max((_exactness(finding, word) for word in config.extend_safe_fixes), default=0)
    unsafe = max((_exactness(finding, word) for word in config.extend_unsafe_fixes), default=0)
    return (Safety.SAFE if safe > unsafe else Safety.UNSAFE) if safe or unsafe else None


def ignored_in(path: str, config: Config, rules: Iterable[Rule]) -> frozenset[str]:
    """Return the codes that `per_file_ignores` switches off for the file at `path`."""
    relative = _relative(path, config.root)
    words = [word for glob, codes in config.per_file_ignores if _matches(glob, relative) for word in codes]
    return frozenset(rule.code for rule in rules if any(_exactness(rule, word) for word in words))


def path_matches(patterns: Iterable[str], path: str, root: Path | None) -> bool:
    """Return whether one of the globs of a configuration, which stands in `root`, means the file at `path`."""
    relative = _relative(path, root)
    return any(_matches(glob, relative) for glob in patterns)


def _relative(path: str, root: Path | None) -> str:
    """Return `path` as globs see it: relative to the configuration's root, with `/`."""
    name = PurePath(path)
    if root is not None and name.is_absolute() and name.is_relative_to(root):
        name = name.relative_to(root)
    return name.as_posix().lstrip("/")


def _matches(glob: str, relative: str) -> bool:
    if glob.startswith("!"):
        return not globs((glob[1:],)).matches(relative)
    return globs((glob,)).matches(relative)


def _runs(rule: Rule, config: Config, in_editor: bool) -> bool:
    wanted = max((_exactness(rule, word) for word in (*config.select, *config.extend_select)), default=0)
    if not wanted and not config.select and (rule.default or (in_editor and rule.in_editor)):
        wanted = 1
    unwanted = max((_exactness(rule, word) for word in config.ignore), default=0)
    return wanted > unwanted


def _exactness(rule: Rule | Finding, word: str) -> int:
    """Return how exactly `word` means the rule: 0 not at all, more for a longer prefix, most for code and name."""
    if word.lower() == rule.name or word.upper() == rule.code:
        return 100
    if word.upper() == "ALL":
        return 1
    if rule.code == rule.name:
        # One that people wrote themselves.
        return len(HOUSE) if word.upper() == HOUSE else 0
    return len(word) if word and rule.code.startswith(word.upper()) else 0
