"""The rules, found here, told apart by their codes: one a file, or those of one idea."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from npu_lsp.linter.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return one instance of every rule, sorted by code.

    Raises `RuntimeError` when two rules share a code or a name.
    """
    found: dict[str, Rule] = {}
    names: set[str] = set()
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        for item in vars(import_module(f"{__name__}.{path.stem}")).values():
            if not (isinstance(item, type) and issubclass(item, Rule) and "code" in vars(item)):
                continue
            if item.code in found and type(found[item.code]) is not item:
                raise RuntimeError(f"{item.__name__} and {type(found[item.code]).__name__} share the code {item.code}")
            if item.code not in found:
                if item.name in names:
                    raise RuntimeError(f"two rules share the name {item.name}")
                names.add(item.name)
                found[item.code] = item()
    return tuple(found[code] for code in sorted(found))


def rule_for(code_or_name: str) -> Rule | None:
    """Return the rule with that code (any case) or name."""
    wanted = code_or_name.strip()
    return _named().get(wanted.upper()) or _named().get(wanted.lower())


@cache
def _named() -> dict[str, Rule]:
    """Return every rule by its code, in capital letters, and by its name, in small ones."""
    return {called: rule for rule in all_rules() for called in (rule.code, rule.name)}
