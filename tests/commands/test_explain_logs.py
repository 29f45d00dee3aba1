"""`npu-lsp explain` on logs as they are: phrases, settings that they name, many ranks, packed files, and what would harm a terminal."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.checking.logs import reader as reading
from npu_lsp.checking.logs import sources
from npu_lsp.checking.logs.lines import LogLine
from npu_lsp.checking.logs.reader import LogReader
from npu_lsp.commands import explain
from npu_lsp.text import word_search
from npu_lsp.text.phrases import Phrases
from tests.checking.command import npu_lsp

SERVE = """\
export HCCL_BUFFSIZE=256
vllm serve /models/m --tensor-parallel-size 4 --max-num-seqs 64 \\
  --kv-transfer-config '{"kv_connector_extra_config": {"decode": {"tp_size": 8}}}'
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "serve.sh").write_text(SERVE)
    return tmp_path


def explained(folder: Path, log: str, *paths: str) -> dict[str, Any]:
    ran = npu_lsp("explain", "-", *paths, "--format", "json", cwd=folder, stdin=log.encode())
    assert (ran.code, ran.err) == (0, "")
    answer: dict[str, Any] = json.loads(ran.out)
    return answer


def text_of(folder: Path, log: str, *paths: str) -> str:
    ran = npu_lsp("explain", "-", *paths, cwd=folder, stdin=log.encode())
    assert ran.code == 0
    return ran.out


def test_a_message_with_numbers_says_what_to_write_and_where(folder: Path) -> None:
    log = "HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = 700MB, HCCL_BUFFSIZE=256MB.\n"
    said = text_of(folder, log, "conf")
    assert said.startswith(
        "`HCCL_BUFFSIZE` is 256 MB, and too small for the dispatch operator of the experts, which needs at least 700 MB."
    )
    assert "  write: HCCL_BUFFSIZE=700 or more\n" in said
    assert '  set in: conf/serve.sh:1:8  HCCL_BUFFSIZE = "256"\n    fix: Set HCCL_BUFFSIZE to 700\n' in said


TOO_SMALL = "HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = {}MB, HCCL_BUFFSIZE={}MB.\n"
TOO_LONG = "ValueError: User-specified max_model_len (40960) is greater than the derived max_model_len (max_position_embeddings=32768 or model_max_length=None in model's config.json).\n"


def test_the_value_that_a_log_asks_for_is_shown_as_a_change_and_written(folder: Path) -> None:
    script = folder / "conf" / "serve.sh"
    script.write_bytes(b"export HCCL_BUFFSIZE=256\r\nvllm serve /models/m --max-model-len 40960\r\n")
    before = script.read_bytes()
    # Of several bounds the one with which all are met.
    log = (TOO_SMALL.format(600, 256) + TOO_SMALL.format(700, 256) + TOO_LONG).encode()
    ran = npu_lsp("explain", "-", "conf", "--diff", cwd=folder, stdin=log)
    assert ran.code == 1
    assert ran.out.startswith("--- conf/serve.sh\n+++ conf/serve.sh\n")
    assert "-export HCCL_BUFFSIZE=256\r\n+export HCCL_BUFFSIZE=700\r\n" in ran.out.replace("\r\r", "\r")
    assert ran.err.splitlines() == [
        "Would set 1 value.",
        "1 more to review: `--unsafe-fixes` sets them, too.",
    ]
    assert script.read_bytes() == before
    ran = npu_lsp("explain", "-", "conf", "--fix", cwd=folder, stdin=log)
    assert (ran.code, ran.err.splitlines()[0]) == (0, "Set 1 value.")
    assert "    fix: Set --max-model-len to 32768 (review)\n" in ran.out
    assert script.read_bytes() == before.replace(b"=256", b"=700")
    npu_lsp("explain", "-", "conf", "--fix", "--unsafe-fixes", cwd=folder, stdin=log)
    assert script.read_bytes() == before.replace(b"=256", b"=700").replace(b"40960", b"32768")
    again = npu_lsp("explain", "-", "conf", "--diff", "--unsafe-fixes", cwd=folder, stdin=log)
    assert (again.code, again.out, again.err) == (0, "", "Would set 0 values.\n")


@pytest.mark.parametrize(
    ("log", "script", "safe"),
    [
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=256\n", True),
        # The run that the log tells of had another value: somewhere else sets it.
        (TOO_SMALL.format(700, 512), "export HCCL_BUFFSIZE=256\n", False),
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=256\nHCCL_BUFFSIZE=256 python train.py\n", False),
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=256\nHCCL_BUFFSIZE=800 python train.py\n", True),
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=$SIZE\nHCCL_BUFFSIZE=256 python train.py\n", False),
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=$SIZE\n", None),
        (TOO_SMALL.format(700, 256), "export HCCL_BUFFSIZE=1024\n", None),
        # What a log says of a value is nothing to write but a number.
        (TOO_SMALL.format("$(id)", 256), "export HCCL_BUFFSIZE=256\n", None),
        (TOO_SMALL.format("٧٠٠", 256), "export HCCL_BUFFSIZE=256\n", None),
        (TOO_SMALL.format("000700", 256), "export HCCL_BUFFSIZE=256\n", None),
        # What is commented out is set nowhere.
        (TOO_SMALL.format(700, 256), "# export HCCL_BUFFSIZE=256\n#export HCCL_BUFFSIZE=256\n", None),
        (
            "RuntimeError: Cannot re-initialize NPU in forked subprocess.\n",
            "export VLLM_WORKER_MULTIPROC_METHOD=fork\n",
            True,
        ),
        ("ERROR shareDevCount should be 2 when softShareDevConfigDir is set\n", "plugin -shareDevCount=1\n", False),
    ],
)
def test_a_value_is_certain_where_one_place_has_what_the_log_says(
    folder: Path, log: str, script: str, safe: bool | None
) -> None:
    (folder / "conf" / "serve.sh").write_text(script)
    causes = [cause for each in explained(folder, log, "conf")["errors"] for cause in each["causes"]]
    fixes = [cause["fix"]["safe"] for cause in causes if cause["fix"] is not None]
    assert fixes == ([] if safe is None else [safe] * max(1, script.count("=256") if safe is False else 1))


def test_a_value_that_comes_from_a_name_is_to_review(folder: Path) -> None:
    (folder / "conf" / "serve.sh").write_text("SIZE=256\nexport HCCL_BUFFSIZE=$SIZE\n")
    log = TOO_SMALL.format(700, 256).encode()
    for flags, made in (((), 0), (("--unsafe-fixes",), 1)):
        ran = npu_lsp("explain", "-", "conf", "--diff", *flags, cwd=folder, stdin=log)
        assert (ran.code, ran.out.count("+export HCCL_BUFFSIZE=700\n")) == (made, made)
        review = [] if made else ["1 more to review: `--unsafe-fixes` sets them, too."]
        assert ran.err.splitlines() == [f"Would set {made} value{'s' * (not made)}.", *review]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pod.yaml", 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: ascend/image\n    env:\n    - name: HCCL_BUFFSIZE\n      value: "{}"\n'),
        ("Dockerfile", "FROM ascend/image\nENV HCCL_BUFFSIZE={}\n"),
        ("docker-compose.yml", "services:\n  a:\n    image: ascend/image\n    environment:\n      HCCL_BUFFSIZE: {}\n"),
        ("run.sh", "docker run -e HCCL_BUFFSIZE={} ascend/image bash\n"),
        ("page.md", '```bash\nexport HCCL_BUFFSIZE="{}"\n```\n'),
    ],
)  # fmt: skip
def test_a_value_is_written_where_other_languages_hold_it(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text.format(256))
    ran = npu_lsp("explain", "-", name, "--fix", cwd=tmp_path, stdin=TOO_SMALL.format(700, 256).encode())
    assert (ran.code, ran.err) == (0, "Set 1 value.\n")
    assert (tmp_path / name).read_text() == text.format(700)


