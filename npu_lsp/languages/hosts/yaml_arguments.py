"""Mappings whose entries are flags: the file that `--config` of vLLM or SGLang names, LLaMA-Factory's, and what programs hand on.

A switch that is true is the flag alone, a list is all of its words behind the flag, and an object is JSON, which is read where it
stands. What the command has besides isn't known, so nothing is said of what lacks.
Sources: vllm 0.33.0 `vllm/utils/argparse_utils.py`, `load_config_file`; sglang 0.5.23 `sglang/srt/utils/server_args_config_parser.py`;
verl 0.9.0 `verl/workers/rollout/vllm_rollout/utils.py`, `build_cli_args_from_config`; LLaMA-Factory 0.9.4
`src/llamafactory/chat/vllm_engine.py` (`vllm_config`), `sglang_engine.py` (`sglang_config`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.hosts.yaml_flow import Flow
from npu_lsp.languages.hosts.yaml_lines import BLOCK, ENTRY, ITEM, Walker, is_open
from npu_lsp.languages.injections import SAFE, Injection
from npu_lsp.languages.shell.argparse_flags import spellings
from npu_lsp.languages.triggers import ARGUMENTS, HANDED_ON, OF_FACTORY, OF_SGLANG
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import in_lines_with

_TELLING = re.compile(
    "\n(?P<name>{})[ ]*:".format("|".join(re.escape(word).replace(r"\-", "[-_]") for word in ARGUMENTS))
)
_OF_FACTORY = re.compile(rf"\n(?:{'|'.join(OF_FACTORY)})[ ]*:")
COMMANDS = {Surface.VLLM: "vllm serve", Surface.SGLANG: "sglang serve", Surface.LLAMAFACTORY: "llamafactory-cli train"}
_MODEL = frozenset({"model", "model_tag", "model-tag"})
"""What `vllm serve` takes as its first word."""
_TRUE = frozenset({"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
_FALSE = frozenset({"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
_NOTHING = frozenset({"~", "null", "Null", "NULL"})
_NAME = re.compile(r"[A-Za-z][\w.-]*")
_SLIP = 2


_HANDED_ON = re.compile(rf"^(?P<indent>[ ]*)(?P<key>{'|'.join(HANDED_ON)})[ ]*:[ ]*(?:#.*)?\r?$", re.MULTILINE)
_ENGINES = {"vllm": Surface.VLLM, "sglang": Surface.SGLANG}


def arguments(document: Document) -> Iterator[Injection]:
    """Yield the command that a file of arguments makes, where the document is one."""
    program = _program(document.text)
    if program is None:
        return
    walker, lines, keys = Walker(document), VariableLines(), list[str]()
    # LLaMA-Factory takes null for what isn't set; vLLM and SGLang make a word of it.
    off = _FALSE | _NOTHING if program is Surface.LLAMAFACTORY else _FALSE
    while (line := walker.next()) is not None:
        entry = ENTRY.fullmatch(document.text, *line.span)
        if entry is None or entry["dashes"] or entry["indent"]:
            if document.text[line.span.start : line.span.end].rstrip() not in ("---", "..."):
                return  # no mapping, or not all of it
            walker.line = line.number + 1
            continue
        if not keys:
            lines.put(COMMANDS[program], entry.start("key"))
        walker.line = line.number + 1
        keys.append(entry["key"].strip("\"'"))
        _entry(walker, entry, lines, positional=program is Surface.VLLM, off=off)
    if _are_flags(keys, program):
        # What stands in LLaMA-Factory's is all that it is told.
        yield Injection(Kind.SHELL, *lines.done(), _written, part=program is not Surface.LLAMAFACTORY, own=True)


def _program(text: str) -> Surface | None:
    """Return whose arguments a file has, as far as its keys tell."""
    # A search for the end of a line finds the beginning of the next sooner than `^` does.
    text = f"\n{text}"
    if _OF_FACTORY.search(text):
        return Surface.LLAMAFACTORY
    names = {match["name"] for match in _TELLING.finditer(text)}
    if len({name.replace("_", "-") for name in names}) < 2 or not any("-" in name for name in names):
        return None
    return Surface.SGLANG if any(name.replace("_", "-") in OF_SGLANG for name in names) else Surface.VLLM


def handed_on(document: Document) -> Iterator[Injection]:
    """Yield the command that each mapping makes whose entries a program hands on to an engine: `engine_kwargs: {vllm: ...}`."""
    for match in in_lines_with(_HANDED_ON, document.text, *HANDED_ON):
        walker, column = Walker(document), len(match["indent"])
        walker.line = document.line_of(match.start()) + 1
        named = _ENGINES.get(match["key"].partition("_")[0])
        if named is None and _below(walker) not in (*_ENGINES, "trtllm"):
            named = Surface.VLLM  # Ray has no other engine.
        if named is not None:
            yield from _engine(walker, named, column)
            continue
        while (line := walker.next()) is not None and line.indent > column:
            entry = ENTRY.fullmatch(document.text, *line.span)
            walker.line = line.number + 1
            if entry is not None and entry["key"] in _ENGINES and is_open(entry):
                yield from _engine(walker, _ENGINES[entry["key"]], line.indent)
            walker.skip(line.indent)


def _below(walker: Walker) -> str:
    """Return the key on the next line."""
    line = walker.next()
    entry = ENTRY.fullmatch(walker.text, *line.span) if line is not None else None
    return entry["key"] if entry is not None else ""


def _engine(walker: Walker, engine: Surface, column: int) -> Iterator[Injection]:
    """Yield the command that the mapping below a key at `column` makes, and go behind it."""
    lines, keys, inner = VariableLines(), list[str](), None
    while (line := walker.next()) is not None and line.indent > column:
        entry = ENTRY.fullmatch(walker.text, *line.span)
        inner = line.indent if inner is None else inner
        if entry is None or entry["dashes"] or line.indent != inner:
            return  # no mapping, or not all of it
        if not keys:
            lines.put(COMMANDS[engine], entry.start("key"))
        walker.line = line.number + 1
        keys.append(entry["key"].strip("\"'"))
        _entry(walker, entry, lines, positional=False, keyword=True)
    if 2 * sum(_is_meant(key, engine) for key in keys) > len(keys):
        yield Injection(Kind.SHELL, *lines.done(), as_keyword, part=True, own=True)


def served_by(words: Sequence[str]) -> str:
    """Return how the command begins whose words a list has without its program: vLLM's, where most of its flags are."""
    if not words or not words[0].startswith("--"):
        return ""
    flags = [word[2:].partition("=")[0].partition(" ")[0] for word in words if word.startswith("--")]
    known = sum(_is_meant(flag, Surface.VLLM) for flag in flags)
    return f"{COMMANDS[Surface.VLLM]} " if 3 * known > 2 * len(flags) else ""


