"""What code must run on: a CANN version and products."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import total_ordering
from typing import NamedTuple

_log = logging.getLogger(__name__)

_STAGES = {"alpha": 0, "beta": 1}
_RELEASED = (2, 0)


@total_ordering
class Version:
    """A CANN version such as `8.0`, `8.0.RC3`, `9.0.0` or `9.1.beta1`; candidates and betas come before the release."""

    __slots__ = ("key", "text")

    def __init__(self, text: str, key: tuple[tuple[int, ...], ...]) -> None:
        self.text = text
        self.key = key
        """What versions are compared by."""

    @classmethod
    def parse(cls, text: str) -> Version:
        """Return the version that `text` names; raise `ValueError` when it names none."""
        # Written in place, so that it is compiled with the first version: most checks have none to compare with.
        found = re.fullmatch(
            r"(?:CANN[\s_-]*|v)?(\d{1,4})\.(\d{1,4})"
            r"(?:\.(?:RC(\d{1,4})|(\d{1,4})))?((?:\.\d{1,6})*)"
            r"(?:[.-]?(alpha|beta)\.?(\d{1,4})?)?(?:[-+].*)?",
            text.strip(),
            re.IGNORECASE,
        )
        if found is None:
            raise ValueError(f"{text!r} is no CANN version")
        major, minor, candidate, patch, rest, stage, number = found.groups()
        line = (int(major), int(minor))
        micro = (0, int(candidate)) if candidate else (1, int(patch or 0))
        tail = tuple(int(part) for part in rest.split(".") if part)
        grade = (_STAGES[stage.lower()], int(number or 0)) if stage else _RELEASED
        return cls(text.strip(), (line, micro, tail, grade))

    @property
    def line(self) -> str:
        """The release line: `8.0` for `8.0.RC3`."""
        return "{}.{}".format(*self.key[0])

    def reaches(self, fact: Version) -> bool:
        """Tell whether something that holds since `fact` holds here; `8.0` means every release of that line."""
        if fact.text == fact.line:
            return self.key[0] >= fact.key[0]
        return self >= fact

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Version) -> bool:
        return self.key < other.key

    def __str__(self) -> str:
        return self.text


class Target(NamedTuple):
    """A CANN version (`None`: the newest) and product ids (none: any)."""

    cann: Version | None = None
    products: tuple[str, ...] = ()

    @classmethod
    def parse(cls, cann: str | None = None, products: Sequence[str] = ()) -> Target:
        """Return the target as a configuration writes it.

        Products may be ids, `--soc_version` names or names from the docs. What can't be read is logged and left open,
        so that no finding rests on it.
        """
        version: Version | None = None
        if cann:
            try:
                version = Version.parse(cann)
            except ValueError as error:
                _log.warning("target: %s", error)
        return cls(version, _resolved(products))

    def at_least(self, fact: str | None) -> bool | None:
        """Tell whether the target has what came with version `fact`; `None` where no version is known."""
        if fact is None:
            return None
        return self.cann is None or self.cann.reaches(Version.parse(fact))


def _resolved(names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        return ()
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.products import products

    known = products(load())
    found: list[str] = []
    for name in names:
        product = known.resolve(name)
        if product is None:
            _log.warning("target: no product %r", name)
        elif product not in found:
            found.append(product)
    return tuple(found)
