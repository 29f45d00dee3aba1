"""What names the project's repository: its address stands in `pyproject.toml`, and nowhere else by hand."""

from __future__ import annotations

from pathlib import Path

from npu_lsp import __version__
from npu_lsp.text import toml

ROOT = Path(__file__).parents[2]


def address() -> str:
    """Return the address of the project's repository."""
    return str(toml.read(ROOT / "pyproject.toml")["project"]["urls"]["Repository"])


def pre_commit() -> str:
    """Return a configuration of pre-commit with the project's hook."""
    return (
        "```yaml\n# .pre-commit-config.yaml\nrepos:\n"
        f"  - repo: {address()}\n    rev: v{__version__}\n    hooks:\n      - id: npu-lsp-check\n```\n"
    )


def github() -> str:
    """Return a step of a workflow with the project's action."""
    name = "/".join(address().split("/")[-2:])
    return (
        "```yaml\n# a step of a GitHub workflow\n"
        f"- uses: {name}@v{__version__}\n  with:\n    args: |\n      --target\n      cann=9.0\n```\n"
    )


def mason() -> str:
    """Return the entry of the registry that Neovim's mason installs from."""
    return (
        "```yaml\n---\nname: npu-lsp\n"
        "description: Language server and linter for Ascend NPU configuration in Python and shell.\n"
        f"homepage: {address()}\nlicenses:\n  - Apache-2.0\nlanguages:\n  - Python\n  - Bash\n"
        f"categories:\n  - LSP\n  - Linter\n\nsource:\n  id: pkg:pypi/npu-lsp@{__version__}\n\n"
        "bin:\n  npu-lsp: pypi:npu-lsp\n\nneovim:\n  lspconfig: npu_lsp\n```\n"
    )