def _is_meant(key: str, engine: Surface) -> bool:
    from npu_lsp.catalog.load import load

    flag = key.replace("_", "-")
    return spellings(engine).of(flag) is not None or load().guess(engine, flag) is not None


def _are_flags(keys: Sequence[str], surface: Surface) -> bool:
    """Return whether most keys are flags: another program's file may have some of them, and plain words of its own."""
    from npu_lsp.catalog.load import load

    known = spellings(surface)
    unknown = [key for key in keys if known.of(key.replace("_", "-")) is None and not load().of_others(surface, key)]
    if 3 * len(unknown) > len(keys):
        return False
    words = [(key, load().guess(surface, key)) for key in unknown if key.isalpha()]
    # A slip is about as long as what was meant.
    return all(guess is not None and abs(len(guess.names[0]) - len(key)) <= _SLIP for key, guess in words)


def _entry(
    walker: Walker,
    entry: re.Match[str],
    lines: VariableLines,
    *,
    positional: bool,
    keyword: bool = False,
    off: frozenset[str] = _FALSE,
) -> None:
    """Add what one entry of the file says, and go behind it; nothing where it is `off`.

    The name of a `keyword` has `_` where the flag has `-`.
    """
    text, rest = walker.text, entry["rest"]
    said = entry["key"].strip("\"'")
    start = entry.start("key") + entry["key"].index(said)
    name = Span(start, start + len(said))
    values: list[Span | None] = []
    scalar = None
    if rest.startswith(("{", "[")):
        node = walker.flow(entry.start("rest"))
        values = _items(text, node)
    elif is_open(entry):
        values = _listed(walker)
    elif not BLOCK.fullmatch(rest) and not entry["tag"]:
        scalar = flow_scalar(text, Span(*entry.span("rest")))
        values = [scalar.span if scalar is not None and scalar.text not in _NOTHING else None]
    walker.skip(len(entry["indent"]))
    if not _NAME.fullmatch(said):
        return
    word = text[slice(*scalar.span)] if scalar is not None else ""
    if _is_off(word, said, off):
        return
    if not (positional and said in _MODEL and scalar is not None):
        lines.put(" --", lines.ends[-1], name.start)
        lines.take(text, name, said.replace("_", "-") if keyword else said)
    for value in values if word not in _TRUE else ():
        # What stands between the words is theirs: an edit of one leaves the colon and the line's end alone.
        at = lines.ends[-1]
        lines.put(" ", at, at if value is None else value.start)
        if value is None:
            lines.put(HOLE, at)
        else:
            lines.value(text, value)


def _is_off(word: str, key: str, off: frozenset[str]) -> bool:
    """Return whether an entry adds no flag, since it is switched off. Newer releases of LLaMA-Factory refuse some keys whatever their value."""
    if word not in off or off is _FALSE:
        return word in off
    from npu_lsp.catalog.load import load

    factory = Surface.LLAMAFACTORY
    gone = load().plain("other_flags")[factory.value]["last"].values()
    known = load().of_others(factory, key) or spellings(factory).of(key) is not None
    return known and not any(key in names for names in gone)


def _items(text: str, node: Flow | None) -> list[Span | None]:
    """Return the words of a list, and a hole for what is none."""
    if node is None or node.kind != "[":
        return [None]
    return [item.span if not item.kind and flow_scalar(text, item.span) is not None else None for item in node.items]


def _listed(walker: Walker) -> list[Span | None]:
    """Return the words of the list below a key; a hole for an object, and for what isn't there yet."""
    found: list[Span | None] = []
    while (line := walker.next()) is not None:
        item = ITEM.fullmatch(walker.text, *line.span)
        if item is None:
            return found or [None]
        walker.line = line.number + 1
        scalar = flow_scalar(walker.text, Span(*item.span("rest")))
        found.append(scalar.span if scalar is not None else None)
    return found or [None]


def _written(text: str) -> str | None:
    """Return a flag as the file's key, and a word as it is; nothing else can be written, and nothing taken out."""
    text = text.removeprefix("--")
    return text if SAFE.fullmatch(text) and not text.startswith("-") else None


def as_keyword(text: str) -> str | None:
    """Return a flag as a program in Python calls it: `--enable-prefix-caching` as `enable_prefix_caching`."""
    written = _written(text)
    is_name = written is not None and (written != text or spellings(Surface.VLLM).of(written) is not None)
    return written.replace("-", "_") if written is not None and is_name else written
