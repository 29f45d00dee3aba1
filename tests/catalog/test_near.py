"""The intended name of a mistyped one."""

from __future__ import annotations

import random
from difflib import get_close_matches
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import Ends, alike, distance, nearest
from tests.robustness.steps import steps
from tests.together import together


@together(
    ("surface", "typed", "meant"),
    [
        (Surface.SESSION, "sump_mode", "dump_mode"),
        (Surface.SESSION, "sfusion_switch_file", "fusion_switch_file"),
        (Surface.SESSION, "autotune_tune_mode", "auto_tune_mode"),
        (Surface.SESSION, "precison_mode", "precision_mode"),
        (Surface.SESSION, "precision-mode", "precision_mode"),
        (Surface.SESSION, "Precision_Mode", "precision_mode"),
        (Surface.SESSION, "presicion_mode", "precision_mode"),
        (Surface.SESSION, "enable_dmup", "enable_dump"),
        (Surface.SESSION, "profiling_option", "profiling_options"),
        (Surface.SESSION, "optypelist_for_implmod", "optypelist_for_implmode"),
        (Surface.ATC, "soc_verison", "soc_version"),
        (Surface.ATC, "input-shape", "input_shape"),
        (Surface.ATC, "inputshape", "input_shape"),
        (Surface.RUN_CONFIG, "DumpConfig.enable_dmp", "DumpConfig.enable_dump"),
        (Surface.RUN_CONFIG, "iteration_per_loop", "iterations_per_loop"),
        (Surface.SESSION, "precision_mode_v3", None),
        (Surface.SESSION, "learning_rate", None),
        (Surface.SESSION, "frobnicate", None),
        (Surface.SESSION, "x", None),
        (Surface.SESSION, "", None),
        (Surface.ATC, "modle", None),
        (Surface.MSPROF, "ouput", "output"),
        (Surface.MSPROF, "biu-freq", None),
        (Surface.MSPROF, "application-profiling", None),
        (Surface.ENV, "MY_ASCEND_THING", None),
        (Surface.ENV, "PATH", None),
        (Surface.ENV, "DEVICE_IDS", None),
        (Surface.ENV, "ASCEND_RT_VISIBLE_DEVICE", "ASCEND_RT_VISIBLE_DEVICES"),
        (Surface.ENV, "ASCEND_VISIBLE_DEVICE", "ASCEND_VISIBLE_DEVICES"),
        (Surface.ENV, "ASCEND_DEVICE_IDS", None),
        (Surface.ENV, "HCCL_RDMA_TIMEOUTS", "HCCL_RDMA_TIMEOUT"),
        (Surface.ENV, "ASCEND_CUSTOM_OPP_RUN", "ASCEND_CUSTOM_OPP_PATH"),
        (Surface.ENV, "MS_DEV_DYNAMIC_SHAPE", None),
        (Surface.ENV, "PROFILING_OPTION", None),
        (Surface.ENV, "CPU_AFFINTY_CONF", "CPU_AFFINITY_CONF"),
        (Surface.ENV, "COMBINED_ENABEL", "COMBINED_ENABLE"),
        (Surface.ENV, "HCCL_DETERMINISITIC", "HCCL_DETERMINISTIC"),
        (Surface.ENV, "CUDA_DEVICE_MAX_CONNECTIONS", None),
        (Surface.ENV, "CUDA_VISIBLE_DEVICES", None),
        (Surface.ENV, "NPU_VISIBLE_DEVICES", None),
        (Surface.ENV, "ASCEND_FD_HOME_PATH", "ASCEND_FD_HOME_PATH"),
    ],
)
def test_in_the_catalog(surface: Surface, typed: str, meant: str | None) -> None:
    assert load().near(surface, typed) == meant


def test_two_names_that_are_equally_near_are_no_answer() -> None:
    assert nearest("dump_mode", ["dumb_mode", "dump_node"]) is None
    assert nearest("dump_mode", ["dumb_mode", "dumq_nodes"]) == "dumb_mode"


def test_a_set_that_is_not_complete_is_forgiven_less() -> None:
    assert nearest("HCCL_CONECT_TIMEOUTT", ["HCCL_CONNECT_TIMEOUT"], careful=True) == "HCCL_CONNECT_TIMEOUT"
    assert nearest("RANK_NUM", ["RANK_SIZE"], careful=True) is None
    assert nearest("DEVICE_IDS", ["DEVICE_ID"], careful=True) is None
    assert nearest("DEVICE_IDS", ["DEVICE_ID"]) == "DEVICE_ID"
    # Components of MindIE have levels of their own.
    assert nearest("MINDIE_RT_LOG_LEVEL", ["MINDIE_LOG_LEVEL"], careful=True) is None
    assert nearest("RANK_TABLE_FIEL", ["RANK_TABLE_FILE"], careful=True) == "RANK_TABLE_FILE"


