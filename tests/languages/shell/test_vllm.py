"""What is read of vLLM's own arguments beside `--additional-config`, wherever a command or a call may stand."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

JSON = '{"xlite_graph_config": {"enabled": true}}'
DICT = '{"xlite_graph_config": {"enabled": True}}'


@together(
    ("kind", "text"),
    [
        (Kind.SHELL, f"vllm serve m --pipeline-parallel-size 2 --additional-config '{JSON}'\n"),
        (Kind.SHELL, f"vllm serve m --additional_config='{JSON}' --pipeline_parallel_size=2\n"),
        (Kind.SHELL, f"exec python3 -m vllm.entrypoints.openai.api_server -pp 2 --additional-config '{JSON}'\n"),
        (Kind.SHELL, f"ARGS=(-pp 2 --additional-config '{JSON}')\nvllm serve m \"${{ARGS[@]}}\"\n"),
        (Kind.SHELL, f"C='{JSON}'\nPP=2\nvllm serve m -pp $PP --additional-config \"$C\"\n"),
        (Kind.SHELL, f"docker run image vllm serve m -pp 2 --additional-config '{JSON}'\n"),
        (
            Kind.YAML,
            f"command:\n  - vllm\n  - serve\n  - m\n  - --pipeline-parallel-size=2\n  - --additional-config\n  - '{JSON}'\n",
        ),
        (Kind.YAML, f"command: [vllm, serve, m, --pipeline-parallel-size=2, --additional-config, '{JSON}']\n"),
        (Kind.YAML, f"args:\n  - --pipeline-parallel-size=2\n  - --additional-config\n  - '{JSON}'\n"),
        (Kind.YAML, f"run: |\n  vllm serve m -pp 2 --additional-config '{JSON}'\n"),
        (Kind.MARKDOWN, f"```bash\nvllm serve m -pp 2 --additional-config '{JSON}'\n```\n"),
        (Kind.PYTHON, f'LLM("m", pipeline_parallel_size=2, additional_config={DICT})\n'),
        (Kind.PYTHON, f'config = {DICT}\nsize = 2\nLLM("m", pipeline_parallel_size=size, additional_config={DICT})\n'),
        (Kind.PYTHON, f"subprocess.run(['vllm', 'serve', 'm', '-pp', '2', '--additional-config', '{JSON}'])\n"),
    ],
)
def test_an_argument_is_held_against_the_json_beside_it(kind: Kind, text: str) -> None:
    document = Document(text, kind=kind)
    found = Analyzer(Config(select=("NPU215",)), all_rules).findings(document)
    assert [document.text[each.span.start : each.span.end] for each in found] == ["enabled"]


@together(
    ("text", "more"),
    [
        ("vllm serve m -tp 4 --additional-config '{}'\n", False),
        ("vllm serve m -tp 4 \"$@\" --additional-config '{}'\n", True),
        ("vllm serve m -tp 4 --config a.yaml --additional-config '{}'\n", True),
        ("python3 serve.py -tp 4 --additional-config '{}'\n", True),
    ],
)
def test_only_what_vllm_itself_is_told_is_all_of_it(text: str, more: bool) -> None:
    (block,) = (block for block in read(Document(text, kind=Kind.SHELL)).blocks if block.surface is Surface.VLLM)
    assert (block.settings[0].name, block.open) == ("tensor-parallel-size", more)


def test_each_command_has_arguments_of_its_own() -> None:
    text = "vllm serve a --tensor-parallel-size 4\nvllm serve b --additional-config '{}'\n"
    blocks = [block for block in read(Document(text, kind=Kind.SHELL)).blocks if block.surface is Surface.VLLM]
    assert [[setting.name for setting in block.settings] for block in blocks] == [
        ["tensor-parallel-size"],
        ["additional-config"],
    ]


def test_json_that_several_commands_get_is_held_against_each() -> None:
    text = f'C=\'{JSON}\'\nvllm serve a --additional-config "$C"\nvllm serve b -pp 2 --additional-config "$C"\n'
    (found,) = Analyzer(Config(select=("NPU215",)), all_rules).findings(Document(text, kind=Kind.SHELL))
    assert [text[slice(*each.span)] for each in found.related] == ["-pp"]
