"""What kind of file a text is: by its name, by its first line, by what the client calls it."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache


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
_Patterns = tuple[tuple[Kind, re.Pattern[str]], ...]
# Files that options point to have no suffix of their own: by habit in their names, else by what only they can hold.
_SIDECARS = (
    (Kind.OP_PRECISION, r"(?:.*[-_.])?op_?precision(?:[-_].*)?\.ini"),
    (Kind.FUSION_SWITCH, r"(?:.*[-_.])?fusion[-_]?switch(?:[-_].*)?\.(?:cfg|json|conf)"),
    (Kind.MIXLIST, r"(?:.*[-_.])?(?:modify_)?mixlist(?:[-_].*)?\.json"),
    (Kind.CUSTOMIZE_DTYPES, r"(?:.*[-_.])?customize_dtypes(?:[-_].*)?\.(?:cfg|txt|conf)"),
    (Kind.KEEP_DTYPE, r"(?:.*[-_.])?keep_dtype(?:[-_].*)?\.(?:cfg|txt|conf)"),
    (Kind.OP_DEBUG, r"(?:.*[-_.])?op_debug_config(?:[-_].*)?\.(?:cfg|txt|conf|ini)"),
    (Kind.COMPRESSION, r"(?:.*[-_.])?compression_optimize(?:_conf)?(?:[-_].*)?\.(?:cfg|conf|txt)"),
    (Kind.AIPP, r"(?:.*[-_.])?(?:aipp|insert_op)(?:[-_].*)?\.(?:cfg|config|conf|prototxt)"),
)
_PLAIN = frozenset({".json", ".ini", ".cfg", ".conf", ".config", ".txt", ".prototxt"})
_CONTENTS = (
    (Kind.OP_PRECISION, r"^[ \t]*\[(?:ByOpType|ByNodeName)\]"),
    (Kind.OP_CACHE, r"\A\s*\[op_compiler_cache\]"),
    (Kind.AIPP, r"^[ \t]*aipp_op[ \t]*:?\s*\{"),
    (Kind.FUSION_SWITCH, r"\A\s*\{\s*\"Switch\"\s*:\s*\{\s*\"(?:GraphFusion|UBFusion)\""),
    (Kind.FUSION_SWITCH, r"\A\s*(?:\w+[ \t]*:[ \t]*(?:on|off)[ \t]*(?:[\r\n]+|\Z))+\Z"),
    (Kind.MIXLIST, r"\A\s*\{\s*\"(?:black|white|gray)-list\"\s*:\s*\{\s*\"to-(?:add|remove)\""),
    (
        Kind.SINGLE_OP,
        r"\A\s*\[?\s*(?:\{\s*\"compile_flag\"\s*:\s*\d\s*\}\s*,\s*)?\{(?:\s*\"[\w]+\"\s*:\s*[\w\".+-]+\s*,)*\s*\"input_desc\"\s*:\s*\[",
    ),
    (Kind.OP_DEBUG, r"^op_debug_(?:config|list)[ \t]*="),
    (Kind.CUSTOMIZE_DTYPES, r"^(?:OpType::\w+:|[^\s:]+::)(?:InputDtype|OutputDtype):"),
    (Kind.KEEP_DTYPE, r"^OpType::\w+[ \t]*$"),
    (Kind.COMPRESSION, r"^[ \t]*calibration[ \t]*:?\s*\{\s*(?:#.*\n\s*)*input_data_dir"),
    (Kind.GE_OPTIONS, r"\A\s*\{\s*\"ge\.[\w.]+\"\s*:"),
)
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
    """Return the kind of the file at `path` that starts with `head`.

    Its first line is enough, except for files that options point to: what they are may show further down.

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
    if dot >= 0:
        suffix = name[dot:]
        if suffix in _SUFFIXES:
            return _SUFFIXES[suffix]
        if suffix in _PLAIN:
            return _sidecar(name, head)
    if head.startswith(("#!", "\ufeff#!")):
        match = _SHEBANG.match(head)
        if match:
            return Kind.PYTHON if match["name"].startswith("py") else Kind.SHELL
    return Kind.OTHER


def _sidecar(name: str, head: str) -> Kind:
    """Return the kind of a file that an option may point to."""
    names, contents = _patterns()
    for kind, pattern in names:
        if pattern.fullmatch(name):
            return kind
    head = head.removeprefix("\ufeff")
    if head:
        for kind, pattern in contents:
            if pattern.search(head):
                return kind
    return Kind.OTHER


@cache
def _patterns() -> tuple[_Patterns, _Patterns]:
    # Compiled when the first such file comes by: most runs see none, and every one would wait for it.
    return (
        tuple((kind, re.compile(pattern)) for kind, pattern in _SIDECARS),
        tuple((kind, re.compile(pattern, re.MULTILINE)) for kind, pattern in _CONTENTS),
    )
