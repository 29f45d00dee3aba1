"""Words that messages of several rules share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from npu_lsp.catalog.model import Relation, Scalar
from npu_lsp.languages.model import Form
from npu_lsp.linter.values import MOST_LISTED, shortened, shown
from npu_lsp.text.bilingual import Language, Text

_STOPS = Text(en="The tool stops with an error.", zh="执行时会报错。")
_OR = Text(en=" or ", zh=" 或 ")
_AND = Text(en=" and ", zh="和")
_QUOTED = Text(en='"{word}"', zh="“{word}”")
_COMMA = Text(en=", ", zh="、")


def outcome(relation: Relation, otherwise: Text, language: Language) -> str:
    """Return the sentence that says what a relation leads to; `otherwise` where the catalog has none of its own."""
    if relation.result is not None:
        return sentence(relation.result.to(language), language)
    return (_STOPS if relation.rejected else otherwise).to(language)


def sentence(text: str, language: Language) -> str:
    """Return the text with a full stop, in the language's own form."""
    return text.rstrip(".。 ") + ("。" if language == "zh" else ".")


def either(values: Iterable[Scalar], language: Language, form: Form | None = None) -> str:
    """Return values with "or" before the last; a constant's bare value (`Level1`) is left out beside its name (`ProfilerLevel.Level1`)."""
    words = list(values)
    members = {word.rpartition(".")[2] for word in words if isinstance(word, str) and "." in word}
    return _joined([shown(word, form) for word in words if word not in members], _OR.to(language), language)


def listed(names: Iterable[str], language: Language) -> str:
    """Return names in quotes with "and" before the last."""
    return _joined([_QUOTED.to(language).format(word=name) for name in names], _AND.to(language), language)


def likely(names: Sequence[str], given: str, language: Language) -> str:
    """Return names as `listed` does; of many those that begin as `given` does, and how many others there are."""
    if len(names) <= MOST_LISTED:
        return listed(names, language)
    first = sorted(names, key=lambda name: -_begin_alike(name, given))
    return shortened([_QUOTED.to(language).format(word=name) for name in first], language)


def _begin_alike(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))


def apart(words: Iterable[str], language: Language) -> str:
    """Return words with commas between them."""
    return _COMMA.to(language).join(words)


def _joined(words: Sequence[str], last: str, language: Language) -> str:
    if len(words) < 2:
        return "".join(words)
    return _COMMA.to(language).join(words[:-1]) + last + words[-1]
