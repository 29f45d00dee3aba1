"""Puts configurations to the validators of MindIE-Motor, vLLM-Ascend and torch_npu and to npu-lsp, and prints where their verdicts differ.

`python -m tests.peers.validators motor FOLDER`: the folder of `deploy_scripts`, whose `utils/validate_config.py` reads `user_config.json`.
`… ascend FOLDER VERSION`: a folder with vLLM-Ascend's source, whose `AscendConfig` reads `--additional-config`.
`… allocator FOLDER VERSION`: a folder with torch_npu's source, whose allocator reads PYTORCH_NPU_ALLOC_CONF; it is compiled with g++.
What is asked is made of the official example and of the catalog: each key with each value and with such as people write by mistake.
The exit code is 1 where less than 97 of a hundred are told alike. CI doesn't run this.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, NamedTuple

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.grammar.alloc_conf import KEYED
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Target
from npu_lsp.checking.checker import kind_of
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.peers.tally import Tally

_OTHERS: tuple[Any, ...] = (True, False, 0, 1, 3, -1, 5000, 1.5, "true", "wrong", "")
_PAIRS = 300
_ELSEWHERE = frozenset(
    {
        "dump_config_path",
        "recompute_scheduler_enable",
        "finegrained_tp_config.olora_tensor_parallel_size",
        "p_instances_scale_num",
        "d_instances_scale_num",
        "expert_map_path",
        "expert_map_record_path",
        "enable_flashcomm1",
        "enable_fused_mc2",
    }
)
"""What something else than these validators checks."""
_UNREFUSED = "runs on all the same"
"""What is told of a value that the tool takes and can do nothing with: nothing that these validators say."""
_OF_OTHERS = frozenset({"NPU230", "NPU231", "NPU232"})
"""Rules about what stands in several places, of which these validators know nothing."""
_ALLOCATOR = "torch_npu/csrc/core/npu/NPUAllocatorConfig"
_PRELUDE = """
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
template <typename... Each> [[noreturn]] void refuse(const Each&... each) {
  std::ostringstream said;
  (said << ... << each);
  throw std::runtime_error(said.str());
}
enum class ErrCode { PARAM, VALUE, PTR, NOT_FOUND, ACL };
#define PTA_ERROR(code) ""
#define OPS_ERROR(code) ""
#define TORCH_CHECK(met, ...) do { if (!(met)) refuse(__VA_ARGS__); } while (0)
#define TORCH_NPU_WARN_ONCE(...) do {} while (0)
#define TORCH_NPU_MEMORY_LOGW(...) do {} while (0)
#define TORCH_NPU_MEMORY_LOGI(...) do {} while (0)
#define TORCH_NPU_WARN(...) do {} while (0)
#define NPU_CHECK_ERROR(...) do {} while (0)
#define TORCH_INTERNAL_ASSERT(met, ...) TORCH_CHECK(met, "internal")
#define ACL_ERROR_NONE 0
namespace c10 { namespace llvm {
inline bool isPowerOf2_64(unsigned long long of) { return of != 0 && (of & (of - 1)) == 0; }
inline unsigned Log2_64(unsigned long long of) { return 63 - __builtin_clzll(of); }
inline unsigned countLeadingZeros(unsigned long long of) { return of == 0 ? 64 : __builtin_clzll(of); }
} }
namespace c10_npu {
namespace acl {
inline int AclrtReserveMemAddress(void** at, int, int, void*, int) { *at = at; return 0; }
inline int AclrtReleaseMemAddress(void*) { return 0; }
inline bool AclrtMallocHostWithCfgExist() { return true; }
}
enum class SocVersion { Ascend910B1 = 220, Ascend950 = 260 };
inline SocVersion GetSocVersion() { return SocVersion::Ascend910B1; }
inline bool IsGteDriverVersion(const std::string&) { return true; }
}
inline bool IsGteCANNVersion(const std::string&, const std::string&) { return true; }
"""
"""What the allocator's file takes from elsewhere, as on a machine with NPUs."""
_MAIN = """
int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      c10_npu::NPUCachingAllocator::CachingAllocatorConfig().parseArgs(line.c_str());
      std::cout << "\\n";
    } catch (const std::exception& error) {
      std::cout << error.what() << " (refused)\\n";
    }
  }
}
"""


class Case(NamedTuple):
    """What both are asked about."""

    shown: str
    theirs: Any
    ours: Document
    slip: bool = False
    """Whether a name is wrong: what takes it ignores it, and telling that is right."""


