"""Scripts in Python that train models, and the flags that MindSpeed adds to those of Megatron.

`torchrun $DISTRIBUTED_ARGS pretrain_gpt.py $GPT_ARGS`: the flags are those of several libraries, so that a command is MindSpeed's
by one flag that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Fact, FactKind, Value, ValueKind
from npu_lsp.languages.shell.flags import read_flags
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.lexer import split
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_STARTED = re.compile(
    r"[\w/}]\.py[\"']?(?:(?:[ \t]+[^\s;&|<>#-][^\s;&|<>]{0,80}){0,2}[ \t]+(?:\\\r?\n[ \t]*)?-|[ \t]*\r?\n[ \t]*--[a-z])"
)
"""A script that is given a flag, perhaps behind words without one, or has one below it without a backslash."""
_ENDING = re.compile(r"\.py(?![\w.])")
_SCRIPT = re.compile(r"(?:(?:pre|post)?train|inference|evaluation|evaluate|rlhf)\w{0,100}\Z")
_LONGEST = 110
_PATH = re.compile(r"(?:.*/)?(?:(?:pre|post)?train|inference|evaluation|evaluate|rlhf)\w*\.py\Z")
_LAUNCHERS = re.compile(r"(?:.*/)?(?:python[\d.]*|torchrun|msrun|deepspeed|accelerate)\Z")
_BENCH = re.compile(
    r"vllm[ \t]+bench[ \t]+(?:serve|throughput|latency)(?![\w.-])|sglang\.bench_\w+|sglang_router\.launch_router"
)
"""What measures an engine, or stands in front of several, and has a parser of its own."""
_ELSEWHERE = frozenset({"docker", "podman", "nerdctl", "crictl", "kubectl", "ssh"})
"""What starts a command where other files are."""
_MODULES = re.compile(
    r"torch\.distributed\.(?:run|launch)|accelerate\.commands\.launch|deepspeed\.launcher\.\w+|debugpy|pdb|c?[Pp]rofile|trace|"
    r"coverage|viztracer|memory_profiler"
)
"""Modules that start the script behind them; others read it, or take its name for something else."""
_OF_MEGATRON = re.compile(r"(?:pretrain_(?:gpt|mamba|deepseek4|vlm|sora|omni)|posttrain_gpt|rlhf_gpt)\.py\Z")
"""Scripts of Megatron and its family, by the names that these give them."""
_OF_FAMILY = re.compile(r"(?:inference|evaluation)\.py\Z")
"""What MindSpeed-LLM starts with the flags of Megatron, and others may call so as well."""
_LINE = re.compile(r"--[^\r\n]*[^\r\n\\ \t]")
_FEW = 2
_MANY = 4
_STRANGE = 3
"""Flags that no parser of the family has, from which on a fork of somebody else starts under the name of its script."""
_FLAG = re.compile(r"--([a-z][a-z0-9]*-[a-z0-9-]+)")
"""A flag of one word is everybody's: to see whether it is one of ours would load the catalog for every script."""
_LOOSE = re.compile(
    r"(?<![^\n])(?<!\\\n)(?<!\\\r\n)[ \t]*(?P<start>[A-Za-z_]\w{0,60}=[\"(][ \t]*(?:\\?\r?\n[ \t]*)?)?"
    r"(?P<flags>--[a-z][^\r\n\"'`()]*(?:\r?\n[ \t]*--[a-z][^\r\n\"'`()]*)*)"
)
"""Lines of flags that no command has, and those of a variable: pages show what to add to a script."""
_OWN_FLAGS = re.compile(r"<<|\b(?:case|echo|printf)\b")
"""What a script has that takes flags itself, and tells of them."""
_HELP = re.compile(r"(?<![\w-])--[a-z][\w-]{0,60}[ \t]{2,20}[A-Z\u4e00-\u9fff][a-z\u4e00-\u9fff]")
"""A flag with what it does beside it, as a table of help has it."""


def is_of_family(script: str) -> bool:
    """Return whether a script has a name that Megatron and its family give theirs, so that its flags are those of their parsers."""
    return _OF_MEGATRON.match(script.rpartition("/")[2]) is not None


def may_be_of_family(script: str) -> bool:
    """Return whether a script has a name that MindSpeed-LLM gives one, and others may as well."""
    return _OF_FAMILY.match(script.rpartition("/")[2]) is not None


def scripts_in(text: str) -> Iterator[Span]:
    """Yield where a script is given flags, and where one is named in a text that has one of MindSpeed's."""
    if "bench" in text or "sglang_router" in text:
        yield from (Span(*match.span()) for match in _BENCH.finditer(text))
    if ".py" in text and "--" in text:
        yield from (Span(match.start() + 1, match.start() + 4) for match in _STARTED.finditer(text))
        names = {match[1] for match in _FLAG.finditer(text)}
        for ending in _ENDING.finditer(text):
            match = _SCRIPT.search(text, max(0, ending.start() - _LONGEST), ending.start())
            if match is not None and tells(names, f"{match.group()}.py"):
                yield Span(match.start(), ending.end())


def may_train(text: str) -> bool:
    """Return whether a text starts a script with flags of MindSpeed, or lists some."""
    return next(scripts_in(text), None) is not None or next(_lists(text), None) is not None


