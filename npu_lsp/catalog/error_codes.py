"""The codes of errors that CANN and torch_npu print: what each means, and the options that it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from npu_lsp.catalog import links
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.text.bilingual import Text

_BEFORE_NUMBER = ("code is ", "code: ", "code = ", "code=", "Code=", "result = ", "result=", "ret = ", "ret=")
"""What stands before a number that AscendCL returns, in messages of CANN and torch_npu."""
_IS_RESULT = "|".join(rf"(?<={words}\d{{6}})" for words in _BEFORE_NUMBER)
SHAPE = re.compile(
    r"(?<![\w-])(?:ERR\d{5}(?![\w-])|E[0-9A-Z]\d{4}(?![\w-])|W(?:\d{5}|[A-Z]\d{4})(?![\w-])"
    rf"|[125]07\d{{3}}(?!\w|\.\d)(?:{_IS_RESULT}|(?<=\A\d{{6}})))"
)
"""What a code looks like: `E10001`, `EI0006`, `W40010`, `ERR02011`; `507018` where a message says that it is one. A word of
this shape may yet be something else."""


class ErrorCode(NamedTuple):
    """One code of an error."""

    code: str
    component: Text
    """Who prints it."""
    what: Text
    """What it means, in one sentence."""
    remedy: Text | None
    """What to do; `None` where only the message itself can tell."""
    options: tuple[tuple[Surface, str], ...]
    """The options that may be its cause."""
    source: Text
    """The web address of the source."""


class ErrorCodes:
    """All codes that the catalog knows."""

    def __init__(self, components: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
        """Take what the catalog has under `error_codes` and under `sources`."""
        self._components = components
        self._sources = sources
        self._plain: dict[str, tuple[str, Any]] = {}
        self._patterns: list[tuple[str, str, Any]] = []
        self._of: dict[str, list[str]] = {}
        self.messages: dict[str, str] = {}
        """Patterns of messages without a code, by the names that the catalog gives them."""
        for component, facts in components.items():
            for code, entry in facts["codes"].items():
                if "form" in entry:
                    self.messages[code] = entry["form"]
                    self._plain[code] = (component, entry)
                elif code.isalnum():
                    self._plain[code] = (component, entry)
                    for option in entry.get("options", ()):
                        self._of.setdefault(option, []).append(code)
                else:
                    self._patterns.append((code, component, entry))

    def find(self, code: str) -> ErrorCode | None:
        """Return what is known of a code, or of a message by its name; upper and lower case don't count."""
        code = code.lower() if code.lower() in self.messages else code.upper()
        found = self._plain.get(code)
        if found is None and SHAPE.fullmatch(code):
            found = next(((home, entry) for form, home, entry in self._patterns if fnmatchcase(code, form)), None)
        return self._made(code, *found) if found is not None else None

    def of(self, surface: Surface, name: str) -> tuple[str, ...]:
        """Return the codes that the catalog gives an option as a possible cause, sorted."""
        return tuple(sorted(self._of.get(f"{surface.value}.{name}", ())))

    def all(self) -> tuple[ErrorCode, ...]:
        """Return the codes that are written out, sorted."""
        return tuple(self._made(code, *found) for code, found in sorted(self._plain.items()))

    def _made(self, code: str, component: str, entry: Any) -> ErrorCode:
        home = self._components[component]
        references = (reference.partition(".") for reference in entry.get("options", ()))
        return ErrorCode(
            code,
            Text(**home["title"]),
            Text(**entry["what"]),
            Text(**entry["do"]) if "do" in entry else None,
            tuple((Surface(surface), name) for surface, _, name in references),
            Text(*(links.address(home["source"], self._sources, language) for language in ("en", "zh"))),
        )
