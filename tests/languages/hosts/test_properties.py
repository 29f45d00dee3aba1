"""What holds for any host: no crash, no range off its text, and an edited host reads as a fresh one."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from npu_lsp.languages import cursor, read
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, apply_edits
from tests.languages.hosts.found import reading
from tests.robustness.steps import many_steps

_PER_CHARACTER = 1_000
"""Steps that a text may take for each of its characters: no limit that a right change meets, one that a hang does."""

HOSTS = {
    Kind.MARKDOWN: """\
# 标题 😀
> ```bash
> $ atc --log=info \\
> >   --model=a
> ```
- x
  ```python
  import os
  os.environ["ASCEND_A"] = "1"
  ```
`atc --log=1`
```
atc --log=2
  --mode=0
```
""",
    Kind.DOCKERFILE: """\
FROM x
ENV ASCEND_A=1 HCCL_B="a b" \\
    NPU_C=3
# why
RUN cd x && \\
    # c
    atc --log=info \\
        --mode=0
CMD ["atc", "--log=1"]
RUN <<EOF
atc --log=2
EOF
""",
    Kind.YAML: """\
env:
  ASCEND_A: 1
  HCCL_B: "a b"
steps:
  - run: |
      atc --log=info \\
        --mode=${{ x }}
  - run: "atc --log=\\"1\\""
  - command: ["atc", "--log=2"]
    env:
      - name: NPU_C
        value: '中'
  - script:
      - atc --log=3
      - >-
        atc
        --log=4
      - *again
  - &again |
    atc --log=5
  - {run: atc --log=6, env: {HCCL_C: 1, HCCL_D: "${{ x }}"}}
x: &npu
  HCCL_E: 1
services:
  a:
    environment: [HCCL_F=1, 'HCCL_G=a b']
    entrypoint: ["atc"]
    command:
      - --log=7
      - --in=a;b
  b:
    environment: {<<: *npu, HCCL_H: 2}
""",
    Kind.MAKEFILE: """\
ATC := atc
export ASCEND_A = 1
all: x
\t@$(ATC) --log=info \\
\t\t--mode=$(MODE) --out=$$HOME
x: ; atc --log=1
OPTS = --in=a \\
  --log=$(L)
