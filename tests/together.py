"""Many small cases in one test, where each would take less time than a test of its own costs: all that fail are told together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]


def together(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], str] | None = None
) -> Callable[[Test], Test]:
    """Do what `pytest.mark.parametrize` does, with the same arguments, in one test.

    A test that takes `tmp_path` gets a folder of its own for each case; it can have no other fixture.
    """
    cases = tuple(cases)
    if not cases:
        raise ValueError("a test without a case can't fail")
    single = isinstance(names, str) and "," not in names
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else names

    def decorate(test: Test) -> Test:
        def fails(case: Any, **folder: Path) -> str:
            values = case.values if hasattr(case, "values") and hasattr(case, "id") else (case,) if single else case
            try:
                test(**dict(zip(named, values, strict=True)), **folder)
            except Exception as error:
                said = getattr(case, "id", None) or (ids(*values) if ids else repr(values)[:300])
                return f"{said}: {type(error).__name__}: {error}"
            return ""

        def alone() -> None:
            told = [said for case in cases if (said := fails(case))]
            assert not told, "\n\n".join(told)

        def in_folders(tmp_path: Path) -> None:
            told = []
            for number, case in enumerate(cases):
                (folder := tmp_path / str(number)).mkdir()
                told.append(fails(case, tmp_path=folder))
            assert not any(told), "\n\n".join(filter(None, told))

        made = in_folders if "tmp_path" in inspect.signature(test).parameters else alone
        made.__name__, made.__doc__, made.__module__ = test.__name__, test.__doc__, test.__module__
        return made

    return decorate


def in_groups(names: str | Sequence[str], groups: Mapping[str, Iterable[Any]]) -> Callable[[Test], Test]:
    """Do what `together` does, in one test for each group of cases: it is chosen by its name."""

    def decorate(test: Test) -> Test:
        tests = {group: together(names, cases)(test) for group, cases in groups.items()}

        def alone(group: str) -> None:
            tests[group]()

        def in_folders(group: str, tmp_path: Path) -> None:
            tests[group](tmp_path)

        made = in_folders if "tmp_path" in inspect.signature(test).parameters else alone
        made.__name__, made.__doc__, made.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("group", groups)(made)

    return decorate
