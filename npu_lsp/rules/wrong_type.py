"""NPU103: a value of a type that the place doesn't take."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block, Setting, SyntaxFault
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.mistyped import mistyped
from npu_lsp.linter.mistyped.model import Correction
from npu_lsp.linter.names.groups import is_converted
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import text_of
from npu_lsp.rules.glued_flag import flags_in
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_POD = (
    "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: infer\n        env:\n"
    "        - name: TASK_QUEUE_ENABLE\n          value: {}\n        - name: RANK_ID\n          valueFrom:\n            fieldRef: {{}}\n"
)


class WrongType(Rule):
    """A value of a type that raises an exception, or that is rejected, where it is stored.

    ## What it does
    Compares the type of each literal with the one that its place takes. On `parameter_map` that is what protobuf
    stores: a `.s` field takes bytes, `.i` an integer, `.f` a number, `.b` a bool. `os.environ` takes texts only; in AIPP
    files texts stand in quotes, and nothing else does. Variables in a Pod of Kubernetes and in Ray's `env_vars` are texts,
    which numbers without quotes are not. What a variable holds is not known, and left alone.

    ## Why is this bad?
    Protobuf raises `TypeError` when a `str` is assigned to a bytes field, or text to a number or a bool. On the TF 2
    options and on `NPURunConfig` a value of another type is rejected when the object is made, or misread later. Kubernetes
    refuses the Pod, and Ray to start.

    ## Fix safety
    Safe where the same value is written in the right type: the code raised an exception before.
    """

    code = "NPU103"
    title = Text(en="Value of the wrong type", zh="值的类型错误")
    tried = True
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = where(lambda row: row.typing)
    messages = {
        "raises": Text(
            en='"{option}" needs {needed} in ".{slot}"; {given} raises TypeError. Write {needed}.',
            zh="“{option}”的“.{slot}”字段需要 {needed}，此处为 {given}，赋值时会抛出 TypeError。请改为 {needed}。",
        ),
        "rejected": Text(
            en='"{option}" takes {needed}; {given} is rejected with an error. Write {needed}.',
            zh="“{option}”需要{needed}，此处为 {given}，会报错。请改为{needed}。",
        ),
        "environment": Text(
            en='The environment holds texts only; {given} for "{option}" raises TypeError. Write it as a str.',
            zh="环境变量只能为字符串，“{option}”赋值为 {given} 会抛出 TypeError，请写成字符串。",
        ),
        "handed_on": Text(
            en='"{option}" takes {needed}; {given} raises TypeError before the training starts. Write {needed}.',
            zh="“{option}”需要{needed}，此处为 {given}，训练开始前会抛出 TypeError。请改为{needed}。",
        ),
        "class": Text(
            en='"{option}" takes a {needed}; with a {given} the constructor raises an error.',
            zh="“{option}”需要 {needed} 对象，传入 {given} 时构造函数会抛出异常。",
        ),
        "silent": Text(
            en='"{option}" takes {needed}, not {given}, and the tool runs on all the same. Write {needed}.',
            zh="“{option}”需要{needed}，而不是 {given}，执行时不会因此退出。请改为{needed}。",
        ),
        "quoted": Text(
            en='"{option}" takes {needed}, which stands without quotes; ATC can\'t read the file and stops with an error.',
            zh="“{option}”需要{needed}，不能加引号，否则文件无法解析，ATC 会报错退出。",
        ),
        "unquoted": Text(
            en='"{option}" takes a text in quotes; ATC can\'t read the file and stops with an error.',
            zh="“{option}”的取值须加引号，否则文件无法解析，ATC 会报错退出。",
        ),
        "truth_before": Text(
            en='{given} is a text, which counts as true for "{option}" before {before}, whatever it says. Write {needed}.',
            zh="{given} 是文本，在 {before} 之前的版本中，“{option}”会将其当作 true，与内容无关。请写 {needed}。",
        ),
        "truth": Text(
            en='{given} is a text, which counts as true for "{option}", whatever it says. Write {needed}.',
            zh="{given} 是文本，“{option}”会将其当作 true。请写 {needed}。",
        ),
        "counted": Text(
            en='"{option}" takes {needed}; {given} counts as the number 1 or 0. Write {needed}.',
            zh="“{option}”需要{needed}，{given} 会被当作数字 1 或 0。请改为{needed}。",
        ),
        "default": Text(
            en='"{option}" takes {needed}; with {given} a warning is logged and the default holds. Write {needed}.',
            zh="“{option}”需要{needed}，传入 {given} 时仅打印告警并按默认值运行。请改为{needed}。",
        ),
        "kubernetes": Text(
            en='The value of a variable in a Pod is a text; the API server refuses {given} for "{option}". Put it in quotes.',
            zh="Pod 中环境变量的取值必须是字符串，“{option}”取值 {given} 会被 API Server 拒绝。请加上引号。",
        ),
        "ray": Text(
            en='The values of env_vars are texts; Ray raises TypeError for {given} as "{option}". Write it as a text.',
            zh="Ray 的 env_vars 取值必须是字符串，“{option}”取值 {given} 会抛出 TypeError。请写成字符串。",
        ),
        "text": Text(en="Turn it into a text", zh="转换为字符串"),
        "unquote": Text(en="Remove the quotes", zh="去掉引号"),
        "quote": Text(en="Put it in quotes", zh="加上引号"),
        "bytes": Text(en="Turn it into bytes", zh="转换为 bytes"),
        "rewrite": Text(en="Change to {value}", zh="改为 {value}"),
    }
    examples_in = Kind.PYTHON
    examples_fixed = "safe"
    VALID = (
        Valid(
            'vllm serve m --additional-config \'{"eplb_config": {"num_redundant_experts": "2"}}\'\n',
            Kind.SHELL,
            target={"vllm-ascend": "0.13.0"},
        ),
        # Kubernetes puts a variable's value there.
        Valid(
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      command: [python3]\n"
            "      args:\n        - -m\n        - sglang.launch_server\n        - --nnodes\n        - $(LWS_GROUP_SIZE)\n",
            Kind.YAML,
        ),
        # MindSpore passes over the whole dict on a CPU.
        'from mindspore import set_context\nset_context(device_target="CPU", ascend_config={"precision_mode": 7})\n',
        # A number or its name.
        Valid('vllm serve m --compilation-config \'{"mode": "VLLM_COMPILE"}\'\n', Kind.SHELL),
        Valid("vllm serve m --data-parallel-size 4 --data-parallel-start-rank x\n", Kind.SHELL),
        # NPU111 tells what is glued to it.
        Valid("msrun --worker_num=2--local_worker_num=2 train.py\n", Kind.SHELL),
        Valid("python launch_online_dp.py --dp-size 4 --dp-rank-start x\n", Kind.SHELL),
        Valid("vllm serve m --compilation-config '{\"mode\": 3}'\n", Kind.SHELL),
        # From 0.27 on texts are read as they say.
        Valid(
            'LLM("m", additional_config={"rl_config": {"enabled": "true"}, "mega_moe_max_tokens": "65536"})\n',
            target={"vllm-ascend": "0.30"},
        ),
        'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n',
        'custom_op.parameter_map["precision_mode"].s = b"allow_mix_precision"\n',
        'print "Python 2"\ncustom_op.parameter_map["precision_mode"].s = "allow_mix_precision"\n',
        'custom_op.parameter_map["use_off_line"].b = FLAGS.offline\n',
        "config = NPURunConfig(iterations_per_loop=10, precision_mode=None)\n",
        # TF Adapter takes one; other scripts keep the devices of a run in it.
        Valid("export ASCEND_DEVICE_ID=0,1,2,3\n", Kind.SHELL),
        'import os\ndef test_device(env):\n    os.environ["RANK_ID"] = "none"\n',
        'import os\nos.environ["ASCEND_DEVICE_ID"] = "1"\nos.environ["RANK_ID"] = str(rank)\n',
        'import os\nos.environ["RANK_ID"] = table["rank_id"]\n',
        *(Valid(_POD.format(value), Kind.YAML) for value in ('"1"', "!!str 1", "1.2.3")),
        Valid("env_vars:\n  HCCL_BUFFSIZE: 512\n", Kind.YAML),
        Valid('ray job submit --runtime-env-json \'{"env_vars": {"TASK_QUEUE_ENABLE": "1"}}\'\n', Kind.SHELL),
        Valid('start --json \'{"env_vars": {"TASK_QUEUE_ENABLE": 1}}\'\n', Kind.SHELL),
        'ray.init(runtime_env={"env_vars": {"HCCL_BUFFSIZE": "512", "RANK_ID": str(rank)}})\n',
        'launch(runtime_env={"env_vars": {"HCCL_BUFFSIZE": 512}})\n',
        # Whoever gets it may make a text of it.
        "config = {'env_vars': {'HCCL_BUFFSIZE': len(sizes), 'RANK_ID': rank + 1}}\nlaunch(config)\n",
        "config = {'env_vars': {'HCCL_BUFFSIZE': 1024, 'ASCEND_RT_VISIBLE_DEVICES': 0}}\n",
        'npu.global_options().graph_exec_timeout = "600000"\n',
        Valid('[{"op": "Add", "input_desc": [{"param_type": "required", "format": ["ND"]}]}]\n', Kind.SINGLE_OP),
        Valid('[{"op": "Add", "attr": [{"name": "axis", "type": "int", "value": 1}]}]\n', Kind.SINGLE_OP),
        "config = NPURunConfig(graph_run_mode=True, iterations_per_loop=True, precision_mode=None)\n",
        "config = NPURunConfig(dump_config=DumpConfig(enable_dump=False), profiling_config=None)\n",
        "config = NPURunConfig(hcom_parallel=1, variable_format_optimize=None, dump_path=None)\n",
        "torch.npu.set_compile_mode(jit_compile='on')\ntorch.npu.config.allow_internal_format = flag\n",
        "config = NPURunConfig(graph_memory_max_size=26 * 1024 ** 3, save_checkpoints_steps=1e3)\n",
    )
    INVALID = (
        (
            'op.parameter_map["precision_mode"].s = «"force_fp16"→b"force_fp16"»\n'
            'op.parameter_map["use_off_line"].b = «"True"→True»\n'
        ),
        told(
            '{"digs_prefill_slo": 1000, "role_decision_methods": "digs", "log_info": {"to_stdout": «"true"→true»}}\n',
            "warning safe",
            Kind.MINDIE,
        ),
        "config = NPURunConfig(aoe_mode=«True»)\n",
        'config = NPURunConfig(quant_dumpable=«True→"1"»)\n',
        *(
            Invalid(_POD.format(value), (value,), ("error safe",), _POD.format(f'"{value}"'), kind=Kind.YAML)
            for value in ("1", "0.5", "true", "No")
        ),
        told('ray job submit --runtime-env-json \'{"env_vars": {"TASK_QUEUE_ENABLE": «1→"1"»}}\'\n'),
        (
            'a = len(b)\nenv = {"env_vars": {"HCCL_BUFFSIZE": «a→str(a)», "RANK_ID": «1→"1"»}}\n'
            "A.options(runtime_env=env).remote()\n"
        ),
        "@ray.remote(runtime_env=RuntimeEnv(env_vars={'RANK_ID': «True»}))\nclass A: ...\n",
        told(
            'import torch\ntorch.npu.set_compile_mode(jit_compile=«"False"→False»)\n'
            'torch.npu.matmul.allow_hf32 = «"True"→True»\n',
            ("warning safe", "error safe"),
            Kind.PYTHON,
        ),
        told(
            "torch_npu.npu.set_per_process_memory_fraction(«1→1.0»)\n"
            "torch_npu.profiler._ExperimentalConfig(l2_cache=«1→True»)\n",
            ("error safe", "warning safe"),
            Kind.PYTHON,
        ),
        # The profiler puts its default in the place of each.
        told(
            "import torch_npu\ntorch_npu.profiler._ExperimentalConfig(export_type=«None», profiler_level=«1»)\n",
            "warning",
            Kind.PYTHON,
        ),
        (
            "import tensorflow as tf\n"
            'custom_op.parameter_map["dump_path"].s = «str(path)→tf.compat.as_bytes(str(path))»\n'
        ),
        'config = NPURunConfig(iterations_per_loop=«"10"→10», mix_compile_mode=«1→True»)\n',
        told("atc --static_model_ops_lower_limit=«few»\n"),
        told('atc --static_model_ops_lower_limit="«few»"\n'),
        told("export HCCL_EVENT_TIMEOUT=«1800,1900»\n", "warning"),
        told("export ASCEND_DEVICE_ID=«npu0»\n", "warning"),
        'config = NPURunConfig(iterations_per_loop=«"10,20"»)\n',
        'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = «3→"3"»\n',
        'config = NPURunConfig(dump_config=«"dump.cfg"»)\n',
        "config = NPURunConfig(dump_config=«{}»)\n",
        "config = NPURunConfig(dump_config=«ProfilingConfig()»)\n",
        "config = NPURunConfig(mix_compile_mode=«None», graph_run_mode=«None», dump_config=DumpConfig(enable_dump=«None»))\n",
        "config = NPURunConfig(debug_dir=«[1]», hccl_timeout=«1.5»)\n",
        told('aipp_op {\n  aipp_mode: «"static"→static»\n  related_input_name: «data→"data"»\n}\n', kind=Kind.AIPP),
        told(
            'vllm serve m --additional-config \'{"enable_kv_nz": «"false"→false», "refresh": "True"}\'\n',
            "warning safe",
        ),
        # Releases before 0.14.0rc1 take a text for the number that it says.
        told(
            'LLM("m", additional_config={"eplb_config": {"num_redundant_experts": «"2"→2»}})\n',
            "info unsafe",
            Kind.PYTHON,
        ),
        told(
            'vllm serve m --additional-config \'{"profiling_chunk_config": {"min_chunk": «"many"», "max_fit_chunk": "30"},'
            ' "eplb_config": {"num_redundant_experts": «true»}}\'\n',
            ("error", "warning"),
            target={"vllm-ascend": "0.23.0"},
        ),
        # What is no text isn't read as one by any version.
        told(
            'LLM("m", additional_config={"refresh": True, "mega_moe_max_tokens": «1.5»})\n',
            kind=Kind.PYTHON,
            target={"vllm-ascend": "0.30"},
        ),
        told('{"black-list": {"to-add": «"Add"»}}\n', kind=Kind.MIXLIST),
        told('[{"compile_flag": «"1"→1»}, {"input_desc": [{"is_const": «1→true»}]}]\n', kind=Kind.SINGLE_OP),
        told('[{"op": «null», "input_desc": [{"shape": «3»}]}]\n', kind=Kind.SINGLE_OP),
        # What YAML reads as true.
        told('context:\n  device_target: Ascend\n  save_graphs: False\n  deterministic: «ON→"ON"»\n', kind=Kind.YAML),
        told("[op_compiler_cache]\nmax_op_cache_size=«500MB»\n", "warning", Kind.OP_CACHE),
        told("aipp_op {\n  mean_chn_0: «104.5»\n}\n", kind=Kind.AIPP),
        "npu.global_options().external_weight = «2»\n",
        'npu.global_options().is_tailing_optimization = «"True"→True»\n',
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Report values that are no texts where a text is wanted, and that YAML or Python doesn't read as one."""
        for found in context.parsed.syntax:
            option = (
                context.lookup(Surface.ENV, found.arguments["name"]) if found.kind is SyntaxFault.WRONG_TYPE else None
            )
            if option is not None:
                yield self.finding(
                    context,
                    found.span,
                    found.arguments["taker"],
                    of=option,
                    fixes=self.fix(context, "text", found.edits, Safety.SAFE),
                    given=found.arguments["given"],
                )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        wrong = mistyped(setting, option, context)
        if (
            wrong is None
            or Companions.of_block(block, context).within_ignored(setting)
            or any(flags_in(setting, context))
        ):
            return
        told = context.target.knows(option.component)
        read = not option.enforced or (told and text_of(setting.value) is not None)
        converted = read and is_converted(option, context)
        if converted and told:
            return
        needed = wrong.needed.to(context.language) if isinstance(wrong.needed, Text) else wrong.needed
        yield self.finding(
            context,
            wrong.span or setting.value.span,
            "truth_before" if converted else wrong.message,
            of=option,
            severity=None if wrong.sure else Severity.WARNING,
            fixes=self._fixes(wrong.correction, context),
            holds_since=None if option.type == "dict" else option.refuses,
            needed=needed,
            given=wrong.given,
            slot=setting.slot or "",
            before=f"{title_of(option.component)} {context.catalog.checked(option.surface)}",
        )

    def _fixes(self, correction: Correction | None, context: Context) -> list[Fix]:
        if correction is None:
            return []
        return self.fix(context, correction.title, correction.edits, Safety.SAFE, value=correction.value)
