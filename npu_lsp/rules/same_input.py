"""NPU212: two AIPP operators that can't be told apart."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Rule
from npu_lsp.linter.values import number_of, text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_RANK, _NAME = "related_input_rank", "related_input_name"


class SameInput(Rule):
    """Two `aipp_op` for the same input of a model.

    ## What it does
    Looks which input each `aipp_op` of a file is for: the one of `related_input_name`, or the one with the number of
    `related_input_rank`, which is 0 where it isn't written.

    ## Why is this bad?
    ATC stops with an error where two are for the same input, and where some name their input and others count it.

    ## Example
    ```
    aipp_op {
      aipp_mode: static
      input_format: RGB888_U8
    }
    aipp_op {
      aipp_mode: static
      input_format: YUV420SP_U8
    }
    ```

    Use instead:
    ```
    aipp_op {
      aipp_mode: static
      related_input_rank: 0
      input_format: RGB888_U8
    }
    aipp_op {
      aipp_mode: static
      related_input_rank: 1
      input_format: YUV420SP_U8
    }
    ```
    """

    code = "NPU212"
    title = Text(en="Two operators for the same input", zh="多个 AIPP 算子作用于同一输入")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.AIPP})
    messages = {
        "same": Text(
            en='This is the second "aipp_op" for input {input}, and ATC stops with an error. Give each its own "{option}".',
            zh="此处是输入 {input} 的第二个“aipp_op”，ATC 会报错退出。请为每个 aipp_op 配置不同的“{option}”。",
        ),
        "mixed": Text(
            en='The first "aipp_op" has "{other}" and this one hasn\'t, and ATC stops with an error. Use "{option}" in all of them, or in none.',
            zh="第一个“aipp_op”配置了“{other}”而此处没有，ATC 会报错退出。请全部使用“{option}”，或全部不使用。",
        ),
        "mixed_rank": Text(
            en='This "aipp_op" has "{option}" and the first one hasn\'t, and ATC stops with an error. Use it in all of them, or in none.',
            zh="此“aipp_op”配置了“{option}”而第一个没有，ATC 会报错退出。请全部使用，或全部不使用。",
        ),
        "other": Text(en="The first one is here", zh="第一个在此处"),
    }
    examples_in = Kind.AIPP
    VALID = (
        # What a damaged file says, or a number that is none, isn't known.
        "aipp_op {\n  crop: true\n}\naipp_op {\n  crop: true\n",
        'aipp_op {\n  related_input_rank: a\n}\naipp_op {\n  related_input_name: "b"\n}\n',
        "aipp_op {\n  crop: true\n}\naipp_op {\n  related_input_rank: 1\n}\n",
        "aipp_op {\n  crop: true\n}\nmulti_shape_op {\n  mode: batch\n}\n",
        'aipp_op {\n  related_input_name: "a"\n}\naipp_op {\n  related_input_name: "b"\n}\n',
        'aipp_op {\n  related_input_name: "a"\n}\naipp_op {\n  related_input_name: 1\n}\naipp_op {\n  related_input_name: "b"\n}\n',
        "aipp_op {\n  related_input_rank: 0\n}\naipp_op {\n  related_input_rank: x\n}\naipp_op {\n  related_input_rank: 1\n}\n",
    )
    INVALID = (
        "aipp_op {\n  crop: true\n}\n«aipp_op» {\n  crop: true\n}\n",
        'aipp_op {\n  related_input_name: "a"\n}\n«aipp_op» {\n  related_input_rank: 1\n}\n',
        'aipp_op {\n  related_input_rank: 1\n}\n«aipp_op» {\n  related_input_name: "a"\n}\n',
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        # A file can also hold `multi_shape_op`.
        blocks = [block for block in context.parsed.blocks if context.text(block.head) == "aipp_op"]
        inputs = [_input(block, context) for block in blocks]
        first = inputs[0] if inputs else None
        if first is None or context.parsed.damaged:
            return
        for position, (block, its) in enumerate(zip(blocks, inputs, strict=True)):
            if its is None:
                continue
            if its[0] != first[0]:
                message = "mixed" if first[0] == _NAME else "mixed_rank"
                yield self._finding(message, block, blocks[0], _NAME, context)
            elif its in inputs[:position]:
                earlier = blocks[inputs.index(its)]
                yield self._finding("same", block, earlier, its[0], context, str(its[1]))

    def _finding(
        self, message: str, block: Block, first: Block, option: str, context: Context, which: str = ""
    ) -> Finding:
        return self.finding(
            context,
            block.head,
            message,
            option=option,
            surface=Surface.AIPP,
            related=[Related(first.head, self.say(context, "other"))],
            input=which,
            other=option,
        )


def _input(block: Block, context: Context) -> tuple[str, str | int | float] | None:
    """Return how the operator says which input it is for, and which; `None` where that can't be known."""
    companions = Companions.of_block(block, context)
    named, counted = companions.of(None, _NAME), companions.of(None, _RANK)
    if named:
        text = text_of(named[0][0].value)
        return (_NAME, text) if text is not None else None
    if not counted:
        return _RANK, 0
    number = number_of(counted[0][0].value)
    return (_RANK, number) if number is not None else None
