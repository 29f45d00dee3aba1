"""What a file may hold thousands of, for every reader: texts of any length, made from what the reader knows."""

from __future__ import annotations

import json
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
_CELL = '"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null'
_NOTEBOOK = '{}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


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
    Construct("a.py", "c = npu.global_options()\nc.precision_mode = 'a'\n"),
    Construct(
        "a.py",
        "custom_op@ = config.graph_options.rewrite_options.custom_optimizers.add()\n",
        "config = tf.ConfigProto()\n",
    ),
    Construct("a.py", "x = NPURunConfig(precision_mode='a'\n"),
    Construct("a.py", 'op.parameter_map["precision_mode\n'),
    Construct("a.py", f'"""\n{_SETTING}'),
    Construct("a.py", f'def f():\n"""a\n{_SETTING}'),
    Construct("a.py", "NPURunConfig(", closing=")"),
    Construct("a.py", f"# npu-lsp: off\n{_SETTING}# npu-lsp: on\n"),
    Construct("a.py", _SESSION),
    Construct("a.py", _SESSION.replace("custom_op", "custom_op@")),
    Construct("a.py", f"def f@(config):\n{_indented(_SESSION)}f@(None)\n"),
    Construct("a.py", f"if a:\n    {_SETTING}"),
    Construct("a.py", f"elif a@:\n    {_SETTING}", f"if a:\n    {_SETTING}"),
    Construct("a.py", f"    if a:\n        {_SETTING}        return\n", "def f(op):\n"),
    Construct("a.py", f"    a@ = 'x'\n    {_SETTING.replace('op.', 'self.op@.')}", "class A:\n"),
    Construct("a.py", "precision_mode='x', ", "c = NPURunConfig(", ")\n"),
    Construct("a.py", "name@='x', ", "c = NPURunConfig(", ")\n"),
    Construct("a.py", "'precision_mode': 'x', ", "c = NPURunConfig(**{", "})\n"),
    Construct("a.py", ".a", "op", '.parameter_map["precision_mode"].s = "x"\n'),
    Construct("a.py", ".f(1)", "op", '.parameter_map["precision_mode"].s = "x"\n'),
    Construct("a.py", "a = ", after='op.parameter_map["precision_mode"].s = "x"\n'),
    Construct("a.py", "'x' + ", 'op.parameter_map["precision_mode"].s = ', "'x'\n"),
    Construct("a.py", f"{_SETTING.strip()}; "),
    Construct("a.py", f"{_SETTING.strip()} # npu-lsp: ignore[NPU101]\n"),
    # -- shell
    Construct("a.sh", "export ASCEND_GLOBAL_LOG_LEVEL=9 && "),
    Construct("a.sh", "atc --model=a && ", after="true\n"),
    Construct("a.sh", "atc --model=a || ", after="true\n"),
    Construct("a.sh", "atc --model=a; ", after="true\n"),
    Construct("a.sh", "atc --model=a | ", after="cat\n"),
    Construct("a.sh", "export ASCEND_GLOBAL_LOG_LEVEL=1; ", after="true\n"),
    Construct("a.sh", "if a; then\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", closing="fi\n"),
    Construct("a.sh", "if a; then\natc --model=a\n", closing="fi\n"),
    Construct("a.sh", "if a; then\nexport ASCEND_GLOBAL_LOG_LEVEL=1\nfi\n"),
    Construct("a.sh", "elif a; then\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", "if a; then\ntrue\n", "fi\n"),
    Construct("a.sh", "a@)\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n;;\n", "case $1 in\n", "esac\n"),
    Construct("a.sh", "( atc --model=a; ", closing=")"),
    Construct("a.sh", "$(atc --model=a ", closing=")"),
    Construct("a.sh", "${a:-", "atc --model=", closing="}"),
    Construct("a.sh", "export RANK_ID=1\nunset RANK_ID\n"),
    Construct("a.sh", " --model=a", "atc"),
    Construct("a.sh", " --model=a \\\n", "atc"),
    Construct("a.sh", " --log＝debug", "atc"),
    Construct("a.sh", 'cmd="$cmd --log=debug"\n', 'cmd="atc --model=a"\n', "$cmd\n"),
    Construct("a.sh", 'cmd+=" --log=debug"\n', 'cmd="atc --model=a"\n', "$cmd\n"),
    Construct("a.sh", "A@=a\natc --model=$A@\n"),
    Construct("a.sh", 'A="$A --model=a"\n', after="atc $A\n"),
    Construct("a.sh", 'A+=" --model=a"\n', "A=b\n", after="atc $A\n"),
    Construct("a.sh", "export ASCEND_GLOBAL_LOG_LEVEL=1\n"),
    Construct("a.sh", "atc --model=a --framework=5 --output=b\n"),
    Construct("a.sh", "atc --model=$A\n", "A=a\n"),
    Construct("a.sh", "--model=a ", "A=(", ')\natc "${A[@]}"\n'),
    Construct("a.sh", "a=(", "atc --a=1\n"),
    Construct("a.sh", "for i in 1 2; do\n  atc --model=$i\ndone\n"),
    Construct("a.sh", "f@() {\n  export ASCEND_GLOBAL_LOG_LEVEL=1\n}\nf@\n"),
    Construct("a.sh", "bash <<EOF\natc --model=a\nEOF\n"),
    Construct("a.sh", "atc --model=a\n", "bash <<EOF\n", "EOF\n"),
    Construct("a.sh", 'bash -c "atc --model=a"\n'),
    Construct("a.sh", "ASCEND_GLOBAL_LOG_LEVEL=1 python train.py\n"),
    Construct("a.sh", "docker run -e ASCEND_GLOBAL_LOG_LEVEL=1 img\n"),
    Construct("a.sh", "atc --model='a\n"),
    Construct("a.sh", "atc \\\n # a\n --model=a\n"),
    Construct("a.sh", "{a,b}", "atc --model=", "\n"),
    Construct("a.sh", "：ａ＝", "atc －－model＝a", "\n"),
    Construct("a.sh", "　", "atc －－model＝a", "\n"),
    Construct("a.sh", "“a”", "atc －－model＝", "\n"),
    Construct("a.sh", " －－log＝info", "atc", "\n"),
    Construct("a.sh", "if ${A=\n", after="atc --model=$A\n"),
    Construct("a.sh", "if (( A=1\n", after="atc --model=$A\n"),
    Construct("a.sh", "$(cat <<EOF\n", after="atc --model=a\n", closing="EOF\n)\n"),
    Construct("a.sh", "# npu-lsp: a\n", after="atc --model=a\n"),
    Construct("a.py", "# npu-lsp: target cann=8.0\n", "import os\n", 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n'),
    Construct("a.py", "LLM(additional_config)\n"),
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
    Construct("Makefile", "A += --model=a\n", "A = b\n", "all:\n\tatc $(A)\n"),
    Construct("Makefile", "A@ = --model=a\nall@:\n\tatc $(A@)\n"),
    Construct("Makefile", "$(shell atc --model=a ", "A = ", "\n", ")"),
    Construct("Makefile", "$(shell atc --model=a ", "all:\n\techo ", "\n", ")"),
    Construct("Makefile", "ifdef A\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", closing="endif\n"),
    Construct("Dockerfile", "# a\n", "RUN true \\\n", " && atc --model=a\n"),
    Construct("Dockerfile", "RUN cat <<A atc\n"),
    Construct("Dockerfile", "ENV ASCEND_GLOBAL_LOG_LEVEL=1 \\\n", after="  A=1\n"),
    Construct("a.yaml", "env:\n  - name: ASCEND_GLOBAL_LOG_LEVEL\n    value: '1'\n"),
    Construct("a.yaml", "[", "env: {ASCEND_GLOBAL_LOG_LEVEL: ", "}\n", "]"),
    Construct("a.yaml", "{a: ", "env: {ASCEND_GLOBAL_LOG_LEVEL: ", "}\n", "}"),
    Construct("a.yaml", "a: &a@\n  ASCEND_GLOBAL_LOG_LEVEL: '1'\nenv: *a@\n"),
    Construct("a.yaml", "- atc --model=a\n", "script:\n"),
    Construct("a.yaml", "- >\n  atc\n  --model=a\n", "script:\n"),
    Construct("a.yaml", "      atc --model=a\n", "steps:\n- run: |\n"),
    Construct("a.md", "- ```bash\n  atc --model=a\n  ```\n"),
    Construct("a.md", "- ", after="```bash\natc --model=a\n```\n"),
    Construct("a.md", f"```python\n{_SETTING}```\n"),
    Construct("a.md", _SETTING, "```python\n", "```\n"),
    Construct("a.md", "`", after="atc --model=a\n"),
    Construct("a.ipynb", "{" + _CELL + ', "source": [' + json.dumps(_SETTING) + "]}, ", '{"cells": [', _NOTEBOOK),
    Construct("a.ipynb", json.dumps(_SETTING) + ", ", '{"cells": [{' + _CELL + ', "source": [', '""]}' + _NOTEBOOK[4:]),
    Construct(
        "a.ipynb",
        json.dumps("!atc --model=a\n") + ", ",
        '{"cells": [{' + _CELL + ', "source": [',
        '""]}' + _NOTEBOOK[4:],
    ),
    # -- files that options point to
    Construct("fusion_switch.cfg", "R@:on\n"),
    Construct("op_precision.ini", "Op@=high_precision\n", "[ByOpType]\n"),
    Construct("customize_dtypes.cfg", "Op@::InputDtype:float16,OutputDtype:float16\n"),
    Construct("keep_dtype.cfg", "Op@\n"),
    Construct("fusion_switch.cfg", '"R@": "on", ', '{"Switch": {"GraphFusion": {', '"a": "on"}}}\n'),
    Construct("modify_mixlist.json", '"Op@", ', '{"black-list": {"to-add": [', '"a"]}}\n'),
    Construct("op_debug_config.ini", "ccec_g\n", "op_debug_config="),
    Construct("compression.cfg", '"Op@", ', '{"enable_first_layer_quant": [', '"a"]}\n'),
    Construct("a.json", '"precision_mode": "x", ', "{", '"a": "x"}\n'),
    Construct("a.json", "[", '{"precision_mode": ', "}\n", "]"),
    Construct("aipp.cfg", " crop: true\n", "aipp_op {\n", "}\n"),
    Construct("aipp.cfg", "aipp_op {\n", closing="}\n"),
    Construct("aipp.cfg", "aipp_op {\n aipp_mode: static\n crop: true\n}\n"),
)
