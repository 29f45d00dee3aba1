"""Finds where options are set, by plain patterns on lines: it shares nothing with npu-lsp's readers but the names of the catalog.

It knows no syntax: what it finds is mostly a setting, and sometimes a text about one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.model import Surface

Names = Mapping[Surface, frozenset[str]]
"""By surface; of a name with dots its last part."""

_N = r"(?P<name>[A-Z][A-Z0-9_]{2,}[a-z0-9_]*)"
_KEY = r"(?P<name>[A-Za-z][\w]+)"
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|\$\([^()]*\)|(?!\$\()[^\s\"';&|`]*)"
_VARIABLES = {
    "docker -e": rf"(?:^|\s)(?:-e|--env)[ =,\"']+{_N}=",
    "kubectl set env": rf"\bkubectl\b.*\bset\s+env\b.*?\s{_N}=",
    "export": rf"(?:^|[;&|\s\"'`(])(?:export|setenv|declare -x)\s+(?:[A-Z]\w+={_VALUE}\s+)*?{_N}=",
    "of a command": rf"(?:^|[;&|(`]|\b(?:env|sudo|then|do)\s)\s*(?:[A-Z]\w+={_VALUE}\s+)*?{_N}={_VALUE}(?:\s+[A-Z]\w+={_VALUE})*\s+(?![A-Z]\w+=)[^\s#|&;\\<>=)]",
    "exported elsewhere": rf"^\s*{_N}=",
    "quoted assignment": rf"[\"'\s]{_N}={_VALUE}(?:\s+[A-Z]\w+={_VALUE})*[\"']$",
    "map": rf"^\s*(?:- )?[\"']?{_N}[\"']?:\s+(?!lambda)[^\s{{\[|>]",
    "name and value": rf"^\s*-?\s*\{{?\s*[\"']?name[\"']?:\s*[\"']?{_N}[\"']?(?:\s*$|\s*,\s*[\"']?value)",
    "item": rf"^\s*-\s+[\"']?{_N}=",
    "subscript": rf"\[\s*f?[\"']{_N}[\"']\s*\]\s*=(?!=)",
    "dict": rf"(?:[{{,\s(]|^)[\"']{_N}[\"']\s*:\s*(?!None\b)[^\s\[{{(](?!ambda)",
    "escaped dict": rf"\\[\"']{_N}\\[\"']\s*:",
    "call": rf"(?:setenv|setdefault|putenv|set_env|setEnv|setitem)\w*\((?:[\w.]+environ,)?\s*[\"']{_N}[\"']\s*,",
    "keyword": rf"[(,]\s*{_N}=[\"'{{f\w]",
    "ENV": rf"^\s*ENV\s+(?:.*\s)?{_N}[= ]",
    "env =": rf"^\s*(?:(?:set_?env|env)\s*=\s*)?[\"']?{_N}\s*=",
}
_OTHERS = {
    "parameter_map": (Surface.SESSION, rf"parameter_map\[[\"']{_KEY}[\"']\]"),
    "torch.npu.x": (Surface.NPU_ATTRIBUTES, rf"npu\.(?:config|matmul|conv)\.{_KEY}\s*=(?!=)"),
    "set_context": (Surface.MINDSPORE, rf"set_context\((?:.*[,\s])?{_KEY}=(?!=)"),
    "--flag of atc": (Surface.ATC, rf"(?<!convert )\batc\s.*?\s--{_KEY}[= ]"),
    "--flag of a training": (Surface.MINDSPEED, r"^\s*--(?P<name>[a-z][\w-]+)(?:\s|$)"),
    "JSON of vLLM": (Surface.ADDITIONAL_CONFIG, rf"additional[-_]config(?!\.get\b|\[).*?[\"']{_KEY}[\"']\s*:"),
}
_PATTERNS = {
    **{form: (Surface.ENV, re.compile(pattern)) for form, pattern in _VARIABLES.items()},
    **{form: (surface, re.compile(pattern)) for form, (surface, pattern) in _OTHERS.items()},
}
_SHELL = ("docker -e", "kubectl set env", "export", "of a command", "quoted assignment", "escaped dict")
_TOOLS = ("--flag of atc", "--flag of a training", "JSON of vLLM")
_CODE = ("subscript", "dict", "call")
_PYTHON = ("parameter_map", "torch.npu.x", "set_context")
_IN = {
    "python": (*_CODE, "keyword", *_PYTHON, "docker -e", "export", "JSON of vLLM"),
    "yaml": ("map", "name and value", "item", *_SHELL, "dict", *_TOOLS),
    "shell": (*_SHELL, "exported elsewhere", *_CODE, *_TOOLS),
    "markdown": (*_SHELL, "exported elsewhere", *_CODE, "name and value", "item", "map", "ENV", *_PYTHON, *_TOOLS),
    "dockerfile": ("ENV", *_SHELL),
    "json": ("dict", "name and value", *_SHELL),
    "notebook": (*_CODE, *_SHELL, *_PYTHON, *_TOOLS),
    "settings": ("item", *_SHELL, "env ="),
}
_SUFFIXES = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("yml", "yaml"), "yaml"),
    **dict.fromkeys(("sh", "bash", "env", "mk", ""), "shell"),
    **dict.fromkeys(("md", "mdx", "rst", "markdown"), "markdown"),
    **dict.fromkeys(("cfg", "toml", "ini", "service", "conf", "tpl"), "settings"),
    "ipynb": "notebook",
    "json": "json",
}
_FENCE = re.compile(r"[ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})(?P<said>.*)")
_LINE_OF_CODE = re.compile(
    r"(?![^`]*`[^`]+`\s*\w)[ \t>]*(?:[-*+]\s|\d+[.)]\s)?[*`$ ]*(?:export\s|[A-Z_0-9]+=\S+$|docker\s|os\.environ)[\x00-\x7f]*$"
)
_COMMENT = re.compile(r"\s*(?:#|//|>>>|\.\.\.)")
_BEHIND = re.compile(r"\s#\s.*")
"""A comment behind a statement."""
_COMMENTS = re.compile(r"^\s*#.*", re.MULTILINE)
_LOGGED = re.compile(r"\b(?:INFO|WARNING|DEBUG|ERROR)\b.*\.(?:py|cpp|cc):\d")
"""A line that a program has printed."""
_PRINTED = re.compile(r"\s*'[^']*'(?:\s*\\)?\s*\Z|\s*\"[\w=]*\"\s*\Z")
"""A line that is nothing but a text: of what `printf` writes to a file, or of a list of cases."""
_COMMENT_IN_CELL = re.compile(r"\s*\"\s*#")
_SAID = re.compile(r"\b(?:echo|printf|print|log\w*|raise|warn\w*|assert\w*)\b\W")
_RUN = re.compile(r"&&|;|\b(?:docker|bash|python3?|torchrun|vllm|srun)\s")
"""What a text in Python has that is run, and not shown."""
_KEPT = re.compile(r"(?:environ(?:\.get)?|getenv|\benv\.get)\s*[\[(]\s*[\"']\Z")
_NO_DEFAULT = re.compile(r"[\"']\s*(?:,\s*(?:\"\"|''|None)\s*)?[\])]")
"""What stands behind the name where nothing comes in the place of what isn't set."""
_SAVED = re.compile(
    r"\b(?P<name>\w{1,60})\s{0,9}=\s{0,9}(?:os\.)?(?:(?:environ\.get|getenv)\(|environ\[)\s*[\"'](?P<variable>\w+)[\"']\s*(?:,\s*None\s*)?[\])]"
)
"""A variable that is put back later."""
_PUT_BACK = re.compile(r"\s*(?P<name>\w+)\s*$")
_IN_TEXT = re.compile(r"[\"']")
_ADVICE = re.compile(
    r"\s*\"?(?:suggest\w*|fix\w*|advice|solution|recommend\w*|description|desc)\"?\s*:|\bsuch as\b|\bby (?:execute )?command\b|例如|请通过命令"
)
"""What a tool tells people to do."""
_TEXT = re.compile(r"(?P<quotes>\"{3}|'{3})[\s\S]*?(?P=quotes)")
"""What stands between three quotes is shown, or written elsewhere."""
_JOINED = re.compile(r"\\\r?\n")
_EXPORTED_NAME = re.compile(r"(?:^|\s)(?P<name>[A-Z]\w*)(?=[=\s]|$)")
_EXPORTED = re.compile(r"\b(?:export|declare -x|typeset -x)[ \t]+(?P<names>[^\n;&|]*)")
_LONGEST_LINE = 2000
_LARGEST = 1_000_000
_FOREIGN = frozenset({"third_party", ".git", ".history", ".ipynb_checkpoints", "node_modules", ".npu-lsp-cache"})


