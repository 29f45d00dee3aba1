"""Words that texts don't use: figures of speech in English, and in Chinese a second name for what has one.

The list grows with each that is found: what stands here is refused in the catalog, in messages and in pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from npu_lsp.text.toml_shape import ShapeProblem


class Phrase(NamedTuple):
    """One that is refused."""

    pattern: re.Pattern[str]
    instead: str


_CODE = re.compile(r"```.*?```|``[^`]*``|`[^`\n]*`|https?://\S+", re.DOTALL)
_UNFINISHED = re.compile(r"[:;,：；，、]$")
_ENGLISH = {
    r"without a word": "silently",
    r"as ever": "as before",
    r"(?-i:\bLeft over)": "Obsolete",
    r"sunk|sinks?|sinking": "offloaded",
    r"blow\w* (?:\w+ )?up": "make larger",
    r"(?:\w+n't|not|never|no longer|nothing) ask(?:s|ed)?": "is not used",
    r"(?:\w+n't|not|never|no \w+|nothing) look(?:s|ed)? at": "is not used, doesn't read",
    r"swallow\w*": "merges, or: takes as a part of",
    r"eat(?:s|en)? up": "takes too much",
    r"throws? (?:\S+ ){0,4}away": "ignores, deletes",
    r"garbage(?<!Python's garbage)": "wrong",
    r"go(?:es)? by": "uses",
    r"at hand": "available, local",
    r"go(?:ing|es|ne)? away|on (?:its|their) way out": "will be removed",
    r"in the making": "under development",
    r"spe(?:aks?|aking) of": "says, names",
    r"hid(?:es?|ing)": "overlaps, isn't reported",
    r"for good": "permanently",
    r"spoil\w*": "lowers, makes wrong",
    r"troubles?": "problems",
    r"now and then": "regularly",
    r"leaves? (?:it|them|that|this|the \w+|that \w+) alone": "don't change",
    r"walk(?:s|ed|ing)?": "go through",
    r"ha(?:s|ve) no say": "has no effect",
    r"turns? (?:the )?(?:list|meaning) round": "inverts",
    r"step(?:s|ped)? aside": "does nothing",
    r"relatives|kin": "similar ones",
    r"fights?|taming|tames?|misbehav\w*": "reduces, switches off, faulty",
    r"talks?": "communicates",
    r"rides? out|give\w* way": "tolerates, is replaced",
    r"un(?:read|touched) by": "not read by",
    r"off the mark|from scratch|by all means|in one sweep": "say it plainly",
    r"lean(?:s|ed)? on": "depends on",
    r"drift\w* apart": "say what differs",
    r"lands? in": "is stored in",
    r"keeps? (?:quiet|silent)": "prints nothing",
    r"graph engines?": "GE",
    r"the adapter": "TF Adapter",
}
_CHINESE = {
    r"适配[层器]|(?<!TF )\bAdapter\b": "TF Adapter",
    r"槽位(?![数越])": "字段",
    r"图引擎": "GE",
    r"终止(?!训练)": "退出",
    r"资料": "文档",
    r"误杀|挤占|让位|兜底|挂住|照抄|拿不到|稳妥起见": "直接说明发生了什么",
    r"拖慢": "降低性能，增加耗时",
    r"走 ?(?:aclop|aclnn|RoCE|动态|分档|静态)|改走": "使用、执行",
    r"TorchNPU": "torch_npu",
    r"[\u4e00-\u9fff]TF Adapter|TF Adapter[\u4e00-\u9fff]": "a blank between them",
}
PHRASES: Mapping[str, tuple[Phrase, ...]] = {
    "en": tuple(
        Phrase(re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE), said) for form, said in _ENGLISH.items()
    ),
    "zh": tuple(Phrase(re.compile(form), said) for form, said in _CHINESE.items()),
}


def refused(text: str, language: str) -> Iterator[str]:
    """Yield what is wrong with the words of `text`; code in it is none."""
    plain = _CODE.sub("`", text)
    for phrase in PHRASES[language]:
        found = phrase.pattern.search(plain)
        if found is not None:
            yield f"{found.group()!r}: write plainly ({phrase.instead})"


def unfinished(text: str) -> Iterator[str]:
    """Yield the lines of `text` that stop in the middle: a reader sees each as a line of its own."""
    for line in text.strip().splitlines():
        if _UNFINISHED.search(line.rstrip()):
            yield f"a line ends in {line.rstrip()[-1]!r}: join it with the next one"


def problems(value: object, at: str = "") -> Iterator[ShapeProblem]:
    """Yield what is wrong with the texts in the tree below `value`: tables with `en` and `zh`."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from problems(item, f"{at}[{number}]")
    elif isinstance(value, dict):
        yield from _table(value, at)


def _table(table: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    for key, inner in table.items():
        place = f"{at}.{key}" if at else key
        if key in PHRASES and isinstance(inner, str):
            yield from (ShapeProblem(place, said) for said in (*refused(inner, key), *unfinished(inner)))
        else:
            yield from problems(inner, place)