def test_a_value_is_written_as_its_language_has_it(folder: Path) -> None:
    (folder / "conf" / "serve.sh").write_text("true\n")
    (folder / "conf" / "run.py").write_text('import os\nos.environ["HCCL_BUFFSIZE"] = "256"\n')
    ran = npu_lsp("explain", "-", "conf", "--fix", cwd=folder, stdin=TOO_SMALL.format(700, 256).encode())
    assert ran.code == 0
    assert (folder / "conf" / "run.py").read_text() == 'import os\nos.environ["HCCL_BUFFSIZE"] = "700"\n'
    for named in (("-",), ("E10001",), ("E10001", "conf"), ("E10001", "-")):
        for mode in ("--fix", "--diff"):
            ran = npu_lsp("explain", *named, mode, cwd=folder, stdin=TOO_SMALL.format(700, 256).encode())
            assert (ran.code, ran.out, "name a log, and the files or folders" in ran.err) == (2, "", True)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("a.md", 'run "X=1 {}=0" now\n', None),
        ("a.md", "run X=1 {}=`0` now\n", ""),
        ("b.yaml", 'cmd: ["sh", "-c", "{}=0"]\n', None),
        # Patches say what stands there already, too.
        ("c.patch", "--- a/s.sh\n+++ b/s.sh\n@@ -1,2 +1,2 @@\n true\n-export {0}=0\n+echo\n", ""),
        ("c.patch", "--- a/s.sh\n+++ b/s.sh\n@@ -1,2 +1,3 @@\n true\n export {0}=0\n+echo\n", ""),
        ("d.sh", "#SBATCH --export={}=0\npython a.py\n", None),
    ],
)
def test_a_value_without_a_known_place_is_replaced_within_what_stands_around_it(
    folder: Path, name: str, text: str, left: str | None
) -> None:
    path, log = folder / "conf" / name, b"RuntimeError: coreDim=70000 can't be greater than UINT16_MAX.\n"
    before = text.format("TRITON_ALL_BLOCKS_PARALLEL")
    path.write_text(before)
    ran = npu_lsp("explain", "-", "conf", "--fix", "--unsafe-fixes", cwd=folder, stdin=log)
    assert (ran.code, "would break" in ran.err) == (0, False)
    assert path.read_text() == (before.replace("=0", "=1") if left is None else before)


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        (
            "ValueError: User-specified max_model_len (40960) is greater than the derived max_model_len (max_position_embeddings=32768 or model_max_length=None in model's config.json).",
            "--max-model-len",
            "32768",
        ),
        (
            "ValueError: To serve at least one request with the models's max seq len (32768), (4.00 GiB KV cache is needed, which is larger than the available KV cache memory (2.10 GiB). Based on the available memory, the estimated maximum model length is 17152. Try increasing it.",
            "--max-model-len",
            "17152",
        ),
        ("ERROR shareDevCount should be 2 when softShareDevConfigDir is set", "-shareDevCount", "2"),
        ("RuntimeError: coreDim=70000 can't be greater than UINT16_MAX.", "TRITON_ALL_BLOCKS_PARALLEL", "1"),
    ],
)
def test_the_value_that_a_message_names_is_to_be_written(folder: Path, said: str, name: str, value: str) -> None:
    (folder / "conf" / "serve.sh").write_text("vllm serve /m --max-model-len 40960\n")
    first = explained(folder, said + "\n", "conf")["errors"][0]
    assert first["write"] == {"name": name, "value": value}
    if name == "--max-model-len":
        assert [(each["path"], each["line"]) for each in first["causes"]] == [("conf/serve.sh", 1)]


def test_words_of_a_message_are_found_as_flags_and_keys(folder: Path) -> None:
    log = "ValueError: KV transfer 'decode' config has a conflicting tensor parallel size. Expected 4, but got 8.\n"
    first = explained(folder, log, "conf")["errors"][0]
    assert first["code"] == "kv-transfer-parallel"
    assert {(each["line"], each["setting"]) for each in first["causes"]} >= {
        (2, "--tensor-parallel-size"),
        (3, "tp_size"),
    }


def test_an_exception_that_nobody_knows_still_leads_to_the_settings_that_it_names(folder: Path) -> None:
    log = "(Worker pid=7) ValueError: max_num_seqs (64) exceeds what the cache of this model holds (32).\n"
    said = text_of(folder, log, "conf")
    assert "[stopped by ValueError]" in said
    assert "  --max-num-seqs 64\n" in said
    assert "  set in: conf/serve.sh:2:" in said


@pytest.mark.parametrize(
    ("said", "flag"),
    [
        ("ValueError: Unrecognized distributed executor backend tp.", "--distributed-executor-backend"),
        ("AssertionError: Num-layer (7) must be greater than first-k-dense-replace (7).", "--first-k-dense-replace"),
        ("Exception: Currently, only `data_parallel_size` = 1 is supported.", "data_parallel_size"),
        ("ValueError: len(args.num_layer_list) is not what it should be", "num_layer_list"),
        ("ValueError: num_moe_experts must be non None to use expert-parallel.", "--num-experts"),
        # Digits belong to a name.
        ("ValueError: --bf16 doesn't go with 2 of these.", "--bf16"),
        # What tools themselves raise for an option that their message doesn't spell.
        ("NotImplementedError: vLLM Ascend does not support V0 engine.", "VLLM_USE_V1"),
        ("AssertionError: retro currently does not support pipeline parallelism.", "--pipeline-model-parallel-size"),
        ("ValueError: KV cache transfer is not supported for 310P.", "--kv-transfer-config"),
        ("NotImplementedError: Ascend MRV2 PCP does not support PP yet.", "--prefill-context-parallel-size"),
        ("ValueError: FP4 KV cache is not supported on NPU yet.", "--kv-cache-dtype"),
        ("AssertionError: Moe Grouped Gemm is not supported with mc2 in MOE model.", "--moe-grouped-gemm"),
        ("RuntimeError: Profiler is not enabled.", "--profiler-config"),
        ("ValueError: CPU offload is not supported with this connector", "--cpu-offload-gb"),
        ("ValueError: The draft model has another vocabulary", "--speculative-config"),
    ],
)
def test_settings_that_a_message_only_speaks_of_are_named(folder: Path, said: str, flag: str) -> None:
    assert flag in explained(folder, f"{said}\n")["errors"][0]["not_set"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("AssertionError: ChunkGatedDelta does not support float32. Please use bfloat16.", "dtype-not-supported"),
        ("AssertionError: mamba_block_size must be a multiple of the chunk", "block-size"),
        ("RuntimeError: Failed to register x with the Mooncake bootstrap server at h:1", "sglang-disaggregation"),
        ("ValueError: Invalid attention backend for Ascend910B3", "sglang-backend"),
        ("ValueError: TP rank 3 could finish the model loading", "--tensor-parallel-size"),
        ("ValueError: vllm-ascend can not be used with this configuration", "--vllm-ascend"),
        ("ValueError: Draft message 33 not found", "--speculative-config"),
        ("RuntimeError: Can not offload work to a pool after shutdown", "--cpu-offload-gb"),
        ("KeyError: 'profiler'", "--profiler-config"),
        ("RuntimeError: only dense CPU tensors can be pinned", "--context-parallel-size"),
        ("[ERROR] RUNTIME(7,python): net layer list is empty, device_id=0", "--num-layer-list"),
        ("[ERROR] RUNTIME(7,python): get tsd qos of it, failed, device_id=0, stream_id=3", "device_id"),
        ("[ERROR] HCCL(7,python): HCCL_INTER_HCCS_DISABLE abc is invalid, expect true or false.", "HCCL_BUFFSIZE"),
        (
            "ValidationError: x\nport\n  Input should be a valid integer [type=int_parsing, input_value='a']",
            "--additional-config",
        ),
        ("ValueError: GMM needs two components", "--moe-grouped-gemm"),
        ("error: unexpected argument '--no-dep' found", "argument-split"),
        ("pip._vendor.urllib3.exceptions.NameResolutionError: Temporary failure in name resolution", "name-resolution"),
        (
            "(Caused by NameResolutionError(Failed to resolve 'huggingface.co' ([Errno -3] Temporary failure in name resolution)))",
            "name-resolution",
        ),
    ],
)
def test_what_a_message_does_not_mean_is_not_said_of_it(folder: Path, said: str, code: str) -> None:
    errors = explained(folder, f"{said}\n")["errors"]
    assert code not in [name for each in errors for name in (each["code"], *each["not_set"])]


