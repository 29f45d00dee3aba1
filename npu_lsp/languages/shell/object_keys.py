"""Keys of objects, each in a word of its own: `--compilation-config.cudagraph_mode FULL`, `….engine_kwargs.vllm.enforce_eager=True`.

With the first vLLM makes an object, with the second verl the call of an engine.
Sources: vllm 0.33.0 `vllm/utils/argparse_utils.py`, `FlexibleArgumentParser.parse_args` (a value that is no JSON is a text); verl 0.9.0
`verl/workers/rollout/vllm_rollout/vllm_async_server.py`, `sglang_rollout/async_sglang_server.py`; values of Hydra:
https://hydra.cc/docs/advanced/override_grammar/basic/
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.flags import OF_FLAGS
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.languages.shell.flag_values import key_span, value_of
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_OBJECTS = frozenset(kind.value for kind in OF_FLAGS)
_OWN = Kind.ADDITIONAL_CONFIG.value
_FLAG = re.compile(r"--(?P<name>[\w-]+)\.(?P<keys>[\w.-]*)(?P<equals>=?)")
_ENGINE = re.compile(
    r"\+{0,2}(?:[A-Za-z_][\w.]*\.)?engine_kwargs\.(?P<engine>vllm|sglang)\.(?P<keys>(?:[A-Za-z_][\w.]*)?)(?P<equals>=?)"
)
_ENGINES = {"vllm": Surface.VLLM_ARGS, "sglang": Surface.SGLANG_ARGS}
_INT, _FLOAT = re.compile(r"-?(?:0|[1-9]\d{0,99})"), re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_QUOTED = re.compile(r"(?P<quote>[\"'])(?P<said>[^\"'\\]*)(?P=quote)")
_JSON = {"true": True, "false": False}


class ObjectKey(NamedTuple):
    """A key, as a word says it."""

    surface: Surface
    name: str
    """What the option is called: `compilation_config.cudagraph_mode`."""
    start: int
    """Where the key's own name starts, without what leads to it, and where it ends, in characters of what the word says."""
    end: int
    equals: bool


def object_keys(
    arguments: Sequence[Argument], surface: Surface, head: Span, statement: Span, lookup: Lookup | None
) -> list[Block]:
    """Return a block for each object of which words of a command set keys; there may be more of them elsewhere."""
    read = {Surface.VLLM: _of_flags, Surface.VERL: _of_overrides}.get(surface)
    found: dict[Surface, list[Setting]] = {}
    for setting in read(arguments, lookup) if read is not None else ():
        found.setdefault(setting.surface, []).append(setting)
    return [Block(0, each, head, statement, tuple(settings), open=True) for each, settings in found.items()]


def _of_flags(arguments: Sequence[Argument], lookup: Lookup | None) -> Iterator[Setting]:
    for at, argument in enumerate(arguments):
        key = key_of(argument.word, Surface.VLLM)
        behind = arguments[at + 1] if at + 1 < len(arguments) else None
        if key is None or not (key.equals or key.end == len(argument.word.lead)):
            continue
        if key.equals:
            rest = argument.word.after(key.end + 1)
            value = value_of(rest.pieces, rest.span, lookup)
        elif behind is not None and behind.whole and behind.word.pieces:
            value = value_of(behind.word.pieces, behind.word.span, lookup)
        else:
            continue
        yield _setting(argument, key, _read(value, _JSON.get), "=" if key.equals else " ")


def _of_overrides(arguments: Sequence[Argument], lookup: Lookup | None) -> Iterator[Setting]:
    for argument in arguments:
        key = key_of(argument.word, Surface.VERL)
        if key is not None and key.equals and argument.whole:
            rest = argument.word.after(key.end + 1)
            yield _setting(argument, key, _read(value_of(rest.pieces, rest.span, lookup), _of_hydra), "=")


def key_of(word: ShellWord, surface: Surface) -> ObjectKey | None:
    """Return the key that a word of a command says, or begins to say: an argument of an engine, or a key of an object whose keys are known."""
    match = _FLAG.match(word.lead) if surface is Surface.VLLM else _ENGINE.match(word.lead)
    if match is None or surface not in (Surface.VLLM, Surface.VERL):
        return None
    keys, said = match["keys"], Surface.VLLM_ARGS if surface is Surface.VLLM else _ENGINES[match["engine"]]
    path = f"{match['name'].replace('-', '_')}.{keys}" if surface is Surface.VLLM else keys
    own, dot, inner = path.partition(".")
    if dot and own == _OWN:
        said, path = Surface.ADDITIONAL_CONFIG, inner
    elif dot and (own not in _OBJECTS or said is not Surface.VLLM_ARGS):
        return None
    end = match.end("keys")
    return ObjectKey(said, path, end - len(path.rpartition(".")[2]), end, bool(match["equals"]))


def _setting(argument: Argument, key: ObjectKey, value: Value, separator: str) -> Setting:
    span = key_span(argument.word, key.end)
    return Setting(
        surface=key.surface,
        name=key.name,
        key=Span(span.end - (key.end - key.start), span.end),
        value=value,
        form=Form.FLAG,
        statement=argument.statement,
        own=argument.own or argument.word.span,
        branch=argument.branch,
        separator=separator,
    )


def _read(value: Value, read: Callable[[str], bool | None]) -> Value:
    """Return what a program makes of a word: a number, a truth as `read` knows it, or a text; of a list or an object nobody says anything."""
    said = value.data
    if not value.known or not isinstance(said, str) or said[:1] in ("[", "{"):
        return value._replace(kind=ValueKind.UNKNOWN, known=False, data=None, content=None)
    truth = read(said)
    if truth is not None:
        return value._replace(kind=ValueKind.BOOL, data=truth, content=None)
    if said.lower() in ("true", "false", "null", "none"):
        return value._replace(kind=ValueKind.UNKNOWN, known=False, data=None, content=None)
    for kind, pattern, make in ((ValueKind.INT, _INT, int), (ValueKind.FLOAT, _FLOAT, float)):
        if pattern.fullmatch(said):
            return value._replace(kind=kind, data=make(said), content=None)
    quoted, content = _QUOTED.fullmatch(said), value.content
    if quoted is not None:
        content = Span(content.start + 1, content.end - 1) if content is not None else None
    return value._replace(kind=ValueKind.STRING, data=quoted["said"] if quoted is not None else said, content=content)


def _of_hydra(said: str) -> bool | None:
    return _JSON.get(said.lower())
