"""YAML of pipelines and deployments: the scripts, commands and variables in it.

They stand under the keys that GitHub, GitLab, Kubernetes, Compose, Azure and Ansible use. Reads line by line what can be
told so: block scalars, plain and quoted scalars, lists of them. Where that isn't sure, nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.scalars import Scalar, flow_scalar, flow_scalars
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.hosts.word_lists import listed
from npu_lsp.languages.hosts.yaml_arguments import arguments as of_servers
from npu_lsp.languages.hosts.yaml_arguments import handed_on, served_by
from npu_lsp.languages.hosts.yaml_containers import containers, packages
from npu_lsp.languages.hosts.yaml_contexts import (
    Anchors,
    anchor_of,
    anchors,
    argument,
    context,
    flow_argument,
    may_hold_argument,
    may_hold_context,
)
from npu_lsp.languages.hosts.yaml_flow import Flow, parse
from npu_lsp.languages.hosts.yaml_lines import BLOCK, ENTRY, ITEM, Walker, is_open
from npu_lsp.languages.hosts.yaml_shape import is_environment, is_flow_environment, script_kind
from npu_lsp.languages.hosts.yaml_texts import no_texts
from npu_lsp.languages.hosts.yaml_variables import flow_variables, variables
from npu_lsp.languages.injections import Injection, careful, hash_comments, host
from npu_lsp.languages.json.flags import ANY, KEY, is_flag, is_of_vllm, kind_of, named_in
from npu_lsp.languages.model import ParseResult, renumbered
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.languages.variable_names import names_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

_SCRIPTS = frozenset(
    {"run", "script", "before_script", "after_script", "bash", "sh", "shell", "commands", "install", "before_install"}
)
_PROGRAM = re.compile(r"(?:.*/)?(?:vllm|sglang|python[\d.]*|torchrun|swift|llamafactory-cli)")
_GLUED = re.compile(r"--[A-Za-z][\w-]*[ \t]+(?:[\w./:-]+[ \t]*)?\Z")
"""A flag and its value in one item, or one with a blank behind it."""
_COMMANDS = frozenset({"command", "args", "cmd", "entrypoint", "argv"})
_IN_QUOTES = re.compile(r'["$`\\]')
_LISTS = frozenset(f"{lead}server_cmd{tail}" for lead in ("", "_") for tail in ("", "_extra", "_template"))
"""The same as a list; a text of that name is no script, but cut into words by the tests of vLLM-Ascend, whatever its lines."""
_VARIABLES = frozenset({"env", "environment", "variables"})
_VARIABLE_KEY = re.compile(r"(?:^|[ {,-])(?:env|environment|variables)[ ]*:", re.MULTILINE)
_FLAG_WITH_JSON = re.compile(r"--[\w.-]+=\{")
_FILE = re.compile(r"^[ ]+[\w.-]+\.json[ ]*:[ ]*[|>]", re.MULTILINE)
"""A file that options may point to, as a ConfigMap has it."""
_LINES_UP = 60
# What starts a process, and what gives it its arguments, in Kubernetes and in Compose.
_GOES_ON = {"command": "args", "entrypoint": "command"}


# branches: one arm for each kind of entry; the first that fits counts.
def _find(document: Document) -> Iterator[Injection]:
    yield from of_servers(document)
    yield from handed_on(document)
    environment = names_variable(document.text)
    contexts, arguments = may_hold_context(document.text), may_hold_argument(document.text)
    told = environment or contexts or arguments or may_match(document.text) or "server_cmd" in document.text
    if not (told or _VARIABLE_KEY.search(document.text) or _FILE.search(document.text)):
        return
    yield from _json_items(document)
    known = anchors(document, _SCRIPTS | _COMMANDS, _VARIABLES)
    walker = Walker(document)
    if environment and is_environment(document, 0, -1):
        # All of the file is one.
        yield from variables(walker, -1)
    while walker.line < document.line_count:
        span = document.line_span(walker.line)
        entry = ENTRY.fullmatch(document.text, span.start, span.end)
        walker.line += 1
        if entry is None:
            yield from _item(walker, span, known)
            continue
        key = _name(entry["key"])
        # A key in a list's item stands where the item's content does.
        column = len(entry["indent"]) + len(entry["dashes"])
        anchor = anchor_of(entry["tag"])
        options = context(walker, entry, key, column) if contexts else None
        if options is None and arguments:
            options = argument(walker, entry, column)
        if options is not None:
            yield options
        elif key in _SCRIPTS or key in _COMMANDS or anchor in known.scripts or _is_list_of_words(key, entry):
            yield from _scripts(walker, entry, column)
        elif key in _VARIABLES or anchor in known.variables:
            yield from _variables(walker, entry, column)
        elif entry["rest"].startswith(("{", "[")):
            yield from _flow(walker, entry.start("rest"))
        elif environment and is_open(entry) and is_environment(document, walker.line, column):
            yield from variables(walker, column)
        elif BLOCK.fullmatch(entry["rest"]):
            yield from _block(walker, entry, key, column)
        elif named_in(entry["rest"]):
            scalar = walker.scalar(entry.start("rest"), entry["rest"], column)
            if scalar is not None:
                yield scalar.found()


def _block(walker: Walker, entry: re.Match[str], key: str, column: int) -> Iterator[Injection]:
    """Yield the script that the text of a block is; in text of another kind, what looks like keys is none."""
    scalar = walker.scalar(entry.start("rest"), entry["rest"], column)
    kind = script_kind(key, scalar.text) if scalar is not None else None
    if scalar is not None and (kind is not None or named_in(scalar.text)):
        if key not in _SCRIPTS and entry["rest"].startswith(">"):
            # Whoever folds the lines of a command wants one line, those that are indented included, which YAML doesn't fold.
            scalar = scalar._replace(text=scalar.text.replace("\r", " ").replace("\n", " "))
        yield scalar.found(kind or Kind.SHELL)
    else:
        walker.line = walker.document.line_of(entry.start("rest")) + 1
        walker.skip(column)


def _name(key: str) -> str:
    """Return a key without quotes, and without the collection that Ansible has in front."""
    name = key.strip("\"'")
    return name.rpartition(".")[2] if name.startswith("ansible.") else name


def _item(walker: Walker, span: Span, known: Anchors) -> Iterator[Injection]:
    """Yield what an item holds that is no mapping of its own."""
    item = ITEM.fullmatch(walker.text, span.start, span.end)
    if item is None:
        return
    if item["rest"].startswith("{"):
        yield from _flow(walker, item.start("rest"))
    elif anchor_of(item["tag"]) in known.scripts or (named_in(item["rest"]) and not _is_alone(item["rest"])):
        scalar = walker.scalar(item.start("rest"), item["rest"], len(item["indent"]))
        if scalar is not None:
            yield _command(scalar)


def _is_alone(rest: str) -> bool:
    """Return whether an item is nothing but the flag."""
    return is_flag(rest.strip().strip("\"'"))


def _json_items(document: Document) -> Iterator[Injection]:
    """Yield the JSON of each list in block style that has such a flag."""
    walker = Walker(document)
    for match in ANY.finditer(document.text):
        number = document.line_of(match.start())
        span = document.line_span(number)
        flag = ITEM.fullmatch(document.text, *span)
        if flag is None or not _is_alone(flag["rest"]) or not is_of_vllm(kind_of(match), document.text):
            continue
        walker.line = number + 1
        line = walker.next()
        item = ITEM.fullmatch(document.text, *line.span) if line is not None else None
        if line is None or item is None or item["indent"] != flag["indent"]:
            continue
        walker.line = line.number + 1
        scalar = walker.scalar(item.start("rest"), item["rest"], line.indent)
        if scalar is not None:
            yield Injection(kind_of(match), scalar.text, scalar.places, scalar.write)


def _variables(walker: Walker, entry: re.Match[str], column: int) -> Iterator[Injection]:
    if entry["rest"].startswith(("{", "[")):
        node = walker.flow(entry.start("rest"))
        if node is not None:
            yield from flow_variables(walker.text, node)
    elif is_open(entry):
        yield from variables(walker, column)


# -- scripts ----------------------------------------------------------------------------------------------


def _is_list_of_words(key: str, entry: re.Match[str]) -> bool:
    return key in _LISTS and (not entry["rest"] or entry["rest"].startswith("#"))


def _scripts(walker: Walker, entry: re.Match[str], column: int) -> Iterator[Injection]:
    key, rest = _name(entry["key"]), entry["rest"]
    part = False
    if key in _GOES_ON:
        first = walker.line
        words = _words(walker, entry, column)
        following = _following(walker, column, _GOES_ON[key])
        if words and following is not None:
            walker.line += 1
            more = _words(walker, following, column)
            if more:
                yield _joined([*words, *more])
                return
        walker.line = first
        part = not entry["dashes"] and _has_above(walker, first - 1, column, _GOES_ON[key])
    if rest.startswith("["):
        node = walker.flow(entry.start("rest"))
        found = _commands(walker.text, node, words=key in _COMMANDS) if node is not None else ()
        yield from (each._replace(part=part) for each in found)
    elif not rest or rest.startswith("#"):
        below = _below(walker, column)
        if below is not None:
            yield below.found()
        else:
            found = _items(walker, column, words=key in _COMMANDS or key in _LISTS, served=key in _LISTS)
            yield from (each._replace(part=part or each.part) for each in found)
    else:
        scalar = walker.scalar(entry.start("rest"), rest, column)
        if scalar is not None:
            yield scalar.found()


def _has_above(walker: Walker, line: int, column: int, key: str) -> bool:
    """Return whether the mapping around `line` has `key` further up: the order of keys means nothing."""
    for number in range(line - 1, max(-1, line - _LINES_UP), -1):
        span = walker.document.line_span(number)
        entry = ENTRY.fullmatch(walker.text, *span)
        at = len(entry["indent"]) + len(entry["dashes"]) if entry is not None else column + 1
        if entry is not None and at == column and _name(entry["key"]) == key:
            return True
        if at < column or (entry is not None and at == column and entry["dashes"]):
            return False
    return False


def _below(walker: Walker, column: int) -> Scalar | None:
    """Return the plain text that stands below its key, and go behind it."""
    line = walker.next()
    if line is None or line.indent <= column or ITEM.fullmatch(walker.text, *line.span):
        return None
    start = line.span.start + line.indent
    if ENTRY.fullmatch(walker.text, *line.span) or walker.text[start] in "\"'{[":
        return None
    walker.line = line.number + 1
    return walker.scalar(start, walker.text[start : line.span.end], column)


def _following(walker: Walker, column: int, key: str) -> re.Match[str] | None:
    """Return the entry that comes next where it has that key and belongs to the same mapping."""
    line = walker.next()
    if line is None or line.indent != column:
        return None
    walker.line = line.number
    entry = ENTRY.fullmatch(walker.text, line.span.start, line.span.end)
    return entry if entry is not None and not entry["dashes"] and _name(entry["key"]) == key else None


def _words(walker: Walker, entry: re.Match[str], column: int) -> list[Scalar]:
    """Return the words that a key holds and go behind them; nothing where it holds anything else."""
    rest = entry["rest"]
    if rest.startswith("["):
        return _all_words(flow_scalars(walker.text, walker.flow(entry.start("rest"))))
    alone = rest and not rest.startswith("#")
    return _all_words((walker.scalar(entry.start("rest"), rest, column),) if alone else _listed(walker, column))


def _all_words(scalars: Iterable[Scalar | None]) -> list[Scalar]:
    """Return the words of one command; nothing where something is none."""
    found = list(scalars)
    words = [scalar for scalar in found if scalar is not None]
    return words if len(words) == len(found) and _are_words(words) else []


def _are_words(scalars: Sequence[Scalar]) -> bool:
    """Return whether items are the words of one command: some are for sure, and of the others each is JSON or has a slip."""
    slips = [scalar for scalar in scalars if _GLUED.match(scalar.text)]
    named = bool(scalars) and _PROGRAM.fullmatch(scalars[0].text) is not None
    sure = not slips or named or any(_is_word(scalar) and scalar.text.startswith("--") for scalar in scalars)
    return sure and all(
        _is_one_word(scalar, before) or scalar in slips
        for scalar, before in zip(scalars, (None, *scalars), strict=False)
    )


def _is_word(scalar: Scalar) -> bool:
    return bool(scalar.text) and not any(char in scalar.text.strip() for char in " \t\n")


def _is_one_word(scalar: Scalar, before: Scalar | None) -> bool:
    """Return whether an item is one word of a command, as the JSON behind its flag is."""
    return _is_word(scalar) or (before is not None and before.text.startswith("-") and scalar.text.startswith("{"))


def _listed(walker: Walker, column: int) -> Iterator[Scalar | None]:
    """Yield the scalars of a list and go behind it; `None` for an item that isn't one."""
    indent: int | None = None
    while (line := walker.next()) is not None:
        item = ITEM.fullmatch(walker.text, line.span.start, line.span.end)
        if item is None or line.indent < column or line.indent != (line.indent if indent is None else indent):
            return
        indent = line.indent
        rest = item["rest"]
        if ENTRY.fullmatch(walker.text, item.start("rest"), item.end("rest")) or rest.startswith("{"):
            # A mapping: its keys are looked at in their turn.
            return
        walker.line = line.number + 1
        yield walker.scalar(item.start("rest"), rest, line.indent)