# -- MindIE-Motor -------------------------------------------------------------------------------------------


def motor(folder: Path) -> Iterator[Case]:
    """Yield the official configuration, and with each value of `deploy_config` changed, or taken away."""
    plain = json.loads(Path(folder, "user_config.json").read_text(encoding="utf-8"))
    source = Path(folder, "utils", "validate_config.py").read_text(encoding="utf-8")
    places = [each for each in _places(plain["deploy_config"]) if all(f'"{key}"' in source for key in each)]
    for path in [(), *(each for each in places if each[0] not in _ELSEWHERE)]:
        for value in (*_OTHERS, None, "${x}", [1], {}) if path else (None,):
            changed = json.loads(json.dumps(plain))
            _set(changed["deploy_config"], path, value)
            shown = f"{'.'.join(path)} = {json.dumps(value)}"
            yield Case(shown, changed, _json(changed))
        if path:
            lacking = json.loads(json.dumps(plain))
            _set(lacking["deploy_config"], path, _set)
            yield Case(f"{'.'.join(path)} is missing", lacking, _json(lacking))


def _json(data: object) -> Document:
    text = json.dumps(data, indent=2)
    return Document(text, kind=kind_of("user_config.json", text.encode()), path="user_config.json")


def _places(data: Mapping[str, Any], around: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in data.items():
        if isinstance(value, dict) and not any(each.startswith("$") for each in value):
            yield from _places(value, (*around, key))
        else:
            yield (*around, key)


def _set(data: dict[str, Any], path: Sequence[str], value: object) -> None:
    """Give a place another value, or none: this function stands for that."""
    for each in path[:-1]:
        data = data[each]
    if path and value is _set:
        del data[path[-1]]
    elif path:
        data[path[-1]] = value


def motor_says(folder: Path, cases: Sequence[Case]) -> Iterator[str | None]:
    """Yield what `validate_user_config` says of each."""
    sys.path.insert(0, str(folder))
    validate = importlib.import_module("utils.validate_config").validate_user_config
    # Of a path that is none it logs an error, and goes on.
    logged: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger().handlers = [handler]
    for case in cases:
        logged.clear()
        yield _refused(partial(validate, case.theirs)) or next(iter(logged), None)


def _refused(ask: Callable[[], object]) -> str | None:
    try:
        ask()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


# -- vLLM-Ascend --------------------------------------------------------------------------------------------


def ascend(target: Target) -> Iterator[Case]:
    """Yield `--additional-config` with each key of the catalog, its values and others."""
    for option in load().options(Surface.ADDITIONAL_CONFIG):
        if option.type == "dict" or not standing(option, target).usable or option.undated or option.name in _ELSEWHERE:
            continue
        for value in dict.fromkeys((*(each.value for each in option.values), *_OTHERS)):
            yield _additional(option.name, value)
        turned = option.name[:-2] + option.name[-1] + option.name[-2]
        if turned != option.name:
            yield _additional(turned, next((each.value for each in option.values), 1))._replace(slip=True)


def _additional(name: str, value: object) -> Case:
    for each in reversed(name.split(".")):
        value = {each: value}
    text = json.dumps(value)
    command = f"export DYNAMIC_EPLB=true\nvllm serve m --additional-config '{text}'\n"
    return Case(text, value, Document(command, kind=Kind.SHELL))


def ascend_says(folder: Path, cases: Sequence[Case]) -> Iterator[str | None]:
    """Yield what `AscendConfig` says of each, beside a model with experts on one NPU."""
    from tests.peers.stubs import Stub, install

    install("vllm_ascend", str(folder), ("vllm_ascend.utils", "vllm_ascend.envs"), frozenset())
    sys.modules.pop("vllm", None)
    made = importlib.import_module("vllm_ascend.ascend_config")
    os.environ["DYNAMIC_EPLB"] = "true"
    for case in cases:
        engine = Stub("vllm_config")
        parallel = SimpleNamespace(
            enable_expert_parallel=True,
            **dict.fromkeys(("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size"), 1),
            **dict.fromkeys(("prefill_context_parallel_size", "decode_context_parallel_size", "world_size"), 1),
        )
        engine.__dict__.update(
            additional_config=case.theirs,
            parallel_config=parallel,
            cache_config=SimpleNamespace(block_size=128),
            scheduler_config=SimpleNamespace(max_num_batched_tokens=8192),
            kv_transfer_config=None,
            speculative_config=None,
        )
        engine.model_config.__dict__.update(is_moe=True, is_deepseek_mla=True, enforce_eager=False)
        yield _refused(partial(made.AscendConfig, engine))


# -- torch_npu ----------------------------------------------------------------------------------------------


def allocator(folder: Path) -> Iterator[Case]:
    """Yield texts of PYTORCH_NPU_ALLOC_CONF: each key with its values and with others, slips, and pairs drawn at random.

    The catalog doesn't date the keys: those that this release doesn't have aren't asked.
    """
    chance = random.Random(0)
    source = Path(folder, f"{_ALLOCATOR}.cpp").read_text(encoding="utf-8")
    keys = {key: values for key, values in KEYED["alloc-conf"].values.items() if f'"{key}"' in source}
    single = [
        f"{key}:{value}"
        for key, values in keys.items()
        for value in (*values, "True", "true", "1", "0", "20", "21", "128", "600", "0.8", "1.5", "-1", "many", "1g", "")
    ]
    slips = [
        each
        for key in keys
        for each in (key, f"{key[:-1]}:1", f"{key}=True", f"{key}:True,", f" {key} : True", f"{key}:True;{key}:True")
    ]
    pairs = [",".join(chance.sample(single, 2)) for _ in range(_PAIRS)]
    divisions = [f"roundup_power2_divisions:[{each}]" for each in ("256:1,512:2", "256:1,>:2", "256:3", "256", "")]
    for text in dict.fromkeys((*single, *slips, *pairs, *divisions)):
        yield Case(text, text, Document(f"export PYTORCH_NPU_ALLOC_CONF='{text}'\n", kind=Kind.SHELL))


def allocator_says(folder: Path, cases: Sequence[Case]) -> Iterator[str | None]:
    """Yield what the allocator's own parser says of each."""
    source = Path(folder, f"{_ALLOCATOR}.cpp").read_text(encoding="utf-8")
    header = (
        Path(folder, f"{_ALLOCATOR}.h")
        .read_text(encoding="utf-8")
        .replace("#pragma once", "")
        .replace("private:", "public:")
    )
    own = [line for line in (header + source).splitlines() if "#include" not in line or "<set>" in line]
    with TemporaryDirectory() as at:
        Path(at, "parser.cpp").write_text(_PRELUDE + "\n".join(own) + _MAIN, encoding="utf-8")
        subprocess.run(["g++", "-std=c++17", "-w", "-o", f"{at}/parser", f"{at}/parser.cpp"], check=True)
        ran = subprocess.run(
            [f"{at}/parser"],
            input="".join(f"{case.theirs}\n" for case in cases),
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    yield from (line or None for line in ran.stdout.split("\n")[:-1])


# -----------------------------------------------------------------------------------------------------------


def told(document: Document, analyzer: Analyzer, *least: Severity) -> str | None:
    """Return what npu-lsp reports, of such a severity."""
    found = (each for each in analyzer.findings(document) if each.severity in least and _UNREFUSED not in each.message)
    return next((each.message for each in found if Severity.WARNING in least or each.code not in _OF_OTHERS), None)


def main(arguments: Sequence[str]) -> int:
    """Print the differences, and how many of what is taken and refused are told alike."""
    what, folder, version = arguments[0], Path(arguments[1]).resolve(), (*arguments[2:], "")[0]
    component = {"motor": "mindie", "ascend": "vllm-ascend", "allocator": "torch_npu"}[what]
    said = {component: version} if version else {}
    cases = list(
        {
            "motor": lambda: motor(folder),
            "ascend": lambda: ascend(Target.parse(said)),
            "allocator": lambda: allocator(folder),
        }[what]()
    )
    asked = {"motor": motor_says, "ascend": ascend_says, "allocator": allocator_says}[what]
    analyzer = Analyzer(Config(target=TargetConfig(said)), all_rules)
    tally = Tally()
    for case, theirs in zip(cases, asked(folder, cases), strict=True):
        # What is refused may be told as a warning; what is taken must be free of errors.
        least = (Severity.ERROR,) if theirs is None else (Severity.ERROR, Severity.WARNING)
        ours = told(case.ours, analyzer, *least)
        if theirs is None and case.slip:
            continue
        tally.add(case.shown, theirs, ours)
    return tally.end(f"{what} {version}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
