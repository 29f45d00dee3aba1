"""Commands and code in Markdown."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.triggers import may_match
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import at_bar, cut, reading, rows
from tests.together import together

LOG = [[("log", "info")]]


@together(
    "text",
    [
        "```bash\natc --log=info\n```\n",
        "```sh\natc --log=info\n```\n",
        "```Shell\natc --log=info\n```\n",
        "```{.bash .numbered}\natc --log=info\n```\n",
        '```bash title="x"\natc --log=info\n```\n',
        "~~~bash\natc --log=info\n~~~\n",
        "````bash\natc --log=info\n```\n````\n",
        "```bash\natc --log=info\n",
        "```\natc --log=info\n```\n",
        "```\n# convert\natc --log=info\n```\n",
        "```console\n$ atc --log=info\natc --no=1\n```\n",
        "```bash\n$ atc --log=info\nsome output\n```\n",
        "```console\nuser@host:~/x$ atc --log=info\n```\n",
        "```console\n[root@host x]# atc --log=info\n```\n",
        "```console\n(base) $ atc --log=info\n```\n",
        "```\n(base) root@host:/home# atc --log=info\n```\n",
        "```\n[root@host x]# atc --log=info\n```\n",
        "1. Step\n\n   ```bash\n   atc --log=info\n   ```\n",
        "- ```bash\n  atc --log=info\n  ```\n",
        "\t```bash\n\tatc --log=info\n\t```\n",
        "> ```bash\n> atc --log=info\n> ```\n",
        "```bash\r\natc --log=info\r\n```\r\n",
        "Run\n\n    atc --log=info\n\nthen\n",
        "Run `atc --log=info` now.\n",
        "- 命令：`atc --log=info`\n",
        "- 命令：atc --log=info\n",
        "  **atc --log=info**\n",
        "atc --log=info\n",
        "- atc --log=info\n",
        "$ atc --log=info\n",
        "```text\natc --log=info\n```\n",
        "```yaml\nscript:\n  - atc --log=info\n```\n",
        "```dockerfile\nRUN atc --log=info\n```\n",
        "```python\natc --log=info\n```\n",
        "中文😀\n```bash\natc --log=info\n```\n",
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == LOG


@together(
    "text",
    [
        "The atc --log=info flag is old.\n",
        "`atc`\n",
        "```text\nusage: atc --log=info\n```\n",
        "```c\nint atc = 1;\n```\n",
        "```json\n{}\n```\n",
        "```bash\n# atc --log=info\n```\n",
        "```bash\necho atc --log=info\n```\n",
        "| atc --log=info | x |\n",
        "**atc --op\\#x=info**\n",
        "**Note**: \\_ and \\* are escapes\n",
        "```diff\n- export ASCEND_X=1\n+ export ASCEND_X=2\n```\n",
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == []


@together("label", ["json", "jsonc", "python", "yaml"])
def test_a_script_is_one_whatever_its_fence_says(label: str) -> None:
    for script in ("# 环境变量\n\nexport ASCEND_X=1\n", "source /a/set_env.sh\nexport ASCEND_X=1\n"):
        assert rows(f"> ```{label}\n{script}```\n".replace("\n", "\n> "), Kind.MARKDOWN) == [[("ASCEND_X", "1")]]


@together(
    "text",
    [
        # What exports stands inside of something that the label tells.
        '```json\n{"a":\n"\nexport ASCEND_X=1\n"}\n```\n',
        '```python\nscript = """\nexport ASCEND_Y=1\n"""\n```\n',
        "```yaml\nvalue: one\nexport ASCEND_X=1\n```\n",
        # and what doesn't set anything is no sign of a shell.
        "```python\nexport = 1\n```\n",
    ],
)
def test_a_fence_that_begins_as_it_says_is_what_it_says(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == []


@together(
    "text",
    [
        "**export ASCEND_X=1**\n",
        "- `export ASCEND_X=1`\n",
        "export ASCEND_X=1\n",
        "1. ``export ASCEND_X='1'``\n",
        "> -  export ASCEND_X=1\n",
    ],
)
def test_an_item_may_be_nothing_but_an_instruction(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == [[("ASCEND_X", "1")]]


@together(
    "text",
    [
        "- `export ASCEND_X=1` is old\n",
        "Don't `export ASCEND_X=1`\n",
        "| `export ASCEND_X=1` | x |\n",
        "- `export ASCEND_X=<x>`\n",
        "- `export HOME=1`\n",
        "**export HOME=1**\n",
        "**export ASCEND_X=1** is old\n",
        "**export ASCEND\\_X=\\$a**\n",
        "**export ASCEND_X=1\n",
    ],
)
def test_what_a_sentence_says_of_an_instruction_is_none(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == []


def test_a_name_in_bold_may_have_escapes() -> None:
    text = "1. **export ASCEND\\_X\\_Y=a\\_b**  \n"
    assert may_match(Kind.MARKDOWN, text.encode())
    assert rows(text, Kind.MARKDOWN) == [[("ASCEND_X_Y", "a_b")]]


@pytest.mark.parametrize("text", ["**atc --op\\_x=info**\n", "**atc --op\\_x=*info***\n", "命令：atc --op\\_x=info\n"])
def test_an_emphasised_command_may_have_escapes(text: str) -> None:
    (block,) = reading(text, Kind.MARKDOWN).blocks
    (setting,) = block.settings
    assert (setting.name, setting.value.data) == ("op_x", "info")
    assert text[slice(*setting.key)] == "--op\\_x"
    document = Document(text, kind=Kind.MARKDOWN)
    edits = writer_for(setting).set_value(document, setting, "a_b")
    assert apply_edits(text, edits) == text.replace("info", "a\\_b")


@together(
    "text",
    [
        "```\nASCEND_X=1 python train.py\n```\n",
        "```\ndocker run --rm \\\n  -e ASCEND_X=1 \\\n  image\n```\n",
        "```{code-block} bash\n   :substitutions:\ndocker run --rm \\\n  --env ASCEND_X=1 \\\n  image\n```\n",
        "```model-code\n:name: x\n\nexport ASCEND_X=1\n```\n",
        "```env\nASCEND_X=1\n```\n",
        "```yaml\na:\n  text: |-\n      ```bash\n      ls\n      ```\nb:\n  env:\n    ASCEND_X: 1\n```\n",
        "```bash\n# base\nARG A=1\nFROM ubuntu:22.04 AS base\n\nENV ASCEND_X=1\n```\n",
        "  ```shell\n  FROM x\n  RUN ls\n  ENV ASCEND_X=1\n  ```\n",
        '```shell\nimport os\nos.environ["ASCEND_X"] = "1"\n```\n',
    ],
)
def test_what_stands_in_a_fence_tells_its_language(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == [[("ASCEND_X", "1")]]


def test_lines_with_prompts_and_marks() -> None:
    text = "```console\n$ atc --log=info \\\n>   --framework=5\nATC run success\n$ export ASCEND_X=1\n```\n"
    assert rows(text, Kind.MARKDOWN) == [[("log", "info"), ("framework", "5")], [("ASCEND_X", "1")]]
    text = "> ```sh\n> atc --log=info \\\n>   --framework=5\n> ```\n"
    assert rows(text, Kind.MARKDOWN) == [[("log", "info"), ("framework", "5")]]


@pytest.mark.parametrize("language", ["python", "py", ""])
def test_python_is_read_too(language: str) -> None:
    text = f'- x\n  ```{language}\n  import os\n  os.environ["ASCEND_X"] = "1"\n  ```\n'
    assert rows(text, Kind.MARKDOWN) == [[("ASCEND_X", "1")]]


@pytest.mark.parametrize(
    "text",
    [
        '```python\nimport os\n!atc --log=info \\\n     --mode=1\nprint("a")\n```\n',
        "- x\n  ```py\n  !cd x && atc --log=info --mode=1\n  ```\n",
        "```python\n%%bash\natc --log=info --mode=1\n```\n",
    ],
)
def test_a_fence_of_python_may_be_a_cell_of_a_notebook(text: str) -> None:
    assert rows(text, Kind.MARKDOWN) == [[("log", "info"), ("mode", "1")]]


def test_a_cell_in_a_fence_sets_variables() -> None:
    text = '```python\n%env HCCL_A=1\nos.environ["HCCL_B"] = "2"\n```\n'
    assert rows(text, Kind.MARKDOWN) == [[("HCCL_A", "1")], [("HCCL_B", "2")]]
    edited = text.replace("%env HCCL_A=1", 'x = ("a"\n% b)')
    assert rows(edited, Kind.MARKDOWN) == [[("HCCL_B", "2")]]


def test_python_that_is_indented() -> None:
    text = (
        'Then:\n\n    c = NPURunConfig(\n        hcom_parallel=True)\n\n    op.parameter_map["a"].b = True\n\nThen.\n'
    )
    assert rows(text, Kind.MARKDOWN) == [[("hcom_parallel", "True")], [("a", "True")]]
    assert all(block.open for block in reading(text, Kind.MARKDOWN).blocks)
    assert rows(text.replace("    ", ""), Kind.MARKDOWN) == []


def test_python_in_a_fence_without_a_language_is_an_excerpt() -> None:
    text = "```{}\nc = NPURunConfig(hcom_parallel=True)\n```\n"
    assert [reading(text.format(said), Kind.MARKDOWN).blocks[0].open for said in ("python", "")] == [False, True]


def test_mistakes_are_mended_in_the_host() -> None:
    from npu_lsp.text.spans import apply_edits

    text = "> ```sh\r\n> atc --log=info\r\n>   --framework=5\r\n> ```\r\n"
    (mistake,) = reading(text, Kind.MARKDOWN).syntax
    assert (mistake.kind, cut(text, mistake.span)) == ("lost-backslash", "--framework")
    assert apply_edits(text, mistake.edits) == "> ```sh\r\n> atc --log=info \\\r\n>   --framework=5\r\n> ```\r\n"


def test_comments() -> None:
    text = "<!-- npu-lsp: ignore-file[NPU1] -->\n```bash\n# npu-lsp: ignore\natc --log=info\n```\n"
    found = reading(text, Kind.MARKDOWN).comments
    assert [cut(text, comment.span) for comment in found] == [
        "<!-- npu-lsp: ignore-file[NPU1] -->",
        "# npu-lsp: ignore",
    ]


def test_completion() -> None:
    found = at_bar("# 标题\n> ```bash\n> atc --log=info \\\n>   --pre|~\n> ```\n", Kind.MARKDOWN)
    assert found is not None
    assert (found.wanted, found.typed, found.present) == (CompletionKind.FLAG, "--pre", frozenset({"log"}))
    assert at_bar("# atc --pre|~\n", Kind.MARKDOWN) is None


@together("said", ["{batch size}", "{型号}", "X", "xxx", '"xxx"', "your_path", "...", "<path>"])
def test_what_is_to_be_filled_in_is_unknown(said: str) -> None:
    assert rows(f"```bash\natc --log={said} --mode=0\n```\n", Kind.MARKDOWN) == [[("log", "?"), ("mode", "0")]]


@together(
    ("text", "part"),
    [
        ("Start with `atc --model=a.pb --framework=3` and go on.\n", True),
        ("**atc --model=a.pb --framework=3**\n", True),
        ("命令如下：atc --model=a.pb --framework=3\n", True),
        ("```\natc --model=a.pb --framework=3\n```\n", False),
        ("    atc --model=a.pb --framework=3\n", False),
    ],
)
def test_nothing_is_missing_where_a_sentence_speaks_of_a_command(text: str, part: bool) -> None:
    document = Document(text, kind=Kind.MARKDOWN)
    (block,) = read(document).blocks
    assert block.open is part
    assert not [f for f in Analyzer(Config(), all_rules).findings(document) if f.code == "NPU208"]


@together("said", ["atc", "atc -h", "atc --help", "atc --xxx", "atc --soc_version", "api/atc/atc"])
def test_the_name_of_a_tool_or_a_flag_is_no_command(said: str) -> None:
    assert rows(f"See `{said}` for more.\n", Kind.MARKDOWN) == []


@pytest.mark.parametrize("info", ["{code-block} bash", "{code-block}sh", "{code} shell"])
def test_the_language_stands_behind_a_directive(info: str) -> None:
    text = f"```{info}\n:substitutions:\n\nexport HCCL_BUFFSIZE=200\n```\n"
    found = read(Document(text, kind=Kind.MARKDOWN))
    assert [setting.name for block in found.blocks for setting in block.settings] == ["HCCL_BUFFSIZE"]


@together("placeholder", ["<model>", "--size <N> x", "<glm-5.2-model>", "<模型 路径>", "<image:tag>"])
def test_what_a_reader_fills_in_is_no_file(placeholder: str) -> None:
    text = f"```bash\nvllm serve {placeholder} \\\n  --additional-config '{{\"enable_cpu_binding\": true}}'\n```\n"
    assert [("enable_cpu_binding", "True")] in rows(text, Kind.MARKDOWN)


@pytest.mark.parametrize("call", ["ms.set_context", "mindspore.set_context", "context.set_context"])
@pytest.mark.parametrize("said", ["python", "", "bash"])
def test_a_page_without_imports(call: str, said: str) -> None:
    above = "import x\n" if said == "bash" else ""
    text = f"```{said}\n{above}{call}(device_target='Ascend')\n```\n"
    assert rows(text, Kind.MARKDOWN) == [[("device_target", "Ascend")]]


@together(
    ("fence", "found"),
    [
        ("spec:\n  env:\n  - name: HCCL_A\n    value: '1'\n", [[("HCCL_A", "1")]]),
        ("---\n# x\nkind: Pod\nenv:\n- name: HCCL_A\n  value: '1'\n", [[("HCCL_A", "1")]]),
        ("environment:\n  - HCCL_A=1\n", [[("HCCL_A", "1")]]),
        ("Note:\nHCCL_A=1 python3 a.py\n", [[("HCCL_A", "1")]]),
        ("a: b\nHCCL_A: 1\n", []),
    ],
)
def test_a_fence_of_yaml_that_tells_no_language(fence: str, found: list[list[tuple[str, str]]]) -> None:
    assert rows(f"```\n{fence}```\n", Kind.MARKDOWN) == found


@pytest.mark.parametrize(
    "text",
    [
        r"atc --mode $\mathrel { \mathop : } 1$ --om $\mid =$ \$HOME/a.om --json $=$ b.json",
        r"aoe --framework 5 --model ./a.onnx --job_type 2 --aicore_num $^ { 1 = 1 }$",
        r"atc --model=\$modelPath/a.onnx --log=debug",
    ],
)
def test_what_a_converter_made_of_a_command_is_none(text: str) -> None:
    assert rows(f"Run:\n\n{text}\n\nDone.\n", Kind.MARKDOWN) == []
    assert rows("Run:\n\natc --model=$HOME/a.onnx --log=debug\n", Kind.MARKDOWN) != []


@pytest.mark.parametrize("end", ["", "。", "；"])
def test_the_end_of_a_sentence_is_none_of_the_command(end: str) -> None:
    assert rows(f"例如：atc --soc_version=Ascend310{end}\n", Kind.MARKDOWN) == [[("soc_version", "Ascend310")]]


def test_a_redirection_in_a_fence_is_no_quote() -> None:
    text = "```bash\natc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 \\\n  > log.txt 2>&1\n```\n"
    assert Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.MARKDOWN)) == ()
    assert len(rows("> ```bash\n> export HCCL_BUFFSIZE=2\n> ```\n", Kind.MARKDOWN)) == 1
