"""Scripts as people write them, of any length and the same for the same seed; and scripts that somebody wrote."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from npu_lsp.languages import read
from npu_lsp.languages.detection import detect
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_NOUNS = [
    "batch",
    "boxes",
    "cache",
    "checkpoint",
    "classes",
    "config",
    "dataset",
    "decoder",
    "device",
    "embedding",
    "encoder",
    "epoch",
    "feature",
    "gradient",
    "hidden",
    "image",
    "index",
    "kernel",
    "labels",
    "layer",
    "logits",
    "loss",
    "mask",
    "metrics",
    "model",
    "optimizer",
    "output",
    "prefix",
    "ratio",
    "record",
    "sample",
    "scale",
    "scope",
    "sequence",
    "shape",
    "stride",
    "summary",
    "tensor",
    "token",
    "weights",
    "window",
]
_VERBS = [
    "apply",
    "build",
    "collect",
    "compute",
    "convert",
    "create",
    "decode",
    "encode",
    "filter",
    "gather",
    "load",
    "merge",
    "normalize",
    "parse",
    "read",
    "reduce",
]
_MODULES = [
    "argparse",
    "collections",
    "functools",
    "glob",
    "json",
    "logging",
    "math",
    "os",
    "random",
    "re",
    "shutil",
    "sys",
    "time",
]

_SETUP = """\
def session_config(flags):
    \"\"\"Returns the session's configuration for the NPU.\"\"\"
    config = tf.ConfigProto(allow_soft_placement=True)
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["use_off_line"].b = True
    custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")
    custom_op.parameter_map["dynamic_input"].b = flags.dynamic
    custom_op.parameter_map["graph_memory_max_size"].s = tf.compat.as_bytes(str(28 * 1024 * 1024 * 1024))
    custom_op.parameter_map["op_select_implmode"].s = tf.compat.as_bytes("high_precision")
    custom_op.parameter_map["iterations_per_loop"].i = flags.iterations
    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    return config


def run_config(flags):
    dump_config = DumpConfig(enable_dump=True, dump_path="/tmp/dump", dump_step="0|5|10", dump_mode="all")
    return NPURunConfig(
        model_dir=flags.output_dir,
        save_checkpoints_steps=1000,
        precision_mode="allow_mix_precision",
        dump_config=dump_config,
        iterations_per_loop=flags.iterations,
    )


"""

_SHELL_SETUP = """\
export ASCEND_GLOBAL_LOG_LEVEL=3
export ASCEND_SLOG_PRINT_TO_STDOUT=0
export TASK_QUEUE_ENABLE=1

atc --model="${work_dir}/model.onnx" \\
    --framework=5 \\
    --output="${work_dir}/model_bs1" \\
    --input_format=NCHW \\
    --input_shape="images:1,3,640,640" \\
    --precision_mode=allow_mix_precision \\
    --log=error \\
    --soc_version=Ascend310P3
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a script, 0-based, its column in UTF-16."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Script:
    """A text and where an editor does what in it."""

    name: str
    language: str
    text: str
    value: Place
    """Inside of an option's value, where one types."""
    option: Place
    """Inside of an option's name, where one hovers."""
    word: Place
    """Inside of a word that every server for the language knows, in a statement that sets nothing."""


def training_script(lines: int, seed: int = 1) -> Script:
    """Return a Python training script with so many lines; the options stand in its middle."""
    rng = random.Random(f"python {seed}")
    head = _python_head(rng)
    body: list[str] = []
    wanted = lines - head.count("\n") - _SETUP.count("\n")
    while (have := sum(part.count("\n") for part in body)) < wanted:
        make = rng.choice((_function, _function, _class, _table))
        part = make(rng, len(body))
        body.append(part if have + part.count("\n") <= wanted else "\n" * (wanted - have))
    half = len(body) // 2
    text = head + "".join(body[:half]) + _SETUP + "".join(body[half:])
    return Script(
        f"train_{lines}.py",
        "python",
        text,
        _place(text, "allow_mix_precision"),
        _place(text, "precision_mode"),
        _place(text, "return result", 9),
    )


def conversion_script(lines: int, seed: int = 1) -> Script:
    """Return a shell script with so many lines that converts a model; the command stands in its middle."""
    rng = random.Random(f"shell {seed}")
    parts = ['#!/bin/bash\nset -e\nwork_dir=$(cd "$(dirname "$0")" && pwd)\n']
    wanted = lines - parts[0].count("\n") - _SHELL_SETUP.count("\n")
    body: list[str] = []
    while (have := sum(part.count("\n") for part in body)) < wanted:
        part = _shell_part(rng, len(body))
        body.append(part if have + part.count("\n") <= wanted else "\n" * (wanted - have))
    half = len(body) // 2
    text = "".join([*parts, *body[:half], _SHELL_SETUP, *body[half:]])
    return Script(
        f"convert_{lines}.sh",
        "shellscript",
        text,
        _place(text, "allow_mix_precision"),
        _place(text, "precision_mode"),
        _place(text, "echo ", 2),
    )


def real_script(path: Path) -> Script:
    """Return a script that somebody wrote, which must set an option whose value can be typed in."""
    text = path.read_text(encoding="utf-8")
    kind = detect(path.name, text[:200])
    document = Document(text, path=str(path), kind=kind)
    settings = [setting for block in read(document).blocks for setting in block.settings]
    found = next(
        (each for each in settings if each.value.known and each.value.span.end - each.value.span.start > 2), None
    )
    if found is None:
        raise SystemExit(f"{path} sets no option")
    held = [each.statement for each in settings]
    words = (m.start() + 1 for m in re.finditer(r"(?m)^[ \t]*[a-z]\w{3,}", text))
    word = next((at for at in words if not any(span.start <= at <= span.end for span in held)), 0)
    places = (found.value.span.start + 2, found.key.start + 1, word)
    value, option, plain = (Place(*document.position(at, "utf-16")) for at in places)
    return Script(path.name, "python" if kind is Kind.PYTHON else "shellscript", text, value, option, plain)


