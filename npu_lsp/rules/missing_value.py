"""NPU109: a flag or a key without a value."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.linter.values import allows, listed, text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_SWITCHES = frozenset({"bool", "none"})
_LISTED = frozenset({"listed", "choice"})

_EMPTY = re.compile(r"[ \t]+\$\{?[A-Za-z_]")
"""A variable behind a flag that is known to be empty: a template leaves it for whoever fills it in."""


class MissingValue(Rule):
    """A flag at which no value stands, or an empty value for an option with a list of them.

    ## What it does
    Looks for flags that need a value and have none, for required flags with an empty one (`--model=`), and for empty
    texts where only listed values are taken, or where the tool rejects them (`model_dir=""`).
    Variables, and empty constants that are there to be filled in, are left alone.

    ## Why is this bad?
    A flag without a value takes the next flag for it, so two of them are lost; the last flag of a command stops it.
    An empty text is not in the list.
    """

    code = "NPU109"
    title = Text(en="Option without a value", zh="缺少取值的配置项")
    severity = Severity.ERROR
    messages = {
        "flag": Text(
            en='"--{option}" has no value: the tool takes the next flag for it, or stops. Write "--{option}=...".',
            zh="“--{option}”缺少取值，工具会把后一个参数当作其取值，或直接报错。请写成“--{option}=...”。",
        ),
        "required": Text(
            en='"--{option}" is empty, and the tool stops with an error. Give it a value.',
            zh="“--{option}”取值为空，执行时会报错，请补充取值。",
        ),
        "needed": Text(
            en='"{option}" is empty, and the tool stops with an error. Give it a value.',
            zh="“{option}”取值为空，执行时会报错，请补充取值。",
        ),
        "empty": Text(
            en='"{option}" is empty, and the tool stops with an error. Give it a value, or leave it out.',
            zh="“{option}”取值为空，执行时会报错。请补充取值，或删除该配置。",
        ),
        "listed": Text(
            en='"{option}" is empty. It takes: {listed}. Give it one of them, or leave it out.',
            zh="“{option}”取值为空，可选值：{listed}。请补充取值，或删除该配置。",
        ),
        "choice": Text(
            en='"{option}" is empty. It takes: {listed}. Give it one of them.',
            zh="“{option}”取值为空，可选值：{listed}，请补充取值。",
        ),
    }
    VALID = (
        # A flag that the catalog lacks takes no other flag for its value.
        "accelerate launch --enable_cpu_affinity --num_processes 8 a.py\n",
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n",
        "atc --model a.onnx --framework=5\n",
        'atc --model "$@"\n',
        Valid('config = NPURunConfig(model_dir=None, work_path="")\n'),
        Valid('MODEL_DIR = ""  # your folder\nconfig = NPURunConfig(model_dir=MODEL_DIR)\n'),
        "atc --help\n",
        'export SHUT_DOWN_FX_PASS_LIST=""\n',
        Valid('os.environ["MS_SIMULATION_LEVEL"] = ""\n'),
        "atc --model=a.onnx --framework=5 --quant_dumpable=$X\n",
        "atc --model=a.onnx --framework=5 --out_nodes=\n",
        "aoe --job_type=1 --model=a.onnx --framework=5 --input_format=\n",
        # `MIES_CONTAINER_IP` wins over it.
        Valid('{"ServerConfig": {"ipAddress": ""}, "BackendConfig": {"ModelDeployConfig": {}}}', Kind.MINDIE),
        # Part of a file, alone or on a page, is a template: whoever deploys it fills it in.
        Valid('{"BackendConfig": {"backendName": ""}}', Kind.MINDIE),
        Valid('```json\n{"ServerConfig": {}, "BackendConfig": {"backendName": ""}}\n```\n', Kind.MARKDOWN),
        # What it needs isn't there.
        Valid('op.parameter_map["local_device_list"].s = b""\n'),
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 «--output» --soc_version=Ascend310P3\n",
        told('{"mindie_server_prefill_config": {"BackendConfig": {"«backendName»": ""}}}', kind=Kind.MINDIE),
        told("[ByOpType]\n«SoftmaxV2»=\n", "warning", Kind.OP_PRECISION),
        told('aipp_op {\n  «aipp_mode»: ""\n}\n', "warning", Kind.AIPP),
        "atc --model=a.onnx «--framework»\n",
        "atc «--model»= --framework=5\n",
        told('op.parameter_map["«precision_mode»"].s = b""\n', "warning", Kind.PYTHON),
        told(
            '{"ServerConfig": {}, "BackendConfig": {"«backendName»": "", "ModelDeployConfig": {"ModelConfig": [{"«modelName»": "", "«modelWeightPath»": "", "«backendType»": ""}, {"«modelName»": ""}]}}}',
            ("error", "error", "error", "warning", "error"),
            Kind.MINDIE,
        ),
        told(
            'op.parameter_map["local_rank_id"].i = 0\nop.parameter_map["«local_device_list»"].s = b""\n',
            kind=Kind.PYTHON,
        ),
        told('config = NPURunConfig(«model_dir»="", aoe_mode="1", «work_path»="")\n', kind=Kind.PYTHON),
    )

    def concerns(self, option: Option) -> bool:
        """Everything but variables whose readers take an empty one as if it weren't set: so it is put back."""
        return option.nonempty or not option.surface.row.environment

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        message = ""
        if setting.separator == "" and option.type not in _SWITCHES:
            message = "" if block.open or _EMPTY.match(context.document.text, setting.key.end) else "flag"
        elif text_of(setting.value) != "":
            return
        elif not option.open and not allows(option, setting.value):
            message = "choice" if option.required else "listed"
        elif setting.form is Form.FLAG and option.required:
            message = "required"
        elif option.nonempty and _is_final(setting, block, context):
            needed = "needed" if option.required else "empty"
            message = needed if _is_read(setting, option, Companions.of_block(block, context)) else ""
        # A slip that takes the value away is told as such.
        if message and not context.has_slip(setting.own):
            yield self.finding(
                context,
                setting.key,
                message,
                option=_named(setting, option, context),
                surface=option.surface,
                severity=Severity.WARNING if message in _LISTED else None,
                listed=listed(option, context.language, setting.form),
            )


def _is_final(setting: Setting, block: Block, context: Context) -> bool:
    """Return whether nobody is to fill the value in: a constant at the top of a script and a template are there for that."""
    if not block.surface.row.file:
        return setting.value.origin is None
    # A part of a whole deployment is laid over what lies elsewhere, and wins over it.
    return (not block.open or bool(block.receiver)) and context.document.kind not in PAGES


def _named(setting: Setting, option: Option, context: Context) -> str:
    """Return what a file calls the setting: where each line names something else, that."""
    of_line = setting.form is Form.ENTRY and setting.receiver == context.text(setting.key)
    return setting.receiver if of_line else option.name


def _is_read(setting: Setting, option: Option, companions: Companions) -> bool:
    """Return whether all is there that makes the tool look at the setting."""
    needed = any(companions.fulfils(setting, condition) for condition in option.required) or not option.required
    return needed and all(companions.of(setting, relation.other) for relation in option.total("requires"))
