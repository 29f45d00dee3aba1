"""NPU402: an option or a value that the chip doesn't support."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import unsupported
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Target
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import allowed_value, same, shown
from npu_lsp.linter.wording import apart
from npu_lsp.rules.fixes.remove import take_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class ProductSupport(Rule):
    """An option or a value that the docs don't list for the product.

    ## What it does
    Takes the product from `--soc_version` in the same command, else from `target.products` of the configuration, and looks
    up whether the option, and its value, are for it. Without either nothing is reported.

    ## Why is this bad?
    The tool stops with an error, or silently ignores the option: it depends on the option and the version.

    ## Fix safety
    Unsafe: the fix takes out an option that the chip doesn't support; elsewhere it may count. Values have none.

    ## Configuration
    - `target.products`: the products that the code must run on
    """

    code = "NPU402"
    title = Text(en="Not supported by the product", zh="目标产品不支持")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "option": Text(
            en='"{option}" is not supported on {missing}: it is rejected or has no effect there. Supported on: {products}.',
            zh="{missing} 不支持“{option}”，配置后会报错或不生效。支持的产品：{products}。",
        ),
        "value": Text(
            en='"{option}" does not support {value} on {missing}: it is rejected or has no effect there. Supported on: {products}.',
            zh="{missing} 不支持“{option}”取值 {value}，配置后会报错或不生效。支持的产品：{products}。",
        ),
    }
    VALID = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode_v2=mixed_float16\n",
        "atc --soc_version=Ascend910B1 --precision_mode_v2=mixed_bfloat16\n",
        "atc --soc_version=$SOC --precision_mode_v2=mixed_bfloat16\n",
        Valid('custom_op.parameter_map["aicore_num"].s = b"2|4"\n', target={"products": ["a2"]}),
        Valid('custom_op.parameter_map["aicore_num"].s = b"2|4"\n'),
        # It says what holds anyway.
        "atc --soc_version=Ascend910B1 --core_type=AiCore\n",
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode_v2=«mixed_bfloat16»\n",
        "atc --soc_version=Ascend910B1‹ «--core_type»=VectorCore→›\n",
        told(
            '‹custom_op.parameter_map["«aicore_num»"].s = b"2|4"\n→›', kind=Kind.PYTHON, target={"products": ["train"]}
        ),
    )

    def concerns(self, option: Option) -> bool:
        return bool(option.products) or any(each.products for each in option.values)

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        companions = Companions.of_block(block, context)
        target = Target(products=companions.products())
        if not target.products:
            return
        for setting, option in companions.pairs:
            if any(same(setting.value, default.value) for default in option.defaults):
                continue  # It says what holds anyway.
            missing, supported, place = unsupported(option.products, target), option.products, setting.key
            allowed = None
            if not missing:
                allowed = allowed_value(option, setting.value)
                if allowed is None:
                    continue
                missing, supported = unsupported(allowed.products, target), allowed.products
                place = setting.value.inside
            if missing:
                yield self.finding(
                    context,
                    place,
                    "value" if allowed is not None else "option",
                    of=option,
                    fixes=take_out(setting, option, block, context) if allowed is None else [],
                    missing=_named(missing, context),
                    products=_named(supported, context),
                    value=shown(allowed.value) if allowed is not None else "",
                )


def _named(ids: tuple[str, ...], context: Context) -> str:
    known = products(context.catalog)
    return apart((known.short(each).to(context.language) for each in ids), context.language)
