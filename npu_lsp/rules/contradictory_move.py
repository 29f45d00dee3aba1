"""NPU803: moves between the mixed-precision lists that make no sense together."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Value
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Rule
from npu_lsp.linter.values import text_of
from npu_lsp.linter.wording import apart
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_LISTS = ("black-list", "white-list", "gray-list")
_ADD, _REMOVE = "to-add", "to-remove"


class ContradictoryMove(Rule):
    """An operator that a `modify_mixlist` file moves in a way that can't be.

    ## What it does
    Collects the moves of each operator: it can enter one list and leave another one, and nothing else. The gray list can
    only be left for one of the others.

    ## Why is this bad?
    GE stops with an error.
    """

    code = "NPU803"
    title = Text(en="Contradictory moves of an operator", zh="算子名单修改自相矛盾")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.MIXLIST})
    messages = {
        "moves": Text(
            en='"{operator}" can\'t be in {moves} at once: GE stops with an error. Keep one "to-add", and a "to-remove" only in another list.',
            zh="“{operator}”不能同时出现在 {moves} 中，GE 会报错退出。请只保留一个“to-add”，“to-remove”须位于另一份名单。",
        ),
        "gray": Text(
            en='"{operator}" only leaves the gray list, and GE stops with an error. Add it to the black or to the white list.',
            zh="“{operator}”仅从灰名单移出，GE 会报错退出。请同时将其加入黑名单或白名单。",
        ),
        "other": Text(en='"{operator}" stands here as well', zh="“{operator}”也出现在此处"),
    }
    examples_in = Kind.MIXLIST
    VALID = (
        '{\n  "black-list": {"to-add": ["MatMulV2"]}\n}\n',
        '{"black-list": {"to-remove": ["Add"]}, "white-list": {"to-add": ["Add"]}}\n',
        '{"black-list": {"to-add": ["Add", "Add"]}, "gray-list": {"to-remove": ["Add"]}}\n',
        '{"my-list": {"to-add": ["Add"]}, "white-list": {"to-add": ["Add"]}}\n',
        '{"black-list": {"to-keep": ["Add"]}, "white-list": {"to-add": ["Add"]}}\n',
        '{"black-list": {"to-remove": ["Add"]}}\n',
    )
    INVALID = (
        '{\n  "black-list": {"to-add": ["MatMulV2"]},\n  "white-list": {"to-add": [«"MatMulV2"»]}\n}\n',
        '{"black-list": {"to-add": ["Add"]}, "white-list": {"to-add": [«"Add"»]}}\n',
        '{"black-list": {"to-add": ["Add"], "to-remove": [«"Add"»]}}\n',
        '{"gray-list": {"to-remove": [«"Add"»]}}\n',
        '{"black-list": {"to-keep": ["Add"], "to-add": ["Add"]}, "white-list": {"to-add": [«"Add"»]}}\n',
        '{"black-list": {"to-remove": ["Add"]}, "white-list": {"to-remove": [«"Add"»]}}\n',
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        moves: dict[str, dict[tuple[str, str], Value]] = {}
        for setting in block.settings:
            which, _, move = setting.name.partition(".")
            if which in _LISTS and move in (_ADD, _REMOVE):
                for item in setting.value.items:
                    operator = text_of(item)
                    if operator:
                        moves.setdefault(operator, {}).setdefault((which, move), item)
        for operator, made in moves.items():
            wrong = _wrong(set(made))
            if wrong:
                places = apart((f'"{which}.{move}"' for which, move in made), context.language)
                *others, last = made.values()
                related = [Related(each.span, self.say(context, "other", operator=operator)) for each in others]
                yield self.finding(
                    context, last.span, wrong, surface=block.surface, related=related, operator=operator, moves=places
                )


def _wrong(moves: set[tuple[str, str]]) -> str:
    """Return the name of the message about moves that can't be made together, empty for good ones."""
    entered = {which for which, move in moves if move == _ADD}
    left = {which for which, move in moves if move == _REMOVE}
    if len(entered) > 1 or len(left) > 1 or entered & left:
        return "moves"
    if left == {"gray-list"} and not entered:
        return "gray"
    return ""
