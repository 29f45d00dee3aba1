"""NPU101: a key that no tool reads."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.components import title_of
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.groups import is_complete, is_refused, is_silent, refusing
from npu_lsp.linter.names.meant import intended, is_another_release, last_part, meant_variable, newest_known
from npu_lsp.linter.names.parsed import is_parsed, is_start, is_whole
from npu_lsp.linter.names.unknown import unknown
from npu_lsp.linter.names.variable_rule import VariableRule
from npu_lsp.linter.rule import Fixable, Invalid, Valid, told
from npu_lsp.linter.variable_uses import is_expanded, is_fetched
from npu_lsp.linter.wording import listed
from npu_lsp.rules.fixes.move import move_to
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_DECLARED = re.compile(r"add_argument\([ \t\r\n]{0,40}[\"']--(?P<name>[A-Za-z][\w-]{0,60})[\"']")
_MC2 = "torchrun pretrain_gpt.py --use-mc2 "


def _slip(
    text: str, wrong: str, right: str, says: str = "error", kind: Kind = Kind.PYTHON, ascend: str = ""
) -> Invalid:
    """Return an example: a text with a slip, and what was meant; `ascend` is the version of vLLM-Ascend."""
    target = {"vllm-ascend": ascend} if ascend else {}
    return Invalid(text, (wrong,), (f"{says} unsafe",), text.replace(wrong, right), kind, target=target)


class UnknownOption(VariableRule):
    """A key, keyword, attribute or flag that is not an option.

    ## What it does
    Looks each name up in the catalog of its surface. A name that is close to a known one is reported with that one;
    a name that is close to nothing is reported only where every name is known (`parameter_map`, `NPURunConfig`,
    `npu.global_options()`, `torch.npu.set_option`, attributes such as `torch.npu.config.allow_internal_format`, the
    arguments of `torch_npu.profiler`, `additional_config` of vLLM-Ascend, `atc`), since elsewhere it may well be right. `atc` and `aoe` take the
    start of a name where only one option starts so; the start of several names is reported with these. Scripts that Megatron and MindSpeed
    name (`pretrain_gpt.py`, ...) take what a parser of the family has: another argument is told, unless the script itself adds it.

    ## Why is this bad?
    The TensorFlow adapter never looks for keys that it doesn't know: a mistyped one is silently ignored, and
    training runs with the default. Objects such as `torch.npu.config` drop other attributes as silently. `NPURunConfig`, `npu.global_options()` and `torch.npu.set_option` raise an exception,
    and `atc` stops. vLLM-Ascend ignores most of them, and a key that stands in the wrong group, up to 0.26; later releases stop.
    On a version newer than those that npu-lsp knows, a name may be new: that is information.

    ## Fix safety
    The fix renames the key to the intended one, or moves it to its group. It is unsafe: the option takes effect from then on.

    ## Configuration
    - `known`: names (or globs) that are right although the catalog doesn't have them
    """

    code = "NPU101"
    title = Text(en="Option that doesn't exist", zh="不存在的配置项")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        **VariableRule.messages,
        "silent_near": Text(
            en='Unknown option "{option}" is silently ignored at run time. Did you mean "{near}"?',
            zh="未知配置项“{option}”，运行时会被静默忽略。是否应为“{near}”？",
        ),
        "silent": Text(
            en='Unknown option "{option}" is silently ignored at run time. Correct its name, or remove it.',
            zh="未知配置项“{option}”，运行时会被静默忽略。请更正名称，或删除。",
        ),
        "stops_near": Text(
            en='{tool} has no option "{option}" and stops with an error{since}. Did you mean "{near}"?',
            zh="{tool} 没有配置项“{option}”，{since}执行时会报错退出。是否应为“{near}”？",
        ),
        "stops": Text(
            en='{tool} has no option "{option}" and stops with an error{since}. Correct its name, or remove it.',
            zh="{tool} 没有配置项“{option}”，{since}执行时会报错退出。请更正名称，或删除。",
        ),
        "misplaced": Text(
            en='"{option}" has no effect here: it belongs at "{near}".',
            zh="“{option}”写在此处不生效，应位于“{near}”。",
        ),
        "misplaced_stops": Text(
            en='{tool} stops at "{option}" here{since}: it belongs at "{near}".',
            zh="{tool} 不接受此处的“{option}”，{since}会报错退出；应位于“{near}”。",
        ),
        "newer": Text(
            en='"{option}" is no option of {title} {newest}, the newest version that this npu-lsp knows. The one that runs is newer, '
            "and may have it.",
            zh="{title} {newest}（npu-lsp 了解的最新版本）没有配置项“{option}”，实际运行的版本更新，可能已支持。",
        ),
        "newer_near": Text(
            en='"{option}" is no option of {title} {newest}, the newest version that this npu-lsp knows. The one that runs is newer, '
            'and may have it. Did you mean "{near}"?',
            zh="{title} {newest}（npu-lsp 了解的最新版本）没有配置项“{option}”，实际运行的版本更新，可能已支持。是否应为“{near}”？",
        ),
        "unparsed": Text(
            en='No release of MindSpeed, MindSpeed-LLM, MindSpeed-MM or Megatron has an argument "{option}": the program stops with an '
            "error, unless a parser of your own adds it.",
            zh="MindSpeed、MindSpeed-LLM、MindSpeed-MM 与 Megatron 的各版本均无参数“{option}”：除非自行在解析器中添加，程序会报错退出。",
        ),
        "ambiguous": Text(
            en='"{option}" is short for {longer}: {tool} takes the start of a name only where no other name starts so, '
            "and stops with an error.",
            zh="“{option}”可以是{longer}的缩写，{tool} 只接受唯一的缩写，执行时会报错退出。",
        ),
    }
    VALID = (
        Valid('custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'),
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n",
        (
            'if a; then\n  c="python3 -m vllm.entrypoints.openai.api_server --model a"\nelse\n'
            '  c="python3 \\\n    -m vllm.entrypoints.openai.api_server --model b"\nfi\n$c\n'
        ),
        'if [ -z "${HCCL_CONECT_TIMEOUT}" ]; then\n  export HCCL_CONECT_TIMEOUT=9 HCCL_WORK_TIMEOUT=9\nfi\n',
        Valid('os.environ["HCCL_CONECT_TIMEOUT"] = "9"\nwait(int(os.getenv("HCCL_CONECT_TIMEOUT", "1")))\n'),
        # Other programs have flags of that name.
        "llamafactory-cli train --kernel-config '{\"a\": 1}'\nvllm serve m\n",
        Valid("args:\n  - --profiler-config\n  - '{\"a\": 1}'\n", Kind.YAML),
        # Another platform of vLLM, and keys of a group that takes any.
        Valid('LLM("m", additional_config={"sharding": {"strategy": 1}})\n'),
        Valid('load("m", additional_config={"enabled": True, "mode": "fast"})\n'),
        'vllm serve m --additional-config \'{"dump_config": {"task": "statistics"}}\'\n',
        'vllm serve m --additional-config \'{"config_key": "config_value"}\'\n',
        # Somebody's working copy may have names of its own.
        'PYTHONPATH=/a/vllm-ascend/:$PYTHONPATH vllm serve m --additional-config \'{"OURS": 1, "eplb_config": {"gate": 1}}\'\n',
        # Who declares an argument of that name writes for a release that has it.
        Valid('p.add_argument("--quantization-param-path")\nLLM("m", device="npu", quantization_param_path=q)\n'),
        # The same commands start other programs, too.
        "vllm serve --omni m --stage-configs-path a.yaml\n",
        "sglang serve --model-path m --num-gpus 4 --vae-path v\n",
        "torchrun train_mine.py --use-mc2 --gather-g7-x\n" + _MC2 + "--use-ascend-mc\n",
        Valid(_MC2 + "--gather-g7-x\n", Kind.SHELL, files={"pretrain_gpt.py": 'add_argument("--gather-g7-x")\n'}),
        # Prose says what a flag looks like.
        Valid("Write `atc --flag=value`, and not `atc --option value`.\n", Kind.MARKDOWN),
        "export CPU_AFFINITY_CONFIG=1\nexport COMBINED_ENABLED=1\n",
        "export TE_PARALLEL_COMPILER=1\nexport TBE_PARALLEL_COMPILER=1\n",
        # The variables of NCCL, oneCCL and Habana are others.
        "export NCCL_BUFFSIZE=1 CCL_ALGO=a HCL_BUFFSIZE=1 MINDIO_LOG_LEVEL=1\n",
        "export MY_ASCEND_THING=1\nexport HCCL_BUFFSIZE_EP=2048\n",
        Valid('```python\ncustom_op.parameter_map["..."].s = b"..."\n```\n', Kind.MARKDOWN),
        Valid('spark_model.parameter_map["maxIter"].s = "10"\n'),
        Valid("import torch_npu\ntorch.npu.is_available = f\ntorch.npu.amp.a = True\n"),
        Valid('op.parameter_map["learning_rates"].s = str(INPUT) + input_name\n'),
        Valid(
            'op = cfg.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Ours"\nop.parameter_map["a"].i = 1\n'
        ),
        # Who has both in a file knows the right one.
        Valid(
            '{"version": "1.0", "server_count": "1", "status": "completed", "server_list": [{"server_id": "a", "server_ip": "",\n'
            '"device": [{"device_id": "0", "device_ip": "192.168.1.8", "rank_id": "0"}]}]}\n',
            Kind.RANK_TABLE,
        ),
    )
    INVALID = (
        told(
            'custom_op.parameter_map["«precison_mode→precision_mode»"].s = tf.compat.as_bytes("allow_mix_precision")\n',
            kind=Kind.PYTHON,
        ),
        'vllm serve m --profiler-config \'{"«profilr→profiler»": "torch"}\' --ec-transfer-config \'{"«ec_rle→ec_role»": "ec_producer"}\'\n',
        _slip('op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n', "precison_mode", "precision_mode"),
        told(
            'vllm serve m --additional-config \'{"«enable_cpu_bindin→enable_cpu_binding»": true, ‹"«fuse_muls_add»": false→"ascend_compilation_config": {"fuse_muls_add": false}›}\'\n',
            "warning unsafe",
        ),
        told(
            'vllm serve m --kv-transfer-config \'{"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_both", "kv_connector_extra_config": '
            '{"own": 1, "prefill": {"«dp_sizze→dp_size»": 1, "tp_size": 1}, "decode": {"dp_size": 1, "tp_size": 1}}}\'\n',
            "warning unsafe",
        ),
        _slip(
            'LLM("m", additional_config={"eplb_config": {"num_redundant_expert": 2}})\n',
            "num_redundant_expert",
            "num_redundant_experts",
            "warning",
        ),
        told('LLM("m", additional_config={"eplb_config": {"«gate»": 1, "dynamic_eplb": 0}})\n', "warning", Kind.PYTHON),
        # A version that came later may have it, whatever it looks like.
        told(
            'LLM("m", additional_config={"«brand_new»": 1, "«enable_sparse_li_c6»": True, "«fuse_muls_add»": 1, "eplb_config": {"«gate»": 1}})\n',
            "info",
            Kind.PYTHON,
            target={"vllm-ascend": "99.0"},
        ),
        # What nobody's version decides is no error; on a version that is named it is.
        told(
            'LLM("m", additional_config={"eplb_config": {"«gate»": 1, "dynamic_eplb": 0}})\n',
            kind=Kind.PYTHON,
            target={"vllm-ascend": "0.27.1rc1"},
        ),
        # A slip, and in the wrong place.
        *(
            Invalid(
                'LLM("m", additional_config={"refresh": True, "fuse_mul_add": False})\n',
                ("fuse_mul_add",),
                ("error unsafe",),
                'LLM("m", additional_config={"refresh": True, "ascend_compilation_config": {"fuse_muls_add": False}})\n',
                target={"vllm-ascend": version},
            )
            for version in ("0.18", "0.27.1rc1")
        ),
        told(
            "pip install vllm-ascend==99.0.0\n"
            'vllm serve m --additional-config \'{"refresh": true, "«brand_new»": 1}\'\n',
            "info",
        ),
        # What is gone today is there on the version that runs.
        _slip(
            'LLM("m", additional_config={"torchair_graph_config": {"enable": 1}})\n', "enable", "enabled", ascend="0.11"
        ),
        # What took the place of the option that was meant takes other values.
        told("NPURunConfig(«enable_auto_mix_precison»=True)\n", kind=Kind.PYTHON),
        told('use_npu(op)\nop.parameter_map["«frobnicate»"].b = True\n', kind=Kind.PYTHON),
        told(
            "import torch_npu\ntorch.npu.config.«allow_internal_fromat→allow_internal_format» = False\n"
            "torch.npu.conv.«allow_tf32→allow_hf32» = True\n"
            "torch_npu.profiler._ExperimentalConfig(«aic_metric→aic_metrics»=a)\n",
            kind=Kind.PYTHON,
        ),
        told(
            'mindspore.set_context(«precision_mode»="force_fp32", jit_config={"«depth»": 1}, jit_level="O0", «ours»=1)\n',
            ("error", "warning", "error"),
            Kind.PYTHON,
        ),
        # Of a flag with one dash, the dashes are what is wrong; a switch that is turned off stays one.
        "vllm serve m «-compilation-config→--compilation-config» '{}' «--no-enable-perfix-caching→--no-enable-prefix-caching»\n",
        told(
            "torchrun pretrain_gpt.py --num-layers 2 --use-fused-rmsnorm «-use-fused-swiglu→--use-fused-swiglu»\n",
            "warning unsafe",
        ),
        # What starts an evaluation has Megatron's flags, and few of its own.
        _slip(
            "torchrun evaluation.py --tokenizer-name-or-path a --tokenizer-not-use-fast --num-layers 2 --hidden-size 4 --seq-length 8 "
            "--no-load-rng --position-embeddings-type rope\n",
            *("--position-embeddings-type", "--position-embedding-type", "warning"),
            kind=Kind.SHELL,
        ),
        # Scripts of the family take what its parsers have, also where a name is close to nothing.
        _slip(
            "torchrun pretrain_gpt.py --use-mc2 --lora-lora a\n", "--lora-lora", "--lora-load", "warning", Kind.SHELL
        ),
        *(
            Invalid(_MC2 + "--gather-g7-x\n", ("--gather-g7-x",), (says,), kind=Kind.SHELL, target=target)
            for says, target in (("info", {}), ("warning", {"mindspeed": "2.3"}))
        ),
        # Versions before keep silent about it.
        told('mindspore.set_context(jit_config={"«depth»": 1})\n', kind=Kind.PYTHON, target={"mindspore": "2.8"}),
        _slip('mindspore.set_context(jit_config={"level": "O0"})\n', "level", "jit_level", "warning"),
        told('import torch_npu\ntorch.npu.set_option({"«ACL_OP_MODE»": "1"})\n', kind=Kind.PYTHON),
        *VariableRule.INVALID,
        told(
            "export «COMBINED_ENABEL→COMBINED_ENABLE»=1\nmsprof «--ouput→--output»=./o --application=./a\n",
            "warning unsafe",
        ),
        _slip("atc --model=a.onnx --soc_verison=Ascend310P3\n", "--soc_verison", "--soc_version", kind=Kind.SHELL),
        # A variable of the script has the same slip.
        _slip(
            "soc_verison=Ascend310\necho $soc_verison\natc --model=a --soc_verison=$soc_verison\n",
            *("--soc_verison", "--soc_version"),
            kind=Kind.SHELL,
        ),
        "atc --model=a.onnx --framework=5 «--out»=a\n",
        "atc «--m»=a.onnx --framework=5 --output=a\n",
        told('config = NPURunConfig(dump_config=DumpConfig(«precision_mode»="x"))\n', kind=Kind.PYTHON),
        told(
            'LLM("m", additional_config={"scheduler_config": {"«multistream_overlap_gate»": True}})\n',
            kind=Kind.PYTHON,
            target={"vllm-ascend": "0.18.0"},
        ),
        told('op.parameter_map["«precison_mode»"].s = b"a"\n', "info", Kind.PYTHON, target={"cann": "99.0"}),
        told("export «PYTORCH_NPU_ALLOC_CONFIG→PYTORCH_NPU_ALLOC_CONF»=1\n", "warning unsafe"),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        for setting in () if is_whole(block, context) else unknown(block, context):
            look = self._variable if block.surface.row.environment else self._look
            yield from look(setting, block, context)

    def _variable(self, setting: Setting, block: Block, context: Context) -> Iterator[Finding]:
        """Look at an environment variable: the catalog doesn't have all of them, and one that the text reads itself is its own."""
        meant = meant_variable(setting.name, context)
        if meant is None or is_expanded(setting, context.document) or is_fetched(setting, context.document):
            return
        near = meant.names[0] if meant.names else None
        known = newest_known(setting, near, context)
        if known is not None:
            yield self._of_newer(setting, near, known, context)
            return
        yield self.mistyped(setting, meant, context)

    def _look(self, setting: Setting, block: Block, context: Context) -> Iterator[Finding]:
        if longer := context.longer(setting.surface, setting.name):
            yield self.finding(
                context,
                setting.key,
                "ambiguous",
                of=setting,
                tool=_tool(setting),
                longer=listed(longer, context.language),
            )
            return
        complete = is_complete(setting, context)
        parsed = not complete and is_parsed(setting, block, context)
        near, place = intended(setting, block, context, complete=complete or parsed)
        if near is None and place is None and parsed:
            severity = Severity.INFO if context.target.version("mindspeed") is None else Severity.WARNING
            yield self.finding(context, setting.key, "unparsed", of=setting, severity=severity)
            return
        unheard = near is None and place is None and (not complete or is_another_release(context, setting.surface))
        if unheard or _is_taken(setting, near, place, context):
            return
        known = newest_known(setting, near, context)
        if known is not None:
            yield self._of_newer(setting, near or place, known, context)
        elif place is not None:
            yield self._misplaced(setting, place, block, context)
        else:
            yield self._unknown(setting, near, context)

    def _misplaced(self, setting: Setting, place: str, block: Block, context: Context) -> Finding:
        certain = refusing(setting, context) is None
        silent, same = is_silent(setting, context), last_part(place) == last_part(setting.name)
        return self.finding(
            context,
            setting.key,
            ("misplaced" if silent else "misplaced_stops") if same else "silent_near" if silent else "stops_near",
            of=setting,
            severity=None if certain else Severity.WARNING,
            fixes=move_to(setting, place, block, context),
            near=place,
            tool=_tool(setting),
            since=self._since(setting, context),
        )

    def _of_newer(self, setting: Setting, near: str | None, known: tuple[str, str], context: Context) -> Finding:
        component, newest = known
        return self.finding(
            context,
            setting.key,
            "newer_near" if near else "newer",
            of=setting,
            severity=Severity.INFO,
            near=near,
            title=title_of(component),
            newest=newest,
        )

    def _unknown(self, setting: Setting, near: str | None, context: Context) -> Finding:
        silent = is_silent(setting, context)
        message = ("silent" if silent else "stops") + ("_near" if near else "")
        # Where only newer versions refuse other names, those before may have had more of them.
        certain = refusing(setting, context) is None
        complete = context.catalog.complete(setting.surface)
        lost = silent and not setting.surface.row.silent  # among keys of others
        sure = certain and (complete or is_refused(setting, context)) and not lost
        return self.finding(
            context,
            setting.key,
            message,
            of=setting,
            severity=None if sure else Severity.WARNING if near or complete else Severity.INFO,
            fixes=self.renamed(context, setting, near) if near is not None else [],
            # One dash for two: the name alone would be the same.
            near=f"--{near}" if near and setting.name.startswith("-") else near or "",
            tool=_tool(setting),
            since=self._since(setting, context),
        )

    def _since(self, setting: Setting, context: Context) -> str:
        found = refusing(setting, context)
        return self.say(context, "assumed", version=found[0], component=title_of(found[1])) if found is not None else ""


def _is_taken(setting: Setting, near: str | None, place: str | None, context: Context) -> bool:
    """Return whether a program takes a name: for the start of another one, or since it declares that argument itself."""
    if near is not None or place is not None:
        return is_start(setting, near, context)
    text = context.document.text
    return "add_argument(" in text and setting.name in {
        match["name"].replace("-", "_") for match in _DECLARED.finditer(text)
    }


def _tool(setting: Setting) -> str:
    row = setting.surface.row
    owner = setting.name.rpartition(".")[0] if row.nested == "calls" else ""
    return owner or row.tool
