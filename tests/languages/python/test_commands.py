"""Commands that a script starts: ranges are exact in the Python file."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.model import Block
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def commands(text: str) -> list[Block]:
    return [b for b in read(Document(text, kind=Kind.PYTHON)).blocks if b.surface is Surface.ATC]


def flags(text: str) -> list[tuple[str, object]]:
    """Return the flags of all commands, after proving that they stand where they are said to stand."""
    found = []
    for block in commands(text):
        for setting in block.settings:
            assert setting.name.split("_")[0] in text[slice(*setting.key)]
            if setting.value.content is not None:
                assert text[slice(*setting.value.content)] == setting.value.data
            found.append((setting.name, setting.value.data if setting.value.known else None))
    return found


@together(
    "text",
    [
        'os.system("atc --model=x --mode=1")\n',
        "os.popen('atc --model=x --mode=1')\n",
        'subprocess.call("atc --model=x --mode=1", shell=True)\n',
        'subprocess.getoutput("cd y && atc --model=x --mode=1")\n',
        'import subprocess as sub\nsub.run("atc --model=x --mode=1", shell=True)\n',
        'from subprocess import check_call as start\nstart("atc --model=x --mode=1", shell=True)\n',
        'os.system("atc --model=x " "--mode=1")\n',
        'os.system("atc --model=x " + "--mode=1")\n',
        'os.system("atc --model=x \\\n --mode=1")\n',
        'os.system("""\natc --model=x \\\\\n    --mode=1\n""")\n',
        'os.system(r"atc --model=x --mode=1")\n',
        'os.system(" ".join(["atc", "--model=x", "--mode=1"]))\n',
        'command = "atc --model=x --mode=1"\nos.system(command)\n',
        'command = "atc --model=x"\ncommand += " --mode=1"\nos.system(command)\n',
        'def sh(c):\n    os.system(c)\nsh("atc --model=x --mode=1")\n',
        'for c in ["atc --model=x --mode=1"]:\n    os.system(c)\n',
        'subprocess.run(["atc", "--model=x", "--mode=1"])\n',
        'subprocess.run(["atc", "--model", "x", "--mode", "1"])\n',
        'subprocess.run(("/usr/local/bin/atc", "--model=x", "--mode=1"))\n',
        'subprocess.run(["bash", "-c", "atc --model=x --mode=1"])\n',
        'args = ["atc", "--model=x", "--mode=1"]\nsubprocess.check_call(args)\n',
        'args = ["atc", "--model=x"]\nargs.append("--mode=1")\nsubprocess.Popen(args)\n',
        'args = ["atc"]\nargs += ["--model=x"]\nargs.extend(["--mode=1"])\nsubprocess.Popen(args)\n',
        'subprocess.run(["atc"] + ["--model=x", "--mode=1"])\n',
        'command = "atc --model=x"\ncommand = command + " --mode=1"\nos.system(command)\n',
        'subprocess.run("atc --model=x --mode=1".split())\n',
        'subprocess.run(shlex.split("atc --model=x --mode=1"))\n',
        'words = shlex.split("atc --model=x --mode=1")\nsubprocess.run(words)\n',
        'words = ["atc", "--model=x"]\nwords = words + ["--mode=1"]\nsubprocess.run(words)\n',
        'words = ["atc"]\nwords.append("--model=x")\nwords.append("--mode=1")\nos.system(" ".join(words))\n',
        'more = ["--model=x", "--mode=1"]\nsubprocess.run(["atc", *more])\n',
        'subprocess.run(args=["atc", "--model=x", "--mode=1"])\n',
        'def run(c):\n    subprocess.run(c, shell=True)\nrun("atc --model=x --mode=1")\n',
        'class R:\n    def run(self, c):\n        subprocess.run(c)\n    def go(self):\n        self.run("atc --model=x --mode=1")\n',
        'args = ["atc", "--mode=1"]\nargs.insert(1, "--model=x")\nsubprocess.run(args)\n',
        'args = ["", "--model=x", "--mode=0"]\nargs[0] = "atc"\nargs[2] = "--mode=1"\nsubprocess.run(args)\n',
        'from os import system\nsystem("atc --model=x --mode=1")\n',
        'os.execvp("atc", ["atc", "--model=x", "--mode=1"])\n',
        'os.execve("/opt/bin/atc", ["conversion", "--model=x", "--mode=1"], os.environ)\n',
        'os.execlp("atc", "atc", "--model=x", "--mode=1")\n',
        'os.execle("/opt/bin/atc", "atc", "--model=x", "--mode=1", os.environ)\n',
        'words = ["atc", "--model=x", "--mode=1"]\nos.spawnvp(os.P_WAIT, words[0], words)\n',
        'os.spawnl(os.P_WAIT, "/opt/bin/atc", "atc", "--model=x", "--mode=1")\n',
        'await asyncio.create_subprocess_exec("atc", "--model=x", "--mode=1")\n',
        'await asyncio.create_subprocess_shell("atc --model=x --mode=1")\n',
        'more = ["--model=x", "--mode=1"]\nawait asyncio.create_subprocess_exec("atc", *more)\n',
        'await loop.subprocess_exec(Protocol, "atc", "--model=x", "--mode=1")\n',
        'get_ipython().system("atc --model=x --mode=1")\n',
        'import IPython\nout = IPython.get_ipython().system("atc --model=x --mode=1")\n',
        'get_ipython().system("ls")\nget_ipython().run_cell_magic("bash", "", "atc --model=x --mode=1\\n")\n',
        'def run(c):\n    os.system("source env.sh; " + c + " > log")\nrun("atc --model=x --mode=1")\n',
        'def run(c):\n    os.system(f"source env.sh; {c} > log")\nrun("atc --model=x --mode=1")\n',
        'def run(c):\n    subprocess.run(["bash", "-c", c])\nrun("atc --model=x --mode=1")\n',
        'def run(c, **more):\n    subprocess.run(c, **more)\nrun("ls")\nrun(["atc", "--model=x", "--mode=1"])\n',
        'def run(c):\n    subprocess.run(["sudo"] + c)\nwords = ["atc", "--model=x"]\nwords.append("--mode=1")\nrun(words)\n',
        'run = lambda c: os.system(c)\nrun("atc --model=x --mode=1")\n',
        '[os.system(c) for c in ("atc --model=x --mode=1",)]\n',
        'MODEL = "x"\nos.system(f"atc --model={MODEL} --mode=1")\n',
    ],
)
def test_commands(text: str) -> None:
    (block,) = commands(text)
    assert not block.open
    if "MODEL" in text:
        assert [(s.name, s.value.known) for s in block.settings] == [("model", True), ("mode", True)]
    else:
        assert flags(text) == [("model", "x"), ("mode", "1")]


@together(
    "text",
    [
        'os.system(f"atc --model={m} --mode=1")\n',
        'os.system("atc --model={} --mode=1".format(m))\n',
        'os.system("atc --model=%s --mode=1" % m)\n',
        'os.system("atc --model=" + m + " --mode=1")\n',
        'subprocess.run(["atc", "--model=" + m, "--mode=1"])\n',
        'subprocess.run(["atc", f"--model={m}", "--mode=1"])\n',
        'subprocess.run(["atc", "--model", m, "--mode=1"])\n',
    ],
)
def test_what_is_filled_in_is_unknown(text: str) -> None:
    assert flags(text) == [("model", None), ("mode", "1")]


@together(
    "text",
    [
        'subprocess.run(["atc", "--mode=1", *more])\n',
        'subprocess.run(["atc", "--mode=1"] + more)\n',
        'os.system("atc --mode=1 " + more)\n',
        'os.system(f"atc --mode=1 {more}")\n',
        'args = ["atc", "--mode=1"]\nif x:\n    args.append("--log=debug")\nsubprocess.run(args)\n',
        'args = ["atc", "--mode=1", "--log=info"]\nif x:\n    args[2] = "--log=debug"\nsubprocess.run(args)\n',
        'args = ["atc", "--mode=1"]\nargs.insert(at, "--log=debug")\nsubprocess.run(args)\n',
        'await asyncio.create_subprocess_exec("atc", "--mode=1", *more)\n',
        'os.execvp("atc", ["atc", "--mode=1", *more])\n',
    ],
)
def test_a_command_that_may_have_more_is_open(text: str) -> None:
    (block,) = commands(text)
    assert block.open
    assert ("mode", "1") in flags(text)


@together(
    "text",
    [
        'print("atc --model=x")\n',
        'x = "atc --model=x"\n',
        'self.run("atc --model=x")\n',
        'os.system("echo atc --model=x")\n',
        '# os.system("atc --model=x")\n',
        'os.path.join("atc", "--model=x")\n',
        'subprocess.run(["ls", "atc"])\n',
        'os.system("catch --model=x")\n',
        'def run(c):\n    os.system("echo " + c)\nrun("atc --model=x")\n',
        'args = ["atc", "--model=x"]\nargs.remove("--model=x")\nsubprocess.run(args)\n',
        'args = ["atc", "--model=x"]\ndel args[1]\nsubprocess.run(args)\n',
        'args = ["atc", "--model=x"]\nargs[at] = "--model=y"\nsubprocess.run(args)\n',
        'os.execvp("ls", ["atc", "--model=x"])\n',
        'os.execvp(*program("atc", ["atc", "--model=x"]))\n',
        'get_ipython().run_line_magic("time", "atc --model=x")  # system(\n',
    ],
)
def test_what_is_no_command(text: str) -> None:
    assert commands(text) == []


def test_escapes_keep_the_places() -> None:
    text = 'os.system("echo \\t\\u4e2d && atc --model=\\"a b\\" --mode=1")\n'
    (block,) = commands(text)
    model, mode = block.settings
    assert text[slice(*model.key)] == "--model"
    assert model.value.data == "a b"
    assert text[slice(*mode.key)] == "--mode"
    assert text[slice(*mode.value.span)] == "1"


def test_variables_of_a_notebook() -> None:
    text = 'get_ipython().system("ls")\nget_ipython().run_line_magic("env", "HCCL_A=1")\n'
    (block,) = read(Document(text, kind=Kind.PYTHON)).blocks
    assert [(s.name, s.value.data, text[slice(*s.key)]) for s in block.settings] == [("HCCL_A", "1", "HCCL_A")]


def test_variables_in_a_command() -> None:
    text = 'os.system("export HCCL_A=1; ASCEND_B=2 python x.py")\n'
    names = {s.name for b in read(Document(text, kind=Kind.PYTHON)).blocks for s in b.settings}
    assert names == {"HCCL_A", "ASCEND_B"}


@pytest.mark.parametrize(
    "call",
    [
        'os.system(f"atc --model={m} --mode=1")\n',
        'sh("atc --model=%s --mode=1" % m)\n',
        'sh(f"atc --model={m} --mode=1")\n',
    ],
)
def test_a_command_in_a_loop_is_one_command(call: str) -> None:
    text = "def sh(c):\n    os.system(c)\n" + 'for m in ["a", "b"]:\n    ' + call
    assert flags(text) == [("model", None), ("mode", "1")]


def test_what_is_added_only_sometimes_leaves_the_command_open() -> None:
    text = 'c = "atc --model=x"\nif y:\n    c = c + " --mode=1"\nos.system(c)\n'
    (block,) = commands(text)
    assert block.open
    assert [(s.name, s.value.known) for s in block.settings] == [("model", False)]


def test_a_command_that_is_started_in_two_places_is_written_once() -> None:
    text = 'c = ["atc --model=x", "atc --mode=1"]\nfor x in c:\n    os.system(x)\nos.system(" && ".join(c))\n'
    assert flags(text) == [("model", "x"), ("mode", "1")]
    text = 'c = "atc --model=x --mode=1"\nif y:\n    os.system(c)\nelse:\n    subprocess.run(c, shell=True)\n'
    assert flags(text) == [("model", "x"), ("mode", "1")]


@together(
    "text",
    [
        'for c in pool.imap(run, ["export HCCL_A=1 && python3 a.py"]):\n    pass\n',
        'jobs = [(f"export HCCL_A=1 && "\n         f"msrun {x}/a.py", "a.log")]\n',
        'run_all(f"export HCCL_A=1; python3 {a}.py")\n',
        'if x:\n    c = "export HCCL_A=1 && make -f {}"\nos.system(c.format(y))\n',
        'c = ("source /usr/set_env.sh && "\n     "export HCCL_A=1 && "\n     "export B=2")\nrun(f"{c} && {x}")\n',
        'c = ". ./set_env.sh; export HCCL_A=1"\n',
        'c = f"cd {x} && export HCCL_A=1 && python3 a.py"\n',
        "s = '#!/bin/bash\\nexport HCCL_A=1\\n'\n",
        "s = f'''#!/usr/bin/env bash\nset -e\n# {x}\nexport HCCL_A=1\npython3 {x} \\\\\n{y} 2>&1\n'''\n",
        "with open(p, 'w') as f:\n    f.write('''#!/bin/sh\nexport HCCL_A=1\n''')\n",
        's = """\\\n#!/bin/bash\nexport HCCL_A=1\n"""\n',
    ],
)
def test_a_text_that_exports_and_goes_on_is_a_command(text: str) -> None:
    text = "import subprocess\n" + text
    found = [(s.name, s.value.data) for b in read(Document(text, kind=Kind.PYTHON)).blocks for s in b.settings]
    assert found == [("HCCL_A", "1")]


@together(
    "text",
    [
        'print("export HCCL_A=1 && python3 a.py")\n',
        'logger.warning("export HCCL_A=1 && python3 a.py")\n',
        'raise ValueError("export HCCL_A=1 && python3 a.py")\n',
        'p.add_argument("--x", help="export HCCL_A=1; python3 a.py")\n',
        '"""export HCCL_A=1; python3 a.py"""\n',
        'said = "export HCCL_A=1"\n',
        'said = "First export HCCL_A=1; then start again"\n',
        'said = "source the file && export HCCL_A=1"\n',
        "print('#!/bin/bash\\nexport HCCL_A=1\\n')\n",
        "assert s == '#!/bin/bash\\nexport HCCL_A=1\\n'\n",
        "said = '#!/usr/bin/perl\\nexport HCCL_A=1\\n'\n",
    ],
)
def test_a_text_about_variables_is_none(text: str) -> None:
    assert not read(Document("import subprocess\n" + text, kind=Kind.PYTHON)).blocks
