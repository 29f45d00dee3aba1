"""The file of `fusion_switch_file`: JSON, or lines `Rule:off`.

As `fusion_config_parser.cc` of GE reads it: what doesn't parse as JSON is read as lines.
"""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import nearest
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats import ini, json_files
from npu_lsp.languages.config_formats.entries import blocks, entry, lines, malformed, member, once_a_run, stripped, word
from npu_lsp.languages.json.cursor import spot_at
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFinding, Value, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

RULES = "Switch.GraphFusion."
"""The prefix of a cursor where the name of a rule can stand."""
_SECTIONS: dict[tuple[str, ...], str] = {("Switch", "GraphFusion"): "GraphFusion", ("Switch", "UBFusion"): "UBFusion"}
_KEYS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("Switch", "Priority", "ExceptionalPassOfO1Level"),
    ("Switch",): ("GraphFusion", "UBFusion"),
    ("Priority",): ("GraphFusion", "UBFusion"),
}
"""What the frame around the rules may hold."""
_SWITCHES = ("on", "off")


def read(document: Document) -> ParseResult:
    """Return a block for each kind of fusion, or one for all lines; an entry has the name of its rule."""
    if document.text.lstrip("\ufeff \t\r\n").startswith("{"):
        node, mistakes = json_files.tree(document)
        return _json(node, mistakes)
    return _lines(document)


def _json(node: Node | None, mistakes: tuple[SyntaxFinding, ...]) -> ParseResult:
    frame: list[Setting] = []
    rules: dict[str, list[Setting]] = {}
    wrong: list[SyntaxFinding] = []
    for path, each in node.walk() if node is not None else ():
        section = _SECTIONS.get(path)
        if section is not None:
            setting = member(Surface.FUSION_SWITCH, each.key, each, receiver=section)
            problem = _switch(each.key, setting.value)
            rules.setdefault(section, []).append(_sorted_out(setting, problem))
            wrong += [problem] if problem is not None else []
        elif path in _KEYS:
            if each.key.strip() in _KEYS[path]:
                frame.append(member(Surface.FUSION_SWITCH, ".".join((*path, each.key)), each))
            else:
                wrong.append(_unknown(each, _KEYS[path]))
    groups = [(frame, ""), *((settings, name) for name, settings in rules.items())]
    # Where the text is broken, what comes behind may be in another place than it seems.
    return ParseResult(blocks(Surface.FUSION_SWITCH, groups), mistakes or tuple(wrong), damaged=bool(mistakes))


def _unknown(each: Member, known: tuple[str, ...]) -> SyntaxFinding:
    """Return the mistake of a key that the frame doesn't have."""
    near = nearest(each.key.strip(), known, wrong=True)
    edits = (Edit(each.key_span, near),) if near is not None else ()
    return malformed(each.key_span, "unknown_key", *edits, name=each.key[:60], form=", ".join(known))


def _lines(document: Document) -> ParseResult:
    text = document.text
    settings: list[Setting] = []
    mistakes: list[SyntaxFinding] = []
    for _, span in lines(document):
        if span.start == span.end:
            continue
        colon = text.find(":", span.start, span.end)
        if colon < 0:
            comment = text[span.start] == "#" or text.startswith("//", span.start)
            mistakes.append(malformed(span, "comment" if comment else "no_colon", form="Rule:off"))
            continue
        key = stripped(text, Span(span.start, colon))
        value = word(document, stripped(text, Span(colon + 1, span.end)))
        name = text[key.start : key.end]
        problem = _switch(name, value)
        setting = entry(Surface.FUSION_SWITCH, name, key, value, span, receiver="lines")
        settings.append(_sorted_out(setting, problem))
        mistakes += [problem] if problem is not None else []
    return ParseResult(blocks(Surface.FUSION_SWITCH, [(settings, "")]), tuple(once_a_run(document, mistakes)))


def _sorted_out(setting: Setting, problem: SyntaxFinding | None) -> Setting:
    """Return a setting; what is wrong with its value is told once, whatever options are known."""
    return setting if problem is None else setting._replace(value=setting.value._replace(known=False))


def _switch(name: str, value: Value) -> SyntaxFinding | None:
    """Return a finding for a value that is neither `on` nor `off`, with a fix where it is clear which one was meant."""
    if value.known and value.data in _SWITCHES:
        return None
    meant = str(value.data).strip().lower() if value.known else ""
    quote = '"' if value.kind is not ValueKind.WORD else ""
    near = {"true": "on", "false": "off"}.get(meant) or nearest(meant, _SWITCHES)
    edits = (Edit(value.span, f"{quote}{near}{quote}"),) if near is not None else ()
    said = meant if isinstance(value.data, bool) else str(value.data) if value.known else ""
    return malformed(value.span, "switch", *edits, name=name, value=said[:60])


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a rule, its switch."""
    text = document.text
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        spot = spot_at(text, offset)
        if spot is None:
            return None
        if spot.key is not None:
            return json_files.cursor_of(document, spot, offset, Surface.FUSION_SWITCH, option="ALL")
        prefix = RULES if spot.path in _SECTIONS else "".join(f"{key}." for key in spot.path)
        present = _present(document, _SECTIONS.get(spot.path, ""))
        return json_files.cursor_of(document, spot, offset, Surface.FUSION_SWITCH, prefix=prefix, present=present)
    typed = ini.typed_at(document, offset, ":")
    if typed is None or typed.in_section:
        return None
    if typed.wanted is CompletionKind.VALUE:
        return ini.cursor(typed, document, offset, Surface.FUSION_SWITCH, option="ALL")
    present = _present(document, "")
    return ini.cursor(typed, document, offset, Surface.FUSION_SWITCH, ":", prefix=RULES, present=present)


def _present(document: Document, section: str) -> frozenset[str]:
    return frozenset(s.name for b in read(document).blocks if b.receiver == section for s in b.settings)
