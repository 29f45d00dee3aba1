"""Tells what somebody fills in later from what is a value: docs and templates are full of `<path>` and `[DEVICE_ID]`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from npu_lsp.languages.model import Block, Fact, ParseResult, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re

_LONGEST = 1000
"""Code points of a value that may be one: what is longer was made by a program."""
_MARKS = (
    r"<[^<>/\\][^<>\\]*>",  # <path>
    r"&lt;",
    r"[【《＜]",
    r"\{[^\W\d][\w ./-]*(?:\}|\Z)",  # {MODE}, {模型所在路径}
    r"\{\{",
    r"%%[^%\s]+%%",  # %%CONFIG:name%%
    r"\{(?:\d*(?:/{0,2}\.?|\.)|[#%])\}",  # what xargs and parallel fill in
    r"\[[^\W\d][\w ./-]*\]",  # [DEVICE_ID]
    r"@[A-Za-z_]\w*@",
    r"%[A-Za-z_]\w*%",
    r"__[A-Z][A-Z0-9_]*__",
    r"%[sd]",
    r"\.\.\.|…|。。",
    r"xxx|XXX",
)
"""What says by its signs that something else comes in its place."""
_ANYWHERE = (
    *_MARKS,
    r"\*{3}|\d\.\*",
    r"(?:\A|[/:=,_-])[Yy](?:our|OUR)[_-]",
    r"/your/|(?:\A|/)path/to/|\A[Yy]our[ ]",
    r"(?<![A-Za-z])PLACEHOLDER(?![A-Za-z])",  # DEVICES_PLACEHOLDER; Placeholder is what TensorFlow calls an input
    r"(?:\A|\.)[xX]{1,3}\.[xX\d]|\d\.[xX]{1,3}\Z",  # 192.168.x.x
)
_ALONE = (
    r"[XN]|[xX]{2,}|[xX]+(?:[.,:;][xX]+)+",
    r"\?+|\*{2,}",
    r"\[#?[A-Za-z]*\]?|\[#[\w ]*\]",  # [# of devices], the first word of [num processes]
    r"[\u4e00-\u9fff]{3,}\d{0,3}(?:[;,|][\u4e00-\u9fff]{3,}\d{0,3}){0,20}",  # 框架类型, 配置项1;配置项2
    r"(?i:todo|tbd|fixme|change_?me|replace_?me|placeholder)",
    r"[a-z][a-z0-9]*(?:_[a-z0-9]+){0,9}_(?:ip|here)",  # prefill_node_1_ip, your_path_here
    r"[a-z][a-z0-9]*(?:_[a-z0-9]+){2,9}_name",  # kv_pool_backend_name
)
_PLACEHOLDER = re.compile("|".join((*_ANYWHERE, rf"\A(?:{'|'.join(_ALONE)})\Z")))
_OF_TEMPLATE = re.compile("|".join((*_MARKS, r"\{%|<%|\$\{?\w")))
"""What a template has where the text that is made of it has something else."""
_VARIABLE = re.compile(r"\$[A-Za-z_]")
_REACH = 200
_WHOLE = re.compile(r"[<\[{【《＜].*[>\]}】》＞]|[*.…?xX]+|[\u4e00-\u9fff]{3,}", re.DOTALL)


@lru_cache(maxsize=4096)
def is_placeholder(text: str) -> bool:
    """Return whether a text holds a place that somebody fills in later: `<soc_version>`, `{MODE}`, `@PATH@`, `...`."""
    return len(text) <= _LONGEST and _PLACEHOLDER.search(text) is not None


def is_left_open(text: str) -> bool:
    """Return whether a text is nothing but a place that somebody fills in, with as much as they like: `{{flags}}`, `...`."""
    return is_placeholder(text) and _WHOLE.fullmatch(text) is not None


def is_template(text: str, at: int) -> bool:
    """Return whether what stands at `at`, or one code point beside it, is a part of a template: `{% if x %}`, `%%NAME%%`."""
    here = text[max(0, at - 1) : at + _REACH]
    return any(_OF_TEMPLATE.match(here, start) is not None for start in (0, 1, 2))


def without_placeholders(parsed: ParseResult) -> ParseResult:
    """Return `parsed` with values that aren't known in the place of placeholders, so that no finding rests on one."""
    blocks = tuple(map(_block, parsed.blocks))
    setup = _setup(parsed.facts)
    if blocks == parsed.blocks and setup == parsed.facts:
        return parsed
    return parsed._replace(blocks=blocks, facts=setup)


def _block(block: Block) -> Block:
    settings = tuple(map(_setting, block.settings))
    setup = _setup(block.facts)
    if settings == block.settings and setup == block.facts:
        return block
    return block._replace(settings=settings, facts=setup)


def _setup(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(
        fact if fact.value is None or not _holds_one(fact.value) else fact._replace(value=_unknown(fact.value))
        for fact in facts
    )


def _setting(setting: Setting) -> Setting:
    value = setting.value
    holds_one = _holds_one(value) or (setting.surface.row.file and _holds_variable(value))
    return setting._replace(value=_unknown(value)) if holds_one else setting


def _holds_variable(value: Value) -> bool:
    """Return whether a value of a file holds `$NAME`: no tool that reads one puts anything there, a script that writes it does."""
    return value.known and isinstance(value.data, str) and _VARIABLE.search(value.data) is not None


def _holds_one(value: Value) -> bool:
    if not value.known:
        return False
    if isinstance(value.data, (list, tuple, set)):
        return any(isinstance(item, str) and is_placeholder(item) for item in value.data)
    return isinstance(value.data, str) and is_placeholder(value.data) and not _is_object(value.data)


def _is_object(text: str) -> bool:
    """Return whether a text is a JSON object: what is filled in in one of its texts is no part of its form, and its keys are known."""
    if not (text.startswith("{") and text.endswith("}") and '"' in text):
        return False
    from json import loads

    try:
        return isinstance(loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _unknown(value: Value) -> Value:
    """Return `value` without what it says; one that is nothing but a placeholder says nothing about its type, either."""
    whole = isinstance(value.data, str) and _WHOLE.fullmatch(value.data) is not None
    kind = ValueKind.UNKNOWN if whole and value.kind is not ValueKind.WORD else value.kind
    return value._replace(kind=kind, known=False, data=None, content=None)