@pytest.mark.parametrize(
    ("said", "code", "what"),
    [
        ("error: unexpected argument '--no-dep' found", "argparse-unknown", "--no-dep"),
        ("error: unexpected argument '-x' found", "argparse-unknown", "-x"),
        ("error: unexpected argument '1}' found", "argument-split", "quotes"),
        ("Error: Got unexpected extra argument (1})", "argument-split", "quotes"),
        ("Error: Got unexpected extra arguments (1, GPU: 2})", "argument-split", "quotes"),
        ("Error: Got unexpected extra argument (build)", "argparse-unknown", "mistyped"),
        ("Done. 0 errors, 10 failed.", "", "10 failed"),
        ("CANN error: EZ9903: support for Ascend910 is not implemented", "chip-without-operators", "Ascend910:"),
        ("fatal: unable to access 'https://h/': Could not resolve host: github.com", "ssl-proxy", "proxy"),
        ("  Temporary failure resolving 'ports.ubuntu.com'", "ssl-proxy", "proxy"),
        (
            "aclnnX or aclnnXGetWorkspaceSize not in libopapi.so, or libopapi.sonot found.",
            "operator-library-lacks",
            "aclnnX",
        ),
        (
            "The value of modelName must meet the following rules: The string length is [1, 256] and consists of a match of the type",
            "mindie-value",
            "`modelName`",
        ),
        ("RuntimeError: Role name '' is invalid. Maybe you are trying", "no-launcher", "msrun"),
        ("ModuleNotFoundError: No module named 'megatron.bridge'", "megatron-bridge", "vanilla_mbridge"),
        ("/bin/sh: 1: hccn_tool: not found", "hccn-tool-missing", "/etc/hccn.conf"),
        ("libaicpu_scheduler.so: cannot open shared object file", "board-library-missing", "/usr/lib64"),
        ("[ERROR] Get soc name failed.", "dcmi-initialise", "/dev/davinci_manager"),
        ("[llm] [ERROR] Parameter rankId is invalid in ranktable file.", "rank-table-content", "RANK_TABLE_FILE"),
        ("[ERROR] AICPU(1,a): SilentCheckV3 ComputeL1Error:val = [nan]", "silent-fault", "NPU_ASD_ENABLE"),
        ("ERROR: All requests failed, cannot calculate performance results.", "all-requests-failed", "host_port"),
        (
            'ERROR 03-30 [x.py:8] File "/c.py", line 3, in compile\nERROR 03-30 [x.py:8] ///---[ERROR][Triton][BEG]---',
            "bishengir-failed",
            "--max-num-batched-tokens",
        ),
        (
            "Because there is no version of triton-ascend==3.2.1 and you require triton-ascend==3.2.1",
            "package-version-missing",
            "mirrors.huaweicloud.com",
        ),
        ("ValueError: Please add --master_port to it", "flag-asked", "--master_port"),
        (
            "1 validation error for ChatCompletionRequest\nmessages\n  Field required [type=missing, input_value={}, input_type=dict]",
            "request-refused",
            "client",
        ),
        (
            "1 validation error for CompilationConfig\nlevel\n  Field required [type=missing, input_value={}",
            "configuration-key-missing",
            "level",
        ),
        ("RuntimeError: Please set the environment variable 'X_PATH' to it", "variable-asked", "`X_PATH`"),
        (
            "CompilationConfig\n  Input should be an object [type=dataclass_type, input_value=3, input_type=int]",
            "configuration-key-value",
            "compilation-config",
        ),
        (
            "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<x>: [Errno -3] Temporary failure in name resolution')': /simple/torch/",
            "ssl-proxy",
            "proxy",
        ),
    ],
)
def test_what_a_message_means_is_said_of_it(folder: Path, said: str, code: str, what: str) -> None:
    first = explained(folder, f"{said}\n")["errors"][0]
    assert (first["code"], what in json.dumps(first)) == (code, True)


@pytest.mark.parametrize(
    ("said", "not_this"),
    [
        ("ImportError: libunified_dlog.so: cannot open shared object file", "board-library-missing"),
        ("LOG_LEVEL is set to [debug], which is incorrect for production", "variable-range"),
        ("http proxy: environmental variable HTTP_PROXY [x] is invalid", "variable-range"),
        ("port 99999 is invalid, expect 1-65535.", "variable-range"),
        ("nginx: [emerg] server_list is missing or invalid in upstream.conf", "rank-table-content"),
        ("The value of [temperature] is out of range", "mindie-value"),
        ("The value of batch should not be less than micro_batch.", "mindie-value"),
        ("The value of lr must meet the following rules: positive", "mindie-value"),
        ("psycopg2: Role name 'bob' is invalid", "no-launcher"),
        ("kubectl: error: Role name is invalid: x", "no-launcher"),
        ("[Warning]: Silent data corruption check may take up to 1.5GB device memory.", "silent-fault"),
        ("    assert tp_size % self.world == 0", "heads-divisible"),
        ("ModuleNotFoundError: No module named 'mbridge_tools'", "megatron-bridge"),
    ],
)
def test_a_line_of_another_program_is_not_taken_for_one_of_these(folder: Path, said: str, not_this: str) -> None:
    assert not_this not in [each["code"] for each in explained(folder, f"{said}\n")["errors"]]


def test_a_download_that_failed_comes_before_what_it_was_for(folder: Path) -> None:
    log = (
        "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<x>: [Errno -3] Temporary failure in name resolution')': /simple/torch-npu/\n"
        "ERROR: Could not find a version that satisfies the requirement torch-npu==2.5.1 (from versions: none)\n"
    )
    assert explained(folder, log)["errors"][0]["code"] == "ssl-proxy"


@pytest.mark.parametrize(
    ("script", "said", "rule"),
    [
        (
            "vllm serve /m --tensor-paralel-size 4",
            "vllm: error: unrecognized arguments: --tensor-paralel-size 4",
            "NPU101",
        ),
        (
            "vllm serve /m --quantization ascnd",
            "ValueError: Unknown quantization method: ascnd. Must be one of",
            "NPU104",
        ),
        (
            "docker run --privileged quay.io/ascend/vllm-ascend:v0.18.0 vllm serve m -tp 8",
            "Bus error (core dumped)",
            "NPU254",
        ),
        (
            "export ASCEND_RT_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node 4 train.py --npu 1",
            "RuntimeError: Invalid device ID.",
            "NPU216",
        ),
    ],
)
def test_what_check_finds_explains_the_message(folder: Path, script: str, said: str, rule: str) -> None:
    (folder / "conf" / "run.sh").write_text(f"source set_env.sh\nexport HCCL_BUFFSIZE=200\n{script}\n")
    first = explained(folder, f"{said}\n", "conf")["errors"][0]
    assert rule in [(cause["finding"] or {}).get("code") for cause in first["causes"]]


def test_a_message_that_names_its_setting_is_not_laid_to_a_slip_in_another(folder: Path) -> None:
    (folder / "conf" / "run.sh").write_text("vllm serve /m --tensor-paralel-size 4\n")
    first = explained(folder, "vllm: error: unrecognized arguments: --foo-bar 4\n", "conf")["errors"][0]
    assert (first["code"], first["causes"]) == ("argparse-unknown", [])


