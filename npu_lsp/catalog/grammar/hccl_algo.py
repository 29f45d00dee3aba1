"""Which algorithms collective operations use."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.keyed import Keyed, with_values
from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole
from npu_lsp.catalog.model import Surface

_LEVELS = frozenset({"level0", "level1", "level2", "level3"})
_ALGORITHMS = ("NA", "ring", "H-D_R", "NHR", "NHR_V1", "NB", "AHC", "pipeline", "pairwise")
_UNDOCUMENTED = frozenset({"AHC_BROKE", "fullmesh", "null"})
_OPERATORS = (
    *("allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "reduce", "scatter", "gather"),
    *("send", "receive", "sendrecv", "others"),
)
KEYED = {"hccl-algo": Keyed({**with_values(_ALGORITHMS, _LEVELS), "level0": ("NA",)}, between=";/=")}


def hccl_algo(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`level0:NA;level1:ring`, or one such list per operator (hccl: `src/common/alg_env_config.cc`).

    Yield what is no level with an algorithm, no operator, or set twice; blanks don't count anywhere.
    """
    configured = whole(text).split("/")
    ways = {"=" in part.text for part in configured}
    for part in configured:
        at = part.text.find("=")
        if at >= 0:
            operator, levels = part.cut(at)
            yield from _operator(operator)
            yield from _levels(levels)
        elif len(ways) > 1 or len(configured) > 1:
            yield part.problem(
                f'"{part.text}" names no operator, as in allreduce=level0:NA;level1:ring',
                f"“{part.text}”缺少算子类型，应形如 allreduce=level0:NA;level1:ring",
            )
        else:
            yield from _levels(part)


def _operator(part: ValuePart) -> Iterator[ValueProblem]:
    name = part.text.replace(" ", "")
    if name not in _OPERATORS:
        yield part.problem(
            f'"{part.text}" is no operator; they are {", ".join(_OPERATORS)}',
            f"“{part.text}”不是合法的通信算子类型，可选 {'、'.join(_OPERATORS)}",
            instead=_meant(name, _OPERATORS),
        )


def _levels(levels: ValuePart) -> Iterator[ValueProblem]:
    seen: set[str] = set()
    for part in levels.split(";"):
        name, colon, algorithm = part.text.replace(" ", "").partition(":")
        if not colon or name not in _LEVELS or not algorithm:
            yield part.problem(
                f'"{part.text}" is not of the form level1:ring', f"“{part.text}”格式错误，应形如 level1:ring"
            )
        elif algorithm not in _ALGORITHMS and algorithm not in _UNDOCUMENTED:
            where = part.cut(part.text.find(":"))[1]
            yield where.problem(
                f'"{algorithm}" is no algorithm; they are {", ".join(_ALGORITHMS)}',
                f"“{algorithm}”不是合法的算法名，可选 {'、'.join(_ALGORITHMS)}",
                instead=_meant(algorithm, _ALGORITHMS),
            )
        elif name in seen:
            yield part.problem(f"{name} stands here twice", f"{name} 重复配置")
        seen.add(name)


def _meant(name: str, known: tuple[str, ...]) -> str | None:
    """Return the name that differs from `name` in its signs and case only: HD_R for H-D_R."""
    plain = {each.replace("-", "").replace("_", "").lower(): each for each in known}
    return plain.get(name.replace("-", "").replace("_", "").lower())
