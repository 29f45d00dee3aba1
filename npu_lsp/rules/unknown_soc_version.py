"""NPU405: a chip that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.near import nearest
from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.placeholders import is_template
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.linter.values import shown, text_of
from npu_lsp.linter.wording import apart
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_FAMILY = "Ascend"
_NAME = "soc_version"
_MOST = 8
"""How many chips of a series a message names."""


class UnknownSocVersion(Rule):
    """A `--soc_version` that is close to a chip's name and isn't one, or that names a series of chips.

    ## What it does
    Compares the name with those of the CANN toolkit on this machine, or else with the names that the catalog knows, and
    reports it when it is close to exactly one of them, or is how several of them begin (`Ascend310P`). Other names may be of
    chips that came later.

    ## Why is this bad?
    ATC finds no description of the chip and stops. Upper and lower case matter.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310p3
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3
    ```

    ## Fix safety
    Unsafe: it puts the nearest name in its place.
    """

    code = "NPU405"
    name = "unknown-soc-version"
    title = Text(en="Chip that doesn't exist", zh="不存在的芯片型号")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = COMMANDS
    messages = {
        "near": Text(
            en="There is no chip {value}, and the tool stops with an error. Did you mean {near}?",
            zh="不存在芯片型号 {value}，执行时会报错。是否应为 {near}？",
        ),
        "series": Text(
            en="{value} is a series and no chip, and the tool stops with an error. Write the chip's own name: {near}.",
            zh="{value} 是芯片系列而不是具体型号，执行时会报错。请写完整型号，如 {near}。",
        ),
    }
    VALID = (
        Valid("atc --soc_version=Ascend310P3\n", Kind.SHELL),
        Valid("atc --soc_version=Ascend910_9392\n", Kind.SHELL),
        Valid("atc --soc_version=MyChip1\n", Kind.SHELL),
        # A letter stands for any chip.
        Valid("atc --soc_version=A\n", Kind.SHELL),
        Valid("atc --soc_version=Ascend910B\natc --soc_version=Ascend310\n", Kind.SHELL),
        Valid("atc --soc_version=${SOC}\n", Kind.SHELL),
        Valid("```sh\natc --model=a.onnx --soc_version=Ascend {chip_name}\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        # The start of one name alone is no series.
        Invalid(
            "atc --soc_version=Ascend610L\n",
            ("Ascend610L",),
            ("error unsafe",),
            "atc --soc_version=Ascend610\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx --soc_version=Ascend310p3\n",
            ("Ascend310p3",),
            ("error unsafe",),
            "atc --model=a.onnx --soc_version=Ascend310P3\n",
            kind=Kind.SHELL,
        ),
        Invalid("atc --soc_version=Ascend310B\n", ("Ascend310B",), ("error",), kind=Kind.SHELL),
        Invalid("atc --soc_version=Ascend310P\n", ("Ascend310P",), ("error",), kind=Kind.SHELL),
        Invalid("atc --soc_version=Ascend910_93\n", ("Ascend910_93",), ("error",), kind=Kind.SHELL),
        Invalid(
            "atc --soc_version=310P3\n",
            ("310P3",),
            ("error unsafe",),
            "atc --soc_version=Ascend310P3\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --soc_version=Asecnd310P3\n",
            ("Asecnd310P3",),
            ("error unsafe",),
            "atc --soc_version=Ascend310P3\n",
            kind=Kind.SHELL,
        ),
        Invalid('atc --soc_version="Ascend310B"\n', ("Ascend310B",), ("error",), kind=Kind.SHELL),
    )

    def concerns(self, option: Option) -> bool:
        """Only the one that names a chip."""
        return option.name == _NAME

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Compare a known name with those that exist."""
        name = text_of(setting.value)
        if not name or is_template(context.document.text, setting.value.span.end):
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
        near = nearest(name, known) or nearest(_FAMILY + name, known)
        if near is None:
            return
        yield self.finding(
            context,
            setting.value.inside,
            "near",
            of=option,
            fixes=self.changed(context, setting, near),
            value=shown(name),
            near=shown(near),
        )
