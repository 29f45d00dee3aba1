"""NPU405: a chip that doesn't exist."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.placeholders import is_template
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import shown, text_of
from npu_lsp.linter.wording import apart
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_FAMILY = "Ascend"
_NAME = "soc_version"
_RENAMED = "5.1"
"""The CANN that renamed chips; https://gitee.com/ascend/ModelZoo-PyTorch has both names."""
_LIKE_ONE = re.compile(r"(?i:ascend)_?\d{1,3}[A-Za-z]{0,2}\d{0,2}")
"""What looks like a chip of today; longer names come with new chips."""
_HALF = re.compile(r"\\?\$\\\{(?P<name>[A-Za-z]\w*(?:\\_\w+)*)\\?\}")
r"""`$\{chip\_name\}`; `{chip_name}` is a place that somebody fills in."""
_MOST = 8
"""How many chips of a series a message names."""


class UnknownSocVersion(Rule):
    """A `--soc_version` that is close to a chip's name and isn't one, or that names a series of chips.

    ## What it does
    Compares the name with those of the CANN toolkit on this machine, or else with the names that the catalog knows, and
    reports it when it is one of these mistyped, is how several of them begin (`Ascend310P`), a product's name (`Ascend910C`), a
    former name (`Ascend710`), or none that is known. It never takes one chip for another. Names of a new form may be of chips that
    came later. An expansion whose signs have backslashes, as a page's text needs them, is reported, too.

    ## Why is this bad?
    ATC finds no description of the chip and stops. Upper and lower case matter.

    ## Fix safety
    Unsafe: it puts the nearest name in its place.
    """

    code = "NPU405"
    title = Text(en="Chip that doesn't exist", zh="不存在的芯片型号")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = COMMANDS
    messages = {
        "near": Text(
            en="There is no chip {value}, and the tool stops with an error. Did you mean {near}?",
            zh="不存在芯片型号 {value}，执行时会报错。是否应为 {near}？",
        ),
        "former": Text(
            en="{value} is a former name: since CANN 5.1 the chip is called {near}, and the tool stops with an error at the old one.",
            zh="{value} 是旧名称：自 CANN 5.1 起该芯片改称 {near}，使用旧名称执行时会报错。",
        ),
        "product": Text(
            en="{value} is what people call {title}, and no chip: the tool stops with an error. Write the chip's own name: {near}.",
            zh="{value} 是 {title} 的俗称，不是芯片型号，执行时会报错。请写完整型号，如 {near}。",
        ),
        "none": Text(
            en="npu-lsp knows no chip {value}; with another name the tool stops with an error. `npu-smi info` tells the chip's: "
            '"Ascend" and what stands below "Name".',
            zh="npu-lsp 未收录芯片型号 {value}，型号错误时执行会报错。可通过 `npu-smi info` 查询：型号为 “Ascend” 加 “Name” 列的内容。",
        ),
        "half": Text(
            en="The backslashes keep the shell from expanding the variable, and the tool gets these signs as they are. Remove them.",
            zh="反斜杠使 Shell 不展开该变量，工具得到的是原样字符。请删除反斜杠。",
        ),
        "mend": Text(en="Remove the backslashes", zh="删除反斜杠"),
        "series": Text(
            en="{value} is a series and no chip, and the tool stops with an error. Write the chip's own name: {near}.",
            zh="{value} 是芯片系列而不是具体型号，执行时会报错。请写完整型号，如 {near}。",
        ),
    }
    VALID = (
        "atc --soc_version=Ascend310P3\n",
        "atc --soc_version=Ascend910_9392\n",
        "atc --soc_version=MyChip1\n",
        # A letter stands for any chip.
        "atc --soc_version=A\n",
        "atc --soc_version=Ascend910B\natc --soc_version=Ascend310\n",
        "atc --soc_version=${SOC}\n",
        Valid("atc --soc_version=Ascend710\n", Kind.SHELL, target={"cann": "5.0"}),
        Valid("```sh\natc --soc_version=Ascend{chip_name}\n```\n", Kind.MARKDOWN),
        # One that is of a chip of tomorrow.
        "atc --soc_version=Ascend960PR_9601\n",
        Valid("```sh\natc --model=a.onnx --soc_version=Ascend {chip_name}\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=«Ascend310p3→Ascend310P3»\n",
        # The start of one name alone is no series, and none is close enough to another chip's.
        told("atc --soc_version=«Ascend610L»\n", "warning"),
        told(
            "atc --soc_version=«Ascend999»\natc --soc_version=«Ascend310P9»\natc --soc_version=«Ascend7»\n", "warning"
        ),
        "atc --soc_version=«Ascend910C»\n",
        "atc --soc_version=«Ascend710→Ascend310P3»\natc --soc_version=«ASCEND310P3→Ascend310P3»\n",
        told(
            "```sh\natc --soc_version=Ascend«$\\{chip\\_name\\}→${chip_name}»\n```\n", "warning unsafe", Kind.MARKDOWN
        ),
        "atc --soc_version=«Ascend310B»\n",
        "atc --soc_version=«Ascend310P»\n",
        "atc --soc_version=«Ascend910_93»\n",
        "atc --soc_version=«310P3→Ascend310P3»\n",
        "atc --soc_version=«Asecnd310P3→Ascend310P3»\n",
        'atc --soc_version="«Ascend310B»"\n',
    )

    def concerns(self, option: Option) -> bool:
        return option.name == _NAME

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        name = text_of(setting.value)
        if not name:
            yield from self._half(setting, option, context)
            return
        if is_template(context.document.text, setting.value.span.end):
            return  # `Ascend {chip_name}`: somebody writes the rest.
        chips = products(context.catalog)
        known = (context.toolkit.soc_versions if context.toolkit is not None else None) or chips.soc_versions
        if name in known or name in chips.soc_versions:
            return
        chips_of_it = sorted(each for each in known if name.startswith(_FAMILY) and each.startswith(name))
        if len(chips_of_it) > 1:
            yield self.finding(
                context,
                setting.value.inside,
                "series",
                of=option,
                value=shown(name),
                near=apart(map(shown, chips_of_it[:_MOST]), context.language),
            )
            return
        yield from self._none(setting, option, name, known, context)

    def _none(
        self, setting: Setting, option: Option, name: str, known: Collection[str], context: Context
    ) -> Iterator[Finding]:
        """Report a name that no chip has, with the one that was meant where that is certain."""
        chips = products(context.catalog)
        former = chips.former(name)
        near = former or chips.meant(name, known)
        family = chips.called(name)
        if near is not None:
            if former is None or not context.target.precedes(_RENAMED, CANN):
                yield self.finding(
                    context,
                    setting.value.inside,
                    "former" if former else "near",
                    of=option,
                    fixes=self.changed(context, setting, near),
                    value=shown(name),
                    near=shown(near),
                )
        elif family is not None:
            yield self.finding(
                context,
                setting.value.inside,
                "product",
                of=option,
                value=shown(name),
                title=chips.short(family).to(context.language),
                near=apart(map(shown, chips.chips(family)[:_MOST]), context.language),
            )
        elif _LIKE_ONE.fullmatch(name) and chips.meant(name, chips.soc_versions) is None:
            yield self.finding(
                context, setting.value.inside, "none", of=option, severity=Severity.WARNING, value=shown(name)
            )

    def _half(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        """Report an expansion with backslashes that a page's text needs, not its code."""
        text = context.text(setting.value.span)
        found = _HALF.search(text)
        if found is None:
            return
        near = "${" + found["name"].replace("\\", "") + "}"
        span = Span(setting.value.span.start + found.start(), setting.value.span.start + found.end())
        edits = (Edit(span, near),)
        fixes = self.fix(context, "mend", edits, Safety.UNSAFE)
        yield self.finding(context, span, "half", of=option, severity=Severity.WARNING, fixes=fixes)
