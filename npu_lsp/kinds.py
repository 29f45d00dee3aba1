"""What kind of file a text is: by its name, by its first line, by what the client calls it."""

from __future__ import annotations

import re
from enum import Enum


class Kind(str, Enum):
    """A kind of file that a reader exists for."""

    PYTHON = "python"
    SHELL = "shell"
    MARKDOWN = "markdown"
    NOTEBOOK = "notebook"
    DOCKERFILE = "dockerfile"
    YAML = "yaml"
    MAKEFILE = "makefile"
    OP_PRECISION = "op_precision"
    OP_CACHE = "op_cache"
    MIXLIST = "mixlist"
    CUSTOMIZE_DTYPES = "customize_dtypes"
    KEEP_DTYPE = "keep_dtype"
    FUSION_SWITCH = "fusion_switch"
    OP_DEBUG = "op_debug"
    COMPRESSION = "compression"
    SINGLE_OP = "single_op"
    GE_OPTIONS = "ge_options"
    AIPP = "aipp"
    OTHER = "other"


_SUFFIXES = {
    ".py": Kind.PYTHON,
    ".pyi": Kind.PYTHON,
    ".pyw": Kind.PYTHON,
    ".sh": Kind.SHELL,
    ".bash": Kind.SHELL,
    ".ksh": Kind.SHELL,
    ".zsh": Kind.SHELL,
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".ipynb": Kind.NOTEBOOK,
    ".dockerfile": Kind.DOCKERFILE,
    ".yml": Kind.YAML,
    ".yaml": Kind.YAML,
    ".mk": Kind.MAKEFILE,
}
_NAMES = {
    "dockerfile": Kind.DOCKERFILE,
    "containerfile": Kind.DOCKERFILE,
    "makefile": Kind.MAKEFILE,
    "gnumakefile": Kind.MAKEFILE,
    "op_precision.ini": Kind.OP_PRECISION,
    "op_cache.ini": Kind.OP_CACHE,
}
# What clients call a language (`languageId`) where it differs from the kind's name.
_LANGUAGE_IDS = {
    "shellscript": Kind.SHELL,
    "sh": Kind.SHELL,
    "bash": Kind.SHELL,
    "zsh": Kind.SHELL,
    "ksh": Kind.SHELL,
    "jupyter": Kind.NOTEBOOK,
    "dockercompose": Kind.YAML,
    "make": Kind.MAKEFILE,
    "python": Kind.PYTHON,
    "python3": Kind.PYTHON,
    "shell": Kind.SHELL,
    "markdown": Kind.MARKDOWN,
    "dockerfile": Kind.DOCKERFILE,
    "yaml": Kind.YAML,
    "makefile": Kind.MAKEFILE,
}
_SHEBANG = re.compile(
    r"\ufeff?#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?"
    r"(?P<name>bash|dash|ksh|zsh|sh|python[\d.]*|pypy\d*)(?:[ \t\r\n]|$)"
)


def detect(path: str, head: str, language_id: str = "") -> Kind:
    """Return the kind of the file at `path` that starts with `head` (its first line is enough).

    What the client says wins over the name, the name over the shebang.
    """
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    by_name = _NAMES.get(name)
    if by_name is None and name.startswith(("dockerfile.", "containerfile.")):
        by_name = Kind.DOCKERFILE
    said = _LANGUAGE_IDS.get(language_id)
    if said is not None and not (said is Kind.PYTHON and name.endswith(".ipynb")):
        return said
    if by_name is not None:
        return by_name
    dot = name.rfind(".")
    if dot >= 0 and name[dot:] in _SUFFIXES:
        return _SUFFIXES[name[dot:]]
    if head.startswith(("#!", "\ufeff#!")):
        match = _SHEBANG.match(head)
        if match:
            return Kind.PYTHON if match["name"].startswith("py") else Kind.SHELL
    return Kind.OTHER
