"""Which rules are asked about what. Most rules have no word for most options, and asking them would be most of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.products import products
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.rule import Rule
from npu_lsp.linter.values import text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

Check = tuple[Rule, Callable[..., Iterator[Finding]], tuple[object, ...]]
"""A rule, which of its methods is called, and with what."""


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
        *(Surface.TORCHRUN, Surface.ACCELERATE, Surface.DEEPSPEED, Surface.RAY, Surface.MPIRUN),
        *(Surface.SWIFT, Surface.LLAMAFACTORY, Surface.VERL),
    }
)
"""What runs without NPUs, too: variables, vLLM, launchers, and Megatron, whose flags MindSpeed takes."""


def _told(document: Document) -> bool:
    own = "/".join(document.path.replace("\\", "/").split("/")[-_OWN:])
    return _NPUS.search(own) is not None or _NPUS.search(document.text) is not None


_tells_of_npus = Memoized(_told)
"""Whether something in a text is a name of ours."""


def is_of_other_tool(block: Block, context: Context) -> bool:
    """Return whether a command, or a file, is one of that tool."""
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
    """Return whether variables have names that other programs use, too, and nothing in their text tells of NPUs."""
    if not all(_is_shared(setting, context) for setting in block.settings):
        return False
    return context.surfaces <= _ANYBODYS and not _tells_of_npus(context.document)


def _is_shared(setting: Setting, context: Context) -> bool:
    """Return whether other programs use a name, too, or one that it is a slip of, if it is one of ours."""
    option = context.option(setting)
    if option is None:
        near = context.catalog.near(setting.surface, setting.name)
        option = context.catalog.option(setting.surface, near) if near is not None else None
    return option is not None and option.shared


class RuleIndex:
    """The rules that run together, by what they look at. It serves files that are checked against one catalog."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self.tried = frozenset(rule.code for rule in self.rules if rule.tried)
        """The codes of those about values that a test may try."""
        self.weak = frozenset(rule.code for rule in self.rules if rule.weak)
        self._of_files = [rule for rule in self.rules if rule.checks_files]
        self._of_launches = [rule for rule in self.rules if rule.checks_launches]
        self._of_surfaces: dict[Surface, _OfSurface] = {}

    def checks(self, context: Context) -> Iterator[Check]:
        """Yield what is to be asked about a file: about it as a whole, about each block, setting and launch."""
        faults = {None, *(found.kind for found in context.parsed.syntax)}
        for rule in self._of_files:
            if rule.fault in faults:
                yield rule, rule.check_file, (context,)
        for block in context.parsed.blocks:
            if is_of_other_tool(block, context):
                continue
            own = self._of_surface(block.surface)
            for rule in own.of_blocks(option for _, option in context.settings(block)):
                yield rule, rule.check_block, (block, context)
            for setting, option in context.settings(block):
                for rule in own.of_option(option)[0]:
                    yield rule, rule.check_setting, (setting, option, block, context)
        for launch in launches(context) if self._of_launches else ():
            if not is_of_other_tool(launch.block, context):
                yield from ((rule, rule.check_launch, (launch, context)) for rule in self._of_launches)

    def _of_surface(self, surface: Surface) -> _OfSurface:
        known = self._of_surfaces.get(surface)
        if known is None:
            rules = [rule for rule in self.rules if rule.surfaces is None or surface in rule.surfaces]
            known = self._of_surfaces[surface] = _OfSurface(rules)
        return known


class _OfSurface:
    """The rules that look at blocks of one surface."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._of_every_block = [rule for rule in rules if rule.checks_blocks and not rule.chooses]
        self._of_some_blocks = [rule for rule in rules if rule.checks_blocks and rule.chooses]
        self._of_settings = [rule for rule in rules if rule.checks_settings]
        self._of_options: dict[int, tuple[list[Rule], list[Rule], Option]] = {}
        """By the identity of an option, which is kept so that it stays one: to hash one takes longer than to ask."""

    def of_option(self, option: Option) -> tuple[list[Rule], list[Rule], Option]:
        """Return the rules that may have a word for a setting of `option`, and those for a block with one."""
        known = self._of_options.get(id(option))
        if known is None:
            of_settings = [rule for rule in self._of_settings if rule.concerns(option)]
            of_blocks = [rule for rule in self._of_some_blocks if rule.concerns(option)]
            known = self._of_options[id(option)] = of_settings, of_blocks, option
        return known

    def of_blocks(self, options: Iterable[Option]) -> Iterable[Rule]:
        """Return the rules that may have a word for a block that sets `options`."""
        return dict.fromkeys(chain(self._of_every_block, *(self.of_option(option)[1] for option in options)))