def tells(names: Iterable[str], script: str) -> bool:
    """Return whether flags show that a script is MindSpeed's: one of its own does, and one of Megatron's where Megatron starts so.

    Where the family may start so, many of Megatron's flags must stand beside two that others may have. What Megatron refuses it
    refuses on GPUs, too.
    """
    kinds = [_kind(name) for name in names]
    if "megatron" in kinds and _OF_MEGATRON.match(script):
        return True
    if "own" in kinds or kinds.count("others") < _FEW:
        return "own" in kinds
    return bool(_OF_MEGATRON.match(script) or (kinds.count("megatron") >= _MANY and _OF_FAMILY.match(script)))


def _is_of_strangers(names: Iterable[str]) -> bool:
    """Return whether flags are those of another fork of Megatron, as of Megatron-DeepSpeed: many are unknown, and none is MindSpeed's."""
    kinds = [_kind(name) for name in names]
    return "own" not in kinds and kinds.count("") >= _STRANGE


@lru_cache(maxsize=4096)
def _kind(name: str) -> Literal["own", "others", "megatron", ""]:
    """Return whether a flag is MindSpeed's own, one of its family that other trainers may have, too, Megatron's, or none of these."""
    from npu_lsp.catalog.load import load

    catalog = load()
    option = catalog.option(Surface.MINDSPEED, name) if name in catalog.names(Surface.MINDSPEED) else None
    if option is not None and not option.shared:
        return "own"
    return "megatron" if catalog.of_others(Surface.MINDSPEED, name) else "others" if option is not None else ""


def script_at(words: Sequence[ShellWord]) -> int | None:
    """Return which word of a command is the script that it starts."""
    if not any(_LAUNCHERS.match(word.text or "") for word in words[:20]):
        return None
    return next((at for at, word in enumerate(words) if at and _PATH.match(_last_text(word))), None)


def script_given(arguments: Sequence[Argument]) -> Fact | None:
    """Return the script that a command starts, with the words that it is given."""
    words = [argument.word for argument in arguments]
    launcher = next((at for at, word in enumerate(words[:20]) if _LAUNCHERS.match(word.text or "")), None)
    at, name = _benchmark(words)
    if launcher is not None and at is None:
        at = next((at for at, word in enumerate(words) if at and _last_text(word).endswith(".py")), None)
        name = _last_text(words[at]) if at is not None and not _runs_module(words[launcher:at]) else ""
    if at is None or not name:
        return None
    items = tuple(
        Value(ValueKind.WORD, word.span, argument.whole and word.text is not None, word.lead)
        for argument, word in zip(arguments[at + 1 :], words[at + 1 :], strict=True)
    )
    script = words[at]
    here = _ELSEWHERE.isdisjoint(word.text for word in words[: at if launcher is None else launcher])
    value = Value(ValueKind.LIST, script.span, here and script.text is not None, name, items=items)
    return Fact(FactKind.SCRIPT, script.span, value)


def _benchmark(words: Sequence[ShellWord]) -> tuple[int | None, str]:
    """Return which word is the last of the name of a benchmark, and that name."""
    for at, word in enumerate(words[:20]):
        said = " ".join(each.text or "" for each in words[at - 2 : at + 1]) if at > 1 else ""
        name = said.rpartition(" ")[2] if said.partition(" ")[2].startswith("-m ") else said.rpartition("/")[2]
        if _BENCH.fullmatch(name) and word.text:
            return at, name
    return None, ""


def _runs_module(words: Sequence[ShellWord]) -> bool:
    """Return whether a launcher runs a module that does something else with the script behind it than to start it."""
    return any(
        option.text in ("-m", "--module") and not _MODULES.fullmatch(module.text or "")
        for option, module in pairwise(words)
    )


def _last_text(word: ShellWord) -> str:
    """Return how a word ends: the folder of a script may stand in a variable."""
    return word.pieces[-1].text if word.pieces else ""


def training(arguments: Sequence[Argument], statement: Span, lookup: Lookup | None) -> Block | None:
    """Return what a command sets that starts such a script with one of MindSpeed's flags at least."""
    at = script_at([argument.word for argument in arguments])
    if at is None:
        return None
    flags = read_flags(arguments[at + 1 :], Surface.MINDSPEED, lookup)
    word = arguments[at].word
    names = {setting.name for setting in flags.settings}
    if not tells(names, word.pieces[-1].text.rpartition("/")[2]) or _is_of_strangers(names):
        return None
    head = Span(word.pieces[-1].start, word.pieces[-1].end)
    return Block(0, Surface.MINDSPEED, head, statement, flags.settings, open=flags.open, command=statement)


def loose(text: str) -> Iterator[Block]:
    """Yield what lists of flags set that stand alone, as pages show them: there may be more than these."""
    for start, end in _lists(text):
        statement = Span(start, end)
        lines = (split(text, *line.span()).words for line in _LINE.finditer(text, start, end))
        flags = read_flags([Argument(word, statement) for words in lines for word in words], Surface.MINDSPEED, None)
        yield Block(0, Surface.MINDSPEED, flags.settings[0].key, statement, flags.settings, open=True)


def _lists(text: str) -> Iterator[Span]:
    """Yield where flags stand alone, of which one is MindSpeed's own."""
    own: bool | None = None
    for match in _LOOSE.finditer(text) if "--" in text else ():
        start, end = match.span("flags")
        if match["start"] is None:
            own = _OWN_FLAGS.search(text) is not None if own is None else own
            if own or text[end : end + 1] == ")" or _HELP.search(text, start, end):
                continue
        # Without backslashes and values lines of a page are a table of names.
        lines = [line.strip() for line in text[start:end].splitlines()]
        alone = match["start"] is None and len(lines) > 1 and not any(" " in each or "=" in each for each in lines)
        if not alone and any(_kind(name) == "own" for name in _FLAG.findall(text, start, end)):
            yield Span(start, end)
