"""What kind of file a file is: by its name, by its first line, by what only such a file can hold."""

from __future__ import annotations

from npu_lsp.languages.detection import detect
from npu_lsp.text.kinds import Kind
from tests.together import together

BY_NAME = [
    ("a/op_precision.ini", Kind.OP_PRECISION),
    ("my_op_precision_v2.ini", Kind.OP_PRECISION),
    ("op_cache.ini", Kind.OP_CACHE),
    ("fusion_switch.cfg", Kind.FUSION_SWITCH),
    ("model.fusion_switch.json", Kind.FUSION_SWITCH),
    ("mixlist.json", Kind.MIXLIST),
    ("customize_dtypes.cfg", Kind.CUSTOMIZE_DTYPES),
    ("keep_dtype.cfg", Kind.KEEP_DTYPE),
    ("op_debug_config.cfg", Kind.OP_DEBUG),
    ("aipp_yolo.config", Kind.AIPP),
    ("insert_op.cfg", Kind.AIPP),
    ("setup.cfg", Kind.INI),
    ("package.json", Kind.OTHER),
    ("rank_table_8p.json", Kind.RANK_TABLE),
    ("hccl-ranktable.json", Kind.RANK_TABLE),
    ("precision.md", Kind.MARKDOWN),
    ("guide.mdx", Kind.MARKDOWN),
    ("guide.rst", Kind.MARKDOWN),
    ("Dockerfile", Kind.DOCKERFILE),
    ("Dockerfile_ascend_a3", Kind.DOCKERFILE),
    ("Dockerfile-a3", Kind.DOCKERFILE),
    ("Dockerfile.a3.ubuntu", Kind.DOCKERFILE),
    ("a3.Dockerfile", Kind.DOCKERFILE),
    ("ascend.Dockerfile.txt", Kind.DOCKERFILE),
    ("dockerfiles", Kind.OTHER),
    ("dockerfile_tools.py", Kind.PYTHON),
    (".env", Kind.DOTENV),
    (".env.local", Kind.DOTENV),
    ("npu.env", Kind.DOTENV),
    ("0001-env.patch", Kind.PATCH),
    ("a.diff", Kind.PATCH),
]
BY_CONTENT = [
    ("run", "#!/command/with-contenv /bin/bash\n", Kind.SHELL),
    ("env_npu", "# for training\n\nexport HCCL_BUFFSIZE=200\n", Kind.SHELL),
    ("setup", "\ufeffsource /usr/local/Ascend/ascend-toolkit/set_env.sh\r\nexport X=1\r\n", Kind.SHELL),
    ("setup", ". ~/npu/set_env.sh\n", Kind.SHELL),
    ("setup", "set -ex\nexport X=1\n", Kind.SHELL),
    ("README", "export HCCL_BUFFSIZE, then start the training.\n", Kind.OTHER),
    ("README", "source code\nexport X=1\n", Kind.OTHER),
    ("README", "To set it up:\nexport X=1\n", Kind.OTHER),
    ("a.dat", "export X=1\n", Kind.OTHER),
    ("a.ini", "# modes\n[ByOpType]\nAdd=high_precision\n", Kind.OP_PRECISION),
    ("a.cfg", "\ufeffAPass:off\nBPass:on\n", Kind.FUSION_SWITCH),
    ("a.json", '{\n "Switch": {\n  "GraphFusion": {', Kind.FUSION_SWITCH),
    ("a.json", '{"white-list": {"to-remove": [', Kind.MIXLIST),
    ("a.json", '[{"op": "Add", "input_desc": [', Kind.SINGLE_OP),
    ("a.json", '[\n  {"compile_flag":1},\n  {\n    "op": "Add",\n    "input_desc": [', Kind.SINGLE_OP),
    ("a.json", '{"ge.exec.device_id": "0"}', Kind.GE_OPTIONS),
    ("a.txt", "OpType::Relu:InputDtype:float16\n", Kind.CUSTOMIZE_DTYPES),
    ("a.cfg", "conv1\nOpType::Relu\n", Kind.KEEP_DTYPE),
    ("a.cfg", "op_debug_config=oom\n", Kind.OP_DEBUG),
    ("a.cfg", "# x\naipp_op {\n", Kind.AIPP),
    ("a.config", "calibration:\n{\n  input_data_dir: ./x\n", Kind.COMPRESSION),
    ("a.ini", "[section]\nkey=value\n", Kind.OTHER),
    ("config.json", '{"Version": "1.0.0", "LogConfig": {}, "ServerConfig": {"port": 1025', Kind.MINDIE),
    ("user_config.json", '{"deploy_config": {"mindie_env_path": "a"', Kind.MINDIE),
    ("config.json", '{"model_type": "llama"}', Kind.OTHER),
    ("hccl_8p.json", '{"version": "1.0", "server_count": "1", "server_list": [{', Kind.RANK_TABLE),
    ("config.json", '{"version": 1, "conv1": {"activation_quant_params": {"num_bits": 8', Kind.AMCT),
    ("config.json", '{"quant_config": {"weight_quant_params": {"nbits": 4, "channel_wise": true', Kind.OTHER),
    ("acl.json", '{\n  "dump": {\n    "dump_path": "/home"', Kind.ACL_JSON),
    ("acl.json", '{"dump": {"path": "/home"', Kind.OTHER),
    ("a.json", '{"name": "x", "version": 1}', Kind.OTHER),
    ("a.cfg", "host: on-call\n", Kind.OTHER),
    ("a.dat", "[ByOpType]\n", Kind.OTHER),
]


@together(("path", "kind"), BY_NAME)
def test_by_name(path: str, kind: Kind) -> None:
    assert detect(path, "") is kind


@together(("path", "head", "kind"), BY_CONTENT)
def test_by_content(path: str, head: str, kind: Kind) -> None:
    assert detect(path, head) is kind
    assert detect(path, head, "json" if path.endswith("json") else "plaintext") is kind


@together(
    "head", ["#" * 2048, "{" * 2048, '{"a":"b",' * 200, "a:on " * 400, "calibration{" + "#a\n" * 600, "# \n" * 600]
)
def test_no_text_takes_long(head: str) -> None:
    assert detect("a.json", head) is Kind.OTHER
    assert detect("a", head) is Kind.OTHER