class Hit(NamedTuple):
    """A line that seems to set an option; lines count from 1."""

    path: Path
    line: int
    name: str
    form: str
    text: str


def search(folder: Path, names: Names) -> Iterator[Hit]:
    """Yield what the files below `folder` seem to set of `names`."""
    for path in sorted(folder.rglob("*")):
        if _FOREIGN & set(path.parts) or not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        told = _family(path)
        if told is None:
            continue
        family, suffix = told
        for line, name, form, text in _hits(path.read_text("utf-8", "replace"), family, suffix, names):
            yield Hit(path, line, name, f"{suffix or family}: {form}", text)


def _family(path: Path) -> tuple[str, str] | None:
    name = path.name.lower()
    if "dockerfile" in name and path.suffix.lower() not in (".rst", ".md"):
        return "dockerfile", "Dockerfile"
    if name == "makefile":
        return "shell", "Makefile"
    suffix = path.suffix.lower().lstrip(".") if not name.startswith(".env") else "env"
    return (_SUFFIXES[suffix], suffix) if suffix in _SUFFIXES else None


# branches: what a line is that sets nothing.
def _hits(text: str, family: str, suffix: str, names: Names) -> Iterator[tuple[int, str, str, str]]:
    if family == "markdown":
        text = _code(text, fenced=suffix != "rst")
    if family == "python":
        text = _TEXT.sub(lambda match: "\n" * match.group().count("\n"), text)
    exported = {
        name for match in _EXPORTED.finditer(_COMMENTS.sub("", text)) for name in _EXPORTED_NAME.findall(match["names"])
    }
    saved = {match["name"]: match["variable"] for match in _SAVED.finditer(text)}
    # A command keeps the number of its first line.
    lines = _JOINED.sub(lambda _: " \n", text).splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE or (family != "json" and (_COMMENT.match(line) or _SAID.search(line))):
            continue
        if (family == "notebook" and _COMMENT_IN_CELL.match(line)) or (family == "yaml" and _ADVICE.search(line)):
            continue
        if _LOGGED.search(line) or (family != "json" and _PRINTED.match(line)):
            continue
        line = _BEHIND.sub("", line) if family == "python" else line
        seen: set[str] = set()
        for form in _IN[family]:
            surface, pattern = _PATTERNS[form]
            for match in pattern.finditer(line):
                name = match["name"].replace("-", "_") if surface is not Surface.ENV else match["name"]
                if name not in names[surface] or name in seen:
                    continue
                if form == "exported elsewhere" and name not in exported:
                    continue
                if family == "python" and form in _SHELL and not _RUN.search(line):
                    continue
                if _is_none(form, family, line, match, saved, lines[number : number + 2]):
                    continue
                seen.add(name)
                yield number, name, form, line.strip()


