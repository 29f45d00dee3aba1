"""NPU404: a default that is not what it was."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import default_change
from npu_lsp.catalog.components import title_of
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.values import shown
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

# Facts of the form that an upgrade asks about.
_OPTIONS = """
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
default = "1"
changes = [ { version = "8.5", default = "1" } ]
"""
_FROM = _OPTIONS.replace('default = "1" }', 'was = "0", default = "1" }')
_BACK = _FROM.replace(" ]", ', { version = "8.5.1", was = "1", default = "0" } ]')


class DefaultChanged(Rule):
    """An option that isn't set, and whose default the target's version changed.

    ## What it does
    For an upgrade: with a version in `target` of the configuration, names the options that a block leaves to their default, where
    that version has another default than those before it. Off by default; select it when you upgrade.

    ## Why is this bad?
    Nothing, if the new default is welcome. If results or speed must stay as they are, set the old value.

    ## Example
    With `target.cann = "8.5"`, where an option's default changed in 8.5:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3
    ```

    Use instead: write the value that you rely on.

    ## Configuration
    - `target`: the versions that you upgrade to
    """

    code = "NPU404"
    title = Text(en="Default that an upgrade changes", zh="升级后默认值变化")
    severity = Severity.INFO
    default = False
    messages = {
        "changed": Text(
            en='{component} {version} changed the default of "{option}" to {value}, and it is not set here. Set it if you rely on the old one.',
            zh="{component} {version} 将“{option}”的默认值改为 {value}，此处未配置。如依赖原默认值，请显式设置。",
        ),
        "changed-from": Text(
            en='{component} {version} changed the default of "{option}" from {was} to {value}, and it is not set here. Set it to {was} to keep the old one.',
            zh="{component} {version} 将“{option}”的默认值由 {was} 改为 {value}，此处未配置。如需保持原行为，请显式设置为 {was}。",
        ),
    }
    VALID = (
        "atc --model=a.onnx\n",
        # What stands in another call isn't known.
        Valid("from npu_bridge.npu_init import *\nd = DumpConfig(enable_dump=False)\n", target={"cann": "7.0"}),
        Valid("atc --our_flag=0\n", Kind.SHELL, target={"cann": "8.5"}, files={"my-options.toml": _OPTIONS}),
        Valid("atc --model=a.onnx\n", Kind.SHELL, target={"cann": "9.0"}, files={"my-options.toml": _OPTIONS}),
        # What the line changed back is what it was.
        Valid("atc --model=a.onnx\n", Kind.SHELL, target={"cann": "8.5"}, files={"my-options.toml": _BACK}),
        Valid("atc\n", Kind.SHELL, target={"cann": "8.5"}, files={"my-options.toml": _OPTIONS}),
    )
    INVALID = tuple(
        Invalid(
            "atc --model=a.onnx\n",
            ("atc",),
            ("info",),
            kind=Kind.SHELL,
            target={"cann": "8.5"},
            files={"my-options.toml": options},
        )
        for options in (_OPTIONS, _FROM)
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        if not context.target.versions or not block.settings:
            return
        companions = Companions.of_block(block, context)
        for option in context.catalog.options(block.surface):
            change = default_change(option, context.target)
            if change is not None and not companions.of(None, option.name) and companions.complete(None, option.name):
                yield self.finding(
                    context,
                    block.head,
                    "changed" if change.was is None else "changed-from",
                    of=option,
                    component=title_of(option.component),
                    version=change.version,
                    value=shown(change.default),
                    was=shown(change.was),
                )
