"""Which mapping, list or text of a YAML file is an environment or a script, whatever its key is called.

Its names and its shape tell.
"""

from __future__ import annotations

from npu_lsp.languages.detection import detect
from npu_lsp.languages.hosts.yaml_flow import Flow
from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM, lines_from
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.languages.variable_names import exports_variable, is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

# A name with `-` is one that somebody mistyped; nobody writes those of proxies in large letters.
_NAME = re.compile(r"[A-Z](?:[A-Z0-9-]|_[a-z]*)*|(?:https?|no|all)_proxy")
_PAIR = re.compile(r"[\"']?(?P<name>[A-Za-z_]\w*)=.*")
_OF_NAMED = frozenset({"name", "value", "valueFrom"})
_NO_SCALAR = frozenset("{[|>&*!")
_JSON = ".json"
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})\w*[ \t]*$", re.MULTILINE)
_MERGED = "<<:"
_MOST_LINES = 60


def is_environment(document: Document, line: int, column: int) -> bool:
    """Return whether what stands from `line` on, below a key at `column`, is one.

    It holds nothing but scalars under names of variables, or pairs, or names with values, of which one is known.
    """
    return _is_mapping(document, line, column) or _is_list(document, line, column)


def is_flow_environment(text: str, node: Flow) -> bool:
    """Return whether a collection in flow style is one."""
    names: list[str] = []
    for key, item in zip(node.keys, node.items, strict=True):
        said = text[slice(*(item.span if key is None else key))].strip("\"'")
        pair = _PAIR.fullmatch(said) if key is None else None
        if item.kind or (key is None and pair is None):
            return False
        names.append(said if pair is None else pair["name"])
    return all(map(_NAME.fullmatch, names)) and any(map(is_variable, names))


def script_kind(key: str, text: str) -> Kind | None:
    """Return the kind of a text that stands under `key`: a file's name, a first line `#!`, variables that are exported.

    A file that options point to is one by its name, as in a ConfigMap. Markdown, which a page is made of, has its scripts in fences; its sentences are none.
    """
    kind = detect(key, text)
    if kind in (Kind.SHELL, Kind.PYTHON, Kind.MARKDOWN) or (
        key.endswith(_JSON) and kind is not Kind.OTHER and BY_KIND[kind].json
    ):
        return kind
    if kind is Kind.OTHER and _FENCE.search(text):
        return Kind.MARKDOWN
    return Kind.SHELL if kind is Kind.OTHER and exports_variable(text) else None


def _is_mapping(document: Document, line: int, column: int) -> bool:
    own: int | None = None
    known = False
    for _, indent, span in lines_from(document, line, _MOST_LINES):
        if document.text.startswith(_MERGED, span.start + indent):
            continue
        if indent <= column:
            break
        own = indent if own is None else own
        entry = ENTRY.fullmatch(document.text, span.start, span.end)
        if entry is None and indent == own and _NAME.fullmatch(document.text[slice(*span)].strip()):
            # Somebody is typing.
            continue
        if entry is None or entry["dashes"] or indent != own:
            return False
        name, rest = entry["key"].strip("\"'"), entry["rest"]
        if not _NAME.fullmatch(name) or not rest or rest[0] in _NO_SCALAR:
            return False
        known = known or is_variable(name)
    return known


# branches: one walk along the lines; each kind of line ends it, is passed over or counts.
def _is_list(document: Document, line: int, column: int) -> bool:
    """Return whether a list holds nothing but `X=v`, or nothing but names and values."""
    dash: int | None = None
    known = False
    for _, indent, span in lines_from(document, line, _MOST_LINES):
        is_item = document.text.startswith("- ", span.start + indent)
        dash = indent if dash is None and is_item else dash
        if dash is None or indent < dash or (indent == dash and not is_item):
            # In a list that stands as far out as its key, the next key ends it.
            break
        entry = ENTRY.fullmatch(document.text, span.start, span.end)
        item = ITEM.fullmatch(document.text, span.start, span.end)
        if entry is not None:
            key, rest = entry["key"], entry["rest"].strip("\"'")
            if len(entry["indent"]) + len(entry["dashes"]) > dash + len("- "):
                # What a value is taken from stands further in.
                continue
            if key not in _OF_NAMED or (is_item and not _NAME.fullmatch(rest)):
                return False
            known = known or (is_item and is_variable(rest))
        elif item is not None and indent == dash and (pair := _PAIR.fullmatch(item["rest"])) is not None:
            known = known or is_variable(pair["name"])
        else:
            return False
    return known and dash is not None and dash >= column
