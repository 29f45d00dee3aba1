"""`context` and `parallel` of MindFormers' YAML.

Source: mindformers:mindformers/tools/register/config.py.
"""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats.yaml_mapping import Mapping, parsed, typed_at

# What stands in `ge_options` are options of GE.
_MAPPING = Mapping(Surface.MINDFORMERS, others="ge_options")

read = partial(parsed, mapping=_MAPPING)
cursor = partial(typed_at, mapping=_MAPPING)
