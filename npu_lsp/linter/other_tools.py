"""What belongs to another tool that has the name of one of ours: HiSilicon's media chips have an ATC of their own.

Its flags and the fields of its AIPP files are others; what both have in common takes other values there. And a variable that
anybody may call `DEVICE_ID` is ours where something tells of NPUs.
"""

from __future__ import annotations

import re

from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.values import text_of
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived

_CHIP = re.compile(r"OPTG|(?:SS|Hi)\d{3,4}[A-Z]?[A-Z]?V\d{3}\w*")
"""`SS928V100`, `Hi3403V100`, `Hi3516CV610`, and what stands for one of two units."""
_FLAGS = frozenset({"image_list", "compile_mode", "online_model_type", "gfpq_param_file"})
_FIELDS = frozenset({"model_format"})
"""What only that tool has, as its users write it: https://github.com/sanchuanhehe/modelzoo"""

_NPUS = re.compile(
    r"(?i:ascend(?!ing|ant|ed|er)|hccl|davinci|mindspore|mindie|昇腾|(?<![a-z])(?:npus?|cann)(?![a-z]))|NPU(?=[A-Z])"
)
_OWN = 2
"""Parts of a file's path that are its own: its name, and its folder's. Further up is where somebody keeps it."""


_ANYBODYS = frozenset(
    {
        *(Surface.ENV, Surface.VLLM, Surface.MINDSPEED),
        *(Surface.TORCHRUN, Surface.ACCELERATE, Surface.DEEPSPEED, Surface.RAY),
    }
)
"""What runs without NPUs, too: variables, vLLM, launchers, and Megatron, whose flags MindSpeed takes."""


def _told(document: Document) -> bool:
    own = "/".join(document.path.replace("\\", "/").split("/")[-_OWN:])
    return _NPUS.search(own) is not None or _NPUS.search(document.text) is not None


_tells_of_npus = Derived(_told)
"""Whether something in a text is a name of ours."""


def is_of_other_tool(block: Block, context: Context) -> bool:
    """Tell whether a command, or a file, is one of that tool."""
    if block.surface is Surface.ENV:
        return _is_anybodys(block, context)
    if block.surface is Surface.AIPP:
        return any(setting.name.rpartition(".")[2] in _FIELDS for setting in block.settings)
    if block.surface is not Surface.ATC:
        return False
    chips = [text_of(setting.value) for setting in block.settings if setting.name == "soc_version"]
    if chips:
        known = products(context.catalog).soc_versions
        return all(chip is not None and chip not in known and _CHIP.fullmatch(chip) for chip in chips)
    return any(setting.name in _FLAGS for setting in block.settings)


def _is_anybodys(block: Block, context: Context) -> bool:
    """Tell whether variables have names that other programs use, too, and nothing in their text tells of NPUs."""
    if not all(_is_shared(setting, context) for setting in block.settings):
        return False
    return all(each.surface in _ANYBODYS for each in context.reading.blocks) and not _tells_of_npus(context.document)


def _is_shared(setting: Setting, context: Context) -> bool:
    """Tell whether other programs use a name, too, or one that it is a slip of, if it is one of ours."""
    option = context.option(setting)
    if option is None:
        near = context.catalog.near(setting.surface, setting.name)
        option = context.catalog.option(setting.surface, near) if near is not None else None
    return option is not None and option.shared
