"""NPU210: outputs that don't fit the model's framework, or each other."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import check
from npu_lsp.catalog.grammar.parts import ValuePart, whole
from npu_lsp.catalog.model import Option
from npu_lsp.languages.branches import run_together
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions, Pair
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text

_TENSORFLOW = "3"


class OutputsDisagree(Rule):
    """Names of outputs that ATC can't match.

    ## What it does
    Compares the nodes in `--output_type` with those in `--out_nodes`, and looks for the index that each node needs with a
    TensorFlow model.

    ## Why is this bad?
    The conversion stops with an error.
    """

    code = "NPU210"
    title = Text(en="Outputs that don't match", zh="输出节点不匹配")
    severity = Severity.ERROR
    messages = {
        "index": Text(
            en='"{option}": a TensorFlow model needs the index of the output, as in "{node}:0"; the tool stops with an error.',
            zh="“{option}”：TensorFlow 模型须带输出序号，如“{node}:0”，否则报错。",
        ),
        "node": Text(
            en='"{option}" gives {node} a type, which is not in "{other}"; the tool stops with an error. Name the same outputs in both.',
            zh="“{option}”指定了 {node} 的类型，但“{other}”中没有该输出，执行时会报错。两处须一致。",
        ),
        "alone": Text(
            en='"{option}" gives {node} a type, but "{other}" is not set; the tool stops with an error. Name the outputs there, or give one type for all.',
            zh="“{option}”指定了 {node} 的类型，但未配置“{other}”，执行时会报错。请补充输出节点，或统一指定一种类型。",
        ),
    }
    VALID = (
        'atc --model=a.pb --framework=3 --output=a --soc_version=Ascend310P3 --out_nodes="conv1:0" --output_type="conv1:0:FP16"\n',
        'atc --framework=5 --output_type="b:0:FP16" $MORE\n',
        'atc --framework=3 --out_nodes="a:0;b:1" --output_type="a:0:FP16"\n',
        'atc --framework=5 --out_nodes="out1;out2" --output_type=FP16\n',
        'atc --framework=3 --out_nodes="$NODES" --output_type="a:0:FP16"\n',
        'atc --framework=3 --out_nodes="a;;b:0"\n',
        'atc --out_nodes="a;b"\n',
        "atc --framework=5 --output_type=FP16\n",
        'A="--framework=5"\nif [ "$1" ]; then\n  A="$A --out_nodes=a:0"\nelse\n  A="$A --output_type=b:0:FP16"\nfi\natc $A\n',
        # Names of tensors can't be told from the nodes that have them.
        'atc --framework=5 --out_nodes=t --output_type="b:0:FP16"\n',
    )
    INVALID = (
        'atc --model=a.pb --framework=3 --output=a --soc_version=Ascend310P3 --out_nodes="«conv1»" --output_type="conv1:0:FP16"\n',
        'atc --framework=3 --out_nodes="«a»;«b»"\n',
        'atc --out_nodes="a:0" --output_type="«b:0»:FP16"\n',
        'atc --framework=5 --output_type="«b:0»:FP16;c:0:FP16"\n',
    )

    def concerns(self, option: Option) -> bool:
        return option.grammar in ("node-list", "output-type")

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        companions = Companions.of_block(block, context)
        for pair in companions.written_as("node-list"):
            yield from self._indexes(pair, companions)
        for pair in companions.written_as("output-type"):
            yield from self._types(pair, companions)

    def _indexes(self, pair: Pair, companions: Companions) -> Iterator[Finding]:
        frameworks = companions.of(pair[0], "framework")
        if not frameworks or any(text_of(other.value) != _TENSORFLOW for other, _ in frameworks):
            return
        for part in _parts(pair):
            if ":" not in part.text:
                yield self._finding("index", pair, part, None, companions.context, part.text)

    def _types(self, pair: Pair, companions: Companions) -> Iterator[Finding]:
        typed = [part for part in _parts(pair) if ":" in part.text]
        lists = companions.written_as("node-list")
        if not typed:
            return
        names = _names(pair[1])
        if not lists and names is not None and companions.complete(pair[0], names):
            yield self._finding(
                "alone", pair, _output(typed[0]), None, companions.context, _output(typed[0]).text, names
            )
        for other in lists:
            nodes = {part.text for part in _parts(other)}
            # Names of tensors can't be told from the nodes that have them.
            if not nodes or not all(":" in node for node in nodes) or not run_together(pair[0].branch, other[0].branch):
                continue
            for part in typed:
                if _output(part).text not in nodes:
                    yield self._finding("node", pair, _output(part), other, companions.context, _output(part).text)

    def _finding(
        self, message: str, pair: Pair, part: ValuePart, other: Pair | None, context: Context, node: str, name: str = ""
    ) -> Finding:
        name = other[1].name if other is not None else name
        return self.finding(
            context,
            pair[0].value.part(*part.span),
            message,
            of=pair[1],
            related=self.set_here(context, other[0] if other is not None else None, name),
            node=node,
            other=name,
        )


def _parts(pair: Pair) -> list[ValuePart]:
    """Return the outputs of a known list that is written as it should be."""
    text = text_of(pair[0].value)
    if not text or any(check(pair[1].grammar or "", text, pair[1].surface)):
        return []
    return whole(text).split(";")


def _output(part: ValuePart) -> ValuePart:
    """Return `node:index` of `node:index:type`."""
    return part.cut(part.text.rfind(":"))[0]


def _names(option: Option) -> str | None:
    """Return what the list of outputs is called on the surface of their types."""
    return {"output_type": "out_nodes"}.get(option.name)
