"""What editors call the languages of the registry: a new row has no place in an editor until it stands here.

The lists of the VS Code extension and the template for JetBrains editors are made of it; the pages of others are tested against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.registry import LANGUAGES, Language
from npu_lsp.text.kinds import Kind


class Names(NamedTuple):
    """One language in editors that don't call it as the server does; empty: the editor can't be told, or has one server for it."""

    vim: str = ""
    """File types of Vim and Neovim."""
    eglot: str = ""
    lsp_mode: str = ""
    helix: str = ""
    kate: str = ""
    zed: str = ""
    sublime: str = ""
    jetbrains: str = ""
    """A pattern of file names."""


NAMES = {
    Kind.PYTHON: Names(
        "python", "python-mode", "python", "python", "Python", "Python", "source.python", "`*.py` → `python`"
    ),
    Kind.SHELL: Names(
        "sh", "sh-mode", "shellscript", "bash", "Bash|Zsh", "Shell Script", "source.shell", "`*.sh` → `shellscript`"
    ),
    Kind.MARKDOWN: Names(
        "markdown",
        "markdown-mode",
        "markdown",
        "markdown",
        "Markdown",
        "Markdown",
        sublime="text.html.markdown",
        jetbrains="`*.md` → `markdown`",
    ),
    Kind.DOCKERFILE: Names(
        "dockerfile",
        "dockerfile-mode",
        "dockerfile",
        "dockerfile",
        "Dockerfile",
        "Dockerfile",
        sublime="source.dockerfile",
        jetbrains="`Dockerfile*` → `dockerfile`",
    ),
    Kind.YAML: Names(
        "yaml",
        "yaml-mode",
        "yaml",
        "yaml",
        "YAML",
        "YAML",
        sublime="source.yaml",
        jetbrains="`*.yaml;*.yml` → `yaml`",
    ),
    Kind.MAKEFILE: Names(
        "make",
        "makefile-mode",
        "makefile",
        "make",
        "Makefile",
        sublime="source.makefile",
        jetbrains="`Makefile` → `makefile`",
    ),
    Kind.DOTENV: Names("env", helix="env", jetbrains="`*.env` → `dotenv`"),
    # Settings of editors, containers and launchers: which of them matters, their contents tell.
    Kind.JSON: Names(
        "json", helix="json", kate="JSON", zed="JSON", sublime="source.json", jetbrains="`*.json` → `json`"
    ),
    Kind.INI: Names("dosini", helix="ini", jetbrains="`*.ini` → `ini`"),
    # Editors show their cells as texts of other languages.
    Kind.NOTEBOOK: Names(),
    Kind.PATCH: Names(
        "diff",
        "diff-mode",
        "diff",
        "diff",
        "Diff",
        "Diff",
        sublime="source.diff",
        jetbrains="`*.patch;*.diff` → `diff`",
    ),
    # Plain text for most editors.
    Kind.REQUIREMENTS: Names(),
}
CONFIGURES = Names("toml", helix="toml", zed="TOML", sublime="source.toml", jetbrains="`npu-lsp.toml` → `toml`")
"""The language of configurations."""
_PLAIN = ("plaintext", "ini", "properties", "json", "jsonc", "log")
"""Languages of VS Code that say little of a file: one that an option names may have any name, and what a text is shows while
it is typed. In a log, the codes of errors have a hover."""
_BEGIN = {"ini", "properties", "json", "jsonc", "toml", "plaintext"}
"""Those of them, and the language of configurations, that are worth a look before anything else is open."""
_OF_EDITORS = ("launch.json", "tasks.json", "devcontainer.json", ".devcontainer.json")
"""Files of JSON that give a process its environment: worth a process though their language says nothing."""
_REPEATED = re.compile(r"\(\?:\.\*\[[^\]]*\]\)\?|\(\?:\[[^\]]*\]\.\*\)\?|\(\?:\w+\)\?|\[[^\]]*\]\?|\w\?")
_CHOICE = re.compile(r"\(\?:([^()]*)\)")


def in_editors() -> Iterator[Language]:
    """Yield the languages that an editor must know to ask about them: those that it has a name for, and those that hold others."""
    for row in LANGUAGES:
        if row.editor_ids or row.host:
            yield row


def ids() -> list[str]:
    """Return what clients call the languages."""
    return [name for row in LANGUAGES for name in row.editor_ids]


def activation_events() -> set[str]:
    """Return the events with which VS Code loads the extension."""
    return {f"onLanguage:{name}" for name in {*ids(), *_BEGIN}}


def _globs() -> Iterator[str]:
    """Yield the patterns of files that have a name and no language of their own."""
    for row in LANGUAGES:
        if not row.editor_ids:
            yield from (f"**/{name}" for name in row.names)
            yield from [f"**/{glob(row.habit)}"] if row.habit else []
    yield from (f"**/{name}" for name in _OF_EDITORS)


def glob(habit: str) -> str:
    """Return a pattern of VS Code for all names that `habit` is a pattern of, and perhaps others: the server looks closer."""
    said = _CHOICE.sub(lambda match: "{" + match[1].replace("|", ",") + "}", _REPEATED.sub("*", habit))
    return re.sub(r"\*+", "*", said.replace("\\.", "."))


def _listed(name: str, about: str, words: list[str]) -> str:
    lines = "\n".join(f'  "{word}",' for word in words)
    return f"\n// {about}\nexport const {name} = [\n{lines}\n];\n"


def jetbrains() -> str:
    """Return the template from which LSP4IJ, JetBrains editors' client, makes a server."""
    mappings = []
    for names in (*NAMES.values(), CONFIGURES):
        if names.jetbrains:
            patterns, language = re.findall(r"`([^`]+)`", names.jetbrains)
            mappings.append({"fileType": {"patterns": patterns.split(";")}, "languageId": language})
    template = {
        "id": "npu-lsp",
        "name": "npu-lsp",
        "programArgs": {"default": "npu-lsp serve"},
        "fileTypeMappings": mappings,
    }
    return json.dumps(template, indent=2) + "\n"


def vscode() -> str:
    """Return the lists of the VS Code extension."""
    return "".join(
        (
            "// Made by `python -m tests.pages`: what npu_lsp/languages/registry.py says of languages and files.\n",
            _listed("LANGUAGES", "What they are called.", ids()),
            _listed(
                "FILES",
                "Files that options point to have no language of their own; the server looks closer at what has such a name.",
                list(_globs()),
            ),
            _listed("PLAIN", "What has no language of its own, where the contents of a file tell.", list(_PLAIN)),
        )
    )
