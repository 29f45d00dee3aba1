"""What a file may hold thousands of, for every reader: texts of any length, made from what the reader knows."""

from __future__ import annotations

from typing import NamedTuple

_SETTING = 'op.parameter_map["precision_mode"].s = b"x"\n'
_SESSION = (
    "config = tf.ConfigProto()\n"
    "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
    'custom_op.name = "NpuOptimizer"\n'
    'custom_op.parameter_map["use_off_line"].b = True\n'
    "config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n"
    "with tf.Session(config=config) as sess:\n"
    "    sess.run(a)\n"
)


class Construct(NamedTuple):
    """A text that can be made as long as one likes."""

    path: str
    unit: str
    """What is repeated; `@` in it is a number of its own."""
    before: str = ""
    after: str = ""
    closing: str = ""
    """What is repeated behind that as often: the other side of something nested."""

    def text(self, times: int) -> str:
        """Return it with `times` units."""
        units = "".join(self.unit.replace("@", str(number)) for number in range(times))
        return self.before + units + self.closing * times + self.after


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


CONSTRUCTS = (
    # -- Python
    Construct("a.py", _SETTING),
    Construct("a.py", _SESSION.replace("config", "config@").replace("custom_op", "custom_op@")),
    Construct("a.py", "def f@():\n" + _indented(_SESSION)),
    Construct("a.py", f"op@ = op\n{_SETTING.replace('op.', 'op@.')}"),
    Construct("a.py", 'm = b"a"\nop.parameter_map["precision_mode"].s = m\n'),
    Construct("a.py", 'a = a + "y"\n', 'a = "x"\n', 'op.parameter_map["precision_mode"].s = a\n'),
    Construct("a.py", 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n', "import os\n"),
    Construct("a.py", 'os.environ.update({"ASCEND_GLOBAL_LOG_LEVEL": "3"})\n', "import os\n"),
    Construct("a.py", 'env["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n', "env = {}\n", 'subprocess.run("x", env=env)\n'),
    Construct("a.py", 'os.system("atc --model=a --framework=5")\n', "import os\n"),
    Construct("a.py", 'm = "a"\nos.system(f"atc --model={m}")\n'),
    Construct("a.py", 'subprocess.run(["atc", "--model=a", "--framework", "5"])\n'),
    Construct("a.py", 'cmd += " --log=debug"\n', 'cmd = "atc --model=a"\n', "os.system(cmd)\n"),
    Construct("a.py", 'cmd.append("--model=a")\n', 'cmd = ["atc"]\n', "subprocess.run(cmd)\n"),
    Construct("a.py", "export ASCEND_GLOBAL_LOG_LEVEL=1\n", 'os.system("""', '""")\n'),
    Construct("a.py", 'c = NPURunConfig(precision_mode="x", dump_config=DumpConfig(enable_dump=True))\n'),
    Construct("a.py", 'd = dict(precision_mode="x")\nc = NPURunConfig(**d)\n'),
    Construct("a.py", "config = tf.ConfigProto()\nc = NPURunConfig(session_config=config)\n"),
    Construct("a.py", 'npu.global_options().precision_mode = "a"\n'),
    Construct("a.py", "g = npu.global_options()\nd = g.dump_config\nd.enable_dump = '1'\n"),
    Construct("a.py", 'torch.npu.set_option({"ACL_PRECISION_MODE": "a"})\n', "import torch_npu\n"),
    Construct("a.py", f"if a:\n    {_SETTING}else:\n    {_SETTING}"),
    Construct("a.py", f"try:\n    {_SETTING}except E:\n    {_SETTING}finally:\n    {_SETTING}"),
    Construct("a.py", f"def f@(op):\n    {_SETTING}f@(op)\n"),
    Construct("a.py", 'class A@:\n    x = "a"\n    def f(self, op):\n        op.parameter_map["k"].s = self.x\n'),
    Construct("a.py", '    def f@(self, op):\n        op.parameter_map["k"].s = self.x\n', 'class A:\n    x = "a"\n'),
    Construct(
        "a.py", '    def f@(self, op):\n        self.x = "a"\n        op.parameter_map["k"].s = self.x\n', "class A:\n"
    ),
    Construct("a.py", "x = NPURunConfig(precision_mode='a'\n"),
    Construct("a.py", 'op.parameter_map["precision_mode\n'),
    Construct("a.py", f'"""\n{_SETTING}'),
    Construct("a.py", f'def f():\n"""a\n{_SETTING}'),
    Construct("a.py", "NPURunConfig(", closing=")"),
    Construct("a.py", f"# npu-lsp: off\n{_SETTING}# npu-lsp: on\n"),
    # -- shell
    Construct("a.sh", "export ASCEND_GLOBAL_LOG_LEVEL=1\n"),
    Construct("a.sh", "atc --model=a --framework=5 --output=b\n"),
    Construct("a.sh", "atc --model=$A\n", "A=a\n"),
    Construct("a.sh", "--model=a ", "A=(", ')\natc "${A[@]}"\n'),
    Construct("a.sh", "for i in 1 2; do\n  atc --model=$i\ndone\n"),
    Construct("a.sh", "f@() {\n  export ASCEND_GLOBAL_LOG_LEVEL=1\n}\nf@\n"),
    Construct("a.sh", "bash <<EOF\natc --model=a\nEOF\n"),
    Construct("a.sh", "atc --model=a\n", "bash <<EOF\n", "EOF\n"),
    Construct("a.sh", 'bash -c "atc --model=a"\n'),
    Construct("a.sh", "ASCEND_GLOBAL_LOG_LEVEL=1 python train.py\n"),
    Construct("a.sh", "docker run -e ASCEND_GLOBAL_LOG_LEVEL=1 img\n"),
    Construct("a.sh", "atc --model='a\n"),
    Construct("a.sh", "atc \\\n # a\n --model=a\n"),
    # -- hosts
    Construct("a.md", "```bash\natc --model=a\n```\n"),
    Construct("a.md", "> ", after="```bash\natc --model=a\n```\n"),
    Construct("a.md", "> ```bash\n> atc --model=a\n> ```\n"),
    Construct("a.md", "````\natc --model=a\n"),
    Construct("a.md", "use `atc --model=a` here "),
    Construct("a.md", "<!-- npu-lsp: ", after="\natc --model=a"),
    Construct("a.md", f"text\n\n    {_SETTING}\n"),
    Construct("Dockerfile", "RUN atc --model=a\n"),
    Construct("Dockerfile", "ENV ASCEND_GLOBAL_LOG_LEVEL=1\n"),
    Construct("Dockerfile", "RUN <<EOF\natc --model=a\n"),
    Construct("a.yaml", "env:\n  ASCEND_GLOBAL_LOG_LEVEL: '1'\n"),
    Construct("a.yaml", "- run: |\n    atc --model=a\n", "steps:\n"),
    Construct("a.yaml", "ASCEND_GLOBAL_LOG_LEVEL: '1', ", "env: {", "}\n"),
    Construct("a.yaml", "# \n", "env: {\n", "ASCEND_GLOBAL_LOG_LEVEL: '1'}\n"),
    Construct("Makefile", "all:\n\tatc --model=a\n"),
    Construct("Makefile", "export ASCEND_GLOBAL_LOG_LEVEL=1\n"),
    # -- files that options point to
    Construct("fusion_switch.cfg", "R@:on\n"),
    Construct("op_precision.ini", "Op@=high_precision\n", "[ByOpType]\n"),
    Construct("customize_dtypes.cfg", "Op@::InputDtype:float16,OutputDtype:float16\n"),
    Construct("keep_dtype.cfg", "Op@\n"),
    Construct("aipp.cfg", "aipp_op {\n aipp_mode: static\n crop: true\n}\n"),
)