@together(
    ("known", "typed", "meant"),
    [
        (("tensor_parallel_size", "data_parallel_size"), "tensor_parallel", "tensor_parallel_size"),
        (("attention-backend", "mm-encoder-attn-backend"), "attn-backend", "attention-backend"),
        (("max-num-seqs", "max-num-batched-tokens"), "max-num-sequences", "max-num-seqs"),
        (("mix_compile_mode", "jit_compile"), "mix_compile", "mix_compile_mode"),
        (("nproc-per-node", "nproc_per_node"), "nprocs_per_node", "nproc_per_node"),
        (("jit_config.jit_level", "level"), "jit_config.level", "jit_config.jit_level"),
        # Two letters are no word that others are forms of.
        (("constant", "cosine"), "cos", "cosine"),
        # With two words more it is another one, unless the name of its group has them.
        (("num-gpu-blocks-override", "elastic-ep-max-dp-size"), "num-gpus", None),
        (("num-gpu-blocks-override", "elastic-ep-max-dp-size"), "dp-size", None),
        (("top_config.top_k_size", "top_config.k"), "top_config.size", "top_config.top_k_size"),
        # Two of them have all the words, or none has.
        (("device_id", "device_target"), "device", None),
        (("oo_level", "log"), "log_level", None),
    ],
)
def test_what_is_written_from_memory(known: tuple[str, ...], typed: str, meant: str | None) -> None:
    assert nearest(typed, known, wrong=True) == meant


@together(
    ("one", "other", "far"),
    [("", "", 0), ("a", "", 1), ("abcd", "acbd", 1), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 1)],
)
def test_distance(one: str, other: str, far: int) -> None:
    assert distance(one, other, 9) == far


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_distance_is_even_and_keeps_its_limit(one: str, other: str) -> None:
    whole = distance(one, other, 99)
    assert whole == distance(other, one, 99)
    assert whole is not None
    assert distance(one, other, whole) == whole
    if whole:
        assert distance(one, other, whole - 1) is None


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_distance_is_the_fewest_slips(one: str, other: str) -> None:
    @cache
    def fewest(row: int, column: int) -> int:
        if not row or not column:
            return row + column
        slips = [fewest(row - 1, column) + 1, fewest(row, column - 1) + 1]
        slips.append(fewest(row - 1, column - 1) + (one[row - 1] != other[column - 1]))
        if row > 1 and column > 1 and one[row - 2 : row] == other[column - 2 : column][::-1]:
            slips.append(fewest(row - 2, column - 2) + 1)
        return min(slips)

    assert distance(one, other, 99) == fewest(len(one), len(other))


@given(st.text(max_size=40))
def test_any_text_gets_an_answer(text: str) -> None:
    found = load().near(Surface.SESSION, text)
    assert found is None or found in load().names(Surface.SESSION)


def test_a_huge_name_costs_nothing() -> None:
    assert nearest("a_b" * 100_000, ["precision_mode"]) is None


@given(st.integers(), st.sampled_from([0.5, 0.8, 0.86, 0.9]))
def test_what_is_most_alike_is_what_difflib_says(seed: int, least: float) -> None:
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdeIPS", k=rng.randrange(15))) for _ in range(30)]
    typed = list(rng.choice(words))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(typed) + 1)
        typed[at : at + rng.randrange(2)] = rng.choices("abIx", k=rng.randrange(2))
    word = "".join(typed)
    assert alike(word, words, least) == next(iter(get_close_matches(word, words, 1, least)), None)


def test_words_that_are_far_apart_are_told_apart_without_difflib() -> None:
    """A file may bring as many words as there are to compare with them: of very many none is compared."""
    words = [f"{'bcdfghjk'[number % 8] * 6}{number:06}" for number in range(200)]
    assert steps(lambda: alike("application", words, 0.9)) < 5 * len(words)
    assert alike("b" * 6 + "000001", words, 0.9) is not None
    assert alike("b" * 6 + "000001", [*words, "another"], 0.9) is None


def test_what_is_one_slip_away_begins_or_ends_alike() -> None:
    names = ("torch_npu", "mindspore", "localhost", "HCCL_BUFFSIZE", "numpy", "pandas")
    slips = {
        slip
        for name in names
        for at in range(len(name))
        for slip in (
            name[:at] + name[at + 1 :],
            name[:at] + "x" + name[at:],
            name[:at] + "x" + name[at + 1 :],
            name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
        )
    }
    assert set(Ends(names).alike(slips)) == slips
    assert list(Ends(names).alike(("transformers", "", "HCCL", "variables"))) == []
