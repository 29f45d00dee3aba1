"""What a file of each reader may hold thousands of, made from the grammars of all readers.

Shell has the node kinds of tree-sitter-bash, Python the nodes of libcst, and each reader of our own the patterns of its modules, whose
parts are its tokens. For each part of a grammar the shortest text that has it is taken from the tests' texts: repeated, in its own
place, and in itself. A part that no text has is named by `missing`, so that whoever brings a grammar brings a text of it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import libcst as cst
import tree_sitter
import tree_sitter_bash
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

import npu_lsp
from npu_lsp.languages.registry import BY_KIND, LANGUAGES, Language
from npu_lsp.text.kinds import Kind
from tests.lsp.every_surface import KEY, VALUE, everywhere
from tests.robustness.alphabet import feeds
from tests.robustness.constructs import Construct
from tests.robustness.patterns import patterns
from tests.robustness.texts import texts

_PACKAGE = Path(npu_lsp.__file__).parent
_LONGEST = 60
"""Characters of a text that is repeated: what is longer is about more than one part of a grammar."""
_TOKENS = 16
"""Of one reader: the others stand in patterns that it shares with more readers."""
_SHELL = (
    "case a in\n(b) ;& c) ;;& d) ;;\nesac\n", "((a ? b : c))\n", "(( a++, --b ))\n", "echo $((a << 1))\n", "(( (a) ))\n", "echo $[1 + 1]\n",
    "for ((i = 0; i < 2; i++)); do :; done\n", "select a in b; do :; done\n", "until a; do :; done\n", "if a; then b; elif c; then d; else e; fi\n",
    "a |& b\n", "! c\n", "d 2>&1 <&- &>a\n", "a < <(b)\n", "a <<< b\n", "a=$\"b\"\n", "echo $'b'\n", "echo {1..2}\n", "echo ${a[0]}\n",
    "[[ a =~ b+ ]]\n", "[[ a == @(b|c) ]]\n", "[ a -a b ]\n", "unset a\n", "a=(b c)\n", "a=b c=d\n", "function f { :; }\n", "echo $? $a${b}\n",
    "cat <<A\n$a\nA\n",
)  # fmt: skip
"""The shortest texts of what the tests' own scripts lack of the grammar, or have in long statements alone."""
_PYTHON = (
    "match a:\n    case 1 | [b, *c] | {'d': e, **f} | g(h, i=j) as k if l: pass\n    case (m,) | n.o | None: pass\n",
    "async def a(b, /, c: int = 1, *d, e, **f) -> None:\n    async with j as k, l: yield\n", "def a(b, *, c): return [d async for e in f]\n",
    "@a\nclass b(c, d=e):\n    global f\n    nonlocal g\n", "h: int = 1\n", "try: a\nexcept b as c: raise d from e\nelse: f\nfinally: g\n",
    "try: h\nexcept* i: pass\n", "while a:\n    break\n    continue\nelse: del b, c\n", "assert d, e\n", "import f.g as h, i\n", "from . import *\n",
    "from ..j import (k as l)\n", "a = lambda c, *d, e=f: g if h else i\n", "a[b:c:d, ..., e]\n", "f'{g!r:>{h}} b' 'i'\n", "(j for k in l if m)\n",
    "{n: o for p in q}\n", "{r, s}\n", "{r for s in t}\n", "{**t}\n", "[*u]\n", "def a(): return (yield from v)\n", "(w := 1)\n", "await i\n", "a = (\n    b)\n",
    *(f"a {sign} b\n" for sign in ("<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in", "and", "or")),
    *(f"a {sign} b\n" for sign in ("@", "//", "**", ">>", "<<", "&", "|", "^", "%", "-", "*", "/", "+")),
    *(f"a {sign}= b\n" for sign in ("@", "//", "**", ">>", "<<", "&", "|", "^", "%", "-", "*", "/", "+")),
    "a; b\n", "if a: b\nelif c: d\nelse: e\n", "if a:\n\n    b\n", "not a\n", "~a\n", "+a\n", "-a\n", "a = 1j + 1.0\n", "type b[c: int, *d, **e] = f\n", "with (a as b, c): pass\n", "for i in j: pass\n",
    "a = t'b{c}'\n", "lazy import a\n", "lazy from a import b\n", "{**a for b in c}\n",
)  # fmt: skip
"""The same of modules; what an older libcst can't read has no nodes there, either."""
_PUT = 'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = '


class Part(NamedTuple):
    """A part of a grammar, and where the shortest text stands that has it."""

    text: str
    """A whole statement, its line end included."""
    start: int
    end: int
    inner: tuple[int, int] | None = None
    """What stands in it and is of its own sort."""


@cache
def grown() -> Sequence[tuple[Kind, str, Construct]]:
    """Return constructs with their kinds and what each is called, each once: those of every reader."""
    return tuple({(kind, made): (kind, name, made) for kind, name, made in _grown()}.values())


def _grown() -> Iterator[tuple[Kind, str, Construct]]:
    for name, part in _shell_parts().items():
        yield from _forms(Kind.SHELL, name, part, "export ASCEND_GLOBAL_LOG_LEVEL=1\n", "\natc --model=a\n")
    for token in _shell_tokens():
        line = f"atc --model=a {token} --log=info\n"
        yield Kind.SHELL, f"{token} in lines", Construct("", line, "export ASCEND_GLOBAL_LOG_LEVEL=1\n")
        yield Kind.SHELL, f"{token} again", Construct("", token, "atc --model=", " --log=info\n")
    for name, part in _python_parts().items():
        yield from _forms(Kind.PYTHON, name, part, f"{_PUT}'1'\n", f"\n{_PUT}'2'\n")
    for row, tokens in tokens_of_readers().items():
        kind, before, after = _example(row.kind)
        for token in tokens:
            yield kind, f"{row.kind.value}: {token!r}", Construct("", token, before, after)


def missing() -> set[str]:
    """Return what no text has of the grammars of shell and Python, and the readers of which no token is known."""
    shell = {name for name in _kinds_of_shell(named=True) if name not in _shell_parts()}
    python = {node.__name__ for node in _nodes_of_python() if node.__name__ not in _python_parts()}
    return shell | python | {row.kind.value for row, tokens in tokens_of_readers().items() if not tokens}


def _forms(kind: Kind, name: str, part: Part, before: str, after: str) -> Iterator[tuple[Kind, str, Construct]]:
    text, start, end, inner = part
    said = text[start:end]
    yield kind, f"{name} in lines", Construct("", text, before, after)
    if said.strip() and len(said) <= _LONGEST:
        yield kind, f"{name} again", Construct("", f"{said} ", before + text[:start], text[end:] + after)
    opening, closing = (text[start : inner[0]], text[inner[1] : end]) if inner is not None else ("", "")
    if inner is not None and opening + closing and len(said) <= _LONGEST:
        middle = before + text[:start], text[slice(*inner)] + text[end:] + after
        yield kind, f"{name} in itself", Construct("", opening, *middle, closing)


# -- shell ----------------------------------------------------------------------------------------------


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_bash.language())


def _kinds_of_shell(*, named: bool) -> set[str]:
    language = _language()
    visible = (n for n in range(language.node_kind_count) if language.node_kind_is_visible(n))
    # A script as a whole has no place in itself.
    return {
        said
        for n in visible
        if language.node_kind_is_named(n) is named and (said := language.node_kind_for_id(n)) not in (None, "program")
    }


def _shell_tokens() -> list[str]:
    return sorted(_kinds_of_shell(named=False))


@cache
def _shell_parts() -> dict[str, Part]:
    parser = tree_sitter.Parser(_language())
    found: dict[str, Part] = {}
    scripts = [*_SHELL, *sorted((text for kind, text in texts() if kind is Kind.SHELL and text.isascii()), key=len)]
    for script in scripts:
        for top in parser.parse(script.encode()).root_node.children:
            if not top.has_error and len(top.text or b"") <= 10 * _LONGEST:
                _note_shell(found, top, script[top.start_byte : top.end_byte] + "\n")
    return found


def _note_shell(found: dict[str, Part], top: tree_sitter.Node, text: str) -> None:
    waiting = [top]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        known = found.get(node.type)
        if not node.is_named or (known is not None and len(known.text) <= len(text)):
            continue
        inside = next((each for each in _below(node) if each.type == node.type), None)
        start = top.start_byte
        inner = (inside.start_byte - start, inside.end_byte - start) if inside is not None else None
        found[node.type] = Part(text, node.start_byte - start, node.end_byte - start, inner)


def _below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in node.children:
        yield child
        yield from _below(child)


# -- Python ---------------------------------------------------------------------------------------------


