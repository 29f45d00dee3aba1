"""JSON that gives environment variables to something: VS Code's `launch.json`, dev containers, Ray, Docker, job files.

What is called an environment is one, be it a mapping, a list of `X=v`, or a list of names and values; what is called a command and
exports such a variable, or sets one for a program, is a script. Everything else in the file is another program's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.hosts.yaml_flow import Flow
from npu_lsp.languages.hosts.yaml_variables import flow_variables
from npu_lsp.languages.injections import Injection, host
from npu_lsp.languages.json.strings import decoded
from npu_lsp.languages.json.tree import Node, parse, parse_members
from npu_lsp.languages.model import ParseResult, ValueKind
from npu_lsp.languages.variable_names import assigned, is_environment, names_variable
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap
from npu_lsp.text.spans import Span

_COMMANDS = frozenset({"cmd", "command", "commands", "script", "run", "shell", "bash", "entrypoint"})
_LIFECYCLE = ("onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand", "postAttachCommand")
"""What dev containers run."""
_STRICT = ('"mindie_common_env"', '"motor_common_env"')
"""What tells the environment of a deployment, which `deploy_ac_job.py` and PyMotor's `deploy.py` read with `json.load`."""
_SIGNS = {ValueKind.DICT: "{", ValueKind.LIST: "["}


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not names_variable(text):
        return
    # Pages show members without the brackets around them.
    node = parse_members(text)[0] if text.lstrip().startswith('"') else parse(text)[0]
    for _, member in node.walk() if node is not None else ():
        if is_environment(member.key):
            yield from flow_variables(text, _flow(member.node))
        elif member.key.lower() in _COMMANDS or member.key in _LIFECYCLE:
            yield from _scripts(text, member.node)


def _scripts(text: str, node: Node) -> Iterator[Injection]:
    """Yield the commands that a text is, or the texts of a list, where they set such a variable."""
    for each in node.items or (node,):
        if each.content is None or not assigned(text[slice(*each.content)]):
            continue
        said = decoded(text, each.content)
        places = SourceMap(0, said.starts, said.ends)
        yield Injection(Kind.SHELL, said.said, places, lambda inserted: json.dumps(inserted, ensure_ascii=False)[1:-1])


def _flow(node: Node, depth: int = 2) -> Flow:
    """Return a value as what YAML has in its place, with what is in it; deeper in, nothing is a variable."""
    keys: tuple[Span | None, ...] = ()
    items: tuple[Node, ...] = ()
    if depth and node.kind is ValueKind.DICT:
        keys = tuple(Span(each.key_span.start - 1, each.key_span.end + 1) for each in node.members)
        items = tuple(each.node for each in node.members)
    elif depth and node.kind is ValueKind.LIST:
        keys, items = (None,) * len(node.items), tuple(node.items)
    return Flow(_SIGNS.get(node.kind, ""), node.span, keys, tuple(_flow(each, depth - 1) for each in items))


LACKS = (
    Lack('q: "1"', ": ", quoted=True),
    Lack("=1", "="),
    Lack('q, "value": "1"', quoted=True),
)

_read, cursor = host(_find)


def read(document: Document) -> ParseResult:
    """Return what the mappings of a file set. One of MindIE or PyMotor is read by a strict parser, so that a slip in it is told."""
    parsed = _read(document)
    if not any(sign in document.text for sign in _STRICT):
        return parsed
    mistakes = json_files.tree(document)[1]
    return parsed._replace(syntax=(*parsed.syntax, *mistakes), damaged=parsed.damaged or bool(mistakes))
