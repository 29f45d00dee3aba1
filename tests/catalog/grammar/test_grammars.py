"""Each grammar takes what the tool takes, and underlines what it rejects."""

from __future__ import annotations

import random

import pytest

from npu_lsp.catalog.grammar import NAMES, check
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.robustness.timing import Task, outgrown
from tests.together import together

S, R, A, G, E = Surface.SESSION, Surface.RUN_CONFIG, Surface.ATC, Surface.GLOBAL_OPTIONS, Surface.ENV
M = Surface.MINDIE

GOOD = [
    ("input-shape", A, "data:1,3,224,224"),
    ("input-shape", A, "input:0:1,3,224,224"),
    ("input-shape", A, "input:0:1,3;input:1:1,3"),
    ("input-shape", A, "a: 1, 3 ;b:2"),
    ("input-shape", A, "A:-1,32;B:;C:16,64"),
    ("input-shape", A, "a:1~10,3,-1,0"),
    ("input-shape", A, "-1,3,1~2;2,3"),
    ("input-shape", S, "data:1,1,40,-1;label:1,-1;mask:-1,-1"),
    ("input-shape", S, "data:0;"),
    ("input-shape-range", A, "input1:[8~20,3,5,-1];input2:[5,3~9,10,-1]"),
    ("input-shape-range", A, "[1~20,3,3~6,-1],[]"),
    ("input-hint-shape", A, "0:[1,3,224,224]; 1:[1, 10];"),
    ("input-hint-shape", A, "0:[]"),
    ("dynamic-batch-size", A, "1,2,4,8"),
    ("dynamic-batch-size", A, "1,2,"),
    ("dynamic-image-size", A, "416,416;832,832;"),
    ("dynamic-dims", A, "1,20;4,40"),
    ("dynamic-dims", S, "20,20,1,1;40,40,2,2;80,60,4,4"),
    ("dynamic-inputs-shape-range", S, "data:[1~10,3],[2];getnext:[2,-1]"),
    ("dynamic-inputs-shape-range", S, "getnext:[128 ,3~5, 2~128, -1],[64 ,3~5, 2~128, -1]"),
    ("dump-step", S, "0|3-5|10"),
    ("dump-step", S, "0|"),
    ("core-num", A, "24|48"),
    ("core-num", A, "10|"),
    ("core-num", A, "10"),
    ("stream-max-parallel-num", S, "DNN_V100:2, DNN_HCCL : 3,"),
    ("path", A, "./model/~x.onnx"),
    ("file-path", S, "a b/c;d.ini"),
    ("dir-path", S, "./日志"),
    ("path-list", E, "/a:/b c"),
    ("input-path", A, "../模型/resnet-50_v1.5.onnx"),
    ("output-path", A, "./out/resnet50"),
    ("output-file", A, "./out/resnet50"),
    ("node-list", A, "conv1:0;conv1:1"),
    ("node-list", A, "out1;out2"),
    ("node-names", A, "data;mask"),
    ("name-list", S, "Pooling,SoftmaxV2,"),
    ("blank-list", S, "conv1 conv2"),
    ("bool-list", A, "true, false,true"),
    ("memory-size", S, "26*1024*1024*1024"),
    ("pass-switch", S, "ADepthwiseFusionPass:off;EinsumPass:on;"),
    ("flag-list", E, "--enable_autofuse=true;--autofuse_enable_pass=reduce,concat"),
    ("json", S, '{"output":"/tmp","training_trace":"on"}'),
    ("ms-profiler-options", S, '{"start": true, "aic_metrics": "PipeUtilization", "ours": 1}'),
    ("output-type", A, "conv1:0:FP16;conv2:0:FP32"),
    ("output-type", A, "HIF4"),
    ("output-type", G, "INT64"),
    ("in-out-pair", S, "[[['in1', 'in2'],['out1']],[['a'],['b']]]"),
    ("group-boundaries", A, "44,64,68"),
    ("group-boundaries", A, ",44"),
    ("accelerate-train-mode", S, "fast|step|0.9"),
    ("accelerate-train-mode", S, "fast1|loss"),
    ("multi-stream-mode", S, "cv"),
    ("multi-stream-mode", S, "WeightedLoadBalance:64"),
    ("make-command", A, "make -s -j16 CXX=/usr/bin/clang++ CXXFLAGS='-O2 -g'"),
    ("device-list", S, "0,1,10"),
    *(("gigabytes", S, each) for each in ("5GB", "3.5GB", "0.5GB")),
    *(("host-systems", S, "cpu,mem,osrt"), ("host-usage", S, "cpu,mem")),
    *(("storage-limit", S, each) for each in ("200MB", "4294967295MB")),
    ("ms-runtime-conf", S, "inline:false,multi_stream:group,own:1"),
    *(("binding", S, each) for each in ("True", "true", '{"device0": ["0-7"]}')),
    ("resource-counts", S, '{"NPU": 8, "memory": 1.5}'),
    ("served-model-name", M, "Qwen2.5-7B_x"),
    ("served-model-name", M, "7"),
    ("served-model-name", M, "a" * 256),
    ("backend-name", M, "mindieservice_llm_engine"),
    ("backend-name", M, "a" * 50),
    ("logical-device-id", S, "[0:0],[0:1]"),
    ("integer", A, "-1"),
    ("ip-address", E, "10.10.10.1"),
    ("ip-address", E, "fe80::1%eth0"),
    ("module-log-levels", E, "TBE=0:RUNTIME=3"),
    ("colon-pairs", E, "enable:true,cooldown:5"),
    ("data-type", Surface.CUSTOMIZE_DTYPES, "Float16"),
    ("tensor-format", Surface.SINGLE_OP, "nd"),
    ("tensor-format", Surface.SINGLE_OP, "FRACTAL_Z:4"),
    ("operator-format", Surface.SINGLE_OP, "fractal_nz"),
    ("alloc-conf", E, "expandable_segments:False,max_split_size_mb:64"),
    ("alloc-conf", E, "page_size:1g,base_addr_aligned_kb:0,segment_size_mb:20,expandable_segments:True"),
    ("alloc-conf", E, "roundup_power2_divisions:[256:1,512:2]"),
    ("alloc-conf", E, "max_split_size_mb:20,garbage_collection_threshold:0.6"),
    ("alloc-conf", E, "a_key_of_a_later_release:1"),
    ("ms-alloc-conf", E, "enable_vmm:True,memory_tracker:false,vmm_align_size:4,memory_tracker_path:/a/b"),
    ("ms-alloc-conf", E, "a_key_of_a_later_release:1"),
    ("submodule-log-levels", E, "{PARSER:2, ANALYZER: 0}"),
    ("submodule-log-levels", E, "{}"),
    ("visible-devices", E, "0,3,10"),
    ("visible-devices", E, "-1"),
    ("fault-detection", E, "enable:true,upper_thresh1:3,new_key:1"),
    ("fault-detection", E, "enable:false,with_checksum:true,cooldown:5"),
    ("threshold-pair", E, "1000000,10000"),
    ("threshold-pair", E, "1e6,3"),
    ("fault-probes", E, "cluster_heartbeat:on"),
    ("retry-params", E, "MaxCnt:5,HoldTime:1,IntervalTime:2"),
    ("cpu-affinity", E, "1,npu0:0-9,npu1:10-19"),
    ("cpu-affinity", E, "1,lazy_bind:0,bind_irq:1"),
    ("hccl-algo", E, "allreduce=level0:NA;level1:ring/allgather=level0:NA;level1:H-D_R"),
    ("hccl-algo", E, "level0:NA; level1:AHC_BROKE"),
    ("traffic-class", E, "100"),
    ("port-range-list", E, "61000-61050,62000"),
    ("port-range-list", E, "auto"),
    ("retry-levels", E, "L1:0,L2:1"),
]

