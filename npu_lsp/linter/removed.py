"""What an option that was removed still does, and how bad it is that one is set."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Removal
from npu_lsp.linter.findings import Severity


def message_about(gone: Removal) -> str:
    """Return the key of the message on an option whose replacement doesn't stand beside it."""
    return "replaced" if gone.replacement else "shared" if gone.readers else "alone"


def is_dead(option: Option) -> bool:
    """Tell whether nothing is lost without an option that was removed."""
    gone = option.removed
    return gone is not None and is_silent(option) and not gone.readers and not _has_heir(option)


def is_silent(option: Option) -> bool:
    """Tell whether the tool goes on without it: it ignores every unknown name, or still takes this one."""
    ignored = option.surface.row.silent or option.status == "no_effect"
    return ignored and not (option.removed is not None and option.removed.rejected)


def _has_heir(option: Option) -> bool:
    """Tell whether something took its place, under another name or as a key of a configuration."""
    keys = option.deprecated.keys if option.deprecated is not None else ()
    return bool(keys) or (option.removed is not None and option.removed.replacement is not None)


def severity_of(option: Option, silent: bool, idle: bool) -> Severity | None:
    """Return how bad it is where the tool doesn't stop: what nothing reads or replaces only takes up a line.

    `idle`: it sets the default, or stands beside its replacement for whoever runs an older version.
    """
    if not silent:
        return None
    if idle:
        return Severity.HINT
    unread = option.surface.row.environment or option.status == "no_effect"
    dead = unread and not _has_heir(option)
    return Severity.INFO if dead else Severity.WARNING