def test_what_a_traceback_calls_leads_nothing(folder: Path) -> None:
    log = (
        "    torch_npu._C._npu_setDevice(device_id)\n"
        "RuntimeError: SetPrecisionMode: NPU function error: AclSetCompileopt(ACL_PRECISION_MODE, mode), error code is 500001\n"
    )
    assert explained(folder, log)["errors"][0]["log"]["line"] == 2


def test_advice_is_told_whole_and_what_is_so_already_is_marked(folder: Path) -> None:
    log = "ExternalError: ACL error, the error code is : 500002.\n"
    (folder / "conf" / "on.sh").write_text("export FLAGS_npu_jit_compile=0\n")
    shown = text_of(folder, log, "conf")
    assert 'FLAGS_npu_jit_compile = "0"\n    (as advised already)' in shown
    long = max(load().error_codes.signatures(), key=lambda each: len(each.remedy.en if each.remedy else ""))
    assert long.remedy is not None
    assert len(long.remedy.en) > 300
    assert long.remedy.en.split("`")[-1].rstrip(".") in npu_lsp("explain", long.code, cwd=folder).out


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("ImportError: /lib/libtorch_npu.so: undefined symbol: _ZN3atb6CreateEv", "atb-cxx-abi"),
        ("RuntimeError: Can not support soc_version: 104.", "installed-for-another-chip"),
        (
            "RuntimeError: InnerRunOpApi:OpParamMaker.cpp:281 OPS function error: HcclAllreduce, error code is 6",
            "hccl-result-6",
        ),
        (
            "[ERROR] the socversion Ascend910B1 of bin package does not match the current device socverison Ascend310P3. Please modify it",
            "installed-for-another-chip",
        ),
        (
            "ValueError: Unknown attention backend: 'ASCEND'. Valid options are: FLASH_ATTN",
            "attention-backend-of-plugin",
        ),
        ("ValueError: Unknown attention backend: 'FLASH'. Valid options are: FLASH_ATTN", "attention-backend-of-gpus"),
    ],
)
def test_of_two_causes_the_one_that_the_message_tells_leads(folder: Path, said: str, code: str) -> None:
    assert explained(folder, f"{said}\n")["errors"][0]["code"] == code


def test_a_refused_value_is_laid_to_nobody_else(folder: Path) -> None:
    assert explained(folder, "1 validation error for TrainerConfig\nmodel\n")["errors"][0]["component"] != "vLLM"


def test_what_working_runs_print_explains_nothing(folder: Path) -> None:
    gpu = "WARNING 12-17 09:30:23 [_custom_ops.py:22] Failed to import from vllm._C with ModuleNotFoundError(\"No module named 'vllm._C'\")\n"
    assert explained(folder, gpu)["errors"] == []
    assert explained(folder, "Done. 0 errors, 0 failed.\nsent=12 failed=0 (failed: 0)\n")["errors"] == []
    # Of one message of SGLang: `custom_ops` is an addition, its attention on NPUs needs `sgl_kernel_npu`.
    kernels = "[2026-07-24 11:24:12] NPU custom kernel packages unavailable: No module named '{}'\n"
    assert explained(folder, kernels.format("custom_ops"))["errors"] == []
    assert explained(folder, kernels.format("sgl_kernel_npu"))["errors"][0]["code"] == "sglang-backend"
    # What is logged as a warning may be the cause, and stands behind what is logged as an error.
    warning = "WARNING 12-17 09:30:24 [x.py:1] ModuleNotFoundError: No module named 'flashinfer'\n"
    failed = "(EngineCore pid=9) ERROR 12-17 09:31:00 [core.py:1] RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n"
    codes = [each["code"] for each in explained(folder, gpu + warning + failed)["errors"]]
    assert codes[0] == "npu-out-of-memory"
    assert len(codes) > 1
    assert explained(folder, warning)["errors"]


def test_of_a_run_that_goes_on_only_warnings_are_told(folder: Path) -> None:
    ready = "INFO 12-17 09:30:25 [x.py:1] Address already in use, trying port 8001\n"
    warning = "WARNING 12-17 09:30:24 [x.py:1] Unknown vLLM environment variable detected: VLLM_FOO\n"
    assert explained(folder, ready)["errors"] == []
    # Without a level it counts what a line says of what is done about it.
    assert (
        explained(folder, "[TP0] FlashMLA only supports a page_size of 64, change page_size to 64.\n")["errors"] == []
    )
    said = text_of(folder, ready + warning)
    assert said.startswith(
        "no error in the log; it warns of this:\n\nvLLM itself doesn't know the variable `VLLM_FOO`."
    )
    assert explained(folder, ready + warning)["warned"] is True
    failed = "ERROR 12-17 09:31:00 [core.py:1] RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n"
    answer = explained(folder, warning + failed)
    assert answer["warned"] is False
    assert [each["code"] for each in answer["errors"]] == ["npu-out-of-memory", "unknown-variable"]


def test_advice_at_the_end_of_an_error_is_its_own(folder: Path) -> None:
    said = "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB"
    assert explained(folder, f"[rank0]: {said}. If you see this again, lower it.\n")["errors"]
    assert explained(folder, f"If you see {said}, lower it.\n")["errors"] == []


def test_who_warns_first_has_not_failed_first(folder: Path) -> None:
    log = (
        "[rank0]: WARNING 2026-01-02 10:00:00.000 [x.py:1] Unknown vLLM environment variable detected: VLLM_FOO\n"
        "[rank0]: 2026-01-02-10:09:00.000.000 EI0006: Getting socket times out.\n"
        "[rank1]: 2026-01-02-10:05:00.000.000 RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n"
    )
    assert text_of(folder, log).startswith("rank 1 was the first to fail, at 01-02 10:05:00.000")


def test_a_level_that_an_error_speaks_of_is_not_its_own(folder: Path) -> None:
    spoken = "RuntimeError: an unhandled system error (run with NCCL_DEBUG=INFO for details)\n"
    last = "2026-11-20 10:00:00 worker 3 failed\n"
    assert [each["code"] for each in explained(folder, last + spoken)["errors"]] == ["RuntimeError", ""]


def test_what_check_finds_is_told_where_the_log_says_nothing(folder: Path) -> None:
    (folder / "conf" / "serve.sh").write_text("export HCCL_CONNECT_TIMEOUT=12O\n")
    said = text_of(folder, "the service ended\n", "conf")
    assert said.startswith("found in the files\n  conf/serve.sh:1:")
    assert "No known" not in said


def test_the_first_rank_to_fail_is_named_and_its_error_leads(folder: Path) -> None:
    logs = folder / "log"
    (logs / "old").mkdir(parents=True)
    for rank in (0, 1, 3):
        line = f"[rank{rank}]: 2026-01-02-10:0{5 + rank}:00.000.000 EI0006: Getting socket times out.\n"
        (logs / f"worker_{rank}.log").write_text(line)
    packed = gzip.compress(
        b"[rank4]: 2026-01-02-10:01:00.000.000 RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 4;\n"
    )
    (logs / "old" / "worker_4.log.gz").write_bytes(packed)
    ran = npu_lsp("explain", "log", cwd=folder)
    head, _, rest = ran.out.partition("\n")
    assert head == (
        "rank 4 was the first to fail, at 01-02 10:01:00.000 (npu-out-of-memory); 3 others followed within 420 s; "
        "nothing from rank 2: did it start?"
    )
    assert rest.lstrip().startswith("The memory of the NPU is used up")
    assert "log, line 1, old/worker_4.log.gz: " in rest


def test_machines_of_other_time_zones_are_compared_as_if_of_one(folder: Path) -> None:
    for host, hour, rank, minute in (("node-0", 10, 0, 7), ("node-1", 2, 8, 9), ("node-1", 2, 9, 8)):
        place = folder / "log" / host
        place.mkdir(parents=True, exist_ok=True)
        line = f"[rank{rank}]: 2026-01-02-{hour:02}:{minute:02}:00.000.000 EI0006: Getting socket times out.\n"
        (place / f"run_{rank}.log").write_text(line)
    head = npu_lsp("explain", "log", cwd=folder).out.partition("\n")[0]
    assert head == (
        "rank 0 was the first to fail, at 01-02 10:07:00.000 (socket-timeout); 2 others followed within 120 s; "
        "the clock of node-0 is 8 h ahead, which is taken off"
    )


