"""The forms of values, as the tools that read them take them: a function for each, those of one kind in one file.

Such a function takes the text of a value, and the surface that it stands on, and yields what is wrong with which part.
It is called as the catalog calls the form (`input-shape`: `input_shape`); its docstring shows such a value, and names the
source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module

from npu_lsp.catalog.grammar.parts import ValueProblem, full_width
from npu_lsp.catalog.model import Surface

__all__ = ["NAMES", "ValueProblem", "check"]

Grammar = Callable[[str, Surface], Iterator[ValueProblem]]

_FILES = {
    "accelerate_train_mode": "accelerate-train-mode",
    "alloc_conf": "alloc-conf",
    "devices": "cpu-affinity visible-devices",
    "dump_step": "dump-step",
    "dynamic": "dynamic-batch-size dynamic-dims dynamic-image-size",
    "hccl_algo": "hccl-algo",
    "input_shape": "dynamic-inputs-shape-range input-hint-shape input-shape input-shape-range",
    "json": "json json-object ms-profiler-options resource-counts",
    "levels": "module-log-levels submodule-log-levels",
    "lists": "blank-list bool-list group-boundaries name-list",
    "make_command": "make-command",
    "ms_alloc_conf": "ms-alloc-conf ms-runtime-conf",
    "network": "ip-address port port-range-list traffic-class",
    "nodes": "in-out-pair node-list node-names pass-switch",
    "pairs": "colon-pairs fault-detection fault-probes retry-params threshold-pair",
    "paths": "dir-path file-path input-path output-file output-path path path-list",
    "patterns": "backend-name binding device-list flag-list gigabytes host-systems host-usage human-number integer logical-device-id memory-size mindie-levels mindie-switches retry-levels served-model-name storage-limit",
    "streams": "core-num multi-stream-mode stream-max-parallel-num",
    "tensors": "data-type operator-format output-type tensor-format",
}
"""The forms in each file, which is loaded with the first of them."""
NAMES: Mapping[str, str] = {name: file for file, names in _FILES.items() for name in names.split()}
"""The file of each form."""
_FREE = frozenset({*_FILES["paths"].split(), *_FILES["json"].split(), "make-command"})
"""Forms of free text, in which full-width signs may be meant."""


def check(name: str, text: str, surface: Surface = Surface.ATC) -> Iterator[ValueProblem]:
    """Yield what is wrong with `text` by the grammar called `name`, in the order of the text.

    Places are code points from 0 in `text`. A name that no grammar has yields nothing. Full-width signs are told
    first, and alone, unless the grammar is one of free text: nothing else fits where they stand.
    """
    if name in NAMES:
        wide = [] if name in _FREE else list(full_width(text))
        yield from wide or _grammar(name)(text, surface)


@cache
def _grammar(name: str) -> Grammar:
    made: Grammar = getattr(import_module(f"{__name__}.{NAMES[name]}"), name.replace("-", "_"))
    return made
