"""`user_config.json` of MindIE-PyMotor: what its components read by name, and the arguments of the engines that it starts.

What stands in `engine_config` is a command line: a key is a flag with `_` or `-`, a switch that is true is the flag alone, and an object
is JSON. PyMotor puts in more, so that nothing is said of what lacks.
Sources: https://github.com/Ascend/MindIE-PyMotor (7d15c04) `motor/engine_server/core/vllm/vllm_config.py`, `_add_argument_to_list`;
`motor/config/resolver.py`, `normalize_keys`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats.entries import block, members
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.hosts.yaml_arguments import COMMANDS, as_keyword
from npu_lsp.languages.injections import Injection
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

ENGINE = re.compile(r"motor_engine_(?P<role>[a-z]+)_config")
_OTHERS = frozenset(
    {"motor_deploy_config", "motor_controller_config", "motor_coordinator_config", "motor_nodemanger_config"}
)
_WHOLE = "motor_deploy_config"
"""What a file has that is whole; without it, the file is a part that a page shows."""
_ARGUMENTS = "engine_config"
_ENGINES = {"vllm": Surface.VLLM, "sglang": Surface.SGLANG}
_OWN = frozenset({"enable_multi_endpoints"})
"""Keys of `engine_config` that PyMotor itself reads."""
_FILLED_IN = frozenset({"engine_id"})
"""Keys of the objects in it whose values PyMotor puts in."""
_NAME = re.compile(r"[A-Za-z][\w-]*")
_OF_ASCEND = re.compile(r"engine_config\.additional[-_]config\.")


def is_pymotor(node: Node) -> bool:
    """Return whether an object is such a file, or a part of one."""
    return any(each.key in _OTHERS or ENGINE.fullmatch(each.key) for each in node.members)


def blocks(node: Node) -> Iterator[Block]:
    """Yield a block for the file, and one for the section of each engine, whose receiver is the section's key."""
    sections = [each for each in node.members if _is_section(each)]
    inside = [each.node.span for each in sections]
    own = [
        each
        for each in members(Surface.PYMOTOR, node)
        if not any(span.start < each.key.start < span.end for span in inside)
    ]
    head = Span(node.span.start, node.span.start + 1)
    part = not any(each.key == _WHOLE for each in node.members)
    yield block(0, Surface.PYMOTOR, head, own)._replace(open=part)
    for number, each in enumerate(sections, 1):
        settings = [_plain(setting) for setting in members(Surface.PYMOTOR_ENGINE, each.node)]
        start = Span(each.node.span.start, each.node.span.start + 1)
        yield block(number, Surface.PYMOTOR_ENGINE, start, settings, each.key)._replace(open=part)


def _is_section(each: Member) -> bool:
    return each.node.kind is ValueKind.DICT and ENGINE.fullmatch(each.key) is not None


def _plain(setting: Setting) -> Setting:
    """Return an argument of the engine under the name that it has with `_`."""
    within = setting.name.startswith(f"{_ARGUMENTS}.") and "-" in setting.name
    return setting._replace(name=setting.name.replace("-", "_")) if within else setting


def completed(found: CompletionContext, node: Node) -> CompletionContext:
    """Return what is completed at a place that is called by all keys around it: in a section of an engine, names without the section's.

    Arguments of an engine are called as keywords of a call are, with `_`.
    """
    section, _, below = (found.option or found.prefix).partition(".")
    if ENGINE.fullmatch(section) is None or "." not in (found.option or found.prefix):
        return found._replace(surface=Surface.PYMOTOR)
    cut, surface = len(section) + 1, Surface.PYMOTOR_ENGINE
    if below.startswith(f"{_ARGUMENTS}."):
        cut += len(_ARGUMENTS) + 1
        inner = next((each.node for each in node.members if each.key == section), None)
        named = _engine_type(inner) if inner is not None else None
        surface = Surface.SGLANG_ARGS if named is Surface.SGLANG else Surface.VLLM_ARGS
        if _OF_ASCEND.match(below):
            cut, surface = cut + len("additional_config."), Surface.ADDITIONAL_CONFIG
    return found._replace(
        surface=surface,
        prefix=found.prefix[cut:].replace("-", "_"),
        option=found.option[cut:].replace("-", "_") if found.option else found.option,
    )


def _engine_type(section: Node) -> Surface | None:
    given = next((each.node.written for each in section.members if each.key == "engine_type"), "vllm")
    return _ENGINES.get(given) if isinstance(given, str) else None


def commands(text: str, node: Node) -> Iterator[Injection]:
    """Yield the command that the arguments of each engine make."""
    for section in node.members:
        engine = _engine_type(section.node) if _is_section(section) else None
        given = next((each for each in section.node.members if each.key == _ARGUMENTS), None)
        if engine is None or given is None or not given.node.members:
            continue
        lines = VariableLines()
        lines.put(COMMANDS[engine], given.node.span.start, given.node.span.start + 1)
        for each in given.node.members:
            _argument(text, each, lines, positional=engine is Surface.VLLM)
        yield Injection(Kind.SHELL, *lines.done(), _written, part=True, own=True)


def _argument(text: str, each: Member, lines: VariableLines, *, positional: bool) -> None:
    """Add what one entry says; nothing where it is switched off."""
    if each.key in _OWN or not _NAME.fullmatch(each.key) or each.node.written is False:
        return
    if not (positional and each.key == "model"):
        lines.put(" --", lines.ends[-1], each.key_span.start)
        lines.take(text, each.key_span, each.key.replace("_", "-"))
    if each.node.written is True:
        return
    for value in each.node.items if each.node.kind is ValueKind.LIST else (each.node,):
        at = lines.ends[-1]
        lines.put(" ", at, value.span.start)
        _value(text, value, lines)


def _value(text: str, value: Node, lines: VariableLines) -> None:
    said = text[slice(*value.span)]
    if value.kind is ValueKind.DICT and "'" not in said:
        lines.put("'", value.span.start)
        at = value.span.start
        for each in value.members:
            if each.key.replace("-", "_") in _FILLED_IN:
                lines.take(text, Span(at, each.node.span.start))
                lines.put(HOLE, *each.node.span)
                at = each.node.span.end
        lines.take(text, Span(at, value.span.end))
        lines.put("'", value.span.end)
    elif value.kind in (ValueKind.STRING, ValueKind.INT, ValueKind.FLOAT) and "\\" not in said:
        lines.value(text, value.span)
    else:
        lines.put(HOLE, *value.span)


def _written(text: str) -> str | None:
    """Return how a word of the command is written in JSON: a flag as a key, JSON as it is."""
    word = as_keyword(text)
    if word is not None:
        return word
    try:
        json.loads(text)
    except ValueError:
        return None
    return text
