"""What belongs to another tool that has the name of one of ours: HiSilicon's media chips have an ATC of their own.

Its flags and the fields of its AIPP files are others; what both have in common takes other values there.
"""

from __future__ import annotations

import re

from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.values import text_of

_CHIP = re.compile(r"OPTG|(?:SS|Hi)\d{3,4}[A-Z]?[A-Z]?V\d{3}\w*")
"""`SS928V100`, `Hi3403V100`, `Hi3516CV610`, and what stands for one of two units."""
_FLAGS = frozenset({"image_list", "compile_mode", "online_model_type", "gfpq_param_file"})
_FIELDS = frozenset({"model_format"})
"""What only that tool has, as its users write it: https://github.com/sanchuanhehe/modelzoo"""


def is_of_other_tool(block: Block, context: Context) -> bool:
    """Tell whether a command, or a file, is one of that tool."""
    if block.surface is Surface.AIPP:
        return any(setting.name.rpartition(".")[2] in _FIELDS for setting in block.settings)
    if block.surface is not Surface.ATC:
        return False
    chips = [text_of(setting.value) for setting in block.settings if setting.name == "soc_version"]
    if chips:
        known = products(context.catalog).soc_versions
        return all(chip is not None and chip not in known and _CHIP.fullmatch(chip) for chip in chips)
    return any(setting.name in _FLAGS for setting in block.settings)