def test_what_follows_from_another_error_never_leads(folder: Path) -> None:
    log = (
        "EngineDeadError: EngineCore encountered an issue.\n"
        "[rank0]: wait socket establish timeout, role[0]\n"
        "ERR00100 PTA call acl api failed.\n"
        "ImportError: libatb.so: cannot open shared object file: No such file or directory\n"
    )
    codes = [each["code"] for each in explained(folder, log)["errors"]]
    assert codes[0] == "atb-library-missing"
    assert codes[-1] in ("engine-core-failed", "ERR00100")


@pytest.mark.parametrize(
    ("log", "said", "unsaid"),
    [
        # Suggestions that misled people: a free port doesn't help where two jobs share NPUs.
        ("listen on ip[192.2.2.195] and specific port[16666] fail. Please check the port", "HCCL_NPU_SOCKET_PORT_RANGE=auto", ""),
        ("EI0014: [PID: 1] Failed to read the topo file atlas_350_3.json", "/usr/local/Ascend/driver:/usr/local/Ascend/driver", ""),
        ("NEEDED_HCCL_BUFFSIZE_HIERARCHY(x) = 600MB, HCCL_BUFFSIZE=256MB", "HCCL_BUFFSIZE", "packages fit"),
        ("E0417 19:46:42.5 481 master_client.cpp:192] Failed to mount segment due to rpc error", "master_server_address", "Lower `global_segment_size`"),
        ("AttributeError: 'NoneType' object has no attribute 'shape'", "a step before failed", "packages are of different releases."),
        ('[RanktableCheck] Value Disable for config "tls" is invalid. Expected Value:"All ranks are consistent', "TLS", "rank table doesn't"),
        ("ImportError: cannot import name 'LLM' from 'vllm' (unknown location)", "working directory", "Install releases that belong together"),
        ("OSError: libatb.so: cannot open shared object file", "nnal", "opencv"),
        ("dcmi model initialized failed, because the device is used. ret is -8020", "another container", ""),
        ("Io input dtype or format is not supported, get io input info is x(DT_BFLOAT16, ND)", "--dtype float16", ""),
        ("EZ3002: Optype [Conv2D] of Ops kernel [x] is unsupported. Reason: Dynamic shape is not supported", "--input_shape", "PYNATIVE"),
        ("ModuleNotFoundError: No module named 'torch_npu._C'", "another directory", "isn't installed"),
        ("ModuleNotFoundError: No module named 'decorator'", "pip install attrs", "two packages"),
        ("pip._vendor.packaging.version.InvalidVersion: Invalid version: '2.2.3.2c7'", "uninstall the package", "vLLM was built"),
        ("OSError: /m does not appear to have a file named modeling_x.py.", "copy it from the original model", "Correct the path"),
        ("error: ub overflow, requires 3072000 bits while 1572864 bits available!", "block", ""),
        ("the resource request {'GPU': 1} cannot fit into any bundles for the placement group", '"NPU"', ""),
        ("/x/a.so: undefined symbol: _ZN12ErrorManager3xE", "ErrorManager", ""),
        # What a message says of its own place leads, whatever forms the lines before it have.
        (
            (
                "NPU function error: aclrtGetDeviceCount(&n), error code is 207004\n"
                "EE1001: The argument is invalid.Reason: set ASCEND_RT_VISIBLE_DEVICES:4 error, input data rang[0-2)"
            ),
            "can have 0 up to, but not including, 2",
            "HwHiAiUser",
        ),
        # Of two messages that say as much, the one leads that was the confirmed cause more often.
        (
            (
                "Ascend attention backend only supports a page_size of 128\n"
                "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 4; 60.96 GiB total capacity)"
            ),
            "The memory of the NPU is used up",
            "page-size",
        ),
        ("Current node has no NPU available. current_node_resource={'CPU': 192.0, 'GPU': 8.0}. vLLM engine", "--resources", ""),
        ("c10_npu::acl::AclrtSynchronizeStreamWithTimeout(stream), error code is 107027", "ASCEND_LAUNCH_BLOCKING", ""),
        ("/w/a.cpp:20:10: fatal error: torch_npu/csrc/core/npu/NPUStream.h: No such file or directory", "import torch_npu", "numa.h"),
        ("errorStr: The DDR address of the MTE instruction is out of range. fixp_error0 info: 0xa0", "HCCL_BUFFSIZE", ""),
        ("RuntimeError: Unable to pin host memory with error code: -1", "ulimit -l", ""),
        ("AssertionError: Using context parallelism require setting the environment variable CUDA_DEVICE_MAX_CONNECTIONS to 1", "CUDA_DEVICE_MAX_CONNECTIONS", ""),
        ("AssertionError: --fancy-overlap only support with --other-dispatcher", "--fancy-overlap, --other-dispatcher", ""),
        ("[ERROR] MindIE-service python api Install failed, please install python3.10 firstly!", "(3.10)", ""),
        ("E0710 441 rdma_context.cpp:215] Failed to register memory 0x7efb9: Resource temporarily unavailable [11]", "vm.max_map_count", "pids-limit"),
        ("RuntimeError: The path does not exist: /w/third_party/op-plugin/op_plugin/x.yaml", "git submodule update", ""),
        ("AttributeError: module 'triton' has no attribute 'language'", "triton-ascend", "vllm and vllm-ascend of the same"),
        ("AttributeError: 'str' object has no attribute 'DESCRIPTOR'", "protobuf", "NoneType"),
        ("E20002: Value [/a/nnrt/opp/] for environment variable [ASCEND_OPP_PATH] is invalid when load buildin op store.", "`ASCEND_OPP_PATH` is /a/nnrt/opp/", "MindSpore"),
        ("devices have same superDeviceId[0x3000000] in superPod[super_pod_id_0]", "HCCL_LOGIC_SUPERPOD_ID", "is empty or wrong"),
        ("New capture stream failed, stream_id=1987, event_id=[-1->70037].[FUNC:GetCaptureStream]", "cudagraph_capture_sizes", ""),
        ("RuntimeError: KV Cache sending/receiving thread failed to start.", "kv_port", ""),
        ("Caused by NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] Connection refused'))", "`--port` of both sides", "proxy"),
        ("aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host 10.0.0.1:8000 ssl:default [Connect call failed ('10.0.0.1', 8000)]", "10.0.0.1, port 8000", ""),
        ("curl: (7) Failed to connect to 10.0.0.1 port 8000 after 0 ms: Connection refused", "10.0.0.1, port 8000", ""),
        ("ClientConnectorCertificateError: Cannot connect to host a.org:443 ssl:True [SSLCertVerificationError: (1, 'unable to get local issuer certificate')]", "", "Nobody listens"),
        ("ClientConnectorDNSError: Cannot connect to host a.org:443 ssl:default [Name or service not known]", "", "Nobody listens"),
        ("RuntimeError:\n        An attempt has been made to start a new process before the\n        current process", "__main__", ""),
        ("CMake Error: ascendc_kernel_cmake does not exist ,please check whether the can package", "set_env.sh", "{"),
    ],
)  # fmt: skip
def test_a_suggestion_names_the_cure(folder: Path, log: str, said: str, unsaid: str) -> None:
    answer = text_of(folder, log + "\n").partition("\n\n")[0]
    assert said in answer
    assert not unsaid or unsaid not in answer


