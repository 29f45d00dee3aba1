"""NPU206: profiles that don't fit the shapes they are for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from npu_lsp.catalog.grammar import check, dynamic, shapes
from npu_lsp.catalog.grammar.parts import ValuePart
from npu_lsp.catalog.model import Option
from npu_lsp.languages.branches import run_together
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions, Pair
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PROFILES = frozenset({"dynamic-dims", "dynamic-batch-size", "dynamic-image-size"})
_LAYOUTS = {"NCHW": (2, 3), "NHWC": (1, 2)}
"""Where height and width stand in a shape of four."""
_MOST, _MOST_ON = 100, {"950": 256}
"""How many profiles the docs allow (ge: docs/zh/user_guides/atc_tools/CLI_options/--dynamic_dims.md)."""


def _sizes(count: int) -> str:
    return ",".join(map(str, range(1, count + 1)))


class ProfileCount(Rule):
    """Profiles that can't fill the dimensions marked with -1.

    ## What it does
    Counts the -1 in the shapes and compares them with the sizes in each profile: `dynamic_dims` has one size for each
    -1, `dynamic_batch_size` fills the first dimension, `dynamic_image_size` height and width. It also counts the profiles.

    ## Why is this bad?
    The conversion or the run stops with an error.
    """

    code = "NPU206"
    title = Text(en="Profiles that don't fit the shapes", zh="档位与输入 shape 不匹配")
    severity = Severity.ERROR
    messages = {
        "count": Text(
            en='"{option}": the profile {profile} has {sizes} sizes, but {count} dimensions in "{other}" are -1. Give one size for each; the tool stops with an error.',
            zh="“{option}”：档位 {profile} 有 {sizes} 个值，而“{other}”中有 {count} 个 -1，二者须一一对应，否则报错。",
        ),
        "none": Text(
            en='"{option}" has no -1 for "{other}" to fill; the tool stops with an error. Mark the dynamic dimensions with -1.',
            zh="“{option}”中没有供“{other}”填充的 -1，执行时会报错，请用 -1 标出动态维度。",
        ),
        "range": Text(
            en='A range such as {size} does not go with profiles, and the tool stops with an error. Write -1 and list the sizes in "{other}".',
            zh="{size} 这样的范围不能与动态分档同时使用，执行时会报错。请写成 -1，并在“{other}”中列出档位。",
        ),
        "batch": Text(
            en='"{other}" fills the first dimension of an input, and no input has its -1 there alone; the tool stops with an error. For other dimensions use dynamic_dims.',
            zh="“{other}”只填充输入的第一维，但没有任何输入仅在首维为 -1，执行时会报错。其他维度请使用 dynamic_dims。",
        ),
        "scalar": Text(
            en='The input "{input}" has no dimensions, which does not go with "{other}"; the tool stops with an error. Use dynamic_dims.',
            zh="输入“{input}”为标量，不能与“{other}”同时使用，执行时会报错。请使用 dynamic_dims。",
        ),
        "image": Text(
            en='"{other}" fills height and width ({layout}), and -1 stands elsewhere in "{input}"; the tool stops with an error. For other dimensions use dynamic_dims.',
            zh="“{other}”只填充高和宽（{layout}），但“{input}”的 -1 不在对应位置，执行时会报错。其他维度请使用 dynamic_dims。",
        ),
        "many": Text(
            en='"{option}" has {sizes} profiles, {most} are the most that the docs allow. Leave the rarest out.',
            zh="“{option}”共有 {sizes} 个档位，文档规定最多 {most} 个，请减少档位。",
        ),
    }
    VALID = (
        'atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --input_shape="data:-1,-1" --dynamic_dims="1,64;2,64"\n',
        # NPU105 tells that the shape isn't well-formed.
        'atc --input_shape="a" --dynamic_dims="1,2;3,4"\n',
        Valid(
            'op.parameter_map["input_shape"].s = b"data:1~8,2"\nop.parameter_map["dynamic_dims"].s = b"1;2"\n'
            'op.parameter_map["dynamic_node_type"].i = 1\n'
        ),
        'atc --input_shape="a:-1,3;b:-1" --dynamic_dims="1,2;3,4"\n',
        'atc --input_shape="a:-1,3,224,224" --dynamic_batch_size="1,2,4"\n',
        'atc --framework=3 --input_shape="a:1,-1,-1,3" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_shape="a:$N,3" --dynamic_dims="1,2;3,4"\n',
        'atc --input_shape="a:-1" --dynamic_dims="1;2;"\n',
        # NPU105 tells that the profiles aren't well-formed.
        'atc --input_shape="a:-1" --dynamic_dims="1;;2,3"\n',
        'atc --input_shape="a:1" --dynamic_dims=$X\n',
        'atc --input_format=NHWC --input_shape="a:1,-1,-1,3" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_format=$F --input_shape="a:-1,3,-1,-1" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_format=NCHW --input_format=$F --input_shape="a:1,-1,-1,3" --dynamic_image_size="1,2;3,4"\n',
        # NPU203 tells that the format doesn't go with it.
        'atc --input_format=ND --input_shape="a:-1,3,-1,-1" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_shape="a:1,3,-1,-1;b:3,4" --dynamic_image_size="1,2;3,4"\n',
        f'atc --soc_version=Ascend310P3 --input_shape="a:-1,3" --dynamic_batch_size="{_sizes(100)}"\n',
        f'atc --soc_version=Ascend950PR_9579 --input_shape="a:-1,3" --dynamic_batch_size="{_sizes(101)}"\n',
    )
    INVALID = (
        'atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --input_shape="data:-1,-1" --dynamic_dims="«1»;2"\n',
        'atc --input_shape="«a:1,3»" --dynamic_dims="1;2"\n',
        'atc --input_shape="a:«1~8»,3" --dynamic_dims="1;2"\n',
        'atc --input_shape="«a:3,-1»" --dynamic_batch_size="1,2"\n',
        'atc --input_shape="«a:-1,3,224,-1»" --dynamic_image_size="1,2;3,4"\n',
        told(
            'op.parameter_map["input_shape"].s = b"data:1,-1;mask:-1,-1"\n'
            'op.parameter_map["dynamic_dims"].s = b"«16,16»;32,32"\n'
            'op.parameter_map["dynamic_node_type"].i = 1\n',
            kind=Kind.PYTHON,
        ),
        Invalid(
            f'atc --dynamic_batch_size="{_sizes(301)}"\n',
            ("257",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid(
            f'atc --soc_version=Ascend310P3 --input_shape="a:-1,3" --dynamic_batch_size="{_sizes(102)}"\n',
            ("101",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        'atc --input_shape="«a:-1,-1»" --dynamic_batch_size="1,2"\n',
        'atc --input_format=NCHW --input_shape="«a:1,-1,-1,3»" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_shape="«a:1,3,-1,-1,5»" --dynamic_image_size="1,2;3,4"\n',
        'atc --input_shape="a:-1,3;«b»:" --dynamic_batch_size="1,2"\n',
    )

    def concerns(self, option: Option) -> bool:
        return option.grammar in _PROFILES

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at each option with profiles, together with the shapes that it surely meets."""
        companions = Companions.of_block(block, context)
        for pair in companions.written_as(*_PROFILES):
            if not _is_well_formed(pair):
                continue
            yield from self._many(pair, companions)
            for other in companions.written_as("input-shape"):
                if run_together(pair[0].branch, other[0].branch):
                    yield from self._fit(pair, other, companions)

    def _many(self, pair: Pair, companions: Companions) -> Iterator[Finding]:
        context = companions.context
        found = dynamic.parse(text_of(pair[0].value) or "", batches=pair[1].grammar == "dynamic-batch-size") or ()
        families = companions.products()
        most = min((_MOST_ON.get(each, _MOST) for each in families), default=max(_MOST_ON.values()))
        if len(found) > most:
            yield self._finding(
                "many",
                pair,
                None,
                pair[0].value.part(*found[most].part.span),
                context,
                severity=Severity.WARNING,
                sizes=len(found),
                most=most,
            )

    def _fit(self, pair: Pair, other: Pair, companions: Companions) -> Iterator[Finding]:
        context = companions.context
        text = text_of(other[0].value)
        inputs = shapes.parse(text) if text is not None else None
        if inputs is None or text is None:
            return
        ranges = [d for each in inputs for d in each.dimensions if d.size is None]
        if ranges:
            # TF Adapter takes no ranges at all: that is said of the shape alone.
            if _is_well_formed(other):
                place = other[0].value.part(*ranges[0].part.span)
                yield self._finding("range", other, pair, place, context, size=ranges[0].part.text)
            return
        count = sum(len(each.open) for each in inputs)
        whole = other[0].value.inside
        if count == 0:
            yield self._finding("none", other, pair, whole, context)
        elif pair[1].grammar == "dynamic-dims":
            yield from self._sizes(pair, other, count, context)
        elif pair[1].grammar == "dynamic-batch-size":
            yield from self._batches(pair, other, inputs, context)
        else:
            yield from self._images(pair, other, inputs, companions)

    def _sizes(self, pair: Pair, other: Pair, count: int, context: Context) -> Iterator[Finding]:
        for profile in dynamic.parse((text_of(pair[0].value) or "").rstrip(";")) or ():
            if len(profile.sizes) != count:
                yield self._finding(
                    "count",
                    pair,
                    other,
                    pair[0].value.part(*profile.part.span),
                    context,
                    profile=profile.part.text,
                    sizes=len(profile.sizes),
                    count=count,
                )
                return

    def _batches(
        self, pair: Pair, other: Pair, inputs: tuple[shapes.Input, ...], context: Context
    ) -> Iterator[Finding]:
        for each in inputs:
            if not each.dimensions:
                yield self._finding(
                    "scalar", other, pair, other[0].value.part(*each.name.span), context, input=each.name.text
                )
                return
        if not any(each.dimensions[0].is_open and len(each.open) == 1 for each in inputs):
            yield self._finding("batch", other, pair, other[0].value.inside, context)

    def _images(
        self, pair: Pair, other: Pair, inputs: tuple[shapes.Input, ...], companions: Companions
    ) -> Iterator[Finding]:
        context = companions.context
        formats = [text_of(setting.value) for setting, _ in companions.of(other[0], "input_format")]
        layouts = [layout for layout in _LAYOUTS if not formats or layout in formats]
        if not layouts or None in formats:
            return
        for each in inputs:
            places = tuple(n for n, dimension in enumerate(each.dimensions) if dimension.is_open)
            if places and not any(len(each.dimensions) == 4 and places == _LAYOUTS[name] for name in layouts):
                last = each.dimensions[-1].part
                part = ValuePart((text_of(other[0].value) or "")[each.name.start : last.end], each.name.start)
                yield self._finding(
                    "image",
                    other,
                    pair,
                    other[0].value.part(*part.span),
                    context,
                    input=each.name.text,
                    layout="/".join(layouts),
                )
                return

    def _finding(
        self,
        message: str,
        pair: Pair,
        other: Pair | None,
        place: Span,
        context: Context,
        severity: Severity | None = None,
        **arguments: Any,
    ) -> Finding:
        name = other[1].name if other is not None else ""
        related = self.set_here(context, other[0] if other is not None else None, name)
        return self.finding(
            context, place, message, of=pair[1], severity=severity, related=related, other=name, **arguments
        )


def _is_well_formed(pair: Pair) -> bool:
    """Return whether the value is known and written as its option needs it."""
    text = text_of(pair[0].value)
    return bool(text) and not any(check(pair[1].grammar or "", text or "", pair[1].surface))
