"""Which environment variables are worth reading: those of the catalog, and those that look like one of CANN's.

Without the second kind a mistyped name would never be seen. One looks so by its prefix, or, where the name it stands for has
none of ours (`CPU_AFFINITY_CONF`), by a slip that nobody makes on purpose.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PREFIXES = (
    "ACLNN",
    "ACLOP",
    "ACL_",
    "AOE_",
    "ASCEND",
    "ATB_",
    "CANN_",
    "DEEPEP_",
    "DEEP_NORMAL_",
    "DUMP_G",
    "GE_",
    "HCCL_",
    "HCCS_",
    "HCOM_",
    "LCAL_",
    "LCCL_",
    "MIES_",
    "MINDIE_",
    "NPU_",
    "PYTORCH_NPU_",
    "RANK_TABLE",
    "SGLANG_NPU_",
    "SLOG_",
    "TASK_QUEUE",
    "TBE_",
    "TE_PARALLEL",
    "TFA_",
    "TORCH_HCCL_",
    "TORCH_NPU_",
)
_LONG = 12
"""Characters of a name from which on a slip can be told from another name."""
# `GLOG_v` and its kin end in small letters. What must not stand before is asked behind the first letter, so that only capital
# letters are looked at.
_ASSIGNED = re.compile(r"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=[ \t]*:?=)")


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.model import Surface

    try:
        return load().names(Surface.ENV)
    except CatalogError:
        # Whoever uses the catalog next tells the user.
        return frozenset()


@lru_cache(maxsize=1)
def _slips() -> frozenset[str]:
    """Return the long names that have no prefix of ours, each with a letter missing, doubled, or swapped with its neighbour.

    Another letter, or one more, may be another name.
    """
    found: set[str] = set()
    for name in _names():
        if len(name) < _LONG or "_" not in name or name.startswith(_PREFIXES):
            continue
        for at in range(len(name)):
            if name[at].isdigit():
                continue
            here, rest = name[: at + 1], name[at + 1 :]
            found |= {here[:-1] + rest, here + here[-1] + rest, here[:-1] + rest[:1] + here[-1] + rest[1:]}
        found -= {name, f"{name}{name[-1]}", name.removesuffix("S")}
    return frozenset(found)


@lru_cache(maxsize=4096)
def is_variable(name: str) -> bool:
    """Tell whether a variable is worth reading."""
    return name.startswith(_PREFIXES) or name in _names() or (len(name) >= _LONG - 1 and name in _slips())


def assigned(text: str) -> list[re.Match[str]]:
    """Return the places at which variables worth reading seem to get a value, in the order of the text."""
    return [match for match in _ASSIGNED.finditer(text) if is_variable(match.group())]
