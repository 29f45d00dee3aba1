"""What an environment variable gets, step by step, and what is left of that in the end."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple, TypeAlias

from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


class Why(str, Enum):
    """Why a setting counts at the place that was asked about."""

    IMAGE = "image"
    """`ENV` of the Dockerfile that the image is built from."""
    ENV_FILE = "env file"
    """A line of a file that `env_file:` or `--env-file` names."""
    CONFIG_MAP = "config map"
    SERVICE = "container"
    """`environment:` of Compose, `env:` of Kubernetes or of a step, `-e` of `docker run`."""
    EXPORT = "export"
    """A script, or Python, sets it before."""
    DEFAULT = "default"
    """It counts only where nothing else is set: `${X:-1}`, `os.environ.setdefault("X", "1")`."""
    PREFIX = "prefix"
    """`X=1 command`."""


class Origin(NamedTuple):
    """One setting that gives a variable a value."""

    name: str
    document: Document
    key: Span
    """Where the name stands in `document`."""
    value: str | None
    """`None`: it isn't known."""
    why: Why
    certain: bool = True
    """False: a branch decides whether it runs."""


class TakenOut(NamedTuple):
    """A variable is taken out of the environment."""

    name: str
    certain: bool


class Unread(NamedTuple):
    """A file that may set variables, and that isn't read: there is none, it is too large, a variable names it."""

    document: Document
    span: Span
    """Where it is named."""
    written: str


Step: TypeAlias = Origin | TakenOut | Unread


class Provenance(NamedTuple):
    """Which settings give one variable its value."""

    name: str
    found: tuple[Origin, ...]
    """The settings of which one gives the value: one that surely ran, and behind it those that may have run."""
    overridden: tuple[Origin, ...] = ()
    """Those that were in force before, in the order in which they took effect."""
    unread: tuple[Unread, ...] = ()
    """Files that may give it another value, and that nobody has read."""
    may_be_unset: bool = False
    """Whether a branch decides that there is none."""

    @property
    def value(self) -> str | None:
        """The value, where everything says the same one; else `None`."""
        values = {each.value for each in self.found}
        return values.pop() if len(values) == 1 and self.is_certain else None

    @property
    def is_certain(self) -> bool:
        """Whether the variable surely has a value, and no file that isn't read may give it another one."""
        return bool(self.found) and self.found[0].certain and not self.unread and not self.may_be_unset


def settled(name: str, steps: Iterable[Step]) -> Provenance:
    """Return what `steps`, in the order in which they take effect, leave of the variable `name`."""
    found: list[Origin] = []
    overridden: list[Origin] = []
    unread: list[Unread] = []
    gone = False
    for step in steps:
        if isinstance(step, Unread):
            unread.append(step)
        elif step.name != name:
            continue
        elif isinstance(step, TakenOut):
            gone = not step.certain
            if step.certain:
                overridden, found, unread = [*overridden, *found], [], []
        elif step.why is Why.DEFAULT:
            # What may be set before wins where it is.
            if not found or not found[0].certain:
                found.insert(0, step)
            elif gone:
                found.append(step)
            gone = gone and not step.certain
        elif step.certain:
            overridden, found, unread, gone = [*overridden, *found], [step], [], False
        else:
            found.append(step)
    return Provenance(name, tuple(found), tuple(overridden), tuple(unread), gone)


def names(steps: Iterable[Step]) -> list[str]:
    """Return the variables that `steps` set, by name."""
    return sorted({step.name for step in steps if isinstance(step, Origin)})
