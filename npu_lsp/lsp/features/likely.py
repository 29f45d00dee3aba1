"""In which order the files of a folder are looked at, so that the first finding comes soon: those first that start something."""

from __future__ import annotations

import os
import re

from npu_lsp.checking.walking import Candidate

_STARTS = re.compile(r"\.(?:sh|bash|env)\Z|\A(?:dockerfile|compose|docker-compose|\.env|makefile)(?:[._-]|\Z)")
_SETS = re.compile(r"\.(?:ya?ml|py|toml|ini|cfg|conf)\Z")
_ABOUT = re.compile(
    r"npu|ascend|hccl|cann|atc|aoe|vllm|sglang|mindie|mindspore|torchair|deploy|launch|serv|infer|train|convert|bench"
    r"|(?<![a-z])(?:run|start|env|config)(?![a-z])"
)
"""Words in the names of files and folders where options are set as a rule."""

_NEAR = 40
"""Characters of a folder's path that count: the names of the innermost ones."""


def likely(candidate: Candidate) -> tuple[int, int]:
    """Return what files are sorted by: the smaller, the more likely something is set there. Nothing is read for that."""
    folder, name = os.path.split(candidate.absolute.lower())
    sort = 0 if _STARTS.search(name) else 1 if _SETS.search(name) else 2
    about = _ABOUT.search(name) is not None or _ABOUT.search(folder[-_NEAR:]) is not None
    return (0 if about else 1, sort)
