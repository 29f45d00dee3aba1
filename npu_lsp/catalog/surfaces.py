"""The surfaces, one row each: where options are written, and what differs from one such place to the next.

Nothing else lists them: a new surface is a row, its texts in `data/surfaces.toml`, its options, and a shape to find it by.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from npu_lsp.catalog.calls import (
    MINDSPORE_ASCEND_CALLS,
    MINDSPORE_CALLS,
    MINDSPORE_DEVICE_CALLS,
    MINDSPORE_JIT_CALLS,
    MINDSPORE_PARALLEL_CALLS,
    NPU,
    NPU_CALLS,
    PROFILER_CALLS,
    RUN_CONFIG,
    SGLANG_CALLS,
    VLLM_CALLS,
    ArgumentCall,
    DictCall,
)
from npu_lsp.catalog.surface_row import SurfaceRow, Typing


class Surface(str, Enum):
    """Where an option is written."""

    SESSION = "session"
    RUN_CONFIG = "run_config"
    GLOBAL_OPTIONS = "global_options"
    ATC = "atc"
    AOE = "aoe"
    ENV = "env"
    TORCH_NPU = "torch_npu"
    NPU_ATTRIBUTES = "npu_attributes"
    NPU_CALLS = "npu_calls"
    PROFILER = "profiler"
    MINDSPORE = "mindspore"
    MINDSPORE_PARALLEL = "mindspore_parallel"
    MINDSPORE_JIT = "mindspore_jit"
    MINDFORMERS = "mindformers"
    MINDSPORE_ASCEND = "mindspore_ascend"
    MINDSPORE_DEVICE = "mindspore_device"
    TORCHAIR = "torchair"
    GE = "ge"
    OP_PRECISION = "op_precision"
    OP_CACHE = "op_cache"
    MIXLIST = "mixlist"
    CUSTOMIZE_DTYPES = "customize_dtypes"
    KEEP_DTYPE = "keep_dtype"
    FUSION_SWITCH = "fusion_switch"
    OP_DEBUG = "op_debug"
    COMPRESSION = "compression"
    SINGLE_OP = "single_op"
    AIPP = "aipp"
    ADDITIONAL_CONFIG = "additional_config"
    VLLM = "vllm"
    VLLM_ARGS = "vllm_args"
    SGLANG = "sglang"
    SGLANG_ARGS = "sglang_args"
    MINDIE = "mindie"
    MINDIE_DEPLOY = "mindie_deploy"
    MS_CONTROLLER = "ms_controller"
    MS_COORDINATOR = "ms_coordinator"
    NODE_MANAGER = "node_manager"
    PYMOTOR = "pymotor"
    PYMOTOR_ENGINE = "pymotor_engine"
    MINDSPEED = "mindspeed"
    RANK_TABLE = "rank_table"
    ACL_JSON = "acl_json"
    ONNXRUNTIME = "onnxruntime"
    MSPROF = "msprof"
    MSLITE = "mslite"
    CONVERTER_LITE = "converter_lite"
    AMCT = "amct"
    AMCT_QUANTIZE = "amct_quantize"
    TORCHRUN = "torchrun"
    MSRUN = "msrun"
    ACCELERATE = "accelerate"
    DEEPSPEED = "deepspeed"
    RAY = "ray"
    MPIRUN = "mpirun"
    SWIFT = "swift"
    LLAMAFACTORY = "llamafactory"
    VERL = "verl"
    ONLINE_DP = "online_dp"
    PACKAGE = "package"
    CONTAINER = "container"

    @property
    def row(self) -> Row:
        """What is known of the surface as a whole."""
        return ROWS[self]


Row = SurfaceRow
_TABLE = (
    SurfaceRow(
        Surface.SESSION,
        "TF Adapter",
        'parameter_map["{name}"].{slot} = {stored}',
        Typing.SLOTS,
        silent=True,
        adapter=1,
    ),
    SurfaceRow(Surface.RUN_CONFIG, RUN_CONFIG, "{owner}({own}={python})", Typing.PYTHON, nested="calls", adapter=1),
    SurfaceRow(
        Surface.GLOBAL_OPTIONS,
        "npu.global_options()",
        "npu.global_options().{name} = {python}",
        Typing.PYTHON,
        nested="attributes",
        complains=True,
        adapter=2,
    ),
    SurfaceRow(
        Surface.ATC,
        "ATC",
        "--{name}={word}",
        Typing.WORDS,
        commands=("atc", "atc.bin", "pyatc"),
        modules=("ge.pyatc",),
        flags="folded",
        needs=True,
    ),
    SurfaceRow(
        Surface.AOE, "AOE", "--{name}={word}", Typing.WORDS, commands=("aoe", "aoe.bin"), flags="folded", needs=True
    ),
    SurfaceRow(Surface.ENV, "environment", "export {name}={word}", Typing.TEXTS, environment=True, silent=True),
    SurfaceRow(
        Surface.TORCH_NPU,
        "torch_npu",
        'torch.npu.set_option({{"{name}": {quoted}}})',
        calls=(DictCall("set_option", ("npu", "torch_npu"), "option", position=0, together=True),),
    ),
    SurfaceRow(
        Surface.NPU_ATTRIBUTES,
        "torch_npu",
        "torch.npu.{name} = {python}",
        Typing.PYTHON,
        nested="attributes",
        silent=True,
        word="npu",
        roots=NPU,
        objects=("config", "matmul", "conv"),
        members=("CubeMathType",),
    ),
    SurfaceRow(
        Surface.NPU_CALLS,
        "torch_npu",
        "torch.npu.{owner}({own}={python})",
        Typing.PYTHON,
        nested="calls",
        word="npu",
        arguments=NPU_CALLS,
    ),
    SurfaceRow(
        Surface.PROFILER,
        "torch_npu.profiler",
        "torch_npu.profiler.{owner}({own}={python})",
        Typing.PYTHON,
        nested="calls",
        word="torch_npu",
        members=("ProfilerLevel", "AiCMetrics", "ExportType", "HostSystem", "ProfilerActivity"),
        arguments=PROFILER_CALLS,
    ),
    SurfaceRow(
        Surface.MINDSPORE,
        "mindspore.set_context",
        "mindspore.set_context({arguments})",
        Typing.PYTHON,
        nested="entries",
        grouped=True,
        word="mindspore",
        arguments=MINDSPORE_CALLS,
        inner=(
            ("ascend_config.ge_options.global", Surface.GE),
            ("ascend_config.ge_options.session", Surface.GE),
        ),
    ),
    SurfaceRow(
        Surface.MINDSPORE_PARALLEL,
        "mindspore.set_auto_parallel_context",
        "mindspore.set_auto_parallel_context({arguments})",
        Typing.PYTHON,
        nested="entries",
        grouped=True,
        word="mindspore",
        arguments=MINDSPORE_PARALLEL_CALLS,
    ),
    SurfaceRow(
        Surface.MINDSPORE_JIT,
        "mindspore.JitConfig",
        "mindspore.{owner}({own}={python})",
        Typing.PYTHON,
        nested="calls",
        word="mindspore",
        arguments=MINDSPORE_JIT_CALLS,
    ),
    SurfaceRow(
        Surface.MINDFORMERS,
        "MindFormers",
        "{own}: {json}",
        Typing.JSON,
        file=True,
        nested="entries",
        grouped=True,
        sign=": ",
    ),
    SurfaceRow(
        Surface.MINDSPORE_ASCEND,
        "mindspore.device_context.ascend",
        "{call}({own}={python})",
        Typing.PYTHON,
        nested="calls",
        word="mindspore",
        arguments=MINDSPORE_ASCEND_CALLS,
    ),
    SurfaceRow(
        Surface.MINDSPORE_DEVICE,
        "mindspore",
        "mindspore.{owner}({own}={python})",
        Typing.PYTHON,
        nested="calls",
        word="mindspore",
        arguments=MINDSPORE_DEVICE_CALLS,
    ),
    SurfaceRow(Surface.TORCHAIR, "CompilerConfig", "config.{name} = {python}", Typing.PYTHON, nested="attributes"),
    SurfaceRow(Surface.GE, "GE", '"{name}": {quoted}', silent=True),
    SurfaceRow(Surface.OP_PRECISION, "GE", file=True, silent=True, lists="sections", named="operators"),
    SurfaceRow(Surface.OP_CACHE, "GE", "{name}={plain}", Typing.WORDS, file=True, silent=True, sign="="),
    SurfaceRow(Surface.MIXLIST, "GE", typing=Typing.JSON, file=True, nested="entries"),
    SurfaceRow(Surface.CUSTOMIZE_DTYPES, "GE", file=True, lists="names", values="several"),
    SurfaceRow(Surface.KEEP_DTYPE, "GE", file=True, lists="names"),
    SurfaceRow(Surface.FUSION_SWITCH, "GE", file=True, nested="entries", lists="sections", named="rules"),
    SurfaceRow(Surface.OP_DEBUG, "GE", "{name}={plain}", file=True, silent=True, sign="=", values="several"),
    SurfaceRow(Surface.COMPRESSION, "GE", file=True, nested="entries", silent=True),
    SurfaceRow(
        Surface.SINGLE_OP,
        "ATC",
        '"{own}": {json}',
        Typing.JSON,
        file=True,
        nested="entries",
        silent=True,
        needs=True,
    ),
    SurfaceRow(Surface.AIPP, "ATC", "{name}: {field}", Typing.PROTO, file=True, needs=True, once=True),
    SurfaceRow(
        Surface.ADDITIONAL_CONFIG,
        "vLLM-Ascend",
        '"{own}": {json}',
        Typing.JSON,
        nested="entries",
        grouped=True,
        silent=True,
    ),
    *(
        SurfaceRow(
            *(surface, tool, '"{own}": {json}', Typing.JSON),
            file=True,
            nested="entries",
            grouped=True,
            silent=True,
            needs=True,
        )
        for surface, tool in (
            (Surface.MINDIE, "MindIE"),
            (Surface.MINDIE_DEPLOY, "MindIE-Motor"),
            (Surface.MS_CONTROLLER, "MindIE-Motor"),
            (Surface.MS_COORDINATOR, "MindIE-Motor"),
            (Surface.NODE_MANAGER, "MindIE-Motor"),
            *((each, "PyMotor") for each in (Surface.PYMOTOR, Surface.PYMOTOR_ENGINE)),
        )
    ),
    SurfaceRow(Surface.RANK_TABLE, "HCCL", '"{own}": {json}', Typing.JSON, file=True, nested="entries", silent=True),
    SurfaceRow(Surface.ACL_JSON, "aclInit", '"{own}": {json}', Typing.JSON, file=True, nested="entries", silent=True),
    SurfaceRow(Surface.ONNXRUNTIME, "ONNX Runtime", '"{name}": {quoted}', Typing.TEXTS),
    SurfaceRow(
        Surface.MSPROF, "msprof", "--{name}={word}", Typing.WORDS, commands=("msprof",), flags="short", starts=True
    ),
    SurfaceRow(Surface.MSLITE, "MindSpore Lite", "{name}={plain}", Typing.WORDS, file=True, silent=True, sign="="),
    SurfaceRow(Surface.CONVERTER_LITE, "converter_lite", "--{name}={word}", Typing.WORDS, commands=("converter_lite",)),
    SurfaceRow(Surface.AMCT, "AMCT", '"{own}": {json}', Typing.JSON, file=True, nested="entries", once=True),
    SurfaceRow(
        *(Surface.AMCT_QUANTIZE, "amct_pytorch.quantize", '"{own}": {python}', Typing.PYTHON),
        nested="entries",
        silent=True,
        calls=(DictCall("quantize", ("amct_pytorch", "amct"), "config", position=1),),
    ),
    SurfaceRow(
        *(Surface.TORCHRUN, "torchrun", "--{name}={word}", Typing.WORDS),
        commands=("torchrun",),
        modules=("torch.distributed.run", "torch.distributed.launch"),
        flags="short",
        starts=True,
    ),
    SurfaceRow(
        Surface.MSRUN, "msrun", "--{name}={word}", Typing.WORDS, commands=("msrun",), flags="short", starts=True
    ),
    SurfaceRow(
        *(Surface.ACCELERATE, "accelerate", "--{name} {word}", Typing.WORDS),
        commands=("accelerate",),
        modules=("accelerate.commands.launch",),
        subcommands=("launch",),
        starts=True,
    ),
    SurfaceRow(Surface.DEEPSPEED, "DeepSpeed", "--{name} {word}", Typing.WORDS, commands=("deepspeed",), starts=True),
    SurfaceRow(
        Surface.RAY, "Ray", "--{name}={word}", Typing.WORDS, commands=("ray",), subcommands=("start",), starts=True
    ),
    SurfaceRow(Surface.MPIRUN, "mpirun", "-{name} {word}", Typing.WORDS, commands=("mpirun", "mpiexec"), starts=True),
    *(
        SurfaceRow(surface, tool, "--{name} {word}", Typing.WORDS, commands=commands, subcommands=said, flags="lists")
        for surface, tool, commands, said in (
            (Surface.SWIFT, "ms-swift", ("swift", "megatron"), ("sft", "pt", "rlhf", "infer", "deploy", "rollout")),
            (Surface.LLAMAFACTORY, "LLaMA-Factory", ("llamafactory-cli",), ("train", "chat", "api", "export")),
            (Surface.ONLINE_DP, "launch_online_dp.py", ("launch_online_dp.py",), ()),
        )
    ),
    SurfaceRow(
        Surface.VERL, "verl", "{name}={word}", Typing.WORDS, modules=("verl.trainer.main_ppo",), flags="overrides"
    ),
    SurfaceRow(Surface.MINDSPEED, "MindSpeed", "--{name} {word}", Typing.WORDS, beside=True),
    SurfaceRow(
        Surface.VLLM,
        "vLLM",
        "--{name} {word}",
        Typing.WORDS,
        commands=("vllm",),
        subcommands=("serve",),
        positionals=1,
        modules=("vllm.entrypoints.openai.api_server",),
        flags="argparse",
        folds=True,
        beside=True,
    ),
    SurfaceRow(
        Surface.VLLM_ARGS,
        "vLLM",
        "LLM({arguments})",
        Typing.JSON,
        nested="entries",
        grouped=True,
        word="vllm",
        arguments=VLLM_CALLS,
        apart=("additional_config",),
    ),
    SurfaceRow(
        Surface.SGLANG,
        "SGLang",
        "--{name} {word}",
        Typing.WORDS,
        commands=("sglang",),
        subcommands=("serve",),
        modules=("sglang.launch_server",),
        flags="argparse",
        beside=True,
    ),
    SurfaceRow(
        Surface.SGLANG_ARGS,
        "SGLang",
        "Engine({arguments})",
        Typing.JSON,
        nested="entries",
        grouped=True,
        word="sglang",
        arguments=SGLANG_CALLS,
    ),
    SurfaceRow(Surface.PACKAGE, "pip", "{name}{plain}", many=True),
    SurfaceRow(Surface.CONTAINER, "docker", "--{name} {word}", beside=True, many=True),
)
ROWS: dict[Surface, Row] = {Surface(row.surface): row for row in _TABLE}
if len(ROWS) < len(_TABLE) or set(ROWS) != set(Surface):
    raise ValueError("every surface needs one row")


def where(asked: Callable[[Row], object]) -> frozenset[Surface]:
    """Return the surfaces whose rows answer with something true."""
    return frozenset(surface for surface, row in ROWS.items() if asked(row))


CALLS: tuple[tuple[Surface, DictCall], ...] = tuple(
    (surface, call) for surface, row in ROWS.items() for call in row.calls
)
"""The calls that take a dict of options, with the surface of each."""
ARGUMENTS: tuple[tuple[Surface, ArgumentCall], ...] = tuple(
    (surface, call) for surface, row in ROWS.items() for call in row.arguments
)
"""The calls whose arguments are options, with the surface of each."""
COMMANDS = where(lambda row: row.commands or row.modules)
"""The surfaces of command lines."""
LOOSE = where(lambda row: row.starts or row.flags in ("lists", "overrides"))
"""Those of commands that take words without a dash, wherever they stand."""
ENVIRONMENT = where(lambda row: row.environment)
"""The surfaces of environment variables."""
