"""JSON that may hold anything anywhere: what a client sends is asked by paths, and never raises."""

from __future__ import annotations

from typing import Any


class Raw:
    """JSON that may hold anything anywhere."""

    def __init__(self, value: object) -> None:
        self._value = value

    def value(self, path: str) -> Any:
        """Return what stands at a dotted `path`, `None` where nothing does."""
        value: Any = self._value
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def at(self, path: str) -> Raw:
        """Return what stands at a path, to be asked further."""
        return Raw(self.value(path))

    def has(self, path: str) -> bool:
        """Tell whether an object stands there."""
        return isinstance(self.value(path), dict)

    def true(self, path: str) -> bool:
        """Tell whether it is said to be so."""
        return self.value(path) is True

    def text(self, path: str) -> str:
        """Return the text there, empty for anything else."""
        value = self.value(path)
        return value if isinstance(value, str) else ""

    def texts(self, path: str) -> list[str]:
        """Return the texts of the list there."""
        value = self.value(path)
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def numbers(self, path: str) -> frozenset[int]:
        """Return the whole numbers of the list there."""
        value = self.value(path)
        return frozenset(v for v in value if isinstance(v, int)) if isinstance(value, list) else frozenset()