def test_the_key_of_a_refused_value_stands_in_the_line_above(folder: Path) -> None:
    log = (
        "(APIServer pid=7) pydantic_core._pydantic_core.ValidationError: 2 validation errors for AscendConfig\n"
        "(APIServer pid=7) gdn_prefill_backend\n"
        "(APIServer pid=7)   Unexpected keyword argument [type=unexpected_keyword_argument, input_value='x', input_type=str]\n"
        "ascend_compilation_config.enable_npugraph_ex\n"
        "  Input should be a valid boolean [type=bool_type, input_value='yes', input_type=str]\n"
    )
    said = text_of(folder, log)
    assert said.startswith("The configuration has no key `gdn_prefill_backend` in this release.")
    assert "`ascend_compilation_config.enable_npugraph_ex` should be a valid boolean, and is 'yes'." in said


def test_the_dump_of_a_configuration_is_no_error(folder: Path) -> None:
    log = (
        "INFO 11-19 10:00:00 [core.py:94] Initializing a V1 LLM engine (v0.11.0) with config: model='/m', speculative_config=None, "
        "quantization=ascend, compilation_config={'cudagraph_capture_sizes': [64, 32]}, kv_transfer_config=None\n"
        "INFO 11-19 10:00:01 All plugins in this group will be loaded. Set `VLLM_PLUGINS` to control which plugins to load.\n"
    )
    assert text_of(folder, log) == "No known error in 2 lines.\n"


def test_nothing_of_a_log_reaches_a_terminal_or_a_ci_system_as_a_command(folder: Path) -> None:
    log = (
        "\x1b[31mRuntimeError\x1b[0m: NPU out of memory. Tried to allocate 1 \x1b]0;title\x07 GiB ##[error]x\n"
        "::error file=a::ValueError: ::set-output name=x::y \u202e\x9b2J<script>alert(1)</script>\n"
    )
    for format_ in ("text", "markdown", "html"):
        said = npu_lsp("explain", "-", "--format", format_, cwd=folder, stdin=log.encode()).out
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(said), format_
        assert "::error" not in said, format_
        assert "::set-output" not in said, format_
        assert "##[" not in said, format_
        if format_ == "html":
            assert "<script>" not in said, format_


def test_a_page_shows_names_and_commands_as_code(folder: Path) -> None:
    page = npu_lsp("explain", "-", "--format", "html", cwd=folder, stdin=b"EI0006 Getting socket times out.\n").out
    assert "raise <code>HCCL_CONNECT_TIMEOUT</code> (" in page
    assert "<code>HCCL_IF_IP</code>, <code>GLOO_SOCKET_IFNAME</code>" in page
    assert "<pre>for i in 0 1 2" in page
    assert "`" not in page


def test_logs_in_gbk_and_a_line_without_an_end_are_read(folder: Path) -> None:
    log = "模型加载失败 ".encode("gbk") + b"libhccl.so: cannot open shared object file\n" + b"{[" * 2_000_000
    ran = npu_lsp("explain", "-", cwd=folder, stdin=log)
    assert ran.code == 0
    assert "模型加载失败" in ran.out
    assert ran.out.startswith("A library of CANN isn't found")


def test_digits_that_differ_are_read_although_the_rest_of_the_line_was_seen(folder: Path) -> None:
    log = "".join(f"step {number}: error code is {number}\n" for number in (1, 22, 507018, 3))
    assert [each["code"] for each in explained(folder, log)["errors"]][:1] == ["507018"]


def test_lines_that_differ_in_numbers_only_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    within = Phrases.within

    def counted(self: Phrases, line: bytes, words: Iterable[int]) -> Iterator[tuple[str, Mapping[str, bytes]]]:
        asked.append(line)
        return within(self, line, words)

    monkeypatch.setattr(Phrases, "within", counted)
    reader = LogReader(load())
    form = "[ERROR] GE(7,python3):2026-01-02-10:05:{second} [graph.cc:7]{n} Parse: halMemAlloc failed\n"
    lines = [form.format(n=n, second=n % 60) for n in range(500)]
    assert reader.read(io.BytesIO("".join(lines).encode()))
    assert 0 < len(asked) <= 2
    assert reader.log().lines == 500


def test_lines_that_tell_nothing_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(LogReader, "_line", lambda *given: asked.append(given[4]))
    reader = LogReader(load())
    lines = [f"[INFO] GE(7): {word} PreRun: node size 0x7fff{n}, loss=0.{n}\n" for n, word in enumerate(_words(500))]
    lines[300] = "EI0006: Getting socket times out.\n"
    assert reader.read(io.BytesIO("".join(lines).encode()))
    assert asked == [301]


def test_lines_that_differ_in_letters_are_two_messages() -> None:
    assert len(_read("ERROR: it timed out", "ERROR: its time out", "ERROR: it time out").log().mentions) == 3


def test_errors_that_repeat_are_counted_and_each_process_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    note = LogReader._note

    def counted(self: LogReader, code: str, *rest: Any) -> Any:
        noted.append(code)
        return note(self, code, *rest)

    monkeypatch.setattr(LogReader, "_note", counted)
    reader = LogReader(load())
    form = "[rank{rank}]: 2026-01-02-10:05:{second:02}.000.000 {code}: Getting socket times out.\n"
    lines = [form.format(rank=n % 8, second=n % 60, code="EI0006") for n in range(4000)]
    lines.append(form.format(rank=9, second=0, code="EI0006"))
    lines.append(form.format(rank=9, second=1, code="EI0007"))
    assert reader.read(io.BytesIO("".join(lines).encode()))
    log = reader.log()
    assert log.runs[0].seen == {f"rank {n}" for n in (*range(8), 9)}
    times = {each.code: each.times for each in log.mentions}
    assert times["EI0006"] == 4001
    assert times["EI0007"] == 1
    assert len(noted) < 40


def test_lines_of_ever_other_processes_are_counted_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    note = LogReader._note

    def counted(self: LogReader, code: str, *rest: Any) -> Any:
        noted.append(code)
        return note(self, code, *rest)

    monkeypatch.setattr(LogReader, "_note", counted)
    monkeypatch.setattr(reading, "_PROCESSES", 10)
    form = "[ERROR] GE({},python3):2026-01-02-10:05:10 halMemAlloc failed"
    reader = _read(*map(form.format, range(1000)))
    assert 10 < len(noted) < 20
    assert [each.times for each in reader.log().mentions] == [1000]


