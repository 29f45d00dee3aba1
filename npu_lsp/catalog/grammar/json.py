"""JSON in a value."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import nearest
from npu_lsp.text import lazy_re as re

_KEY = re.compile(r'"(?P<key>\w{1,60})"\s{0,9}:')
_COUNTED = re.compile(r':\s{0,9}"(?P<number>[0-9.]{1,20})"')
_PROFILED = words(
    "start output_path op_time profile_memory profile_communication profile_framework aicore_metrics l2_cache data_process parallel_strategy "
    "timeline_limit sync_enable analyse_mode data_simplification profiler_level start_step stop_step with_stack activities aic_metrics "
    "export_type mstx mstx_domain_include mstx_domain_exclude record_shapes host_sys sys_io sys_interconnection hbm_ddr pcie"
)
_RENAMED = {"memory": "profile_memory", "hccl": "profile_communication"}


def json(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """A JSON object.

    Yield where the text stops being JSON, or that it is no object.
    """
    from json import JSONDecodeError, loads

    try:
        found = loads(text, parse_int=str)
    except JSONDecodeError as error:
        if not text.lstrip().startswith("{"):
            yield _no_object(text)
            return
        at = min(error.pos, max(len(text) - 1, 0))
        before = text[:at].rstrip()
        if text[at : at + 1] in "}]" and before.endswith(","):
            at = len(before) - 1  # as Python tells it from 3.13 on
        near = text[at : at + 1]
        if near == "," and text[at + 1 :].lstrip()[:1] in ("}", "]"):
            yield ValuePart(near, at).problem("nothing comes behind this comma", "此逗号之后没有内容")
            return
        yield ValuePart(near, at).problem(f"this is no JSON from here on ({error.msg})", "从此处起不是合法的 JSON")
    except RecursionError:
        yield whole(text).problem("the JSON is nested too deeply", "JSON 嵌套过深")
    else:
        if not isinstance(found, dict):
            yield _no_object(text)


def json_object(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """A JSON object, of which something else reads what is inside.

    Yield that it is none from its first sign on; a plain word may stand for one.
    """
    if not text.lstrip().startswith("{") and ('"' in text or ":" in text):
        yield _no_object(text)


def ms_profiler_options(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """What MindSpore's profiler collects (msdocs: `docs/mindinsight/docs/source_en/profiling/profiling_training.txt`, `tutorials/source_en/debug/profiler.md`).

    Yield what is no JSON object, and mistyped keys: MindSpore reads those that it knows. Releases have different ones.
    """
    broken = list(json(text, surface))
    yield from broken
    for match in _KEY.finditer(text) if not broken else ():
        key = match["key"]
        near = None if key in _PROFILED else _RENAMED.get(key) or nearest(key, _PROFILED, careful=True)
        if near is not None:
            yield ValuePart(key, match.start("key")).problem(
                f'nothing reads the key "{key}"; "{near}" is one',
                f"键“{key}”不会被读取，应为“{near}”",
                instead=near,
            )


def _no_object(text: str) -> ValueProblem:
    return whole(text).problem('the value must be a JSON object, {"key": ...}', '取值须为 JSON 对象，形如 {"key": ...}')


def resource_counts(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`{"NPU": 8}`: how many of each resource a node of Ray has (ray: `python/ray/scripts/scripts.py`, `_private/resource_spec.py`).

    Yield what is no JSON object, and numbers in quotes: Ray asserts that they are numbers.
    """
    broken = list(json(text, surface))
    yield from broken
    for match in _COUNTED.finditer(text) if not broken else ():
        number = match["number"]
        part = ValuePart(f'"{number}"', match.start("number") - 1)
        yield part.problem(
            f'"{number}" in quotes is a text, not a number', f"加引号的 {number} 是字符串而非数字", instead=number
        )
