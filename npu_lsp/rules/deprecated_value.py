"""NPU305: a value that is on its way out, or not there yet."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import is_old
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.linter.values import allowed_value, shown
from npu_lsp.linter.wording import either
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

# An option that goes, with a value that goes; the braces take the key that says so.
_OURS = """
[options.our_flag]
summary = "Ours."
[options.our_flag.values.a]
en = "Old."
zh = "旧。"
deprecated = true
[options.our_flag.values.b]
en = "New."
zh = "新。"
[options.our_flag.atc]
type = "string"
{} = {{ version = "8.0" }}
"""
_STAYS = _OURS.partition("{}")[0]
# One value, which does nothing yet.
_NOT_YET = _STAYS.replace("deprecated = true", "supported = false").replace(
    '[options.our_flag.values.b]\nen = "New."\nzh = "新。"\n', ""
)


class DeprecatedValue(Rule):
    """A value that the docs call old, or name and don't support.

    ## What it does
    Looks for values that still work and should no longer be used, and for values that are listed and do nothing yet.
    Where nothing says which version runs, and some that are still supported came before the deprecation, it is information.

    ## Why is this bad?
    An old value goes with a later version. One that isn't supported is accepted and has no effect.
    """

    code = "NPU305"
    title = Text(en="Value that is deprecated or not supported", zh="已废弃或尚不支持的取值")
    severity = Severity.WARNING
    messages = {
        "deprecated": Text(
            en='{value} is a value of "{option}" that is deprecated{since} and will go. Use another one: {others}.',
            zh="“{option}”的取值 {value} {since}已废弃，后续版本将删除，请改用其他取值：{others}。",
        ),
        "unsupported": Text(
            en='"{option}" accepts {value}, but it is not supported yet and has no effect.{use}',
            zh="“{option}”可以配置为 {value}，但当前尚不支持，不会生效。{use}",
        ),
        "use": Text(en=" Use another value: {others}.", zh="请改用其他取值：{others}。"),
    }
    VALID = (
        Valid('custom_op.parameter_map["static_memory_policy"].i = 2\n'),
        "atc --buffer_optimize=l2_optimize\n",
        "export GE_USE_STATIC_MEMORY=1\n",
        # The option is on its way out as a whole.
        Valid("atc --our_flag=a\n", Kind.SHELL, files={"my-options.toml": _OURS.format("deprecated")}),
        Valid("atc --our_flag=a\n", Kind.SHELL, files={"my-options.toml": _OURS.format("removed")}),
        # Older versions have nothing to take its place.
        Valid(
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "reduce-overhead"\n',
            target={"cann": "8.5"},
        ),
    )
    INVALID = (
        told('custom_op.parameter_map["static_memory_policy"].i = «1»\n', kind=Kind.PYTHON),
        told(
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "«reduce-overhead»"\n',
            "info",
            Kind.PYTHON,
        ),
        told(
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "«reduce-overhead»"\n',
            kind=Kind.PYTHON,
            target={"cann": "9.0"},
        ),
        "atc --buffer_optimize=«l1_optimize»\n",
        told("atc --our_flag=«a»\n", files={"my-options.toml": _STAYS}),
        told("atc --our_flag=«a»\n", files={"my-options.toml": _NOT_YET}),
    )

    def concerns(self, option: Option) -> bool:
        """Most lists have no value that is on its way out."""
        return any(each.deprecated or not each.supported for each in option.values)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        allowed = allowed_value(option, setting.value)
        if allowed is None or (allowed.supported and not is_old(allowed, option, context.target)):
            return
        if allowed.supported and (option.deprecated or option.removed):
            return  # The option itself is on its way out.
        others = [each.value for each in option.values if each.supported and not each.deprecated]
        names = either(others, context.language, setting.form)
        yield self.finding(
            context,
            setting.value.inside,
            "deprecated" if allowed.supported else "unsupported",
            of=option,
            tags=(Tag.DEPRECATED,) if allowed.supported else (),
            holds_since=allowed.deprecated if isinstance(allowed.deprecated, str) else None,
            value=shown(allowed.value, setting.form),
            others=names,
            use=self.say(context, "use", others=names) if others else "",
        )
