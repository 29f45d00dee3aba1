"""Texts as people write them, and what happens to them while they are typed, pasted and broken."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache

from npu_lsp.languages.detection import detect
from npu_lsp.rules import all_rules
from npu_lsp.text.kinds import Kind
from tests.benchmarks.scripts import conversion_script, training_script
from tests.case_files import case_files
from tests.languages.config_formats.test_properties import FILES
from tests.languages.hosts.test_properties import HOSTS
from tests.languages.python.test_properties import QUOTED, SHARED, SPOKEN

_LARGEST = 20_000
_PIECES = (
    *"()[]{}'\"`\\,.:;=#$&|<>!@%*- \t\n\r\f\0",
    "\r\n", "'''", '"""', "\\\n", "\\\r\n", " \\ \n", "$(", "${", "$((", "<<EOF\n", "<<'EOF'\n", "\nEOF\n", "${x:-", "&&", "||", "==",
    "\ufeff", "\u2028", "\x85", "\x0b", "中文", "，", "“", "”", "：", "😀", "\ud800", "e\u0301", "\u202e",
    "def f(", "if x:", "else:", "elif y:", "for k, v in {", "lambda: ", "f\"{x}\"", "f'{", "b''", "rb\"", "import os\n", "with a as b:", "async ", "@",
    "op.parameter_map[", '.parameter_map["precision_mode"].s = ', "tf.compat.as_bytes(", "NPURunConfig(", "npu.global_options().", "os.environ[", "**",
    "atc ", "atc --model=", "--", " \\\n  --precision_mode=", "export ", "eval ", "exec ", "args+=(", "--input_shape=a:1,2;b:3", "\n```bash\n", "\n```\n",
    "\nRUN ", "\nrun: |\n  ", "# npu-lsp: ignore[NPU101]\n", "# npu-lsp: ", "[ByOpType]\n", "{\"a\":", "]}", "1e999", "9" * 400, "0x", "-1", "\t" * 9,)  # fmt: skip
_HOSTILE = (
    *(opening * depth for opening in ("(", "[", "{1:", "f(", "[x for x in ", "f'{", "not ", "-", "lambda:") for depth in (50, 70, 1_500)),
    *("a" + step * length for step in (".b", "[0]", "()", "+1", " if a else a", " 'a'") for length in (150, 250, 1_500)),
)  # fmt: skip
"""What a parser that calls itself for each bracket and each operator must not get."""
_HANGING_TOGETHER = r"""#!/bin/bash
soc=Ascend310P3
mode="--log=info --soc_version=$soc"
export HCCL_CONNECT_TIMEOUT=600 ASCEND_LOG=$HOME/log
args=(--framework=5 --output_type=FP32)
args+=("--precision_mode=fp16" '--op_select_implmode=high')
# npu-lsp: ignore[NPU101]
atc --model=a.onnx "${args[@]}" $mode --output=${out:-b} \
    --input_shape="x:1,3;y:-1" --dynamic_batch_size=1,2 && export HCCL_IF_IP=1.2.3.4; cd "$out"
if [ -n "$1" ]; then
  soc=$1
  atc $mode --job_type 1
else
  HCCL_X=1 bash <<EOF
atc --model=$soc --log="debug"
EOF
fi
run() { local t=atc; "$t" "$@"; }
run --log=error
for shape in "x:1" "x:2"; do atc --input_shape=$shape; done
x=`atc --model='m n' 2>&1 | tee log`
unset HCCL_IF_IP
set -- --log=null
atc "$@" # the last one
"""
"""Commands that share words through variables, arrays, functions and `set --`."""


@cache
def texts() -> tuple[tuple[Kind, str], ...]:
    """Return whole files of every kind: the rules' examples, the cases, generated scripts."""
    found: set[tuple[Kind, str]] = set()
    for rule in all_rules():
        found.update((example.kind, example.text) for example in rule.valid)
        found.update((example.kind, example.text) for example in rule.invalid)
    for path in case_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        found.add((detect(path.name, text), text))
    found.add((Kind.PYTHON, training_script(200).text))
    found.add((Kind.SHELL, conversion_script(150).text))
    found.add((Kind.SHELL, _HANGING_TOGETHER))
    found.update((Kind.PYTHON, text) for text in (SHARED, SPOKEN, QUOTED))
    found.update({**HOSTS, **FILES}.items())
    found.update(_hosts([both for both in sorted(found) if both[0] in (Kind.PYTHON, Kind.SHELL)]))
    found.update((kind, text.replace("\n", "\r\n")) for kind, text in sorted(found)[::3] if "\r" not in text)
    return tuple(sorted(both for both in found if both[0] is not Kind.OTHER))


def _hosts(scripts: list[tuple[Kind, str]]) -> Iterator[tuple[Kind, str]]:
    """Yield notebooks and pages that hold several scripts."""
    rng = random.Random(1)
    for _ in range(20):
        chosen = [both for both in rng.sample(scripts, 4) if len(both[1]) < _LARGEST // 8]
        cells = [
            {
                "cell_type": "code",
                "source": (text if kind is Kind.PYTHON else "%%bash\n" + text).splitlines(keepends=True),
            }
            for kind, text in chosen
        ]
        yield Kind.NOTEBOOK, json.dumps({"cells": cells, "nbformat": 4}, indent=1)
        fences = [f"# Step\n\n```{kind.value}\n{text.rstrip()}\n```\n" for kind, text in chosen]
        yield Kind.MARKDOWN, "\nand then\n\n".join(fences)


def edit(rng: random.Random, text: str) -> tuple[int, int, str]:
    """Return one edit of `text` as somebody may make it: what is replaced (start, end), and by what."""
    size = len(text)
    at = rng.randrange(size + 1)
    # Most edits are made where options stand.
    if rng.random() < 0.5:
        signs = [i for sign in ("parameter_map", "--", "=", "(", '"') if (i := text.find(sign, at)) >= 0]
        at = min(size, rng.choice(signs) + rng.randrange(4)) if signs else at
    what = rng.randrange(8)
    if what == 0:
        return at, min(size, at + rng.choice((1, 1, 2, 5, 40))), ""
    if what == 1:
        return at, at, rng.choice(_PIECES if rng.random() < 0.95 else _HOSTILE)
    if what == 2:
        return at, min(size, at + rng.randrange(3)), rng.choice(_PIECES)
    if what == 3:
        start, end = _line(text, at)
        return start, end, ""
    if what == 4:
        start, end = _line(text, at)
        return start, start, text[start:end]
    if what == 5:
        start, end = _line(text, at)
        return start, start, "".join(rng.choice(_PIECES) for _ in range(rng.randrange(1, 6)))
    if what == 6:
        start, end = _line(text, rng.randrange(size + 1))
        return at, at, text[start:end]
    return at, at, rng.choice("abcxyz_019 ")


def edited(text: str, change: tuple[int, int, str]) -> str:
    """Return `text` after an edit, cut where it grows without end."""
    start, end, new = change
    return text[:start] + new + text[end:]


def is_too_long(text: str) -> bool:
    """Return whether edits have made `text` longer than what is of use."""
    return len(text) > _LARGEST


def _line(text: str, at: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return start, len(text) if end < 0 else end + 1