BAD = [
    ("data-type", Surface.CUSTOMIZE_DTYPES, "fp16", ["fp16"]),
    ("tensor-format", Surface.SINGLE_OP, "NCWH", ["NCWH"]),
    ("operator-format", Surface.SINGLE_OP, "FRACTAL_Z:4", ["FRACTAL_Z:4"]),
    ("dump-step", S, "--", ["--"]),
    ("dump-step", Surface.TORCHAIR, "1-|-1|2-3", ["1-", "-1"]),
    ("input-shape", A, "data:1,3x,224", ["3x"]),
    ("input-shape", A, "data:1,3.5", ["3.5"]),
    ("input-shape", A, "1,3,224,224", ["1,3,224,224"]),
    ("input-shape", A, "data:[1~8,3,224];b:[2]", ["[1~8,3,224]", "[2]"]),
    ("input-shape", A, "data:1,0,224", ["0"]),
    ("input-shape", A, "data:1,-2", ["-2"]),
    ("input-shape", A, "data:99999999999999999999,2", ["99999999999999999999"]),
    ("input-shape", A, "data:1,,3", [","]),
    ("input-shape", A, "data:1,2;", [";"]),
    ("input-shape", A, ":1,2", [":1,2"]),
    ("input-shape", A, "data:1~,2", ["1~"]),
    ("input-shape", A, "data:1；label:2", ["；"]),
    ("input-shape", A, "a:1,3,b:2,3", [","]),
    ("input-shape", A, "a:1,3 b:2,3", [" "]),
    ("input-shape", A, "a:1,3;b:1;a:2,3", ["a:2,3"]),
    ("input-shape", S, "data:1, 2", [" 2"]),
    ("input-shape", S, "data:1~2", ["1~2"]),
    ("input-shape", S, "data:", [":"]),
    ("input-shape", S, "data:1;;b:2", [";"]),
    ("input-shape-range", A, "a:1~2,3", ["1~2,3"]),
    ("input-shape-range", A, "a:[1~x,3]", ["1~x"]),
    ("input-shape-range", A, "a:[]", ["["]),
    ("input-shape-range", A, "a:[1];", [";"]),
    ("input-shape-range", A, "[1~2", ["[1~2"]),
    ("input-hint-shape", A, "0:[1,2];0:[3]", ["0"]),
    ("input-hint-shape", A, "x:[1]", ["x"]),
    ("input-hint-shape", A, "0:[-1]", ["-1"]),
    ("input-hint-shape", A, "0:1,2", ["1,2"]),
    ("input-hint-shape", A, "[1,2]", ["[1,2]"]),
    ("dynamic-batch-size", A, "1, 2", [" 2"]),
    ("dynamic-batch-size", A, "1;2", ["1;2"]),
    ("dynamic-batch-size", A, "8", ["8"]),
    ("dynamic-batch-size", A, "1,2,01", ["01"]),
    ("dynamic-image-size", A, "416;832", ["416", "832"]),
    ("dynamic-image-size", A, "416,416", ["416,416"]),
    ("dynamic-image-size", A, "416,a;1,2", ["a"]),
    ("dynamic-image-size", A, "416,416;416,416", ["416,416"]),
    ("dynamic-dims", A, "1,2;3", ["3"]),
    ("dynamic-dims", A, "1,2;1,2", ["1,2"]),
    ("dynamic-dims", S, "1,-2;3,4", ["-2"]),
    ("dynamic-dims", S, "1, 2;3,4", [" 2"]),
    ("dynamic-dims", A, "1,;3,4", [","]),
    ("dynamic-inputs-shape-range", S, "[1,2]", ["[1,2]"]),
    ("dynamic-inputs-shape-range", S, "dat:[1,2]", ["dat"]),
    ("dynamic-inputs-shape-range", S, "data:[1];getnext:[2];data:[3]", ["data:[3]"]),
    ("dynamic-inputs-shape-range", S, "data:[1,b]", ["b"]),
    ("dump-step", S, "0|5-5", ["5-5"]),
    ("dump-step", S, "0|a", ["a"]),
    ("dump-step", S, "0,5", ["0,5"]),
    ("dump-step", S, "1-2-3", ["1-2-3"]),
    ("dump-step", S, "|".join(str(n) for n in range(101)), ["100"]),
    ("core-num", A, "0|4", ["0"]),
    ("core-num", A, "08", ["08"]),
    ("core-num", A, "2|4|6", ["6"]),
    ("core-num", A, "a", ["a"]),
    ("stream-max-parallel-num", S, "DNN_V100", ["DNN_V100"]),
    ("stream-max-parallel-num", S, "DNN_V100:0", ["0"]),
    ("stream-max-parallel-num", S, "A:1,A:2", ["A"]),
    ("stream-max-parallel-num", S, ":1", [":1"]),
    ("file-path", S, "~/model.ini", ["~"]),
    ("path-list", E, "/a:~/b", ["~"]),
    ("input-path", A, "model (1).onnx", [" ("]),
    ("input-path", A, "~/m.onnx", ["~"]),
    ("output-path", A, "out put", [" "]),
    ("output-file", A, "./out/", ["/"]),
    ("output-file", A, "out,put", [","]),
    ("node-list", A, "conv1:0;", [";"]),
    ("node-list", A, "conv1:x", ["x"]),
    ("node-list", A, "conv1:0;out2", ["out2"]),
    ("node-list", A, "a:b:0", ["a:b:0"]),
    ("node-names", A, "a; b", [" b"]),
    ("node-names", A, "a;", [";"]),
    ("name-list", S, "A;B", [";"]),
    ("blank-list", S, "a,b", [","]),
    ("bool-list", A, "true,False", ["False"]),
    ("bool-list", A, "1", ["1"]),
    ("memory-size", S, "31GB", ["31GB"]),
    ("pass-switch", S, "A:ON", ["ON"]),
    ("pass-switch", S, "A", ["A"]),
    ("flag-list", E, "enable=true", ["enable=true"]),
    ("json", S, "task_trace:training_trace", ["task_trace:training_trace"]),
    ("json", S, '{"output":"/tmp",}', [","]),
    ("json", S, "[1]", ["[1]"]),
    ("ms-profiler-options", S, '{"memory": true, "profiler_levle": "Level0"}', ["memory", "profiler_levle"]),
    ("ms-profiler-options", S, "{start: true}", ["s"]),
    ("output-type", A, "fp16", ["fp16"]),
    ("output-type", A, "conv1:FP16", ["conv1:FP16"]),
    ("output-type", A, "conv1:0:FP1", ["FP1"]),
    ("output-type", A, "conv1:a:FP16", ["a"]),
    ("in-out-pair", S, "[['in'],['out']]", ["[['in'],['out']]"]),
    ("in-out-pair", S, "[[['in'],['out']]", ["[[['in'],['out']]"]),
    ("group-boundaries", A, "64,44", ["44"]),
    ("accelerate-train-mode", S, "fast|step|0.95", ["0.95"]),
    ("accelerate-train-mode", S, "slow|step|0.9", ["slow"]),
    ("accelerate-train-mode", S, "fast|epoch", ["epoch"]),
    ("accelerate-train-mode", S, "fast|loss|x", ["x"]),
    ("accelerate-train-mode", S, "fast", ["fast"]),
    ("multi-stream-mode", S, "LoadBalance", ["LoadBalance"]),
    ("multi-stream-mode", S, "LoadBalance:65", ["65"]),
    ("multi-stream-mode", S, "CV", ["CV"]),
    ("make-command", A, "cmake -j", ["cmake"]),
    ("make-command", A, "make -fx", ["-fx"]),
    ("make-command", A, "make AR=ar", ["AR"]),
    ("make-command", A, "make; ls", [";"]),
    ("make-command", A, "make all", ["all"]),
    ("make-command", A, "make CXX='g++", ["make CXX='g++"]),
    ("served-model-name", M, "Qwen/Qwen2.5", ["Qwen/Qwen2.5"]),
    ("served-model-name", M, "qwen-", ["qwen-"]),
    ("served-model-name", M, "qwen ", ["qwen "]),
    ("served-model-name", M, "a" * 257, ["a" * 257]),
    ("backend-name", M, "MindIE", ["MindIE"]),
    ("backend-name", M, "a__b", ["a__b"]),
    ("backend-name", M, "a" * 51, ["a" * 51]),
    ("device-list", S, "0, 1", [" 1"]),
    *(("gigabytes", S, each, [each]) for each in ("30", "30G", "2 GB", "0GB", "0.0GB", "30gb")),
    *(("host-systems", S, "cpu,memory", ["memory"]), ("host-usage", S, "cpu,disk", ["disk"])),
    *(("storage-limit", S, each, [each]) for each in ("100MB", "1000", "1GB", "99999999999MB")),
    ("binding", S, "ture", ["ture"]),
    ("resource-counts", S, '{"NPU": "8"}', ['"8"']),
    ("ms-runtime-conf", S, "inlin:false,pipeline:0", ["inlin", "0"]),
    ("device-list", S, "0;1", ["0;1"]),
    ("logical-device-id", S, "0:0", ["0:0"]),
    ("integer", A, "x", ["x"]),
    ("ip-address", E, "10.0.0.256", ["10.0.0.256"]),
    ("module-log-levels", E, "TBE:0", ["TBE", "0"]),
    ("colon-pairs", E, "enable=true", ["enable=true"]),
    ("alloc-conf", E, "expandable_segments:true", ["true"]),
    ("ms-alloc-conf", E, "enable_vmm:TRUE,memory_trackr:true", ["memory_trackr", "TRUE"]),
    ("ms-alloc-conf", E, "enable_vmm=true", ["enable_vmm=true"]),
    ("submodule-log-levels", E, "3", ["3"]),
    ("submodule-log-levels", E, "{PARSER:5,ANALYZER}", ["PARSER:5", "ANALYZER"]),
    ("alloc-conf", E, "expandable_segment:True", ["expandable_segment"]),
    ("alloc-conf", E, "page_size:1g, max_split_sise_mb:64", ["max_split_sise_mb"]),
    ("alloc-conf", E, "max_split_size_mb:10", ["10"]),
    ("alloc-conf", E, "garbage_collection_threshold:80", ["80"]),
    ("alloc-conf", E, "garbage_collection_threshold:1", ["1"]),
    ("alloc-conf", E, "garbage_collection_threshold:many", ["many"]),
    ("alloc-conf", E, "max_split_size_mb:64m", ["64m"]),
    ("alloc-conf", E, "roundup_power2_divisions:6", ["6"]),
    ("alloc-conf", E, "page_size:1g;page_size:1g", ["page_size:1g;page_size:1g"]),
    ("visible-devices", E, "1,0", ["0"]),
    ("visible-devices", E, "-1,0", ["-1"]),
    ("visible-devices", E, "0,2,2,x", ["2", "x"]),
    ("fault-detection", E, "enabel:true", ["enabel"]),
    ("fault-detection", E, "enable:1,with_checksum:True", ["1", "True"]),
    ("fault-detection", E, "enable:true,cooldown:0,upper_thresh2:2,strikes_num:a", ["0", "2", "a"]),
    ("threshold-pair", E, "10,100", ["10,100"]),
    ("threshold-pair", E, "1000000", ["1000000"]),
    ("threshold-pair", E, "a,b", ["a,b"]),
    ("fault-probes", E, "cluster_heartbeats:on,stuck_detecton:off", ["cluster_heartbeats", "stuck_detecton"]),
    ("retry-params", E, "MaxCnt:1,HoldTme:3", ["HoldTme"]),
    ("alloc-conf", E, "expandable_segments:True,max_split_size_mb:64", ["max_split_size_mb"]),
    ("alloc-conf", E, "pinned_mem_register:1,page_size:2g", ["1", "2g"]),
    ("alloc-conf", E, "base_addr_aligned_kb:17,segment_size_mb:-1", ["17", "-1"]),
    ("cpu-affinity", E, "3,npu0", ["3", "npu0"]),
    ("hccl-algo", E, "level0:NA;ring", ["ring"]),
    ("hccl-algo", E, "level0:NA;level1:ring;", [";"]),
    ("hccl-algo", E, "level1:HD_R;level1:NHR;level4:NB", ["HD_R", "level1:NHR", "level4:NB"]),
    ("hccl-algo", E, "AllReduce=level1:ring/level1:NHR", ["AllReduce", "level1:NHR"]),
    ("traffic-class", E, "130", ["130"]),
    ("traffic-class", E, "0x64", ["0x64"]),
    ("port-range-list", E, "61050-61000,70000,x", ["61050-61000", "70000", "x"]),
    ("retry-levels", E, "L1:2", ["L1:2"]),
]


