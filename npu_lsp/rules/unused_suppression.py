"""NPU901: a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.suppressions.comments import Suppression
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_MOST = 1_000
"""Comments and codes of a file that are told."""


class UnusedSuppression(Rule):
    """An `npu-lsp: ignore` comment, or a code in it, that silences nothing.

    ## What it does
    Reports each code of a comment for which there is no finding where the comment reaches, and a comment without
    codes that silences nothing at all. Codes of rules that don't run are left alone.

    ## Why is this bad?
    The mistake that the comment was written for is gone. As long as the comment stays, the next one in its place goes
    unseen.

    ## Fix safety
    Safe: taking the comment or the code out changes no other finding.
    """

    code = "NPU901"
    title = Text(en="Comment that silences nothing", zh="未起作用的忽略注释")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    of_suppressions = True
    messages = {
        "code": Text(
            en="There is no {code} to ignore here; remove it from the comment.",
            zh="此处没有可忽略的 {code}，请从注释中删除。",
        ),
        "all": Text(
            en="There is nothing to ignore here; remove the comment.", zh="此处没有可忽略的问题，请删除该注释。"
        ),
        "remove_code": Text(en="Remove {code}", zh="删除 {code}"),
        "remove": Text(en="Remove the comment", zh="删除该注释"),
    }
    examples_fixed = "safe"
    VALID = (
        Valid('op.parameter_map["precison_mode"].s = b"a"  # npu-lsp: ignore[NPU101]\n', others=("NPU101",)),
        Valid('op.parameter_map["precison_mode"].s = b"a"  # npu-lsp: ignore[NPU301]\n'),
        Valid('# npu-lsp: ignore[unknown-option]: ours\nop.parameter_map["ours"].s = b"a"\n', others=("NPU101",)),
        Valid('# npu-lsp: ignore[NPU101, NPU301]\nop.parameter_map["ours"].s = b"a"\n', others=("NPU101",)),
        # NPU902 tells of what is no rule; nothing tells of what silences this one.
        Valid('# npu-lsp: ignore[NPU101, E501, NPU901]\nop.parameter_map["ours"].s = b"a"\n', others=("NPU101",)),
        Valid('# npu-lsp: ignore\nop.parameter_map["ours"].s = b"a"\n', others=("ALL",)),
        Valid(
            "# npu-lsp: ignore[NPU101: soc_verison, unknown-option: --outptu]\n"
            "atc --model=a.onnx --soc_verison=Ascend310P3 --outptu=a\n",
            Kind.SHELL,
            others=("NPU101",),
        ),
        Valid(
            "# npu-lsp: ignore[NPU101]\natc --model=a.onnx \\\n    --soc_verison=Ascend310P3\n",
            Kind.SHELL,
            others=("NPU101",),
        ),
    )
    INVALID = (
        told(
            'custom_op.parameter_map["precision_mode"].s = b"allow_mix_precision"‹  # npu-lsp: ignore[«NPU101»]→›\n',
            kind=Kind.PYTHON,
            others=("NPU101",),
        ),
        told(
            '# npu-lsp: ignore[‹NPU101, «NPU103»→NPU101›]: ours\nop.parameter_map["ours"].s = b"a"\n',
            kind=Kind.PYTHON,
            others=("NPU101", "NPU103"),
        ),
        told(
            '# npu-lsp: ignore[‹NPU101: ours, «NPU101: theirs»→NPU101: ours›]\nop.parameter_map["ours"].s = b"a"\n',
            kind=Kind.PYTHON,
            others=("NPU101",),
        ),
        # Twice, or all of a rule before.
        told(
            '# npu-lsp: ignore[‹NPU101: ours, «NPU101: ours»→NPU101: ours›]\nop.parameter_map["ours"].s = b"a"\n',
            kind=Kind.PYTHON,
            others=("NPU101",),
        ),
        told(
            '# npu-lsp: ignore[‹NPU101, «NPU101: ours»→NPU101›]\nop.parameter_map["ours"].s = b"a"\n',
            kind=Kind.PYTHON,
            others=("NPU101",),
        ),
        told(
            "# npu-lsp: ignore[‹NPU101: ours, «NPU103: ours», «NPU103: theirs»→NPU101: ours›]\n"
            'op.parameter_map["ours"].s = b"a"\n',
            kind=Kind.PYTHON,
            others=("NPU101", "NPU103"),
        ),
        told("‹# npu-lsp: ignore-file[«NPU101»]\n→›atc --model=a.onnx --soc_version=Ascend310P3\n", others=("NPU101",)),
        told("x = 1‹  # «npu-lsp: ignore»→›\n", kind=Kind.PYTHON, others=("ALL",)),
    )

    def check_suppressions(
        self, written: Sequence[Suppression], running: frozenset[str], context: Context
    ) -> Iterator[Finding]:
        return islice(self._unused(written, running, context), _MOST)

    def _unused(self, written: Sequence[Suppression], running: frozenset[str], context: Context) -> Iterator[Finding]:
        for each in written:
            if each.codes:
                yield from self._codes(each, running, context)
            elif not each.used and running >= _default_codes():
                fix = self._fix(context, each, (), "remove")
                yield self.finding(context, each.span, "all", fixes=fix, tags=(Tag.UNNECESSARY,))

    def _codes(self, each: Suppression, running: frozenset[str], context: Context) -> Iterator[Finding]:
        from npu_lsp.rules import rule_for

        unused: list[tuple[str, Span]] = []
        seen: set[tuple[str, str]] = set()
        for word in each.codes:
            rule = rule_for(word.code)
            if rule is None and word.code not in context.own_rules:
                continue
            if rule is not None and rule.of_suppressions:
                continue
            code = rule.code if rule is not None else word.code
            twice = (code, word.option) in seen or (code, "") in seen
            seen.add((code, word.option))
            if twice or (word.text not in each.used and code in running):
                unused.append((word.text, word.span))
        if not unused:
            return
        # All at once: taking one after the other would need as many comments in between.
        spans = {span for _, span in unused}
        fix = self._fix(context, each, spans, "remove_code", code=", ".join(c for c, _ in unused))
        for code, span in unused:
            yield self.finding(context, span, "code", code=code, fixes=fix, tags=(Tag.UNNECESSARY,))

    def _fix(
        self, context: Context, each: Suppression, spans: Collection[Span], title: str, **arguments: object
    ) -> list[Fix]:
        from npu_lsp.linter.suppressions.removal import without

        edits = without(context.document, each, spans)
        return self.fix(context, title, edits, Safety.SAFE, **arguments)


def _default_codes() -> frozenset[str]:
    from npu_lsp.rules import all_rules

    return frozenset(rule.code for rule in all_rules() if rule.default)
