"""NPU809: a cache of compiled operators with no room at all."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.values import number_of
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

    ## Example
    ```ini
    [op_compiler_cache]
    max_op_cache_size=0
    remain_cache_size_ratio=80
    ```

    Use instead:
    ```ini
    [op_compiler_cache]
    max_op_cache_size=-1
    remain_cache_size_ratio=80
    ```
    """

    code = "NPU809"
    name = "cache-size-zero"
    title = Text(en="Operator cache of size 0", zh="算子编译缓存大小为 0")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.OP_CACHE})
    messages = {
        "zero": Text(
            en='"{option}" must be -1 (no limit) or at least 1 MB: with 0, it and "remain_cache_size_ratio" are ignored, and the defaults hold.',
            zh="“{option}”只能是 -1（不限制）或不小于 1（MB）；取 0 时该项与“remain_cache_size_ratio”均不生效，使用默认值。",
        ),
    }
    VALID = (Valid("[op_compiler_cache]\nmax_op_cache_size=-1\nremain_cache_size_ratio=80\n", Kind.OP_CACHE),)
    INVALID = (
        Invalid(
            "[op_compiler_cache]\nmax_op_cache_size=0\nremain_cache_size_ratio=80\n",
            ("0",),
            ("warning",),
            kind=Kind.OP_CACHE,
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Only the size."""
        return option.name == _SIZE

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a size of 0."""
        if number_of(setting.value) == 0:
            yield self.finding(context, setting.value.span, "zero", of=option)