@together(("name", "surface", "text"), GOOD)
def test_takes(name: str, surface: Surface, text: str) -> None:
    assert list(check(name, text, surface)) == []


@together(("name", "surface", "text", "marks"), BAD)
def test_rejects(name: str, surface: Surface, text: str, marks: list[str]) -> None:
    found = list(check(name, text, surface))
    assert [text[problem.start : problem.end] for problem in found] == marks
    for problem in found:
        assert problem.message.en
        assert problem.message.zh
        assert not problem.message.en.endswith(".")


@together(("name", "surface", "text", "marks"), BAD)
def test_what_is_offered_instead_is_right(name: str, surface: Surface, text: str, marks: list[str]) -> None:
    before = list(check(name, text, surface))
    mended = text
    for problem in reversed([p for p in before if p.instead is not None]):
        mended = mended[: problem.start] + str(problem.instead) + mended[problem.end :]
    if mended != text:
        assert len(list(check(name, mended, surface))) < len(before)


def test_a_key_that_lacks_a_word_is_told_and_not_mended() -> None:
    said = {
        text: [problem.instead for problem in check("alloc-conf", text, E)]
        for text in ("expandable:True", "pagesize:1g")
    }
    assert said == {"expandable:True": [None], "pagesize:1g": ["page_size"]}


