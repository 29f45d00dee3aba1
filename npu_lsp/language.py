"""The two languages that npu-lsp speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Text:
    """One statement in English and in Chinese."""

    en: str
    zh: str

    def to(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.zh if language == "zh" else self.en
