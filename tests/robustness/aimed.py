"""Edits aimed at what is carried over from one version of a text to the next: values, what they come from, and the lines around.

Edits at random places rarely hit the inside of a value twice, or the one assignment that a command hangs on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

Edit = tuple[int, int, str]
"""What is replaced (start, end), and by what."""

_TYPED = (
    *"abefnpux0159_-.,;:=/ ", *"'\"\\$`#(){}[]&|<>*~!%@\n\r中😀\0", "npu", "NPU", "atc", "$x", "${mode}", "$(", "\\\n", "\r\n", "'\"", "x y",
    "eval", "fp16", "--", "{x}", "%s", "if", "done", "EOF", "custom_op", "config", "parameter_map", "environ", " \\\r\n", "://",
)  # fmt: skip
_NAMES = ("mode", "x", "soc_version", "MODEL", "args", "opts")
_LINES = {
    Kind.PYTHON: (
        "if x:\n", "else:\n", "    return\n", "def f():\n", "    pass\n", "while True:\n", "try:\n", "import npu_device as npu\n", "del config\n",
        "{name} = {value}\n", "global {name}\n", "{name} += {value}\n", "os.environ['{name}'] = {value}\n", "'''\n", "(\n", ")\n", "print x\n",
        "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n", "exit()\n", "raise SystemExit\n", "    break\n",
    ),
    Kind.SHELL: (
        "{name}={value}\n", "export {name}={value}\n", "unset {name}\n", "read {name}\n", "set -a\n", "set -- {value} $@\n", "cd ..\n", ". ./env.sh\n",
        "if x; then\n", "else\n", "fi\n", "for {name} in {value}; do\n", "done\n", "f() {{\n", "}}\n", "exit\n", "cat <<EOF\n", "EOF\n", "bash <<EOF\n",
        "{name}+=' {value}'\n", "{name}+=({value})\n", "echo {value}\n", "case $x in\n", "a) \n", ";;\n", "esac\n", "atc ${name} {value}\n", "'\n", '"\n',
        "{name}=$(which atc)\n", "local {name}={value}\n", "${name} --mode=1\n", 'run() {{ "$@"; }}\n', "run atc {value}\n", ": ${{{name}:={value}}}\n",
        "shift\n", "{name}={value} \\\n", "--x={value} \\\n",
    ),
}  # fmt: skip
_WORD = re.compile(r"\w+")
_SPOKEN = re.compile(r"#[ \t]*npu-lsp:[^\r\n]*(?:\r\n|\n|\r)?")
_JOINT = re.compile(r"[ \t]*\\(?:\r\n|\n)[ \t]*|[ \t]*(?:&&|;|\|\|)[ \t]*|,[ \t]*|(?:\r\n|\n)[ \t]*")
_JOINTS = (
    "",
    " ",
    "\n",
    "\r\n",
    " \\\n  ",
    " \\\r\n",
    "; ",
    " && ",
    " || ",
    " | ",
    " & ",
    ",",
    ",\n",
    "  # why\n",
    " \\ \n",
)
_COMMENTS = (
    "# npu-lsp: ignore",
    "# npu-lsp: ignore[{code}]",
    "# npu-lsp: ignore-file[{code}]",
    "# npu-lsp: ",
    "# NPU-LSP: off",
    "#npu-lsp:ignore[",
    "# why",
)


def aimed(rng: random.Random, document: Document) -> Edit:
    """Return an edit of `document` where something hangs on it; what was read of the document tells where."""
    # Between two looks the places are those of the version before: nobody types where they exactly are, either.
    before = document.before
    found = read(before.document if before is not None else document)
    settings = [setting for block in found.blocks for setting in block.settings]
    way = rng.choice(_WAYS) if settings else _line
    start, end, new = way(rng, document, rng.choice(settings) if settings else None)
    start = max(0, min(start, len(document.text)))
    return start, max(start, min(end, len(document.text))), new


def _in_value(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Type, delete or replace between the quotes of a value, at their edges too."""
    assert setting is not None
    value = setting.value
    start, end = value.content or value.span
    return _typed(rng, document, start - rng.choice((0, 0, 0, 1)), end + rng.choice((0, 0, 0, 1)))