@pytest.mark.parametrize("word", ["", "oops ValueError: ", "EI0006 ", "libhccl.so: cannot open shared object file "])
def test_of_lines_that_all_differ_few_are_read_whole(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    read: list[bytes] = []
    message = LogLine.message

    def counted(place: LogLine, at: int) -> str:
        read.append(place.text)
        return message(place, at)

    monkeypatch.setattr(LogLine, "message", counted)
    letters = "abcdefghijklmnop"
    text = "".join(
        f"{word}{''.join(letters[n >> shift & 15] for shift in (0, 4, 8, 12))} failed\n" for n in range(3000)
    )
    reader = LogReader(load())
    assert reader.read(io.BytesIO(text.encode()))
    assert reader.log().lines == 3000
    assert 0 < len(read) <= 501


def _words(count: int) -> Iterator[str]:
    letters = "ghijklmnopqrstuv"
    return ("".join(letters[n >> shift & 15] for shift in (0, 4, 8, 12)) for n in range(count))


def _read(*lines: str) -> LogReader:
    reader = LogReader(load())
    assert reader.read(io.BytesIO("\n".join(lines).encode()))
    return reader


@pytest.mark.parametrize(
    "form", ["ERROR {}: not done", "ValueError: {}", "HCCL_BUFFSIZE is too SMALL, HCCL_BUFFSIZE={}MB."]
)
def test_a_cause_behind_a_thousand_other_errors_is_told(form: str) -> None:
    lines = [form.format(word) for word in _words(1000)]
    log = _read(*lines, "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 4;").log()
    assert ("npu-out-of-memory", 1001) in [(each.code, each.line) for each in log.mentions]


def test_what_is_counted_only_is_what_would_have_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that say nothing new are passed over: the codes, how often they come, and who said them first stay the same."""
    chance = random.Random(33)
    said = ["EI0006: {}", "EZ9999: {} halMemAlloc failed", "E19999 {} error code is 507011", "{} ret = 507018,"]
    said += ["{} MIE05E040001 {}", "ValueError: {}", "[ERROR] {} failed", "{} 0xA0408002", "E1234{} {}", "x E40021. {}"]
    lines: list[str] = []
    for second, word in zip(range(6000), _words(6000), strict=False):
        process = chance.choice(["", f"[rank{chance.randrange(12)}]: ", f"(PID:{chance.randrange(40)}, Device:1) "])
        when = f"2026-01-02-{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000.000"
        lines.append(f"{when} {process}{chance.choice(said).format(word, word)}")
    lines.append("[rank99]: EI0006: the last one")
    quick = _read(*lines).log()
    monkeypatch.setattr(LogReader, "_is_more", lambda *_: False)
    whole = _read(*lines).log()
    times = [Counter(each.code for each in log.mentions for _ in range(each.times)) for log in (quick, whole)]
    assert times[0] == times[1]
    assert quick.runs == whole.runs
    assert [each[:3] for each in quick.mentions] == [each[:3] for each in whole.mentions]


def test_codes_of_lines_that_all_differ_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    note = LogReader._note

    def counted(self: LogReader, code: str, *rest: Any) -> Any:
        read.append(code)
        return note(self, code, *rest)

    monkeypatch.setattr(LogReader, "_note", counted)
    log = _read(*(f"[rank{n % 8}]: EI0006: {word} waits" for n, word in enumerate(_words(5000)))).log()
    assert sum(each.times for each in log.mentions) == 5000
    assert len(read) < 300


def test_codes_that_take_turns_are_each_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    note = LogReader._note

    def counted(self: LogReader, code: str, *rest: Any) -> Any:
        asked.append(code)
        return note(self, code, *rest)

    monkeypatch.setattr(LogReader, "_note", counted)
    codes = ("507015", "507033", "107002", "507001")
    lines = (f"[ERROR] RUNTIME(7,python): {at} failed, error code is {codes[at % 4]}" for at in range(400))
    times = Counter({each.code: each.times for each in _read(*lines).log().mentions})
    assert times == dict.fromkeys(codes, 100)
    assert len(asked) == len(codes)


@pytest.mark.parametrize(
    "form",
    [
        "[ERROR] GE({pid},python3):2026-01-02-{clock} {n} Parse: {code}: it failed, {n} times",
        "[rank{pid}]: 2026-01-02-{clock} {n} {code} and ret = {number}",
        "[rank{pid}]: 0xa{n}f {code}: it failed",
        "{n} {code}: {word} failed, error code is {number}",
    ],
)
def test_lines_of_a_large_log_that_are_known_are_counted_where_they_stand(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the lines of a piece are looked up first or all looked through, the answer is the same."""
    chance, codes = random.Random(29), ["E10001", "E10002", "EI0006", "E19999", "EZ9999", "E12345"]
    numbers = [507011, 507018, 107002, 123456, 7, 50701, 5070111]
    lines = [
        form.format(
            pid=chance.choice([7, 8, 123]),
            clock=f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}",
            n=n,
            code=chance.choice(codes[: 2 + n // 4000]),
            number=chance.choice(numbers),
            word=word,
        )
        for n, word in enumerate(_words(20_000))
    ]
    lines[19_990] = "[rank77]: EL0004: the last one"
    read: list[int] = []
    line = LogReader._line

    def counted(self: LogReader, place: LogLine, *given: Any) -> None:
        read.append(given[2])
        line(self, place, *given)

    monkeypatch.setattr(LogReader, "_line", counted)
    monkeypatch.setattr(sources, "_PIECE", 1 << 16)
    quick = _read(*lines).log()
    often = len(read)
    monkeypatch.setattr(reading, "_DENSE", 1 << 30)
    assert _read(*lines).log()._asdict() == quick._asdict()
    assert ("EL0004", 19_991) in [(each.code, each.line) for each in quick.mentions]
    assert often < 12_000 or "word" in form or "0x" in form


def test_of_a_line_without_end_little_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits of one code within a line are noted once for each part of it, and few of them are read whole."""
    noted: list[str] = []
    read: list[int] = []
    note, message = LogReader._note, LogLine.message

    def counted(self: LogReader, code: str, *rest: Any) -> Any:
        noted.append(code)
        return note(self, code, *rest)

    def counted_message(place: LogLine, at: int) -> str:
        read.append(at)
        return message(place, at)

    monkeypatch.setattr(LogReader, "_note", counted)
    monkeypatch.setattr(LogLine, "message", counted_message)
    codes = ("EI0006", "EI0007", "E10001")
    text = "".join(f"{codes[n % 3]}: Getting socket times out.    " for n in range(30_000))
    parts = len(text) // (1 << 16) + 1
    times = Counter(each.code for each in _read(text).log().mentions for _ in range(each.times))
    assert all(9_900 < times[code] <= 10_000 for code in codes)
    assert len(noted) <= 4 * parts
    assert len(read) <= 4 * 11
    assert "EL0004" in [each.code for each in _read(f"{'x' * 200_000} EL0004: too late").log().mentions]


def test_lines_count_with_the_message_that_they_belong_to() -> None:
    lines: list[str] = []
    for rank, detail, times in ((0, "of a", 5), (1, "of b", 2)):
        lines += [f"[rank{rank}]: ValueError: it is wrong", f"   detail {detail}"] * times
    log = _read(*lines).log()
    assert [(each.text[-1], each.times) for each in log.mentions] == [("a", 5), ("b", 2)]


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("E19999: inner of E19999", "E19999: inner of E10001", "E10001"),
        ("E19999: it failed, ret = 123456", "E19999: it failed, ret = 507011", "507011"),
    ],
)
def test_another_code_in_a_line_of_the_same_form_is_told(first: str, second: str, code: str) -> None:
    log = _read(first, first, second).log()
    assert (code, 3) in [(each.code, each.line) for each in log.mentions]


def test_endless_lines_that_differ_take_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_ROOM", 100_000)
    long = "x" * 1500
    reader = _read(*(f"{form} {word}{long}" for word in _words(2000) for form in ("ERROR", "INFO")))
    assert sum(len(template) for template, _ in reader._forms) < 110_000
    # What isn't remembered is read all the same.
    assert reader.read(io.BytesIO(b"EI0006: Getting socket times out.\n"))
    assert "EI0006" in [each.code for each in reader.log().mentions]


@pytest.mark.parametrize(
    ("begins", "hours", "told"),
    [
        # A machine that waited an hour for the one that failed has no other clock,
        ((2, 2), 1, False),
        ((None, None), 1, False),
        # unless its log begins so much later, too.
        ((2, 3), 1, True),
        ((None, None), 8, True),
        ((2, 10), 8, True),
        ((2, 2), 8, False),
    ],
)
def test_an_hour_of_waiting_is_no_time_zone(
    folder: Path, begins: tuple[int | None, int | None], hours: int, told: bool
) -> None:
    for number, begin in enumerate(begins):
        place = folder / "log" / f"node-{number}"
        place.mkdir(parents=True)
        lines = [f"[INFO] 2026-01-02-{begin:02}:00:00.000.000 begin"] if begin is not None else []
        lines.append(
            f"[rank{number}]: 2026-01-02-{4 + number * hours:02}:07:00.000.000 EI0006: Getting socket times out."
        )
        (place / f"run_{number}.log").write_text("\n".join(lines) + "\n")
    head = npu_lsp("explain", "log", cwd=folder).out.partition("\n")[0]
    assert head.startswith("rank 0 was the first to fail, at 01-02 04:07:00.000")
    assert (f"the clock of node-1 is {hours} h ahead" in head) is told


def test_a_log_that_is_gone_by_now_ends_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The logs of what runs are rotated while they are read."""
    logs = folder / "log"
    logs.mkdir()
    (logs / "a.log").write_text("EI0006: Getting socket times out.\n")
    monkeypatch.setattr(explain, "below", lambda _: [f"{logs}/a.log", f"{logs}/b.log"])
    log = explain._read(str(logs), load())
    assert "EI0006" in [each.code for each in log.mentions]


@pytest.mark.parametrize(
    "said",
    [
        "net::ERR_MEMORY",
        "Using /root/.cache/torch_extensions/py310_cu121 as PyTorch extensions root...",
        "ERROR Index file size mismatch for 7: expected 7, got 8",
        "redis.exceptions.AuthenticationError: Invalid Username or Password",
        "KafkaTimeoutError: Failed to allocate memory within the configured max blocking time",
        "ValueError: Invalid device ID 7. Device list must contain only CPU devices.",
        "WARNING HEBO search does not support quantization. Dropped quantization.",
        "ERROR Infrastructure setup failed",
        "ERROR support for websockets is not implemented",
        "TypeError: Invalid model type: 'x'. Must be one of y",
        "HostConnectionError: Timeout waiting for instance 7.",
        "ValueError: `middlewares` in HTTPOptions has been removed. Use Serve's FastAPI integration",
        "ValueError: The target time for partition 7 is -7. The target time cannot be negative.",
    ],
)
def test_what_other_programs_say_is_given_no_cause_of_ours(said: str) -> None:
    known = load().error_codes
    found = [known.find(each.code) for each in _read(said).log().mentions if each.code not in ("", "?")]
    assert [each.code for each in found if each is not None and each.kind != "general"] == []


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("E10001: Value [-1] for parameter [--aicore_num] is invalid. Reason: it is below 0.", "atc-shape-not-fixed"),
        ("Failed to mount segment: INVALID_PARAMS", "fabric-memory-unsupported"),
    ],
)
def test_what_has_other_causes_too_is_not_told_as_one_of_them(said: str, cause: str) -> None:
    found = [each.code for each in _read(said).log().mentions]
    assert found
    assert cause not in found


