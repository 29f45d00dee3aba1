"""What a CANN installation on this machine tells. Its own files win over the catalog."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Toolkit:
    """An installed CANN toolkit."""

    home: Path
    version: str | None = None
    soc_versions: frozenset[str] = field(default_factory=frozenset)
    operators: frozenset[str] = field(default_factory=frozenset)
    fusion_rules: frozenset[str] = field(default_factory=frozenset)

    def implementation_modes(self, name: str) -> Path:
        """Return where the built-in list of implementation modes `name` (`high_precision.ini`) lies."""
        return self.home / "opp/built-in/op_impl/ai_core/tbe/impl_mode" / name
