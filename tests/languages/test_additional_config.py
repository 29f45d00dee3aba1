"""`additional_config` of vLLM-Ascend: read wherever it is written, with the same names and the right places."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together

JSON = '{"refresh": true, "eplb_config": {"num_redundant_experts": 2}}'
PYTHON = '{"refresh": True, "eplb_config": {"num_redundant_experts": 2}}'
NAMES = ["refresh", "eplb_config", "eplb_config.num_redundant_experts"]


def settings(text: str, kind: Kind) -> list[tuple[str, str, object]]:
    """Return the name of each key, what stands at its place, and its value."""
    document = Document(text, kind=kind)
    return [
        (s.name, text[s.key.start : s.key.end], s.value.data)
        for block in read(document).blocks
        if block.surface is Surface.ADDITIONAL_CONFIG
        for s in block.settings
    ]


@together(
    ("text", "kind"),
    [
        (f"vllm serve m --additional-config '{JSON}' --port 1\n", Kind.SHELL),
        (f"python -m vllm.entrypoints.openai.api_server --additional_config='{JSON}'\n", Kind.SHELL),
        ('vllm serve m --additional-config "' + JSON.replace('"', '\\"') + '"\n', Kind.SHELL),
        (f"vllm serve m \\\n  --additional-config \\\n  '{JSON}' &\n", Kind.SHELL),
        (f"CONFIG='{JSON}'\nvllm serve m --additional-config \"$CONFIG\"\n", Kind.SHELL),
        (f"ARGS=(--port 1 --additional-config '{JSON}')\nvllm serve \"${{ARGS[@]}}\"\n", Kind.SHELL),
        (f"# 中😀\n\n```bash\nvllm serve m --additional-config '{JSON}'\n```\n", Kind.MARKDOWN),
        (f"cmd:\n  - --additional-config\n  # why\n  - '{JSON}'\n", Kind.YAML),
        (f"args: [\"--additional-config\", '{JSON}']\n", Kind.YAML),
        ("additional_config:\n  refresh: true\n  eplb_config:\n    num_redundant_experts: 2\n", Kind.YAML),
        (f"vllm:\n  - additional-config: {JSON}\n    model: m\n", Kind.YAML),
        (f"vllm:\n  additional_config: '{JSON}'\n", Kind.YAML),
        (
            "engine_kwargs: {vllm: {additional_config: {refresh: true, eplb_config: {num_redundant_experts: 2}}}}\n",
            Kind.YAML,
        ),
        (f"server_cmd: >\n  vllm serve m\n  --additional-config '{JSON}'\n", Kind.YAML),
        (f'llm = LLM("m", additional_config={PYTHON})\n', Kind.PYTHON),
        (f"config = {PYTHON}\nargs = AsyncEngineArgs(model='m', additional_config=config)\n", Kind.PYTHON),
        (f'kwargs = {{"model": "m", "additional_config": {PYTHON}}}\n', Kind.PYTHON),
        # What a page shows of a call keeps its comma.
        (f"```python\nmax_num_seqs=8,\nadditional_config={PYTHON},\n```\n", Kind.MARKDOWN),
        (f'args = ["--x", "--additional-config", \'{JSON}\']\n', Kind.PYTHON),
        (f"config = '{JSON}'\nsubprocess.run(['vllm', 'serve', '--additional-config', config])\n", Kind.PYTHON),
        (
            f"import json\nconfig = json.dumps({PYTHON})\nsubprocess.run(['vllm', 'serve', '--additional-config', config])\n",
            Kind.PYTHON,
        ),
        (
            f"given = {PYTHON}\nfirst = json.dumps(given)\nthen = first\ncmd = ['vllm']\ncmd += ['--additional-config', then]\n",
            Kind.PYTHON,
        ),
        (f'import json\nargs.extend(["--additional-config", json.dumps({PYTHON})])\n', Kind.PYTHON),
        (
            f"additional_config = {PYTHON}\nserver(['--additional-config', json.dumps(additional_config)])\n",
            Kind.PYTHON,
        ),
        # Put into a text.
        (f"config = {PYTHON}\nargs = [f'--additional-config={{json.dumps(config)}}']\n", Kind.PYTHON),
        (f"config = json.dumps({PYTHON})\nargs = ['serve', '--additional_config=' + config]\n", Kind.PYTHON),
        (
            f"config = {PYTHON}\nos.system('vllm serve ' + model + \" --additional-config '\" + json.dumps(config) + \"'\")\n",
            Kind.PYTHON,
        ),
        (
            f"config = {PYTHON}\nrun(f\"vllm serve m --additional-config '{{json.dumps(config)}}' --port {{port}}\", shell=True)\n",
            Kind.PYTHON,
        ),
    ],
)
def test_it_is_read_in_every_form(text: str, kind: Kind) -> None:
    found = settings(text, kind)
    assert [name for name, _, _ in found] == NAMES, text
    assert [written for _, written, _ in found] == [name.rpartition(".")[2] for name in NAMES]
    assert {name: data for name, _, data in found}["eplb_config.num_redundant_experts"] == 2


@together(
    ("text", "kind"),
    [
        (
            f"config = {PYTHON}\nargs = [f'--additional-config={{config}}', '--additional-config=' + str(config)]\n",
            Kind.PYTHON,
        ),
        (
            f"config = json.dumps({PYTHON})\nargs = [f'--additional-config={{config!r}}', f'--seed={{config}}']\n",
            Kind.PYTHON,
        ),
        (f"config = '{JSON}'\nconfig = other\nserver(['--additional-config', config])\n", Kind.PYTHON),
        (f"if x:\n    config = '{JSON}'\nserver(['--additional-config', config])\n", Kind.PYTHON),
        (f"config = '{JSON}'\nconfig += more\nserver(['--additional-config', config])\n", Kind.PYTHON),
        (f"server(['--additional-config', config])\nconfig = '{JSON}'\n", Kind.PYTHON),
        ("config = config\nserver(['--additional-config', config])\n", Kind.PYTHON),
        ("vllm serve m --additional-config $CONFIG\n", Kind.SHELL),
        ("vllm serve m --additional-config config.json\n", Kind.SHELL),
        ('echo "--additional-config takes JSON"\n', Kind.SHELL),
        ("LLM('m', additional_config=config)\n", Kind.PYTHON),
        ("def f(additional_config=None): pass\n", Kind.PYTHON),
        ("x: --additional-config\ny: '{}'\n", Kind.YAML),
        # What describes it, and what somebody else calls so.
        ("additional_config:\n  label: x\n  refresh: true\n  args: []\n", Kind.YAML),
        ("additional_config: {label: x}\nb: {additional_config: null}\n", Kind.YAML),
    ],
)
def test_what_gives_none(text: str, kind: Kind) -> None:
    document = Document(text, kind=kind)
    assert settings(text, kind) == []
    assert read(document).syntax == ()


def test_what_is_filled_in_later_is_no_fault() -> None:
    document = Document(
        'vllm serve --additional-config "{\\"refresh\\": $X, \\"enable_mlapo\\": true}"\n', kind=Kind.SHELL
    )
    reading = read(document)
    (block,) = (block for block in reading.blocks if block.surface is Surface.ADDITIONAL_CONFIG)
    assert reading.syntax == ()
    assert block.open
    assert [setting.name for setting in block.settings] == ["refresh", "enable_mlapo"]


@together(
    ("text", "kind", "prefix", "typed"),
    [
        ("vllm serve m --additional-config '{\"en|\": true}'\n", Kind.SHELL, "", "en"),
        ('vllm serve m --additional-config \'{"eplb_config": {"dy|": 1}}\'\n', Kind.SHELL, "eplb_config.", "dy"),
        ("```sh\nvllm serve m --additional-config '{\"en|\": true}'\n```\n", Kind.MARKDOWN, "", "en"),
        ("a:\n  - --additional-config\n  - '{\"en|\": true}'\n", Kind.YAML, "", "en"),
        ('args = ["--additional-config", \'{"en|": true}\']\n', Kind.PYTHON, "", "en"),
        ('llm = LLM("m", additional_config={"en|": True})\n', Kind.PYTHON, "", "en"),
        ('llm = LLM("m", additional_config={"eplb_config": {"dy|": True}})\n', Kind.PYTHON, "eplb_config.", "dy"),
    ],
)
def test_keys_are_completed(text: str, kind: Kind, prefix: str, typed: str) -> None:
    offset = text.index("|")
    document = Document(text.replace("|", ""), kind=kind)
    read(document)
    found = cursor(document, offset)
    assert found is not None
    assert (found.wanted, found.surface) == (CompletionKind.KEY, Surface.ADDITIONAL_CONFIG)
    assert (found.prefix, found.typed) == (prefix, typed)


@together(
    ("text", "kind", "name", "wanted"),
    [
        ("vllm serve m --additional-config '{\"a\": 1}'\n", Kind.SHELL, "b", '\'{"b": true, "a": 1}\''),
        ("vllm serve m --additional-config '{\"a\": 1}'\n", Kind.SHELL, "g.b", '\'{"g": {"b": true}, "a": 1}\''),
        ('vllm serve m --additional-config \'{"g": {"a": 1}}\'\n', Kind.SHELL, "g.b", '\'{"g": {"b": true, "a": 1}}\''),
        ("vllm serve m --additional-config '{\n  \"a\": 1\n}'\n", Kind.SHELL, "b", '\'{\n  "b": true,\n  "a": 1\n}\''),
        ('vllm serve m --additional-config "{\\"a\\": 1}"\n', Kind.SHELL, "b", '"{\\"b\\": true, \\"a\\": 1}"'),
        ("cmd:\n  - --additional-config\n  - '{\"a\": 1}'\n", Kind.YAML, "b", '\'{"b": true, "a": 1}\''),
        ('LLM("m", additional_config={"a": 1})\n', Kind.PYTHON, "b", '={"a": 1, "b": True})'),
        ("vllm serve m --additional-config '{\"a\": 1}'\n", Kind.SHELL, "a", None),
        ("vllm serve m --additional-config '{\"g\": 1}'\n", Kind.SHELL, "g.b", None),
    ],
)
def test_a_key_is_added(text: str, kind: Kind, name: str, wanted: str | None) -> None:
    document = Document(text, kind=kind)
    block = next(b for b in read(document).blocks if b.surface is Surface.ADDITIONAL_CONFIG)
    first = block.settings[0]
    edits = writer_for(first).add(document, block, first, Added(name, True))
    assert (wanted in apply_edits(text, edits)) if wanted is not None else not edits