def _nodes_of_python() -> list[type[cst.CSTNode]]:
    made = [each for each in vars(cst).values() if inspect.isclass(each) and issubclass(each, cst.CSTNode)]
    # What no text is made of: the module itself, and what stands for nodes while they are changed.
    return [
        each
        for each in made
        if not inspect.isabstract(each)
        and each not in (cst.Module, cst.CSTNode)
        and not each.__name__.startswith("Base")
    ]


@cache
def _python_parts() -> dict[str, Part]:
    found: dict[str, Part] = {}
    modules = [*_PYTHON, *sorted((text for kind, text in texts() if kind is Kind.PYTHON and text.isascii()), key=len)]
    for text in islice(modules, 400):
        try:
            wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        except cst.ParserSyntaxError:
            continue
        spans = wrapper.resolve(ByteSpanPositionProvider)
        for top in wrapper.module.body:
            if top in spans and spans[top].length <= 10 * _LONGEST:
                _note_python(found, top, text, spans)
    return found


def _note_python(found: dict[str, Part], top: cst.CSTNode, text: str, spans: Any) -> None:
    begin, length = spans[top].start, spans[top].length
    said = text[begin : begin + length].rstrip("\n") + "\n"
    waiting: list[cst.CSTNode] = [top]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        name = type(node).__name__
        known = found.get(name)
        if known is not None and len(known.text) <= len(said):
            continue
        span = spans.get(node)
        start = span.start - begin if span is not None else 0
        end = start + span.length if span is not None else 0
        inner = _inner(node, begin, spans) if isinstance(node, cst.BaseExpression) else None
        found[name] = Part(said, start, end, inner)


def _inner(node: cst.CSTNode, begin: int, spans: Any) -> tuple[int, int] | None:
    """Return where an expression stands that is a part of another one."""
    waiting = list(node.children)
    while waiting:
        child = waiting.pop()
        if isinstance(child, cst.BaseExpression) and child in spans and not isinstance(child, cst.SimpleString):
            start = spans[child].start - begin
            return start, start + spans[child].length
        waiting += child.children
    return None


# -- readers of our own ---------------------------------------------------------------------------------


@cache
def tokens_of_readers() -> dict[Language, Sequence[str]]:
    """Return the tokens of each row's reader: what the patterns of its modules are made of."""
    held: dict[str, list[re.Pattern[Any]]] = {}
    for used in patterns():
        held.setdefault(re.split(r"[:]", used.name)[0].rpartition(".")[0] or used.name, []).append(used.pattern)
    found: dict[Language, Sequence[str]] = {}
    for row in LANGUAGES:
        tokens: dict[str, None] = {}
        for module in _modules(f"npu_lsp.languages.{row.reader}"):
            for pattern in held.get(module, ()):
                tokens.update(
                    dict.fromkeys(fed.unit for fed in feeds(pattern) if fed.prefix == "" and fed.unit.strip("\0"))
                )
        found[row] = sorted(tokens, key=lambda each: (len(each) > _LONGEST, len(each), each))[:_TOKENS]
    return found


def _modules(reader: str) -> list[str]:
    """Return the modules of a reader: its own, and those of its room that it imports."""
    waiting, found = [reader], []
    while waiting:
        module = waiting.pop()
        path = _PACKAGE.parent / f"{module.replace('.', '/')}.py"
        path = path if path.exists() else _PACKAGE.parent / module.replace(".", "/") / "__init__.py"
        if module in found or not path.exists():
            continue
        found.append(module)
        room = r"npu_lsp\.languages\.(?:hosts|config_formats|json|shell|python)[\w.]*"
        waiting += re.findall(rf"from ({room}) import", path.read_text(encoding="utf-8"))
    return found


def _example(kind: Kind) -> tuple[Kind, str, str]:
    """Return a language that holds `kind`, with what stands in front of a value there, and what behind it."""
    every = [each for each in everywhere() if kind in each[1:3] or each[0].value == kind.value]
    if not every and BY_KIND[kind].json:
        return kind, '{"level": "a', '"}\n'
    held = min(every, key=lambda each: (each[2] is not kind, len(each[3].text)))
    example = held[3].text
    value = VALUE.search(example) or KEY.search(example)
    if value is None:
        return held[2], example, ""
    before, after = example[: value.start()], example[value.end() :]
    return held[2], KEY.sub(r"\1", before) + value[1], KEY.sub(r"\1", after)