def plain_module(rng: random.Random, length: int) -> str:
    """Return a Python module of about so many characters that sets nothing."""
    parts = [_python_head(rng)]
    size = len(parts[0])
    while size < length:
        parts.append(rng.choice((_function, _function, _class, _table))(rng, len(parts)))
        size += len(parts[-1])
    return "".join(parts)


def plain_shell(rng: random.Random, length: int) -> str:
    """Return a shell script of about so many characters that sets nothing."""
    parts = ["#!/bin/bash\nset -e\n"]
    size = 0
    while size < length:
        parts.append(_shell_part(rng, len(parts)))
        size += len(parts[-1])
    return "".join(parts)


def _place(text: str, word: str, inside: int = 3) -> Place:
    at = text.index(word) + inside
    return Place(text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1))


def _name(rng: random.Random) -> str:
    return f"{rng.choice(_NOUNS)}_{rng.choice(_NOUNS)}"


def _python_head(rng: random.Random) -> str:
    imports = "".join(f"import {name}\n" for name in sorted(rng.sample(_MODULES, 6)))
    flags = "".join(
        f'flags.DEFINE_{kind}("{_name(rng)}", {value}, "The {rng.choice(_NOUNS)} of the {rng.choice(_NOUNS)}.")\n'
        for kind, value in (("string", "None"), ("integer", rng.randrange(512)), ("float", "5e-5"), ("bool", "False"))
    )
    return f'# coding=utf-8\n"""Trains a {rng.choice(_NOUNS)} network."""\n\n{imports}\nimport numpy as np\nimport tensorflow as tf\n\nflags = tf.flags\n{flags}\n\n'


def _function(rng: random.Random, number: int, indent: str = "", first: str = "") -> str:
    a, b, c = (_name(rng) for _ in range(3))
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    lines = [
        f"def {verb}_{noun}_{number}({first}{a}, {b}=None, scale={rng.random():.3f}):",
        f'    """{verb.capitalize()}s the {noun} of `{a}`, see the paper."""',
        f"    {c} = {{'{a}': {a}, '{b}': [{rng.randrange(99)}, {rng.randrange(99)}], 'name': \"{noun}\"}}",
    ]
    for _ in range(rng.randrange(1, 5)):
        lines += rng.choice(
            (
                [
                    f"    if {b} is None and {a} > {rng.randrange(100)}:",
                    f"        {b} = np.zeros([{a}, {rng.randrange(512)}], dtype=np.float32)",
                ],
                [
                    f"    for index, {noun} in enumerate({a}):",
                    f"        {c}['{noun}'] = tf.reshape({noun}, [-1, {rng.randrange(512)}])  # one {noun} a row",
                ],
                [
                    f"    with tf.variable_scope('{noun}_{rng.randrange(9)}', reuse=tf.AUTO_REUSE):",
                    f"        {b} = tf.layers.dense({b}, {rng.randrange(2048)}, activation=tf.nn.relu, name='{noun}')",
                ],
                [
                    f"    {a} = tf.nn.conv2d(",
                    f"        {a}, filters={b}, strides=[1, 2, 2, 1],",
                    "        padding='SAME',",
                    "    )",
                ],
                [
                    "    try:",
                    f"        {b} = int({b})",
                    "    except (TypeError, ValueError):",
                    f"        logging.warning('%s is no {noun}', {b})",
                ],
                [f"    # The {noun} comes first.", f"    {a}, {b} = {b}, {a} * scale + {rng.random():.6f}"],
            )
        )
    lines += [f"    result = {c}.get('{a}', {b})", "    return result", ""]
    return "".join(f"{indent}{line}".rstrip() + "\n" for line in lines) + ("" if indent else "\n")


def _class(rng: random.Random, number: int) -> str:
    name = "".join(part.capitalize() for part in _name(rng).split("_"))
    methods = "".join(_function(rng, index, "    ", "self, ") for index in range(rng.randrange(1, 4)))
    return f'class {name}{number}(object):\n    """A {rng.choice(_NOUNS)}."""\n\n{methods}\n'


def _table(rng: random.Random, number: int) -> str:
    rows = "".join(
        f"    '{_name(rng)}': ({rng.randrange(999)}, {rng.random():.4f}, True),\n" for _ in range(rng.randrange(2, 9))
    )
    return f"{rng.choice(_NOUNS).upper()}_{number} = {{\n{rows}}}\n\n\n"


def _shell_part(rng: random.Random, number: int) -> str:
    name, noun = _name(rng), rng.choice(_NOUNS)
    return rng.choice(
        (
            f'{name}="{rng.randrange(512)}"\necho "{noun}: ${{{name}}}"\n\n',
            f'if [ ! -d "${{data_path}}/{noun}" ]; then\n    echo "no {noun} in ${{data_path}}"\n    mkdir -p "${{data_path}}/{noun}"\nfi\n\n',
            f'for {noun} in $(seq 0 {rng.randrange(8)}); do\n    python3 train.py --{noun}=${{{noun}}} --{name} {rng.randrange(64)} \\\n        > "log_${{{noun}}}.txt" 2>&1 &\ndone\nwait\n\n',
            f'{rng.choice(_VERBS)}_{number}() {{\n    local {noun}="$1"\n    # One {noun} after the other.\n    grep "{noun}" "${{log}}" | awk \'{{print $NF}}\' | sort -n\n}}\n\n',
            f'echo "step {number}"\n',
        )
    )
