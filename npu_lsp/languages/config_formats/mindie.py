"""The files of MindIE: the server's `config.json`, those of MindIE-Motor, deployment files that hold several of them, and PyMotor's.

Known by their shapes, never by their names: an object with `ServerConfig` or `BackendConfig` and in these what only MindIE has, or
one with enough of the keys that only a controller, a coordinator, a node manager or `deploy_config` has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, members
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import Block, ParseResult, SyntaxFinding, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


class MindieForm(NamedTuple):
    """What a kind of file looks like, whole or as a part of another file."""

    surface: Surface
    called: str
    """The key that it has in `user_config.json`."""
    names: frozenset[str]
    """Keys that only such a file has."""
    enough: int = 2
    """How many of them tell it, where it is a file of its own."""
    whole: bool = True
    """Whether a part of another file has all that is needed; otherwise it is laid over a file that lies elsewhere."""


FORMS = (
    MindieForm(
        Surface.MINDIE_DEPLOY,
        "deploy_config",
        frozenset(
            {
                *("p_instances_num", "d_instances_num", "single_p_instance_pod_num", "single_d_instance_pod_num"),
                *("p_pod_npu_num", "d_pod_npu_num", "mindie_env_path", "weight_mount_path"),
            }
        ),
    ),
    MindieForm(
        Surface.MS_CONTROLLER,
        "mindie_ms_controller_config",
        frozenset(
            {
                *("global_rank_table_file_path", "mindie_server_control_port", "mindie_ms_coordinator_port"),
                *("digs_prefill_slo", "digs_model_config_path", "role_decision_methods", "multi_node_infer_config"),
            }
        ),
        whole=False,
    ),
    MindieForm(
        Surface.MS_COORDINATOR,
        "mindie_ms_coordinator_config",
        frozenset(
            {
                *("digs_scheduler_config", "string_token_rate", "prometheus_metrics_config", "request_limit"),
                *("exception_config", "http_config"),
            }
        ),
        whole=False,
    ),
    MindieForm(
        Surface.NODE_MANAGER,
        "node_manager_config",
        frozenset({"node_manager_port", "heartbeat_interval_seconds", "controller_alarm_port"}),
    ),
)
_CALLED = {form.called: form for form in FORMS}
_PARTS = frozenset({"ServerConfig", "BackendConfig", "LogConfig"})
_WITHIN = {"ModelDeployConfig": "BackendConfig", "ScheduleConfig": "BackendConfig"}
"""Where the parts belong that pages show alone."""
_OURS = {
    "ServerConfig": frozenset(
        {
            *("allowAllZeroIpListening", "distDPServerEnabled", "fullTextEnabled", "httpsEnabled", "inferMode"),
            *("interCommTLSEnabled", "layerwiseDisaggregated", "managementIpAddress", "maxLinkNum", "metricsPort"),
            "openAiSupport",
        }
    ),
    "BackendConfig": frozenset(
        {
            *("backendName", "ModelDeployConfig", "modelInstanceNumber", "multiNodesInferEnabled", "npuDeviceIds"),
            *("ScheduleConfig", "tokenizerProcessNumber"),
        }
    ),
    "ModelDeployConfig": frozenset({"maxInputTokenLen", "maxSeqLen", "ModelConfig", "speculationGamma"}),
    "ScheduleConfig": frozenset(
        {"maxIterTimes", "maxPrefillBatchSize", "maxPrefillTokens", "supportSelectBatch", "templateType"}
    ),
}
"""By their names, what a part of a configuration may hold that nobody else's does. One is enough, of a server two."""
FIRST = {
    "OtherParam": ("ServerConfig", "LogConfig"),
    "WorkFlowParam": ("BackendConfig.ScheduleConfig",),
    "ModelDeployParam": ("BackendConfig.ModelDeployConfig",),
    "ScheduleParam": ("BackendConfig.ScheduleConfig",),
}
"""What stood at the top of the server's file up to 1.0.RC2, and where that is read since (mindie-llm: `src/config_manager`)."""
_ENOUGH = {"ServerConfig": 2}
_OF_PYMOTOR = '"motor_'
_DEEPEST = 4


class _Found(NamedTuple):
    """An object that is MindIE's."""

    surface: Surface
    path: tuple[str, ...]
    """What its keys stand in where a page shows a part alone."""
    node: Node
    called: str
    """The key that it stands under; empty for a whole file."""
    open: bool


