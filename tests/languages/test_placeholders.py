"""What stands for a value that somebody fills in later is no value, whatever the option: no finding rests on it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Slot, Surface
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

PLACEHOLDERS = (
    "**", "your master IP", "[DEVICE_ID]", "[设备 ID]", "<path>", "<path/to/model>", "<chip>_a", "{MODE}", "{模型文件所在路径}", "a{b}", "{{ value }}", "xxx",
    "/home/xxx/a", "X", "XX", "x.x.x.x", "192.168.xx.1", "192.168.*.*", "YOUR_VALUE", "/data/your_model", "path/to/file",
    "/path/to/file", "***", "...", "0,1,...", "……", "@VALUE@", "%VALUE%", "__VALUE__", "?", "??", "TODO", "changeme", "N",
    "【设备】", "《路径》", "prefill_node_1_ip", "local_ip", "socket_name_here", "框架类型", "输出名称", "配置项1", "配置项1;配置项2;配置项3",
    "[#processes]", "[num", "kv_pool_backend_name", "NPU_DEVICES_PLACEHOLDER", "PLACEHOLDER_PATH/a.om", "/data/PLACEHOLDER",
)  # fmt: skip
VALUES = (
    "0", "1", "-1", "0.5", "allow_mix_precision", "Ascend910B1", "Ascend310P3", "/usr/local/Ascend", "a.onnx", "~/a", "data:1,3,224,224",
    "x:1,3;y:2", "a:[1~8,3];b:[-1,2]", '{"output": "/tmp"}', "max_split_size_mb:128", "0|5-10", "level0:NA;level1:H-D_R", "0-31", "eth0,eth1",
    "^=eth", "expandable_segments:True,garbage_collection_threshold:0.8", "in:0:out;y", "ge.exec.x", "[256:1,512:2,>:8]",
    "../a/b.om", "a__b", "text", "next", "extra.xml", "fp16", "10%", "", "nx", "x", "x0", "matrix_xx", "ip", "there", "a_strip", "model_name", "模型.onnx", "/数据/模型", "量化v1",
    "Placeholder:1,224,224,3", "Placeholder_1:0", "placeholder_input", "PLACEHOLDERS",
)  # fmt: skip
PARTS = 3
"""Scripts that the catalog's variables and flags are spread over: one of all of them is larger than what is read."""
ANALYZER = Analyzer(Config(), all_rules)


@together("text", PLACEHOLDERS)
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)


@together("text", VALUES)
def test_values_are_none(text: str) -> None:
    assert not is_placeholder(text)


# Where examples show what a program fills in itself, or where a path goes.
_FILLED = re.compile(r"/path/to/|\{(?:rank|ip)\}|</?think>")


def test_no_value_of_the_catalog_is_one() -> None:
    catalog = load()
    for surface in Surface:
        for option in catalog.options(surface):
            said = [*(each.value for each in option.values), *option.examples]
            texts = [value for value in said if isinstance(value, str) and not _FILLED.search(value)]
            assert [text for text in texts if is_placeholder(text)] == [], option.name


@cache
def codes(text: str, kind: Kind) -> Counter[tuple[str, str | None]]:
    """Return what is said, but for the placeholder itself: that an address isn't filled in."""
    return Counter((f.code, f.option) for f in ANALYZER.findings(Document(text, kind=kind)) if f.code != "NPU219")


@pytest.mark.parametrize("number", range(len(PLACEHOLDERS)))
def test_a_placeholder_in_a_script_says_as_much_as_a_variable(number: int) -> None:
    catalog = load()
    lines = [f"export {option.name}={{}}\n" for option in catalog.options(Surface.ENV)]
    lines += [f"atc --{option.name}={{}}\n" for option in catalog.options(Surface.ATC) if option.type != "none"]
    assert len(lines) > 500
    # Whatever the option, one function tells them: each option gets some of them, and each of them a part of the options.
    script = "".join(lines[number % PARTS :: PARTS]) + "python3 a.py\n"
    placeholder, variable = script.replace("{}", f"'{PLACEHOLDERS[number]}'"), script.replace("{}", '"$UNKNOWN"')
    assert codes(placeholder, Kind.SHELL) == codes(variable, Kind.SHELL)


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_placeholder_in_a_session_says_as_much_as_a_variable(text: str) -> None:
    names = [option.name for option in load().options(Surface.SESSION) if option.slot is Slot.STRING]

    def program(value: str) -> str:
        lines = (f'op.parameter_map["{name}"].s = tf.compat.as_bytes({value})\n' for name in names)
        return "".join(f"def f{number}(op):\n    {line}" for number, line in enumerate(lines))

    assert codes(program(f"'{text}'"), Kind.PYTHON) == codes(program("unknown"), Kind.PYTHON)


def test_a_variable_in_a_file_is_filled_in_by_whatever_writes_it() -> None:
    text = '{"ServerConfig": {}, "BackendConfig": {"backendName": "%s"}}'
    told = codes(text % "$BACKEND", Kind.MINDIE)
    assert told == codes(text % "{{ backend }}", Kind.MINDIE)
    assert codes(text % "BACKEND", Kind.MINDIE) - told == Counter({("NPU105", "BackendConfig.backendName"): 1})