def test_every_grammar_of_the_catalog_exists_and_takes_the_examples() -> None:
    catalog = load()
    for surface in Surface:
        for option in catalog.options(surface):
            if option.grammar is None:
                continue
            assert option.grammar in NAMES, option.name
            for example in option.examples:
                if "$" in str(example):
                    continue  # a shell puts something in its place
                assert list(check(option.grammar, str(example), surface)) == [], (option.name, example)


def test_an_unknown_grammar_says_nothing() -> None:
    assert list(check("no-such-grammar", "x")) == []
    assert not {"parts", "../model"} & set(NAMES)


@pytest.mark.parametrize("name", sorted({row[0] for row in GOOD}))
def test_hostile_texts_take_no_time(name: str) -> None:
    for piece in ("1,", "[", "a:", ";", "'", "1~", "|", "--", " ", "=", "😀", "1", '{"a":', "]"):

        def checked(number: int, piece: str = piece) -> Task:
            text = piece * number
            return lambda: [problem for surface in (A, S) for problem in check(name, text, surface)]

        assert outgrown(checked, 4096) is None, piece
        text = piece * 5000
        for surface in (A, S):
            for problem in check(name, text, surface):
                assert 0 <= problem.start <= problem.end <= len(text), piece


@together("name", NAMES)
def test_odd_text_never_raises(name: str) -> None:
    pieces = (
        "",
        "1",
        "-1",
        "a",
        "~",
        ":",
        ";",
        ",",
        "[",
        "]",
        "|",
        "-",
        "0",
        "x:1",
        " ",
        "=",
        "/",
        "..",
        "9" * 50,
        "{",
        '"',
        "１",
        "²",
    )
    chance = random.Random(name)
    for surface in (A, S, E, G, Surface.TORCHAIR):
        for _ in range(200):
            list(check(name, "".join(chance.choice(pieces) for _ in range(chance.randint(1, 6))), surface))
