"""NPU211 and NPU809: numbers that do something else than they say."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, FactKind, Setting, ValueKind
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.values import number_of, shown
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_SIZE = "max_op_cache_size"


class CacheSizeZero(Rule):
    """A size of 0 for the cache of compiled operators.

    ## What it does
    Looks for `max_op_cache_size=0` in `op_cache.ini`.

    ## Why is this bad?
    Only -1 (no limit) and sizes from 1 MB on are good. With 0, this size and `remain_cache_size_ratio` are both ignored with a
    warning in the log, and the defaults hold.
    """

    code = "NPU809"
    title = Text(en="Operator cache of size 0", zh="算子编译缓存大小为 0")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.OP_CACHE})
    messages = {
        "zero": Text(
            en='"{option}" must be -1 (no limit) or at least 1 MB: with 0, it and "remain_cache_size_ratio" are ignored, and the defaults hold.',
            zh="“{option}”只能是 -1（不限制）或不小于 1（MB）；取 0 时该项与“remain_cache_size_ratio”均不生效，使用默认值。",
        ),
    }
    examples_in = Kind.OP_CACHE
    VALID = ("[op_compiler_cache]\nmax_op_cache_size=-1\nremain_cache_size_ratio=80\n",)
    INVALID = ("[op_compiler_cache]\nmax_op_cache_size=«0»\nremain_cache_size_ratio=80\n",)

    def concerns(self, option: Option) -> bool:
        return option.name == _SIZE

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if number_of(setting.value) == 0:
            yield self.finding(context, setting.value.span, "zero", of=option)


_NAME = "iterations_per_loop"


class LoopCount(Rule):
    """`iterations_per_loop` that isn't what the script gives the session.

    ## What it does
    Compares the option with the count that `set_iteration_per_loop` or `load_iteration_per_loop_var` gets in the same file.

    ## Why is this bad?
    The option tells TF Adapter that the loop runs on the device; the function makes it do so. Where they differ, steps
    are counted wrong, and summaries, checkpoints and learning rates with them.

    ## Fix safety
    Unsafe: the option gets the count of the call; only you know which one is right.
    """

    code = "NPU211"
    title = Text(en="Counts of iterations that differ", zh="小循环次数不一致")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "differ": Text(
            en='"{option}" is {value}, but the session is told to run {other} iterations per loop: steps will be counted wrong. Make them the same.',
            zh="“{option}”为 {value}，但会话中设置的小循环次数为 {other}，步数统计会出错，请保持一致。",
        ),
        "other": Text(en="the session is told here", zh="会话在此处设置小循环次数"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        # The option isn't known, or isn't a number.
        'custom_op.parameter_map["iterations_per_loop"].i = N\nutil.set_iteration_per_loop(sess, op, 20)\n',
        'custom_op.parameter_map["iterations_per_loop"].i = int(N)\nutil.set_iteration_per_loop(sess, op, 20)\n',
        'custom_op.parameter_map["iterations_per_loop"].i = "10"\nutil.set_iteration_per_loop(sess, op, 20)\n',
        # Some calls say something else, or nobody knows.
        'custom_op.parameter_map["iterations_per_loop"].i = 10\nutil.set_iteration_per_loop(sess, a, 20)\nutil.set_iteration_per_loop(sess, b, 30)\n',
        (
            'custom_op.parameter_map["iterations_per_loop"].i = 10\n'
            "a = util.set_iteration_per_loop(sess, op, 20)\nb = util.set_iteration_per_loop(sess, op, N)\n"
        ),
        'custom_op.parameter_map["iterations_per_loop"].i = 10\ntrain_op = util.set_iteration_per_loop(sess, op, 10)\n',
        'custom_op.parameter_map["iterations_per_loop"].i = 10\ntrain_op = util.set_iteration_per_loop(sess, op, N)\n',
    )
    INVALID = (
        (
            'custom_op.parameter_map["iterations_per_loop"].i = «10→100»\n'
            "train_op = util.set_iteration_per_loop(sess, train_op, 100)\n"
        ),
        (
            'custom_op.parameter_map["iterations_per_loop"].i = «10→20»\n'
            "iteration.load_iteration_per_loop_var(sess, iterations_per_loop=20)\n"
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare where both counts are known, and every call in the file gives the same one."""
        settings = [setting for setting, _ in Companions.of_block(block, context).of(None, _NAME)]
        said = context.facts.get(FactKind.ITERATION_LOOP, ()) if settings else ()
        counts = {fact.value.data if fact.value is not None else None for fact in said[:MOST_OF_ONE]}
        if len(counts) != 1 or None in counts:
            return
        count = counts.pop()
        if any(not _is_number(setting) or setting.value.data == count for setting in settings):
            return
        for setting in settings:
            yield self.finding(
                context,
                setting.value.span,
                "differ",
                option=_NAME,
                surface=block.surface,
                fixes=self.changed(context, setting, count),
                related=[Related(said[0].span, self.say(context, "other"))],
                value=shown(setting.value.data),
                other=shown(count),
            )


def _is_number(setting: Setting) -> bool:
    return setting.value.known and setting.value.kind is ValueKind.INT
