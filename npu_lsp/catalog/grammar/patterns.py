"""Forms that a pattern tells: a value, or each part of a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.grammar.parts import ValueProblem, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re


class Pattern(NamedTuple):
    """What each part of a value looks like."""

    pattern: re.Pattern[str]
    en: str
    """What is wrong with another one, `{}` for its text."""
    zh: str
    separator: str = ""
    """Between parts; without one the value is the only part."""
    ends: bool = False
    """A separator may stand behind the last part."""
    blanks: bool = True
    """There may be blanks around a part; otherwise, to remove them may be the remedy."""
    certain: bool = True

    def __call__(self, text: str, surface: Surface) -> Iterator[ValueProblem]:
        """Yield the parts that don't fit."""
        value = whole(text)
        cut = value.lines if self.ends else value.split
        for part in cut(self.separator) if self.separator else [value]:
            bare = part.text.strip()
            fits = self.pattern.fullmatch(bare) is not None
            if not fits or (bare != part.text and not self.blanks):
                instead = bare if fits else None
                en, zh = self.en.format(part.text), self.zh.format(part.text)
                yield part.problem(en, zh, certain=self.certain, instead=instead)


_DIGITS = re.compile(r"[0-9]+")

backend_name = Pattern(
    re.compile(r"(?=.{1,50}\Z)[a-z]+(?:_[a-z]+)*"),
    '"{}" is not made of at most 50 small letters and single "_" between them',
    "“{}”格式错误，应为不超过 50 个小写字母和单个下划线，且首尾不能为下划线",
    blanks=False,
)
"""`mindieservice_llm_engine`: the name of a backend (mindie-llm: `src/config_manager/param_checker.cpp`, `CheckEngineName`)."""

binding = Pattern(
    re.compile(r"(?i:true|false)|\{.*\}", re.DOTALL),
    '"{}" is neither True nor False nor a dict',
    "“{}”须为 True、False 或字典",
    blanks=False,
)
"""`True` or `{"device0": ["0-7"]}`: the CPUs of each process (mindspore: `parallel/cluster/run.py`, `_parse_and_validate_bind_core`)."""

device_list = Pattern(
    _DIGITS, 'the device "{}" is not made of digits alone', "设备号“{}”只能由数字组成", ",", blanks=False
)
"""`0,1,2`: numbers of devices (tf: `tf_adapter/util/npu_attrs.cc`, `CheckDeviceList`)."""

flag_list = Pattern(
    re.compile(r"(?:--\w+=[^=]*)?"),
    '"{}" is not of the form --name=value',
    "“{}”格式错误，应为“--名称=取值”",
    ";",
    ends=True,
)
"""`--enable_autofuse=true;--autofuse_enable_pass=reduce,concat`: flags in an environment variable."""

gigabytes = Pattern(
    re.compile(r"(?!0\.0GB)(?:[1-9][0-9]*(?:\.[0-9]*)?|0\.[0-9]*)GB"),
    '"{}" is no size such as 5GB or 3.5GB',
    "“{}”格式错误，应形如 5GB、3.5GB",
    blanks=False,
)
"""`30GB`: a size of memory, greater than 0 (mindspore: `runtime/memory.py`, `context.py`)."""

host_systems = Pattern(
    re.compile(r"cpu|mem|disk|network|osrt|numa"),
    '"{}" is none of cpu, mem, disk, network, osrt, numa',
    "“{}”不在 cpu、mem、disk、network、osrt、numa 之内",
    ",",
    blanks=False,
)
"""`cpu,mem`: what is collected of a host (runtime: `.../validation/param_validation.cpp`, `CheckHostSysOptionsIsValid`)."""

host_usage = Pattern(re.compile(r"cpu|mem"), '"{}" is neither cpu nor mem', "“{}”须为 cpu 或 mem", ",", blanks=False)
"""`cpu,mem`: whose load is collected (runtime: `.../validation/param_validation.cpp`, `CheckHostSysUsageOptionsIsValid`)."""

human_number = Pattern(
    re.compile(r"(?i:[+-]?\d+|\d+(?:\.\d+)?[kmgt]|auto)", re.ASCII),
    '"{}" is neither a whole number nor one such as 32k',
    "“{}”既不是整数，也不是 32k 这样的数字",
)
"""`32k`: a whole number with a unit (vllm: `vllm/utils/argparse_utils.py`, `human_readable_int`)."""

integer = Pattern(re.compile(r"[+-]?[0-9]+"), '"{}" is no whole number', "“{}”不是整数", blanks=False)
"""A whole number as text."""

logical_device_id = Pattern(
    re.compile(r"\[\d+(?::\d+)*\](?:\s*,\s*\[\d+(?::\d+)*\])*", re.ASCII),
    '"{}" is not of the form [0:0]',
    "“{}”格式错误，应形如 [0:0]",
    certain=False,
)
"""`[0:0]`: the place of a logical device; what reads it is closed source, so nothing is certain."""

memory_size = Pattern(
    _DIGITS, '"{}" is no number of bytes such as 26*1024*1024*1024', "“{}”不是字节数，应形如 26*1024*1024*1024", "*"
)
"""`27917287424` or `26*1024*1024*1024`: a number of bytes."""

retry_levels = Pattern(
    re.compile(r"L[0-2]\s*:\s*[01]"),
    '"{}" is not of the form L1:0 or L1:1',
    "“{}”格式错误，应形如 L1:0 或 L1:1",
    ",",
    ends=True,
)
"""`L1:0,L2:1`: at which levels an operation is run again (hccl: `src/common/alg_env_config.cc`)."""

mindie_levels = Pattern(
    re.compile(r"(?i:(?:[a-z]+\s*:\s*)?(?:debug|info|warn|error|critical|null|fatal|verbose)?)"),
    '"{}" is no level: MindIE knows debug, info, warn, error and critical',
    "“{}”不是日志级别，MindIE 支持 debug、info、warn、error、critical",
    ";",
    ends=True,
)
"""`info` or `llm: debug; server: error` (mindie-llm: `src/utils/log/log_utils.cpp`)."""

mindie_switches = Pattern(
    re.compile(r"(?i:(?:[a-z]+\s*:\s*)?(?:0|1|true|false)?)"),
    '"{}" is neither true, false, 1 nor 0',
    "“{}”须为 true、false、1 或 0",
    ";",
    ends=True,
)
"""`1` or `llm: true; server: false` (mindie-llm: `src/utils/log/log_utils.cpp`)."""

served_model_name = Pattern(
    re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9_.-]{0,254}[a-zA-Z0-9])?"),
    '"{}" is not made of at most 256 letters, digits, "-", "." and "_", with a letter or a digit at both ends',
    "“{}”格式错误，应为不超过 256 个字母、数字、“-”、“.”、“_”，且首尾为字母或数字",
    blanks=False,
)
"""`Qwen2.5-7B`: the name of a model or of a LoRA adapter (mindie-llm: `src/config_manager/model_deploy_config.cpp`, `CheckModelNameLength`)."""

storage_limit = Pattern(
    re.compile(r"0*(?:[2-9][0-9]{2}|[1-9][0-9]{3,9})MB"),
    '"{}" is not of the form 1000MB, from 200MB to 4294967295MB',
    "“{}”格式错误，应形如 1000MB，范围为 200MB 至 4294967295MB",
    blanks=False,
)
"""`1000MB`: how large profiling data may become (runtime: `.../validation/param_validation.cpp`, `CheckStorageLimit`)."""
