"""The two languages that npu-lsp speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Language = Literal["en", "zh"]
LANGUAGE_CHOICES = ("auto", *get_args(Language))
"""What people may ask for; `auto`: the language of the system."""


class Text(NamedTuple):
    """One statement in English and in Chinese."""

    en: str
    zh: str

    def to(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.zh if language == "zh" else self.en

    def many(self, count: int, language: Language, **more: object) -> str:
        """Return the text with `{count}`, and with `{s}` for the plural that English has."""
        return self.to(language).format(count=count, s="" if count == 1 else "s", **more)

    def __str__(self) -> str:
        return self.en


Said = str | Text
"""What is said in both languages, or, as a plain string, to those who write catalogs only."""


def say(said: Said, language: Language) -> str:
    """Return `said` in `language`."""
    return said.to(language) if isinstance(said, Text) else said


def in_language(arguments: Mapping[str, object], language: Language) -> dict[str, object]:
    """Return what goes into a text, each of it in `language` that has one."""
    return {name: value.to(language) if isinstance(value, Text) else value for name, value in arguments.items()}


def did_you_mean(word: str) -> Text:
    """Return the question whether `word` was meant."""
    return Text(f"did you mean {word!r}?", f"是否应为 {word!r}？")


def placed(place: str, said: Said) -> Text:
    """Return `place: said` in both languages."""
    return Text(remark(place, said, None, "en"), remark(place, said, None, "zh"))


def remark(place: str, said: Said, hint: Said | None, language: Language) -> str:
    """Return `place: said (hint)` with the punctuation of the language."""
    colon, opening, closing = ("：", "（", "）") if language == "zh" else (": ", " (", ")")
    where = f"{place}{colon}" if place else ""
    return where + say(said, language) + (f"{opening}{say(hint, language)}{closing}" if hint else "")
