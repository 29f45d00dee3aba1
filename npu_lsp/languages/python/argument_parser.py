"""Which flags a Python script takes, as its own `argparse` parser declares them."""

from __future__ import annotations

from collections.abc import Container, Iterator

from npu_lsp.languages.injections import nest_of
from npu_lsp.languages.model import Declared
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.tree.nodes import keyword, keywords, last, positional, walk
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document

_MAKES_GROUPS = ("ArgumentParser", "add_argument_group", "add_mutually_exclusive_group")
_OPTIONAL_VALUE = frozenset({"?", "*", "...", "REMAINDER"})
_OWN = ("self", "cls")
_MORE = re.compile(
    r"parse_known_|\bargv\b|add_subparsers|parents\s{0,9}=|prefix_chars|HfArgumentParser|REMAINDER|flags\.DEFINE|\bfire\.Fire|"
    r"@(?:click|hydra)\b|class \w{1,80}\([\w., ]{0,80}ArgumentParser\b|\.add_argument\b(?!\s{0,9}\()|"
    r"\b(?:tyro|typer|jsonargparse|configargparse|simple_parsing|DEFINE_[a-z]+)\b"
)
"""What lets a script take more flags than it declares, or declares them elsewhere, or by another name of `add_argument`."""
_OF_OTHERS = re.compile(
    r"^[ \t]*from[ \t]{1,9}(?!argparse\b)[\w.]{1,200}[ \t]{1,9}import\b[^#\r\n]{0,400}?(?<![A-Za-z_])(?!(?:print|save|log|check|dump|show)_)[a-z_]{0,40}(?:args|arguments|parser)(?![A-Za-z])",
    re.MULTILINE,
)
"""A function of another module that is called after arguments: it may read those of the command line by a parser of its own."""
_DEFINED = re.compile(r"\b(def|class)[ \t]{1,9}(\w{1,80})")


def declared(document: Document) -> dict[str, Declared] | None:
    """Return the flags of a script, with their dashes; `None` where it may take others as well."""
    text = document.text
    if "ArgumentParser(" not in text or "add_argument(" not in text or _MORE.search(text) or _OF_OTHERS.search(text):
        return None
    view = SourceView(source_of(document), document.path, nest_of(document))
    if not _is_all_here(view):
        return None
    found = {"--help": Declared(takes=False)}
    for call, _ in view.calls(view.lines_naming("add_argument"), "add_argument"):
        names = list(_names(call))
        if not names or None in names:
            return None
        said = _said(call)
        if last(keyword(call, "action") or cst.Name("_")) == "BooleanOptionalAction":
            names += [f"--no-{name[2:]}" for name in names if name is not None and name.startswith("--")]
        found.update({name: said.beside(found.get(name)) for name in names if name is not None})
    return None if view.damaged else found


def _is_all_here(view: SourceView) -> bool:
    """Return whether no function of another module gets a parser, and may add to it."""
    defined = frozenset(match.groups() for match in _DEFINED.finditer(view.source.text))
    makers = {*_MAKES_GROUPS, *(name for kind, name in defined if kind == "def" and "parser" in name.lower())}
    parsers = {
        name
        for assignment, _ in view.assignments(view.lines_naming(*sorted(makers)))
        for target in walk(assignment.target)
        if isinstance(target, (cst.Name, cst.Attribute)) and (name := last(target)) is not None and name not in _OWN
    }
    if not parsers:
        return False
    return all(
        _is_of(call.func, defined)
        for call, _ in view.calls(view.lines_naming(*sorted(parsers | makers)))
        if any(_is_parser(arg.value, parsers, makers) for arg in call.args)
    )


def _is_parser(node: cst.BaseExpression, parsers: Container[str], makers: Container[str]) -> bool:
    """Return whether an argument of a call is a parser, or makes one."""
    if isinstance(node, cst.Call):
        return last(node.func) in makers
    return isinstance(node, (cst.Name, cst.Attribute)) and last(node) in parsers


def _is_of(function: cst.BaseExpression, defined: Container[tuple[str, ...]]) -> bool:
    """Return whether what is called stands in the script: of an object, or of `super()`, nobody knows."""
    if isinstance(function, cst.Attribute):
        around = function.value
        if not isinstance(around, cst.Name) or not (around.value in _OWN or ("class", around.value) in defined):
            return False
    return ("def", last(function)) in defined


def _names(call: cst.Call) -> Iterator[str | None]:
    if any(arg.star for arg in call.args):
        yield None
    for arg in positional(call):
        yield _text(arg.value)


def _text(node: cst.BaseExpression | None) -> str | None:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return value if isinstance(value, str) else None


def _said(call: cst.Call) -> Declared:
    given = {name: arg.value for name, arg in keywords(call)}
    action, nargs = given.get("action"), given.get("nargs")
    takes = (action is None or _text(action) in ("store", "append")) and (
        nargs is None or not (_text(nargs) in _OPTIONAL_VALUE or not isinstance(nargs, (cst.SimpleString, cst.Integer)))
    )
    choices = given.get("choices")
    kind = last(given["type"]) if "type" in given else "str"
    elements = choices.elements if isinstance(choices, (cst.List, cst.Tuple)) and kind in ("str", "int") else ()
    values = [each.value.value if isinstance(each.value, cst.Integer) else _text(each.value) for each in elements]
    known = tuple(value for value in values if value is not None)
    number = takes and nargs is None and isinstance(given.get("type"), cst.Name) and kind in ("int", "float")
    return Declared(takes, known if len(known) == len(values) else (), number)
