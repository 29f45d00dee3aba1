"""NPU256: a model whose file is of another framework than the one that is named."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule
from npu_lsp.linter.values import number_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_SUFFIX = re.compile(r"\.(?P<suffix>[a-z0-9]+)[\"']?\Z")
_FRAMEWORKS = {"prototxt": 0, "air": 1, "pb": 3, "onnx": 5}
"""By the end of a model's name (ge: `docs/zh/user_guides/atc_tools/CLI_options/--framework.md`)."""
_NAMES = {0: "Caffe", 1: "MindSpore", 3: "TensorFlow", 5: "ONNX"}
_CHECKPOINTS = frozenset({"pt", "pth", "ckpt", "safetensors", "h5"})
"""What training leaves, in whatever framework: ATC reads none of it."""
_ATC = "atc --model=a.%s --framework=%d --output=a --soc_version=Ascend310P3\n"


class ModelOfOtherFramework(Rule):
    """A model that is no model of the framework that is named beside it.

    ## What it does
    Compares the end of the name in `model` with `framework`: 0 is Caffe (`.prototxt`), 1 MindSpore (`.air`), 3 TensorFlow (`.pb`)
    and 5 ONNX (`.onnx`). Checkpoints are none of these.

    ## Why is this bad?
    The file is read as one of the named framework, and the conversion fails.

    ## Fix safety
    Unsafe: the file may be another one than the one that was meant.
    """

    code = "NPU256"
    title = Text(en="Model of another framework", zh="模型文件与框架类型不符")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "other": Text(
            en='By its name the model is one of {other}, and "{option}" {value} is {named}: the conversion fails. Write {near}, or name another '
            "model.",
            zh="从文件名看模型属于 {other}，而“{option}”为 {value}（{named}），转换会失败。请改为 {near}，或更换模型文件。",
        ),
        "checkpoint": Text(
            en='A ".{other}" file is no model that {tool} reads. Export it first, to ONNX for example, which is "framework" 5.',
            zh="{tool} 不能读取“.{other}”文件。请先导出模型，例如导出为 ONNX 模型，并将“framework”设为 5。",
        ),
    }
    VALID = (
        _ATC % ("onnx", 5) + _ATC % ("pb", 3) + _ATC % ("prototxt", 0) + _ATC % ("air", 1),
        _ATC % ("$KIND", 5) + "atc --model=a.onnx --framework=$1 --output=a --soc_version=Ascend310P3\n",
        "atc --mode=1 --om=a.pb --framework=3 --json=a.json\n",
    )
    INVALID = (
        "atc --model=resnet50.onnx --framework=«3→5» --output=resnet50 --soc_version=Ascend310P3\n",
        Invalid(_ATC % ("pb", 5), ("5",), ("error unsafe",), _ATC % ("pb", 3), kind=Kind.SHELL),
        Invalid(_ATC % ("${NAME}.onnx", 1), ("1",), ("error unsafe",), _ATC % ("${NAME}.onnx", 5), kind=Kind.SHELL),
        Invalid(_ATC % ("pth", 5), ("a.pth",), ("error",), kind=Kind.SHELL),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare the framework with the end of the model's name, which may begin with a variable."""
        # Of two the last one counts, by whatever name.
        last = {option.topic: (setting, option) for setting, option in context.settings(block)}
        if "framework" not in last or "model" not in last:
            return
        (setting, option), (model, _) = last["framework"], last["model"]
        named, found = number_of(setting.value), _SUFFIX.search(context.text(model.value.span))
        if found is None or named not in _NAMES:
            return
        suffix = found["suffix"]
        if suffix in _CHECKPOINTS:
            tool = option.surface.row.tool
            yield self.finding(context, model.value.inside, "checkpoint", of=option, other=suffix, tool=tool)
        elif _FRAMEWORKS.get(suffix, named) != named:
            meant = _FRAMEWORKS[suffix]
            yield self.finding(
                context,
                setting.value.inside,
                "other",
                of=option,
                fixes=self.changed(context, setting, meant),
                value=named,
                named=_NAMES[int(named)],
                other=_NAMES[meant],
                near=meant,
            )