def _items(walker: Walker, column: int, *, words: bool, served: bool) -> Iterator[Injection]:
    """Yield the commands of a list; `words`: where all items are words, they are those of one command; `served`: perhaps of vLLM's."""
    listed = list(_listed(walker, column))
    found = [scalar for scalar in listed if scalar is not None and not scalar.text.startswith("- ")]
    if words and found and _are_words(found):
        # A list in the list is a slip, and what it holds is missing.
        lead = served_by([scalar.text for scalar in found]) if served else ""
        yield _joined(found, lead)._replace(part=bool(lead) or len(found) < len(listed))
        return
    yield from map(_command, found)


def _command(scalar: Scalar) -> Injection:
    """Return the command that an item of a list is; a flag with its JSON is a word of one, which no shell looks at."""
    return _joined([scalar]) if _FLAG_WITH_JSON.match(scalar.text) else scalar.found()


def _joined(scalars: list[Scalar], lead: str = "") -> Injection:
    """Return the command whose words are the items of a list, behind `lead`: no shell looks at what is in them."""
    lines = VariableLines()
    lines.put(lead, scalars[0].span.start)
    for number, scalar in enumerate(scalars):
        if number:
            lines.put(" ", scalar.span.start)  # where a word ends, more of it may be typed
        if (number and is_flag(scalars[number - 1].text)) or (lead and "$" in scalar.text):
            lines.put(HOLE, scalar.span.start, scalar.span.end)  # JSON, read where it stands, or what the tests fill in
            continue
        text = scalar.filled_in(word=True)
        safe = careful(text.replace(HOLE, "_")) is not None and not _GLUED.match(text)
        quote = "" if safe else "'" if "'" not in text else '"'
        if quote == '"' and _IN_QUOTES.search(text):
            lines.put(HOLE, scalar.span.start, scalar.span.end)
        else:
            lines.put(quote, scalar.starts[0])
            for char, start, end in zip(text, scalar.starts, scalar.ends, strict=True):
                lines.put(char, start, end)
            lines.put(quote, scalar.ends[-1])
    return Injection(Kind.SHELL, *lines.done(), careful)


