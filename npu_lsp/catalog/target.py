"""What code must run on: versions of components, and products."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache, total_ordering
from typing import NamedTuple

from npu_lsp.catalog.components import CANN

_STAGES = {"dev": 0, "alpha": 1, "a": 1, "beta": 2, "b": 2, "rc": 3, "post": 5}
_RELEASED = (4, 0)
_FIRSTS = ((0, 1), (1, 0))
"""What a line begins with: `8.3.RC1`, or `8.5.0`."""


@total_ordering
class Version:
    """A version such as `8.0`, `8.0.RC3`, `9.1.beta1`, `0.23.0rc1`, `2.7.1.post2` or `2.5.1.post1.dev20250619`.

    Candidates and betas come before the release. `CANN` or `v` may stand before it.
    """

    __slots__ = ("is_line", "key", "text")

    def __init__(self, text: str, key: tuple[tuple[int, ...], ...], *, is_line: bool) -> None:
        self.text = text
        self.key = key
        """What versions are compared by."""
        self.is_line = is_line
        """True: only the release line is named, as in `8.0`."""

    # The same few are asked for of each setting.
    @classmethod
    @lru_cache(maxsize=2048)
    def parse(cls, text: str) -> Version:
        """Return the version that `text` names; raise `ValueError` when it names none."""
        # Written in place, so that it is compiled with the first version: most checks have none to compare with.
        found = re.fullmatch(
            r"(?:CANN[\s_-]*|v)?(\d{1,4})\.(\d{1,4})"
            r"(?:\.(?:RC(\d{1,4})|(\d{1,4})))?((?:\.\d{1,6})*)"
            r"(?:[.-]?(alpha|beta|dev|(?:rc|post|a|b)(?=\.?\d))\.?(\d{1,8})?(?:\.dev(\d{1,8}))?)?(?:[-+].*)?",
            text.strip(),
            re.IGNORECASE,
        )
        if found is None:
            raise ValueError(f"{text!r} is no version")
        major, minor, candidate, patch, rest, stage, number, build = found.groups()
        line = (int(major), int(minor))
        micro = (0, int(candidate)) if candidate else (1, int(patch or 0))
        tail = tuple(int(part) for part in rest.split(".") if part)
        grade: tuple[int, ...] = (_STAGES[stage.lower()], int(number or 0)) if stage else _RELEASED
        if build:
            # A build of the days before `post1` comes before it, and behind all that was there by then.
            grade = (grade[0], grade[1] - 1, int(build))
        return cls(text.strip(), (line, micro, tail, grade), is_line=not (candidate or patch or rest or stage))

    @property
    def line(self) -> str:
        """The release line: `8.0` for `8.0.RC3`."""
        return "{}.{}".format(*self.key[0])

    def reaches(self, fact: Version) -> bool:
        """Return whether something that holds since `fact` holds here.

        As a fact, `8.0` means every release of that line; as a target, the newest of them.
        """
        if fact.is_line or self.is_line:
            return self.key[0] >= fact.key[0]
        return self >= fact

    def may_lack(self, fact: Version) -> bool:
        """Return whether this came before the first release of the line that `fact` names, as `8.3.RC1.alpha001` did.

        What holds for the line came with one of the alphas and betas or with the release, and no page says with which.
        """
        _, micro, _, (stage, _) = self.key
        return fact.is_line and self.key[0] == fact.key[0] and micro in _FIRSTS and stage < _STAGES["rc"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Version) -> bool:
        return self.key < other.key

    def __str__(self) -> str:
        return self.text


class Stated(NamedTuple):
    """The versions of a component that a text names itself."""

    component: str
    oldest: Version | None
    """`None`: it may be any; the text belongs to the component itself, and nobody says to which version of it."""
    newest: Version | None
    """`None`: a part of what names them may speak of other things than what the text runs on."""
    itself: bool = False
    """True: the text belongs to the component, and has all that it uses, though its version may be that of the last release."""


class Target(NamedTuple):
    """Versions of components (one that isn't named: the newest) and product ids (none: any)."""

    versions: tuple[tuple[str, Version], ...] = ()
    products: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()
    """What the text that is looked at names; no component of `versions` is among them."""

    def with_stated(self, stated: Iterable[Stated], configured: Container[str]) -> Target:
        """Return the target of a text that names versions itself: they count where nobody `configured` any."""
        said = tuple(each for each in stated if each.component not in configured)
        names = {each.component for each in said}
        return self._replace(versions=tuple(each for each in self.versions if each[0] not in names), stated=said)

    @classmethod
    def parse(cls, versions: Mapping[str, str] | None = None, products: Sequence[str] = ()) -> Target:
        """Return the target as a configuration writes it.

        Products may be ids, `--soc_version` names or names from the docs. What can't be read is logged and left open,
        so that no finding rests on it.
        """
        found: list[tuple[str, Version]] = []
        for component, text in sorted((versions or {}).items()):
            try:
                found.append((component, Version.parse(text)))
            except ValueError as error:
                _warn("target: %s: %s", component, error)
        return cls(tuple(found), _resolved(products))

    def version(self, component: str = CANN) -> Version | None:
        """Return the version of a component that is configured or installed; `None` where there is none."""
        return next((version for name, version in self.versions if name == component), None)

    def knows(self, component: str) -> bool:
        """Return whether anybody says which versions of a component the code runs on, so that nothing is assumed."""
        return self._stated(component) is not None or self.version(component) is not None

    def is_sure(self, fact: str | None, component: str) -> bool:
        """Return whether somebody says which versions of a component run, and each of these certainly has what came with `fact`.

        Of what no page dates nobody is sure. A text that names `2.1`, or `2.1` and later ones, may run on a release of that
        line, or on a later line, without it, and `2.1.0.alpha1` may be older than it.
        """
        if fact is None:
            return False
        said = self._stated(component)
        oldest = self.version(component) if said is None else said.oldest
        firsts = [Version.parse(each) for each in fact.split(", ")]
        if oldest is None or any(oldest.may_lack(first) for first in firsts):
            return False
        if said is None:
            return self.at_least(fact, component) is True
        last = max(firsts)
        if said.newest is not None and said.newest.key[0] == oldest.key[0]:
            last = next((first for first in firsts if first.key[0] == oldest.key[0]), last)
        return oldest.key[0] >= last.key[0] if last.is_line else oldest >= last

    def newest(self, component: str) -> Version | None:
        """Return the newest version of a component on which the code runs; `None` where no version is too new."""
        said = self._stated(component)
        return said.newest if said is not None else self.version(component)

    def at_least(self, fact: str | None, component: str) -> bool | None:
        """Return whether all of the target has what came with version `fact` of a component; `None` without a version.

        Where no version is configured nor stated, the newest counts.
        """
        if fact is None:
            return None
        said = self._stated(component)
        if said is not None:
            return said.oldest is not None and _has(said.oldest, fact)
        version = self.version(component)
        return version is None or _has(version, fact)

    def lacks(self, fact: str | None, component: str) -> bool:
        """Return whether no part of the target has what came with version `fact` of a component."""
        said = self._stated(component)
        return fact is not None and not (said is not None and said.itself) and self.precedes(fact, component)

    def precedes(self, fact: str, component: str) -> bool:
        """Return whether the newest version of the target is older than version `fact` of a component."""
        version = self.newest(component)
        return version is not None and not _has(version, fact)

    def follows(self, newest: str, component: str) -> bool:
        """Return whether part of the target is newer than version `newest` of a component."""
        said = self._stated(component)
        version = self.newest(component) or (said.oldest if said is not None else None)
        return version is not None and not Version.parse(newest).reaches(version)

    def _stated(self, component: str) -> Stated | None:
        return next((each for each in self.stated if each.component == component), None)


def _has(version: Version, fact: str) -> bool:
    """Return whether a version has what came with `fact`: one release, or one of each line that got it later than it began.

    Lines behind the last of them have it from their beginning; an older one that isn't named never got it.
    """
    firsts = [Version.parse(each) for each in fact.split(", ")]
    of_line = [first for first in firsts if first.key[0] == version.key[0]]
    return version.reaches(of_line[0]) if of_line else version.key[0] > max(first.key[0] for first in firsts)


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
            _warn("target: no product %r", name)
        elif product not in found:
            found.append(product)
    return tuple(found)


def _warn(message: str, *arguments: object) -> None:
    # Imported when there is something to say: each run needs versions.
    import logging

    logging.getLogger(__name__).warning(message, *arguments)
