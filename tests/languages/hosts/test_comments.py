"""Comments of a host that speak to npu-lsp."""

from __future__ import annotations

from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import cut, reading
from tests.together import together


@together(
    ("kind", "text"),
    [
        (Kind.DOCKERFILE, "# npu-lsp: ignore[NPU1]\nRUN atc --log=1 # npu-lsp: ignore\n"),
        (Kind.YAML, "# npu-lsp: ignore[NPU1]\nrun: |\n  atc --log=1 # npu-lsp: ignore\n"),
        (Kind.YAML, "  # npu-lsp: ignore[NPU1]\nrun: atc --log=1 # npu-lsp: ignore\n"),
        (Kind.MAKEFILE, "# npu-lsp: ignore[NPU1]\nall:\n\tatc --log=1 # npu-lsp: ignore\n"),
        (Kind.MARKDOWN, "```bash\n# npu-lsp: ignore[NPU1]\natc --log=1 # npu-lsp: ignore\n```\n"),
    ],
)
def test_a_host_s_comments(kind: Kind, text: str) -> None:
    found = reading(text, kind).comments
    assert [(cut(text, comment.span), comment.own_line) for comment in found] == [
        ("# npu-lsp: ignore[NPU1]", True),
        ("# npu-lsp: ignore", False),
    ]
