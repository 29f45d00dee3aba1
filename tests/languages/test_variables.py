"""Where variables get values and where they are used."""

from __future__ import annotations

from npu_lsp.languages.variables import mentions, reads, variable_at
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def told(text: str, kind: Kind, name: str = "MODE") -> list[str]:
    """Return each mention with the character before it and whether it sets."""
    found = mentions(Document(text, kind=kind), name)
    return [f"{text[m.span.start - 1 : m.span.start]}{'=' if m.sets else ''}" for m in found]


@together(
    ("text", "expected"),
    [
        ("export MODE=1\n", [" ="]),
        ("echo $MODE ${MODE:-1} \"$MODE\" '$MODE'\n", ["$", "{", "$"]),
        ("read MODE\n", [" ="]),
        ("for MODE in a b; do atc --mode=$MODE; done\n", [" =", "$"]),
        ("MODE[0]=1\n: $((MODE + 1))\n", ["=", "("]),
        ("# $MODE\nMODEL=1 XMODE=2 2MODE=3\n", []),
        ("cat <<E\n$MODE\nE\ncat <<'E'\n$MODE\nE\n", ["$"]),
        ("echo MODE\n", []),
    ],
)
def test_scripts(text: str, expected: list[str]) -> None:
    assert told(text, Kind.SHELL) == expected


@together(
    ("text", "expected"),
    [
        ('os.getenv("MODE")\n', ['"']),
        ("os.environ['MODE'] = '1'\n", ["'="]),
        ("if os.environ['MODE'] == '1': pass\n", ["'"]),
        ('os.environ.get("MODE", "0")\n', ['"']),
        ('os.environ.setdefault("MODE", "0")\n', ['"=']),
        ('os.putenv("MODE", "0")\n', ['"=']),
        ('# os.getenv("MODE")\nprint("MODE")\nMODE = 1\ntheir_environ["MODE"]\n', []),
    ],
)
def test_python(text: str, expected: list[str]) -> None:
    assert told(text, Kind.PYTHON) == expected


def test_texts_in_texts() -> None:
    text = '```sh\nexport HCCL_A=1\npython3 - <<E\nimport os\nos.environ["HCCL_B"] = os.getenv("HCCL_A")\nE\n```\n'
    assert told(text, Kind.MARKDOWN, "HCCL_A") == [" =", '"']
    document = Document(text, kind=Kind.MARKDOWN)
    assert [m.name for m in reads(document, {"HCCL_A", "HCCL_B"})] == ["HCCL_A"]


def test_the_one_at_a_place() -> None:
    document = Document("echo $MODE MODE\n", kind=Kind.SHELL)
    assert [variable_at(document, offset) is not None for offset in range(len(document.text))] == [
        6 <= offset <= 10 for offset in range(len(document.text))
    ]