def _is_none(
    form: str, family: str, line: str, match: re.Match[str], saved: Mapping[str, str], below: Sequence[str]
) -> bool:
    """Return whether what fits a form sets nothing: it keeps what there is, is a name for another one, or a text."""
    name, behind = match["name"], line[match.end("name") :]
    if form in ("dict", "keyword", "subscript") and (_keeps(behind, name) or _says_otherwise(behind, name)):
        return True
    if form == "subscript" and (back := _PUT_BACK.match(behind.partition("=")[2])) is not None:
        return saved.get(back["name"]) == name
    if form == "name and value" and "value" not in behind:
        # A table of what is known about variables has other keys.
        return not any(re.match(r"\s*[\"']?value", each) for each in below)
    # What stands between quotes in Python is a text about it.
    in_python = family == "python" and (form in ("keyword", "subscript") or form in _PYTHON)
    return in_python and len(_IN_TEXT.findall(line[: match.start()])) % 2 == 1


def _keeps(behind: str, name: str) -> bool:
    """Return whether a variable gets what it is already: `"X": os.environ["X"]`, `"X": os.getenv("X", "")`."""
    at = behind.find(name)
    return at >= 0 and _KEPT.search(behind[:at]) is not None and _NO_DEFAULT.match(behind, at + len(name)) is not None


def _says_otherwise(behind: str, name: str) -> bool:
    """Return whether a table gives a variable another name, a part of its own in small letters: `"NPU_X": "npu_x"`."""
    said = re.match(r"[\"']\s*:\s*[\"']([a-z][a-z0-9_]+)[\"']", behind)
    return said is not None and said[1] in name.lower()


def _code(text: str, *, fenced: bool) -> str:
    """Return a text without what stands outside of fences and is no code; lines stay where they are."""
    kept: list[str] = []
    fence = said = ""
    for line in text.split("\n"):
        match = _FENCE.match(line) if fenced else None
        if match is not None and not fence:
            fence, said = match["fence"], match["said"]
            kept.append("")
        elif match is not None and match["fence"].startswith(fence) and not match["said"].strip():
            fence = ""
            kept.append("")
        elif fence:
            kept.append(line if "diff" not in said else "")
        else:
            kept.append(
                line if _LINE_OF_CODE.match(line) or (not fenced and line.startswith("  ") and "``" not in line) else ""
            )
    return "\n".join(kept)
