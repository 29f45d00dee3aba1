"""NPU208: a flag that the command can't do without."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Condition, Option, Surface
from npu_lsp.findings import Finding, Severity
from npu_lsp.kinds import Kind
from npu_lsp.language import Text
from npu_lsp.readers.model import Block
from npu_lsp.rules.companions import Companions
from npu_lsp.rules.context import Context
from npu_lsp.rules.rule import Invalid, Rule, Valid
from npu_lsp.values import shown

_TOOLS = {Surface.ATC: "ATC", Surface.AOE: "AOE", Surface.AIPP: "ATC", Surface.SINGLE_OP: "ATC"}
_FILES = frozenset({Surface.AIPP, Surface.SINGLE_OP})
_HELP = "help"


class MissingRequired(Rule):
    """A command without a flag that it needs in its mode, or an AIPP operator without a field.

    ## What it does
    Looks up which flags `--mode` and `--framework` make necessary. Where flags may come from elsewhere (`"$@"`, `$opts`), or
    another flag takes over (`--singleop`), nothing is missing.

    ## Why is this bad?
    The command stops with an error.

    ## Example
    ```sh
    atc --model=a.prototxt --framework=0 --output=a --soc_version=Ascend310P3
    ```

    Use instead:
    ```sh
    atc --model=a.prototxt --weight=a.caffemodel --framework=0 --output=a --soc_version=Ascend310P3
    ```
    """

    code = "NPU208"
    name = "missing-required"
    title = Text(en="Required flag missing", zh="缺少必选参数")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.ATC, Surface.AOE, Surface.AIPP, Surface.SINGLE_OP})
    messages = {
        "plain": Text(
            en='{tool} needs "--{option}" and stops with an error without it. Add it.',
            zh="{tool} 缺少必选参数“--{option}”，执行时会报错，请补充。",
        ),
        "when": Text(
            en='{tool} needs "--{option}" with {conditions}, and stops with an error without it. Add it.',
            zh="{conditions} 时 {tool} 必须配置“--{option}”，否则报错，请补充。",
        ),
        "field": Text(
            en='"{option}" is missing here, and {tool} stops with an error. Add it.',
            zh="此处缺少“{option}”，{tool} 会报错退出，请补充。",
        ),
        "field_when": Text(
            en='With {conditions}, "{option}" must be set; {tool} stops with an error without it. Add it.',
            zh="{conditions} 时必须配置“{option}”，否则 {tool} 会报错退出，请补充。",
        ),
    }
    VALID = (
        Valid("atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n", Kind.SHELL),
        Valid("atc --singleop=ops.json --output=out --soc_version=Ascend310P3\n", Kind.SHELL),
        Valid("atc --mode=1 --om=a.om --json=a.json\n", Kind.SHELL),
        Valid('atc --model=a.onnx "$@"\n', Kind.SHELL),
        Valid("atc --help\n", Kind.SHELL),
        Valid("atc --version\n", Kind.SHELL),
        Valid("which atc\n", Kind.SHELL),
        Valid("aipp_op {\n  aipp_mode: dynamic\n  max_src_image_size: 752640\n}\n", Kind.AIPP),
        Valid("aipp_op {\n  aip_mode: static\n}\n", Kind.AIPP),
    )
    INVALID = (
        Invalid("atc --model=a.onnx --framework=5 --output=a\n", ("atc",), kind=Kind.SHELL),
        Invalid(
            "atc --model=a.prototxt --framework=0 --output=a --soc_version=Ascend310P3\n", ("atc",), kind=Kind.SHELL
        ),
        Invalid("atc --mode=1 --om=a.om\n", ("atc",), kind=Kind.SHELL),
        Invalid('[{"input_desc": []}]\n', ("input_desc",), kind=Kind.SINGLE_OP),
        Invalid("aipp_op {\n  crop: true\n}\n", ("aipp_op",), kind=Kind.AIPP),
        Invalid("aipp_op {\n  aipp_mode: static\n}\n", ("aipp_op",), kind=Kind.AIPP),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at every option of the surface that isn't set and has a condition that holds."""
        companions = Companions.of_block(block, context)
        # Where no flag is known (`atc --version`), that is what is wrong with the command.
        if not context.settings(block) or block.open or companions.of(None, _HELP):
            return
        found = list(self._missing(companions))
        if len(found) == 1 or context.document.kind is not Kind.MARKDOWN:
            yield from found  # A page that leaves several out shows a part of a command.

    def _missing(self, companions: Companions) -> Iterator[Finding]:
        block, context = companions.block, companions.context
        for option in context.catalog.options(block.surface):
            if not option.required or companions.of(None, option.name) or self._is_tried(option, block, context):
                continue
            holding = next((c for c in option.required if companions.fulfils(None, c)), None)
            if holding is not None and companions.complete(None, option.name) and not _is_void(option, companions):
                yield self._finding(option, holding, companions)

    def _is_tried(self, option: Option, block: Block, context: Context) -> bool:
        """Tell whether the option is there without a value, or under a name that is mistyped: that is told elsewhere."""
        names = {setting.name for setting in block.settings if context.option(setting) is None}
        empty = any(context.option(setting) is option for setting in block.settings)
        return empty or any(context.catalog.near(block.surface, name) == option.name for name in names)

    def _finding(self, option: Option, condition: Condition, companions: Companions) -> Finding:
        field = option.surface in _FILES
        form = "{}: {}" if field else "--{}={}"
        given = [
            form.format(name, shown(setting.value.data).strip(chr(34)))
            for name, _ in condition.when
            for setting, _ in companions.of(None, name)
            if setting.value.known
        ]
        return self.finding(
            companions.context,
            companions.block.head,
            ("field_when" if field else "when") if given else "field" if field else "plain",
            option=option.name,
            surface=option.surface,
            tool=_TOOLS[option.surface],
            conditions=" ".join(given),
        )


def _is_void(option: Option, companions: Companions) -> bool:
    """Tell whether something that is set rules the option out, or makes it void."""
    return any(
        relation.kind in ("conflicts", "ignored_when") and companions.holds(None, relation) is not None
        for relation in option.relations
        if not relation.values
    )