def test_the_input_without_a_fixed_shape_is_named(folder: Path) -> None:
    reason = "maybe you should set input_shape to specify its shape"
    said = f"E10001: Value [-1] for parameter [images] is invalid. Reason: {reason}.\n"
    assert "The model's input `images` has a dimension that isn't fixed" in text_of(folder, said)
    assert "atc-shape-not-fixed" in [
        each.code
        for each in _read(reason.replace("maybe you should", "You may need to").replace("input_shape", "input shape"))
        .log()
        .mentions
    ]


def test_numbers_of_the_network_driver_are_told() -> None:
    assert [each.code for each in _read("[ERROR] HCCP(9,python):ra init, ret(328002)").log().mentions] == ["328002"]


def test_a_key_of_a_message_is_found_at_the_end_of_a_dotted_name(folder: Path) -> None:
    (folder / "conf" / "run.sh").write_text("python -m verl.trainer.main_ppo actor.megatron.use_mbridge=False\n")
    assert "run.sh:1" in text_of(folder, "ValueError: use_mbridge must be True for this model\n", ".")


def test_a_value_in_quotes_and_a_flag_of_one_word_are_found(folder: Path) -> None:
    """What a message refuses is a value that a file sets, or what it calls by a flag's only word."""
    (folder / "job.yaml").write_text("metadata:\n  namespace: vcjob\n")
    (folder / "bench.sh").write_text("tool bench --slo e2e:500 --rounds 3\n")
    (folder / "dump.sh").write_text("export DUMP_PATH='/home/x/dump(1)'\n")
    for log, line in (
        ('Error from server (NotFound): namespaces "vcjob" not found\n', "job.yaml:2:"),
        ("ValueError: Invalid name found, rounds: 3 is too few\n", "bench.sh:1:"),
        ("[ERROR] The file path /home/x/dump(1) is refused.\n", "dump.sh:1:"),
    ):
        assert line in text_of(folder, log, "."), log


def test_forms_of_refusals_count_in_lines_that_are_logged_as_errors(folder: Path) -> None:
    assert "One size isn't a multiple of another." in text_of(
        folder, "[ERROR] [a.cpp:1] : heads must be a multiple of 8\n"
    )
    assert "One size isn't a multiple of another." not in text_of(folder, "INFO heads must be a multiple of 8\n")


def test_what_a_run_that_goes_on_prints_counts_only_where_it_is_the_last(folder: Path) -> None:
    said = "Using /root/.cache/torch_extensions/py310_cpu as PyTorch extensions root...\n"
    assert [each["code"] for each in explained(folder, "INFO start\n" + 8 * said)["errors"]] == ["extension-lock"]
    steps = "".join(f"iteration {step}/1000 | lm loss: 4.4\n" for step in range(200))
    assert explained(folder, "INFO start\n" + 8 * said + steps)["errors"] == []


def test_a_chip_that_torch_npu_is_too_old_for(folder: Path) -> None:
    said = text_of(folder, "RuntimeError: Unsupported soc version: Ascend950PR 9579\n")
    assert said.startswith("This torch_npu doesn't know the chip Ascend950PR")


def test_what_an_inner_error_says_itself_is_told_before_what_a_function_returned(folder: Path) -> None:
    log = (
        "[rank0]: RuntimeError: NPU function error: call aclnnFusedInferAttentionScoreV3 failed, error code is 561002\n"
        "[rank0]: E89999: Inner Error!\n"
        "[rank0]: E89999[PID: 9] 2025-11-06-11:21:05.612.749 (E89999):  When layout is TND, queryD(256) must be 192.[FUNC:Check][LINE:3]\n"
    )
    first, *rest = explained(folder, log)["errors"]
    assert (first["code"], first["reason"]) == ("E89999", "When layout is TND, queryD(256) must be 192.")
    assert "561002" in [each["code"] for each in rest]
    # What is known of its text says more.
    log = "EZ9999: [PID: 9] 2025-09-12-09:29:51.880.292 Parse dynamic kernel config fail.\n"
    assert explained(folder, log)["errors"][0]["code"] == "no-kernel-binary"


def test_a_library_that_is_loaded_by_its_path_is_no_other_programs(folder: Path) -> None:
    said = "{}cannot open shared object file: No such file or directory\n"
    path = explained(folder, "OSError: /w/sllm_store/libglog.so: " + said.format(""))["errors"][0]
    assert path["code"] == "library-of-a-path"
    name = explained(folder, "ImportError: libglog.so.0: " + said.format(""))["errors"][0]
    assert name["code"] == "mooncake-library"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Task exception! device_id=0, type=1, retCode=0x2a, [aicpu exception].", "aicpu-process"),
        ("fftsplus task execute failed, dev_id=0, err_type=4[fftsplus sdma error]", "sdma-copy"),
        ("Aicore kernel execute failed, device_id=0, fault kernel_name=aiv_all_reduce", "kernel-crash"),
        ("there is an aivector error exception, core id is 18, error code = 0", "kernel-crash"),
    ],
)
def test_what_the_runtime_says_of_a_task_is_no_missing_context(folder: Path, said: str, code: str) -> None:
    log = f"[ERROR] RUNTIME(7,python3):2025-05-12-20:55:44.705.025 [task_info.cc:1170]8 {said}\n"
    codes = [each["code"] for each in explained(folder, log)["errors"]]
    assert (codes[0], "runtime-calls" in codes) == (code, False)


def test_the_search_of_large_logs_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []
    make = word_search._made

    def counted(words: Iterable[str | bytes], *, many: bool = False) -> Any:
        made.append(many)
        return make(words, many=many)

    monkeypatch.setattr(word_search, "_made", counted)
    reader = LogReader(load())
    large = b"INFO step\n" * 300_000
    for name in ("a.log", "b.log", "c.log"):
        assert reader.read(io.BytesIO(large), name)
    assert made.count(True) <= 2