def _in_origin(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Edit where the value comes from, else the name of the option."""
    assert setting is not None
    start, end = setting.value.origin or setting.key
    return _typed(rng, document, start - rng.choice((0, 0, 3)), end + rng.choice((0, 0, 1)))


def _typed(rng: random.Random, document: Document, start: int, end: int) -> Edit:
    size = len(document.text)
    start, end = max(0, start), max(0, min(size, end))
    one, other = sorted((rng.randint(min(start, end), end), rng.randint(min(start, end), end)))
    what = rng.random()
    if what < 0.5:
        return one, one, rng.choice(_TYPED)
    if what < 0.65:
        return one, min(size, one + 1), ""
    if what < 0.8:
        return one, other, rng.choice(_TYPED)
    if what < 0.9:
        return start, end, rng.choice(("", "fp16", "1", "a b", "x;y", "中文"))
    return one, other, document.text[start:end]


def _through_name(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Put a name in the place of a value, as if others shared it."""
    assert setting is not None
    name = rng.choice(_names(document))
    start, end = rng.choice((setting.value.span, setting.value.content or setting.value.span, setting.key))
    forms = (
        f"${name}",
        f"${{{name}}}",
        f'"${name}"',
        f"'${name}'",
        f"${{{name}[@]}}",
        name,
        f"a${name}b",
        f"{name}.x",
        f"str({name})",
    )
    return start, end, rng.choice(forms)


def _line(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Put a line that changes what names hold, or where a suite ends, in front of a setting or anywhere; or take one out."""
    text = document.text
    near = setting.statement.start if setting is not None else rng.randrange(len(text) + 1)
    at = rng.choice((near, rng.randrange(len(text) + 1), rng.randrange(near + 1), 0))
    line = document.line_span(document.line_of(at))
    if rng.random() < 0.3:
        return line.start, min(len(text), line.end + 1), ""
    kind = document.kind if document.kind in _LINES else rng.choice((Kind.PYTHON, Kind.SHELL))
    value = (
        text[slice(*setting.value.span)]
        if setting is not None and rng.random() < 0.5
        else rng.choice(("1", "'x'", "--log=info", "[1]"))
    )
    new = rng.choice(_LINES[kind]).format(name=rng.choice(_names(document)), value=value)
    if rng.random() < 0.5:
        blanks = text[line.start : line.end]
        new = blanks[: len(blanks) - len(blanks.lstrip(" \t"))] + new
    return line.start, line.start, new.replace("\n", "\r\n") if "\r\n" in text else new


def _joint(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Join two commands or lines, or split them."""
    assert setting is not None
    text = document.text
    around = setting.statement
    at = rng.randint(max(0, around.start - 3), around.end)
    found = _JOINT.search(text, at, min(len(text), around.end + 200))
    start, end = found.span() if found is not None and rng.random() < 0.8 else (at, at)
    return start, end, rng.choice(_JOINTS)


def _comment(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Let a comment speak to npu-lsp, or take one out."""
    assert setting is not None
    text = document.text
    spoken = list(_SPOKEN.finditer(text))
    if spoken and rng.random() < 0.5:
        one = rng.choice(spoken)
        return (*one.span(), "") if rng.random() < 0.5 else _typed(rng, document, *one.span())
    comment = rng.choice(_COMMENTS).format(code=rng.choice(all_rules()).code)
    line = document.line_span(
        document.line_of(rng.choice((setting.statement.start, setting.key.start, setting.statement.end)))
    )
    return (line.start, line.start, comment + "\n") if rng.random() < 0.5 else (line.end, line.end, "  " + comment)


def _moved(rng: random.Random, document: Document, setting: Setting | None) -> Edit:
    """Copy a statement, a setting or a line to another place."""
    assert setting is not None
    text = document.text
    start, end = rng.choice((setting.statement, setting.own, setting.value.span, setting.key))
    line = document.line_span(rng.randrange(document.line_count))
    return rng.choice(
        (
            (line.start, line.start, text[start:end] + "\n"),
            (end, end, text[start:end]),
            (line.end, line.end, " " + text[start:end]),
        )
    )


def _names(document: Document) -> tuple[str, ...]:
    assigned = re.findall(r"(?m)^[ \t]*(?:export[ \t]+|local[ \t]+)?([A-Za-z_]\w*)[ \t]*\+?=", document.text)
    return (*_NAMES, *assigned[:20])


_WAYS: tuple[Callable[[random.Random, Document, Setting | None], Edit], ...] = (
    _in_value, _in_value, _in_value, _in_origin, _in_origin, _through_name, _line, _line, _joint, _comment, _moved,
)  # fmt: skip