# -- flow style -------------------------------------------------------------------------------------------


def _flow(walker: Walker, start: int) -> Iterator[Injection]:
    """Yield what a mapping on one line sets."""
    node = parse(walker.text, start, walker.document.line_span(walker.line - 1).end)
    if node is not None and is_flow_environment(walker.text, node):
        yield from flow_variables(walker.text, node)
    elif node is not None:
        yield from _in_flow(walker.text, node)


def _in_flow(text: str, node: Flow) -> Iterator[Injection]:
    for key, item in zip(node.keys, node.items, strict=True):
        name = _name(text[slice(*key)]) if key is not None else ""
        if name in _VARIABLES:
            yield from flow_variables(text, item)
        elif key is not None and KEY.match(text, key.start):
            yield from flow_argument(text, key, item)
        elif name in _SCRIPTS or name in _COMMANDS:
            yield from _commands(text, item, words=name in _COMMANDS)
        elif item.kind in ("{", "[") and is_flow_environment(text, item):
            yield from flow_variables(text, item)
        else:
            yield from _in_flow(text, item)


def _commands(text: str, node: Flow, *, words: bool) -> Iterator[Injection]:
    if node.kind == "[" and words and len(node.items) != 1:
        expanded = _all_words(flow_scalars(text, node)) if "$(" in text[slice(*node.span)] else []
        spans = [item.span for item in node.items]
        yield from (_joined(expanded),) if expanded else listed(text, node.span, spans)
        return
    for item in node.items if node.kind == "[" else (node,):
        scalar = flow_scalar(text, item.span) if not item.kind else None
        if scalar is not None:
            yield _command(scalar)


LACKS = (
    *(Lack("q: 1", ": "), Lack("=1", "="), Lack("q\nvalue: 1"), Lack("q, value: 1"), Lack("=1 x", "=")),
    *(Lack(": 1", ": ", surface=surface) for surface in (Surface.VLLM, Surface.SGLANG, Surface.LLAMAFACTORY)),
    Lack("==1", surface=Surface.PACKAGE),
)

_read, cursor = host(_find, hash_comments)


def read(document: Document) -> ParseResult:
    """Return what the regions of a file set, with all places in it."""
    parsed, slips, started = _read(document), tuple(no_texts(document)), (*containers(document), *packages(document))
    if started:
        parsed = parsed._replace(blocks=renumbered((*parsed.blocks, *started)))
    if not slips:
        return parsed
    return parsed._replace(syntax=tuple(sorted((*parsed.syntax, *slips), key=lambda each: (each.span, each.kind))))
