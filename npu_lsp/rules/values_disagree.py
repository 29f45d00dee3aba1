"""NPU205: two options whose values don't fit together."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Condition, Option, Relation, RelationKind
from npu_lsp.languages.branches import run_together
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions, Pair
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.values import number_of, shown
from npu_lsp.linter.wording import sentence
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_MESSAGES: dict[RelationKind, str] = {
    "must_equal": "equal",
    "must_differ": "differ",
    "greater_than": "greater",
    "at_least": "least",
}
_MILLISECONDS: dict[str | None, int] = {"ms": 1, "s": 1_000}

# Two numbers of which one must be greater, with units that nobody can turn into each other.
_OURS = """
[options.our_flag]
summary = "Ours."
[[options.our_flag.relations]]
kind = "greater_than"
other = "other_flag"
[options.our_flag.atc]
type = "int"
unit = "%"
[options.other_flag]
summary = "The other."
[options.other_flag.atc]
type = "int"
unit = "{}"
"""


_MORE = (
    _OURS.format("%").replace(
        '"other_flag"\n[', '"other_flag"\n[[options.our_flag.relations]]\nkind = "requires"\nother = "third_flag"\n['
    )
    + """
[options.third_flag]
summary = "The third."
[options.third_flag.atc]
type = "int"
unit = "%"
"""
)


def _mindie(template: str) -> str:
    return (
        '{"BackendConfig": {"ModelDeployConfig": {"maxInputTokenLen": 4096},\n'
        f' "ScheduleConfig": {{"templateType": "{template}", "maxPrefillTokens": 2048}}}}}}\n'
    )


class ValuesDisagree(Rule):
    """Values of two options that contradict each other.

    ## What it does
    Compares options that must have the same value or different ones, or of which one must be greater or at least as great,
    in the same unit: a time-out in milliseconds with one in seconds. 0 and less mean "no limit" and are left alone.

    ## Why is this bad?
    The run fails late, or one of the two never takes effect: a time-out that is shorter than the one around which it
    should wait ends the wait first.
    """

    code = "NPU205"
    title = Text(en="Values that contradict each other", zh="取值相互矛盾")
    severity = Severity.WARNING
    messages = {
        "greater": Text(
            en='"{option}" ({value}{unit}) must be greater than "{other}" ({other_value}{other_unit}). {result}Change one of them.',
            zh="“{option}”（{value}{unit}）须大于“{other}”（{other_value}{other_unit}）。{result}请修改其中一个。",
        ),
        "equal": Text(
            en='"{option}" is {value} and "{other}" is {other_value}, but they must be the same. {result}Make them so.',
            zh="“{option}”为 {value}，“{other}”为 {other_value}，两者须一致。{result}请保持一致。",
        ),
        "least": Text(
            en='"{option}" ({value}{unit}) must not be less than "{other}" ({other_value}{other_unit}). {result}Change one of them.',
            zh="“{option}”（{value}{unit}）不能小于“{other}”（{other_value}{other_unit}）。{result}请修改其中一个。",
        ),
        "differ": Text(
            en='"{option}" and "{other}" are both {value}, but must differ. {result}Change one of them.',
            zh="“{option}”与“{other}”均为 {value}，两者不能相同。{result}请修改其中一个。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        (
            'custom_op.parameter_map["hccl_timeout"].i = 1800\n'
            'custom_op.parameter_map["stream_sync_timeout"].i = 1860000\n'
        ),
        'op.parameter_map["hccl_timeout"].i = 1800\nop.parameter_map["stream_sync_timeout"].i = -1\n',
        'op.parameter_map["hccl_timeout"].i = 60\nop.parameter_map["stream_sync_timeout"].i = 60001\n',
        Valid(
            '{"ServerConfig": {"port": 1025}, "BackendConfig": {"multiNodesInferPort": 1026, "multiNodesInferEnabled": true}}\n',
            Kind.MINDIE,
        ),
        Valid('{"BackendConfig": {"ScheduleConfig": {"maxBatchSize": 20, "maxPreemptCount": 20}}}\n', Kind.MINDIE),
        'op.parameter_map["hccl_timeout"].i = T\nop.parameter_map["stream_sync_timeout"].i = 1000\n',
        'op.parameter_map["hccl_timeout"].i = 1800\nop.parameter_map["stream_sync_timeout"].i = T\n',
        # Longer prompts are cut into pieces.
        Valid(_mindie("Mix"), Kind.MINDIE),
        # 0 waits for ever.
        Valid("export HCCL_EXEC_TIMEOUT=1800\nexport HCCL_EVENT_TIMEOUT=0\n", Kind.SHELL),
        # Nobody knows whether both run.
        (
            'if slow:\n    op.parameter_map["hccl_timeout"].i = 1800\n'
            'if short:\n    op.parameter_map["stream_sync_timeout"].i = 60000\n'
        ),
        Valid("atc --our_flag=1 --other_flag=2\n", Kind.SHELL, files={"my-options.toml": _OURS.format("s")}),
        Valid(
            "atc --our_flag=1 --other_flag=1 --third_flag=2\n",
            Kind.SHELL,
            files={"my-options.toml": _MORE.replace("greater_than", "must_equal")},
        ),
        *(
            Valid(
                f"atc --our_flag={one} --other_flag={other}\n",
                Kind.SHELL,
                files={"my-options.toml": _OURS.format("s").replace("greater_than", "must_equal")},
            )
            for one, other in (("$A", "2"), ("1", "$B"), ("1", "1"))
        ),
    )
    INVALID = (
        (
            'custom_op.parameter_map["hccl_timeout"].i = 1800\n'
            'custom_op.parameter_map["stream_sync_timeout"].i = «60000»\n'
        ),
        Invalid(_mindie("Standard"), ("2048",), ("error",), kind=Kind.MINDIE),
        'op.parameter_map["hccl_timeout"].i = 60\nop.parameter_map["stream_sync_timeout"].i = «60000»\n',
        told(
            '{"BackendConfig": {"ScheduleConfig": {"maxBatchSize": «10», "maxPreemptCount": 20}}}\n',
            "error",
            Kind.MINDIE,
        ),
        told(
            '{"ServerConfig": {"port": «1025»}, "BackendConfig": {"multiNodesInferPort": 1025, "multiNodesInferEnabled": true}}\n',
            "error",
            Kind.MINDIE,
        ),
        told("atc --our_flag=«1» --other_flag=2\n", files={"my-options.toml": _OURS.format("%")}),
        told(
            "atc --our_flag=«1» --other_flag=2\n",
            files={"my-options.toml": _OURS.format("s").replace("greater_than", "must_equal")},
        ),
    )

    def concerns(self, option: Option) -> bool:
        return any(relation.kind in _MESSAGES for relation in option.relations)

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare each two settings that the catalog compares and that surely meet."""
        companions = Companions.of_block(block, context)
        for pair in companions.pairs:
            for relation in pair[1].relations:
                if relation.kind not in _MESSAGES or relation.mirrored:
                    continue
                if companions.fulfils(pair[0], Condition(relation.when, relation.source)) is not True:
                    continue
                for other in companions.of(pair[0], relation.other):
                    if run_together(pair[0].branch, other[0].branch) and _disagree(relation, pair, other):
                        yield self._finding(pair, other, relation, context)

    def _finding(self, pair: Pair, other: Pair, relation: Relation, context: Context) -> Finding:
        setting, option = pair
        result = relation.result.to(context.language) if relation.result is not None else ""
        return self.finding(
            context,
            setting.value.inside,
            _MESSAGES[relation.kind],
            of=option,
            severity=Severity.ERROR if relation.rejected else None,
            related=self.set_here(context, other[0], other[1].name),
            value=shown(setting.value.data, setting.form),
            unit=f" {option.unit}" if option.unit else "",
            other=other[1].name,
            other_value=shown(other[0].value.data, other[0].form),
            other_unit=f" {other[1].unit}" if other[1].unit else "",
            result=sentence(result, context.language) + ("" if context.language == "zh" else " ") if result else "",
        )


def _disagree(relation: Relation, one: Pair, other: Pair) -> bool:
    """Return whether two known values break the relation."""
    if relation.kind in ("must_equal", "must_differ"):
        values = one[0].value, other[0].value
        alike = str(values[0].data) == str(values[1].data)
        return values[0].known and values[1].known and alike == (relation.kind == "must_differ")
    units = [pair[1].unit for pair in (one, other)]
    scales = [1, 1] if units[0] == units[1] else [_MILLISECONDS.get(unit) for unit in units]
    mine, its = map(_scaled, (one, other), scales)
    if mine is None or its is None or mine <= 0:
        return False
    return mine < its if relation.kind == "at_least" else mine <= its


def _scaled(pair: Pair, scale: int | None) -> float | None:
    number = number_of(pair[0].value)
    return None if number is None or scale is None else number * scale