def read(document: Document) -> ParseResult:
    """Return a block for each configuration; that of a whole file has all that its reader needs.

    A block's receiver is the key that the configuration stands under, which tells its role.
    """
    node, mistakes = json_files.tree(document)
    if node is not None and (of_pymotor := _pymotor(document, node, mistakes)) is not None:
        return of_pymotor
    blocks: list[Block] = []
    for found in _configurations(node, "", 0) if node is not None else ():
        settings = list(members(found.surface, found.node, found.path))
        head = Span(found.node.span.start, found.node.span.start + 1)
        made = block(len(blocks), found.surface, head, settings, found.called)
        blocks.append(made._replace(open=found.open or bool(mistakes)))
    if node is not None and not blocks and len(FIRST.keys() & {each.key for each in node.members}) > 1:
        # What stood in them is called otherwise today, and had other ranges: nothing of it is looked at.
        blocks.append(block(0, Surface.MINDIE, Span(node.span.start, node.span.start + 1), [])._replace(open=True))
    return ParseResult(tuple(blocks), mistakes if blocks else (), damaged=bool(mistakes))


def _pymotor(document: Document, node: Node, mistakes: tuple[SyntaxFinding, ...]) -> ParseResult | None:
    """Return what PyMotor's file says; `None` for another one."""
    if _OF_PYMOTOR not in document.text:
        return None
    from npu_lsp.languages.config_formats import pymotor
    from npu_lsp.languages.injections import find_regions, joined

    if not pymotor.is_pymotor(node):
        return None
    blocks = tuple(each._replace(open=each.open or bool(mistakes)) for each in pymotor.blocks(node))
    own = ParseResult(blocks, mistakes, damaged=bool(mistakes))
    return own if mistakes else joined(own, find_regions(document, lambda each: pymotor.commands(each.text, node)))


def _configurations(node: Node, called: str, depth: int) -> Iterator[_Found]:
    """Yield the objects that are MindIE's, outer ones first; none of them holds another."""
    owners = {each.key: path for each in node.members if (path := _place(each)) is not None}
    form = _CALLED.get(called) if node.kind is ValueKind.DICT else None
    if owners:
        # What is a part of another file is laid over a configuration that lies elsewhere.
        whole = depth == 0 and {each.key for each in node.members} >= {"ServerConfig", "BackendConfig"}
        yield _Found(Surface.MINDIE, min(owners.values()), node, called, not whole)
    elif form is not None and (not form.whole or _is(form, node)):
        yield _Found(form.surface, (), node, called, not form.whole)
    elif depth == 0 and (form := next((each for each in FORMS if _is(each, node)), None)) is not None:
        yield _Found(form.surface, (), node, called, False)
    elif depth < _DEEPEST:
        for each in node.members:
            yield from _configurations(each.node, each.key, depth + 1)


def _is(form: MindieForm, node: Node) -> bool:
    return sum(each.key in form.names for each in node.members) >= form.enough


def _place(each: Member) -> tuple[str, ...] | None:
    """Return the names around a part of MindIE's configuration; `None` for what isn't one."""
    names = _OURS.get(each.key)
    if names is None or each.node.kind is not ValueKind.DICT:
        return None
    if sum(inner.key in names for inner in each.node.members) < _ENOUGH.get(each.key, 1):
        return None
    return (_WITHIN[each.key],) if each.key in _WITHIN else ()


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`: the names of a group, below the part that it belongs to."""
    found = json_files.nested(document, offset, Surface.MINDIE)
    if found is None:
        return None
    name = found.option or found.prefix
    around = name.partition(".")[0]
    node, _ = json_files.tree(document)
    if node is not None and _OF_PYMOTOR in document.text:
        from npu_lsp.languages.config_formats import pymotor

        if pymotor.is_pymotor(node):
            return pymotor.completed(found, node)
    form = _CALLED.get(around)
    if form is None and not _PARTS.intersection(name.split(".")):
        own = next((each for each in FORMS if node is not None and _is(each, node)), None)
        if own is not None:
            return found._replace(surface=own.surface)
    surface = form.surface if form is not None else Surface.MINDIE
    return found._replace(
        surface=surface,
        prefix=_below(found.prefix, form),
        option=_below(found.option, form) if found.option else found.option,
    )


def _below(name: str, form: MindieForm | None) -> str:
    """Return a name without what stands around the configuration."""
    if form is not None:
        return name.partition(".")[2]
    keys = name.split(".")
    start = next((at for at, key in enumerate(keys) if key in _PARTS), 0)
    return ".".join(keys[start:])