OPTS += --debug_dir=$(D)/x
L := info
y: export HCCL_C=1
y:
\tcd y && $(ATC) $(OPTS) --mode=1
\tatc $(OPTS)
define convert
atc --log=2 $(OPTS)
endef
""",
    Kind.DOTENV: "# why\nASCEND_A=1\nexport HCCL_B='a b' # c\nNPU_C=中\n",
    Kind.PATCH: "--- a/x.sh\n+++ b/x.sh\n@@ -1,2 +1,3 @@\n # 中\n+export HCCL_A=1\n-export HCCL_B=2\n+atc --log=info\n"
    '--- /dev/null\n+++ b/x.json\n@@ -0,0 +1 @@\n+{"env": {"ASCEND_A": "1"}}\n',
    Kind.INI: "[testenv]\n# why\nset_env =\n    ASCEND_A=1\n    HCCL_B = 中\ncommands =\n    atc --log=info --in={posargs}\n",
    Kind.JSON: '{\n  // why\n  "env": {"ASCEND_A": "1", "HCCL_B": 2},\n  "x": [{"Env": ["NPU_C=中", "D=1"]}]\n}\n',
    Kind.NOTEBOOK: json.dumps(
        {
            "cells": [
                {"cell_type": "code", "source": ["!atc --log=info \\\n", "  --in='中'\n", "%env ASCEND_A=1\n"]},
                {"cell_type": "markdown", "source": ["Run\n", "```bash\n", "export HCCL_A=1\n", "```"]},
                {"cell_type": "code", "source": '%%bash\natc --log="1"\n'},
                {"cell_type": "code", "source": ["import os\n", 'os.environ["HCCL_B"] = "1"']},
            ]
        },
        indent=1,
    ),
}
PIECES = [
    *"ab=-\"'\\ $\n;|&(){}[]<>`#\t\r,:😀中\0%!",
    "atc ",
    "--log=info ",
    " \\\n",
    "\r\n",
    "```\n",
    "run: ",
    "ENV ",
    "  - ",
    "&a ",
    "*a",
    "{",
    "[a, ",
]
EDIT = st.tuples(st.integers(0, 2000), st.integers(0, 30), st.lists(st.sampled_from(PIECES), max_size=4))


@pytest.mark.parametrize("kind", HOSTS)
@given(edits=st.lists(EDIT, min_size=1, max_size=5))
@configured(max_examples=30)
@example(edits=[(HOSTS[Kind.MAKEFILE].index("\nOPTS +="), 1, [])])  # `$(L)` is as long as what it says
def test_edits_never_break_anything(kind: Kind, edits: list[tuple[int, int, list[str]]]) -> None:
    document = Document(HOSTS[kind], kind=kind)
    read(document)
    for at, length, pieces in edits:
        at %= len(document.text) + 1
        document = document.edited(Span(at, min(len(document.text), at + length)), "".join(pieces))
        found = read(document)
        fresh = reading(document.text, kind)
        assert found == fresh
        for mistake in found.syntax:
            apply_edits(document.text, mistake.edits)
        for block in found.blocks:
            for setting in block.settings:
                writer = writer_for(setting)
                apply_edits(document.text, writer.rename(document, setting, "other"))
                apply_edits(document.text, writer.set_value(document, setting, 'a "b"'))
                apply_edits(document.text, writer.remove(document, [setting]))
                apply_edits(document.text, writer.add(document, block, setting, Added("other", "v")))
        here = cursor(document, at)
        if here is not None:
            assert here.replace.start <= at <= here.replace.end <= len(document.text)


@pytest.mark.parametrize("kind", HOSTS)
@given(text=st.text(max_size=200))
@configured(max_examples=25)
def test_any_text(kind: Kind, text: str) -> None:
    for each in (text, f"{text}atc --log=1\n", f"run: {text} atc --x=1", f"```bash\n{text}"):
        reading(each, kind)
        cursor(Document(each, kind=kind), len(each))


def work(document: Document) -> None:
    read(document)
    cursor(document, len(document.text) // 2)


def test_hostile_texts_take_no_time() -> None:
    for kind in HOSTS:
        for text in (
            "```bash\natc --x=1\n" * 1500,
            "`atc --x=1 " * 2500,
            "> " * 2500 + "atc --x=1",
            "RUN atc \\\n" * 2500,
            "ENV ASCEND_A=1\n" * 1500,
            "ENV " + "ASCEND_A=1 " * 2500,
            "- " * 2500 + "run: atc --x=1",
            "run:\n" + "  - atc --x=1\n" * 1500,
            "run: |\n" + "  atc --x=1\n" * 1500,
            "env:\n" + "  ASCEND_A: 1\n" * 1500,
            'command: ["atc", ' + '"--x=1", ' * 1500,
            "all:\n" + "\tatc --x=$(" * 1500,
            "".join(f"A{i} = --x=$(A{i + 1}) $(A{i + 1})\n" for i in range(300)) + "all:\n" + "\tatc $(A1)\n" * 200,
            "A = " + "--x=1 " * 1000 + "\nall:\n" + "\tatc $(A) $(A)\n" * 2,
            "- {run: atc --x=1, env: {\n" * 1500,
            "- {run: [[[[[\n" * 1500 + "atc --x=1",
            "env: {HCCL_A: 1,\n" * 1500,
            "- command: [atc]\n  args: [--x=1,\n" * 1500,
            "x: &a\n" + "env:\n  <<: *a\n" * 1500 + "atc --x=1",
            "run:\n" + "  - *a\n" * 500 + "x: &a atc --x=1",
            "{" * 15000 + '"cells" atc --x=1',
            '{"cells": [' + '{"cell_type": "code", "source": "!atc --x=1"}, ' * 1500,
            '{"cells": [{"cell_type": "code", "source": "' + "!atc --x=1\\n" * 1500 + '"}]}',
            "**atc" * 2500,
            "：atc --x=1" * 1500,
            " " * 100_000 + "atc --x=1",
        ):

            def make(text: str = text, kind: Kind = kind) -> Callable[[], None]:
                return partial(work, Document(text, kind=kind))

            assert not many_steps(make, 5_000_000 + _PER_CHARACTER * len(text)), (kind, text[:40])
