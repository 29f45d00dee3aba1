"""Another target is written into a configuration, and nothing else is touched."""

from __future__ import annotations

from npu_lsp.config.mistakes import section
from npu_lsp.config.retarget import retargeted
from npu_lsp.text.spans import apply_edits
from npu_lsp.text.toml import parse
from tests.together import together

CASES = [
    ("npu-lsp.toml", "", 'target = { cann = "8.5", products = ["a2", "a3"] }\n'),
    (
        "npu-lsp.toml",
        "# why\n\nignore = []\n",
        '# why\ntarget = { cann = "8.5", products = ["a2", "a3"] }\n\nignore = []\n',
    ),
    ("npu-lsp.toml", "[severity]\n", 'target = { cann = "8.5", products = ["a2", "a3"] }\n[severity]\n'),
    (
        "npu-lsp.toml",
        'target = { cann = "8.0", products = [] } # c\n',
        'target = { cann = "8.5", products = ["a2", "a3"] } # c\n',
    ),
    ("npu-lsp.toml", "target = { cann = '8.0' }\n", 'target = { products = ["a2", "a3"], cann = "8.5" }\n'),
    ("npu-lsp.toml", "target = {}\n", 'target = { cann = "8.5", products = ["a2", "a3"] }\n'),
    (
        "npu-lsp.toml",
        'ignore = []\r\n[target]\r\nproducts = [ # c\r\n  "x",\r\n]\r\n',
        'ignore = []\r\n[target]\r\ncann = "8.5"\r\nproducts = ["a2", "a3"]\r\n',
    ),
    ("npu-lsp.toml", 'target.cann = "8.0"\n', 'target.products = ["a2", "a3"]\ntarget.cann = "8.5"\n'),
    ("npu-lsp.toml", 'target.cann = "8.5"\ntarget.products = ["a2", "a3"]', None),
    (
        "pyproject.toml",
        "[tool.npu-lsp]\nignore = []\n[tool.x]\n",
        '[tool.npu-lsp]\ntarget = { cann = "8.5", products = ["a2", "a3"] }\nignore = []\n[tool.x]\n',
    ),
    (
        "pyproject.toml",
        "[tool.npu-lsp.severity]\nNPU101 = 'info'",
        '[tool.npu-lsp.severity]\nNPU101 = \'info\'\n\n[tool.npu-lsp.target]\ncann = "8.5"\nproducts = ["a2", "a3"]\n',
    ),
    (
        "pyproject.toml",
        "[tool.npu-lsp.target]\ncann = '1.0'\n",
        '[tool.npu-lsp.target]\nproducts = ["a2", "a3"]\ncann = "8.5"\n',
    ),
]


@together(("name", "text", "wanted"), CASES)
def test_another_target(name: str, text: str, wanted: str | None) -> None:
    made = apply_edits(text, retargeted(text, section(name), {"cann": "8.5"}, ["a2", "a3"]))
    assert made == (text if wanted is None else wanted)
    table = parse(made)
    for part in section(name):
        table = table[part]
    assert table["target"] == {"cann": "8.5", "products": ["a2", "a3"]}


def test_no_products() -> None:
    assert apply_edits("", retargeted("", (), {"cann": "8.5"}, [])) == 'target = { cann = "8.5" }\n'
    text = 'target = { products = ["a2"] }\n'
    assert apply_edits(text, retargeted(text, (), {"cann": "8.5"}, [])) == 'target = { cann = "8.5", products = [] }\n'


@together("text", ["target = {", "[target", "target.", "target = { cann = '", 'target.products = ["a'])
def test_what_is_no_toml_does_no_harm(text: str) -> None:
    assert apply_edits(text, retargeted(text, (), {"cann": "8.5"}, ["a2"]))


@together(
    ("section", "text"),
    [
        (section, text)
        for section in ((), ("tool", "npu-lsp"))
        for text in (
            *(
                "# why",
                "ignore = []  # why",
                "\ufeff[target]\n",
                '\ufeff# why\ntarget.cann = "1"',
                "[ target ]\n",
                "[x]\ntarget = 1\n",
            ),
            *(
                'target = "x"\n',
                "[[target]]\n",
                "target = {}\n",
                'a = """\n[target]\n"""\n',
                "[tool]\nnpu-lsp = { ignore = [] }\n",
            ),
            *(
                '[tool]\nnpu-lsp.target.cann = "1"\n',
                "tool.npu-lsp.ignore = []\n",
                '[tool]\nnpu-lsp = "x"\n',
                '"target".cann = "1"\n',
            ),
        )
    ],
)
def test_toml_stays_toml_and_says_so_or_is_left_alone(section: tuple[str, ...], text: str) -> None:
    parse(text.removeprefix("\ufeff"))
    edits = retargeted(text, section, {"cann": "8.5"}, ["a2"])
    table = parse(apply_edits(text, edits).removeprefix("\ufeff"))
    for name in (*section, "target") if edits else ():
        table = table[name]
    assert not edits or (table["cann"], table["products"]) == ("8.5", ["a2"])


REMOVED = [
    ('target = { cann = "8.0", torch-npu = "2.7.1" }\n', 'target = { torch-npu = "2.7.1" }\n'),
    ('target = { torch-npu = "2.7.1", cann = "8.0" }\n', 'target = { torch-npu = "2.7.1" }\n'),
    ('target = { a = "1", cann = "8.0", b = "2" }\n', 'target = { a = "1", b = "2" }\n'),
    ('[target]\ncann = "8.0" # why\nproducts = []\n', "[target]\nproducts = []\n"),
    ('target.cann = "8.0"\nignore = []\n', "ignore = []\n"),
    ("ignore = []\n", "ignore = []\n"),
]


@together(("text", "wanted"), REMOVED)
def test_a_version_can_go(text: str, wanted: str) -> None:
    made = apply_edits(text, retargeted(text, (), {"cann": None}))
    assert made == wanted
    parse(made)


def test_components_beside_each_other() -> None:
    text = 'target = { cann = "8.0", products = ["a2"] }\n'
    made = apply_edits(text, retargeted(text, (), {"cann": None, "vllm-ascend": "0.23"}))
    assert parse(made)["target"] == {"vllm-ascend": "0.23", "products": ["a2"]}
