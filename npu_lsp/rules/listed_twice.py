"""NPU802: an operator, a node or a fusion rule that a file lists twice."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Related, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span


class ListedTwice(Rule):
    """An operator, a node or a fusion rule that stands twice in a file.

    ## What it does
    Looks for repeated names in operator precision files (per section), `customize_dtypes` and `keep_dtype` files, and in
    fusion switch files.

    ## Why is this bad?
    Of two lines for one operator the first one counts, and the second is dropped with a warning in the log. A fusion
    switch file in lines stops the build; in JSON, the last one counts.

    ## Fix safety
    Safe: the line that goes says the same as the first one, or never counted. There is none where the last one counts.
    """

    code = "NPU802"
    title = Text(en="Name that is listed twice", zh="名称重复配置")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = where(lambda row: row.lists)
    messages = {
        "first": Text(
            en='"{listed}" is listed twice; the first line counts, and this one is ignored. Remove it.',
            zh="“{listed}”重复配置，以第一行为准，此行不生效。请删除。",
        ),
        "stops": Text(
            en='"{listed}" is listed twice, and GE stops with an error. Remove one of the lines.',
            zh="“{listed}”重复配置，GE 会报错退出。请删除其中一行。",
        ),
        "last": Text(
            en='"{listed}" is listed twice, and only the last one counts. Remove one of them.',
            zh="“{listed}”重复配置，仅最后一处生效。请删除其中一处。",
        ),
        "same": Text(
            en='"{listed}" is listed twice, and says the same. Remove one of the lines.',
            zh="“{listed}”重复配置且内容相同。请删除其中一行。",
        ),
        "other": Text(en='"{listed}" stands here first', zh="“{listed}”首次出现在此处"),
        "remove": Text(en="Remove this line", zh="删除此行"),
    }
    examples_in = Kind.FUSION_SWITCH
    examples_fixed = "safe"
    VALID = (
        Valid("[ByOpType]\nAdd=high_precision\n[ByNodeName]\nAdd=high_precision\n", Kind.OP_PRECISION),
        "ALL:off\nConvBatchnormFusionPass:on\n",
        (
            '{"Switch": {"GraphFusion": {"ALL": "off"}, "UBFusion": {"ALL": "off"}},\n'
            ' "Priority": {"GraphFusion": {"Custom": {"APass": "5"}}, "UBFusion": {"Top": {"BPass": "6"}}}}\n'
        ),
        # What isn't in such a file sets another option.
        Valid('op.parameter_map["precision_mode"].s = b"force_fp16"\nop.parameter_map["use_off_line"].b = True\n'),
        Valid("a::InputDtype:float16,float16\nOpType::a:InputDtype:float16\n", Kind.CUSTOMIZE_DTYPES),
    )
    INVALID = (
        told("[ByOpType]\nAdd=high_precision\n‹«Add»=high_performance\n→›", kind=Kind.OP_PRECISION),
        told("[ByOpType]\nAdd=high_precision\n‹«Add»=high_precision\n→›", "hint safe", Kind.OP_PRECISION),
        told("ALL:off\n«ALL»:on\n", "error", Kind.FUSION_SWITCH),
        told("ALL:off\n‹«ALL»:off\n→›", "error safe", Kind.FUSION_SWITCH),
        '{"Switch": {"GraphFusion": {"ALL": "off", "«ALL»": "on"}}}\n',
        told(
            "a::InputDtype:float16,OutputDtype:float16\n‹«a»::InputDtype:float16,OutputDtype:float32\n→›",
            kind=Kind.CUSTOMIZE_DTYPES,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        seen: dict[tuple[str, str], Setting] = {}
        for block in context.parsed.blocks:
            if block.surface.row.lists is None:
                continue
            for setting, name in _listed(block):
                key = (block.receiver if setting.surface.row.lists == "sections" else "", name)
                first = seen.setdefault(key, setting)
                if first.statement != setting.statement:
                    yield self._finding(first, setting, name, context)

    def _finding(self, first: Setting, again: Setting, name: str, context: Context) -> Finding:
        same = context.text(first.statement) == context.text(again.statement)
        by_line = again.receiver == "lines"
        last = again.surface.row.named == "rules"
        message = "stops" if by_line else "same" if same else "last" if last else "first"
        fixes: list[Fix] = []
        # What is in lines names rules, too.
        if same or not last:
            fixes = removal(context, self.say(context, "remove"), [_whole(again)])
        return self.finding(
            context,
            _place(again, name, context),
            message,
            surface=again.surface,
            severity=Severity.ERROR if by_line else Severity.HINT if same else None,
            fixes=fixes,
            tags=(Tag.UNNECESSARY,) if fixes and not by_line else (),
            related=[Related(_place(first, name, context), self.say(context, "other", listed=name))],
            listed=name,
        )


def _listed(block: Block) -> Iterator[tuple[Setting, str]]:
    """Yield the entries of a block with the names that they list, one for each line."""
    for setting in block.settings:
        if setting.receiver:
            yield setting, setting.name if setting.surface.row.named == "rules" else setting.receiver


def _whole(setting: Setting) -> Setting:
    """Return the setting as one that owns its whole line."""
    return setting._replace(own=setting.statement)


def _place(setting: Setting, name: str, context: Context) -> Span:
    """Return where the listed name stands."""
    at = context.document.text.find(name, setting.statement.start, setting.statement.end)
    return Span(at, at + len(name)) if at >= 0 else setting.key
