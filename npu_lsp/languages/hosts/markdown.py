"""Markdown, and reStructuredText: commands and code in fences and directives, and commands that stand in the text like one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages import triggers
from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.directives import Fence, directives
from npu_lsp.languages.injections import Injection, Write, as_it_is, careful, host
from npu_lsp.languages.json.excerpts import excerpt, shown
from npu_lsp.languages.json.flags import named_in
from npu_lsp.languages.model import Comment
from npu_lsp.languages.python import LACKS as IN_PYTHON
from npu_lsp.languages.registry import BY_KIND, BY_LABEL
from npu_lsp.languages.shell.triggers import tools
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, SourceMap, slices_of
from npu_lsp.text.spans import Span

_ALONE = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<ticks>`{0,2}|\*\*)(?P<code>export[ \t]+(?P<name>[A-Z](?:\w|\\_)*)"
    r"=(?:\"[^\"`\r\n]*\"|'[^'`\r\n]*'|[^\s`\"'<>]+))(?P=ticks)[ \t]*$",
    re.MULTILINE,
)
"""A line, or an item, that is nothing but an instruction, in bold or not; what a sentence says of one is none."""
ESCAPED = re.compile(r"\\(?=[_*])|(?<!\\)\*")
"""What bold text has for the page alone: backslashes in front of signs, and the signs around italics."""
_FILLED_IN = re.compile(  # What the reader of a manual fills in.
    r"(?<![$\w])\{[A-Za-z\u4e00-\u9fff][\w \u4e00-\u9fff-]*\}"
    # `vllm serve <model> \`, `--size <N>`: a shell would read from a file of that name, and what comes next would go into one.
    r"|(?<![<>&\d])<[^\W\d_][^<>|&;\"'`$\\\r\n]{0,60}(?<![ \t])>(?![>&\w])"
    r"|(?<==)(?P<quote>[\"']?)(?:[xX]+|\.{3,}|…+|(?:your|YOUR)[_-]\w+)(?P=quote)(?=\s|$)"
)


def exports(text: str, start: int, stop: int) -> Iterator[Injection]:
    """Yield the lines of a page, between two offsets, that hold nothing but a command such as `export X=1`, in ticks or bold."""
    for alone in _ALONE.finditer(text, start, stop) if "export" in text[start:stop] else ():
        bold = alone["ticks"] == "**"
        name = ESCAPED.sub("", alone["name"]) if bold else alone["name"]
        if is_variable(name) and not (bold and "\\" in ESCAPED.sub("", alone["code"])):
            yield _shown_in(text, Span(*alone.span("code")), escaped=bold)


def _shown_in(text: str, span: Span, *, escaped: bool) -> Injection:
    """Return a command as a page shows it: where it is `escaped`, without the backslashes in front of its signs."""
    cuts = [match.start() for match in ESCAPED.finditer(text, *span)] if escaped else []
    edges = [span.start, *(edge for cut in cuts for edge in (cut, cut + 1)), span.end]
    inner, places = slices_of(text, [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)])
    return Injection(Kind.SHELL, unknown(inner), places, _careful if cuts else as_it_is, part=True)


def _careful(inserted: str) -> str | None:
    """Return a text that Markdown shows as it is, behind an escape and before one."""
    return careful(inserted.replace("_", "")) and inserted.replace("_", "\\_")


def unknown(text: str) -> str:
    """Return a script without what is to be filled in."""
    return _FILLED_IN.sub(lambda match: HOLE * len(match.group()), text)


_DIRECTIVES = frozenset({"code-block", "code", "code-cell", "sourcecode"})
_CHANGES = frozenset({"diff", "patch", "udiff"})
"""Languages of fences that show what goes and what comes: no script."""
_NO_SCRIPTS = frozenset({Kind.JSON, Kind.PYTHON, Kind.YAML})
_OPEN = re.compile(
    r"(?P<indent>[ \t>]*)(?P<item>(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*)"
)
_MARK = re.compile("[`~](?:(?<=`)``|(?<=~)~~)")
_CLOSE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*")
_QUOTE = re.compile(r"[ ]{0,3}>(?:[ ]{0,4}>)*[ ]?")
_PROMPT = re.compile(
    r"[ \t]*(?:\(\w+\)[ \t]*)?(?:[\w.-]+@[\w.-]+[:\s][^$#\r\n]{0,60}[$#]|\[[^\]\r\n]{1,60}\][$#]|\$)[ \t]+"
)
_KEY = re.compile(r"[A-Za-z_][\w.-]*:(?=\s|$)")
_BELOW = re.compile(r"[ ]{1,8}[\w\"'.-]|[ ]{0,8}- \S")
# What starts with the image that it builds on is a Dockerfile, whatever is said of it.
_BUILDS = re.compile(r"(?:[ \t>]*(?:(?:#|ARG[ ]).*)?\n)*[ \t>]*FROM[ ]+\S+(?:[ ]+[aA][sS][ ]+\S+)?[ \t\r]*(?:\n|\Z)")
_TYPED = re.compile(r"[ \t]*(?:>>>|\.\.\.)(?:[ ]|(?=\r?\n|\Z))")
"""What Python's own shell writes in front of what is typed."""
_SECOND_PROMPT = re.compile(r"[ \t]*>[ \t]+")
_COMMAND = re.compile(
    r"(?:sudo[ \t]+)?(?:[\w./${}~-]*/)?(?:py)?(?:atc|aoe)(?:\.bin)?[ \t]+(?:--?[A-Za-z][\w-]*[= \t\\]|\\[ \t]*$|$)"
)
_PYTHON = re.compile(
    r"\.parameter_map[ ]?\[|NPURunConfig[ ]?\(|npu\.global_options\(\)|os\.environ\[|\bset_context\(|\bnpu\.config\."
)
_PYTHON_WORDS = ("parameter_map", "NPURunConfig", "global_options", "os.environ", "set_context(", "npu.config.")
_STATEMENT = re.compile(r"(?:import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|os\.environ\[)")
_CELL = re.compile(r"[ \t]*(?:![\w./$({]|%(?:set_)?env[ \t]+\w|%%(?:bash|sh)\b)")
"""What IPython reads, and no Python: a fence with such a line is a cell of a notebook."""
_EXPORT = re.compile(r"(?:export|unset|source)[ \t]+[A-Za-z_/.]")
_SCRIPT = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]*(?:export[ \t]+[A-Za-z_]\w*=|source[ \t]+\S*/)")
"""How a script begins, below comments: neither Python nor a format of data does."""
_TEX = re.compile(r"\\\$|\$[ ]?[\\^=:]")
"""Dollars that no shell reads: what a converter took for a formula, or wrote so that nobody takes them for one."""
_SETS = re.compile(r"(?:(?:-e|--env)[ =])?(?P<name>[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*)=\S")
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:[$#][ \t]+)?")
_SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)[ \t]?(?P<code>[^`\r\n]+?)[ \t]?(?P=ticks)(?!`)")
# Bold text, parts of it in italics, and what a Chinese sentence announces; one with other escapes says something else than it shows.
_STRONG = re.compile(
    r"\*\*(?P<code>(?:[^*\\\r\n]|\\[_*]|\*[^*\s\\]{1,60}\*)+)\*\*|：[ \t]*(?P<said>(?:[^`*\\\r\n。；]|\\[_*])+)[。；]?$"
)
# One that begins in another one ends that: no sign is looked at from more than one beginning.
_SAID = re.compile(r"<!--[^<>]*(?:<(?!!--)[^<>]*)*-->")


def _comments(document: Document) -> Iterator[Comment]:
    for match in _SAID.finditer(document.text) if "npu-lsp:" in document.text else ():
        if "npu-lsp:" not in match.group().lower():
            continue
        line = document.line_span(document.line_of(match.start()))
        yield Comment(Span(match.start(), match.end()), not document.text[line.start : match.start()].strip())


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not triggers.may_match(Kind.MARKDOWN, text):
        return
    line = 0
    for fence in _fences(document):
        yield from _loose(document, line, fence.first)
        line = max(line, fence.end)
        yield from _inside(document, fence)
    yield from _loose(document, line, document.line_count)


def _fences(document: Document) -> Iterator[Fence]:
    known = directives(document)
    # What looks like a fence in reStructuredText is the line below a title.
    marks = (
        [] if document.path.endswith(".rst") else [document.line_of(m.start()) for m in _MARK.finditer(document.text)]
    )
    behind = 0
    for line in sorted({*known, *marks}):
        if line < behind:
            continue
        fence = known.get(line) or _fence(document, line, marks)
        if fence is not None:
            yield fence
            behind = max(fence.end + (line not in known), line + 1)


def _fence(document: Document, line: int, marks: list[int]) -> Fence | None:
    """Return the fence that a line begins; `marks` are the lines with what begins or ends one."""
    match = _OPEN.fullmatch(document.line_text(line))
    if match is None:
        return None
    words = match["info"].replace("{", " ").replace("}", " ").replace(",", " ").lower().split()
    # MyST names the language behind its directive.
    said = words[0].lstrip(".") if words else ""
    if said in _DIRECTIVES:
        said = words[1] if len(words) > 1 else ""
    at = bisect_right(marks, line)
    while at < len(marks) and not _closes(document, marks[at], match):
        at += 1
    end = marks[at] if at < len(marks) else document.line_count
    indent = len(match["indent"])
    if match["item"]:
        # What an item begins stands below its text, not below its mark.
        lines = (document.line_text(number) for number in range(line + 1, end))
        indent = min([match.start("fence"), *(len(each) - len(each.lstrip(" \t")) for each in lines if each.strip())])
    return Fence(said, line + 1, end, indent, document.line_text(line).lstrip().startswith(">"))


def _closes(document: Document, line: int, opened: re.Match[str]) -> bool:
    """Return whether a line ends a fence; one four columns further in belongs to what the fence shows."""
    match, mark = _CLOSE.fullmatch(document.line_text(line)), opened["fence"]
    if match is None or match["fence"][0] != mark[0] or len(match["fence"]) < len(mark):
        return False
    return "\t" in match.string or match.start("fence") <= opened.start("fence") + 3


# -- fences -----------------------------------------------------------------------------------------------


def _inside(document: Document, fence: Fence) -> Iterator[Injection]:
    """Yield what a fence holds."""
    slices = [_line(document, line, fence.indent, fence.quoted) for line in range(fence.first, fence.end)]
    if not slices or fence.said in _CHANGES:
        return
    text = document.text
    kind = _kind_in(text, fence, slices)
    if kind is None or (kind is Kind.PYTHON and any(_COMMAND.match(text, *piece) for piece in slices)):
        yield from _loose(document, fence.first, fence.end)
    if kind is None:
        return
    is_shell = kind is Kind.SHELL
    typed = _typed(text, slices) if kind is Kind.PYTHON else []
    inner, places = slices_of(text, _prompted(text, slices) if is_shell else typed or slices)
    inner = unknown(inner) if is_shell else inner
    prefix = text[document.line_span(fence.first).start : (typed or slices)[0].start]
    if BY_KIND[kind].json and kind is not Kind.NOTEBOOK:
        yield excerpt(kind, inner, places, _writing(prefix if not prefix.strip(" \t>") else ""))
        return
    # Python that isn't said to be Python is an excerpt, to show some options.
    part = kind is Kind.PYTHON and BY_LABEL.get(fence.said) is not Kind.PYTHON
    yield Injection(kind, inner, places, _writing(prefix if not prefix.strip(" \t>") else ""), part)


def _kind_in(text: str, fence: Fence, slices: list[Span]) -> Kind | None:
    """Return the language of a fence: that which it says, unless what it holds shows another."""
    kind = _labelled(text, fence, slices)
    if not fence.said and _is_mapping(text, slices):
        return Kind.YAML
    if kind is None and any(_starts(text, piece) for piece in slices):
        # Nobody told, or a program of theirs makes a script of it.
        return Kind.SHELL
    if kind is Kind.SHELL and _BUILDS.match(text, slices[0].start, slices[-1].end):
        return Kind.DOCKERFILE
    if kind is Kind.SHELL:
        return Kind.PYTHON if _is_python(text, slices) else Kind.SHELL
    if kind is Kind.PYTHON and any(_CELL.match(text, *piece) for piece in slices):
        return Kind.NOTEBOOK
    return Kind.PYTHON if kind is None and not fence.said and _shows(text, slices) else kind


def _labelled(text: str, fence: Fence, slices: list[Span]) -> Kind | None:
    """Return the language that the label of a fence tells, unless what it holds is none of that kind."""
    kind = BY_LABEL.get(fence.said)
    if kind in _NO_SCRIPTS and _SCRIPT.match(slices_of(text, slices)[0]):
        return Kind.SHELL
    return shown(text, slices[0].start, slices[-1].end) or kind if kind is Kind.JSON else kind


def _is_mapping(text: str, slices: list[Span]) -> bool:
    """Return whether a fence starts with keys and something below the last of them: YAML, of which nobody says so."""
    above = False
    for piece in slices:
        line = text[slice(*piece)]
        if not line.strip() or line.startswith(("#", "---")):
            continue
        key = _KEY.match(line)
        if key is None:
            return above and _BELOW.match(line) is not None
        above = not line[key.end() :].split("#")[0].strip()
    return False


def _shows(text: str, slices: list[Span]) -> bool:
    """Return whether something in a fence seems to set an option in Python."""
    return any(_python(text, slices[0].start, slices[-1].end))


def _is_python(text: str, slices: list[Span]) -> bool:
    """Return whether a fence that is said to be shell holds Python: a line of it is, and none is a command."""
    if not _shows(text, slices):
        return False
    return not any(_starts(text, piece) or _PROMPT.match(text, *piece) for piece in slices) and any(
        _STATEMENT.match(text, *piece) for piece in slices
    )


def _line(document: Document, line: int, indent: int, quoted: bool) -> Span:
    """Return the inner part of a line, its line end included: without the fence's own indentation, or, in a quote, its marks."""
    text = document.text
    start, end = document.line_starts[line], document.line_end(line)
    if quoted and (quote := _QUOTE.match(text, start, end)):
        return Span(quote.end(), end)
    stop = min(start + indent, end)
    while start < stop and text[start] in " \t":
        start += 1
    return Span(start, end)


def _starts(text: str, piece: Span) -> bool:
    """Return whether a line of a fence without a language is a command that matters."""
    start = piece.start
    lead = _PROMPT.match(text, start, piece.end) or _LEAD.match(text, start, piece.end)
    at = lead.end() if lead else start
    line = text[at : piece.end].rstrip("\r\n")
    sets = _SETS.match(line)
    return (
        _COMMAND.match(line) is not None
        or _EXPORT.match(line) is not None
        or (sets is not None and is_variable(sets["name"]))
        or named_in(line)
    )


def _typed(text: str, slices: list[Span]) -> list[Span]:
    """Return what is typed into Python's own shell; nothing where a fence shows none."""
    prompts = [_TYPED.match(text, *piece) for piece in slices]
    if not any(prompt is not None and ">" in prompt.group() for prompt in prompts):
        return []
    return [Span(prompt.end(), piece.end) for piece, prompt in zip(slices, prompts, strict=True) if prompt is not None]


def _prompted(text: str, slices: list[Span]) -> list[Span]:
    """Return the lines behind prompts, if there are any: the others are what the commands print."""
    prompts = [_PROMPT.match(text, *piece) for piece in slices]
    if not any(prompts):
        return slices
    found: list[Span] = []
    joined = False
    for piece, prompt in zip(slices, prompts, strict=True):
        if prompt is None and not joined:
            continue
        second = _SECOND_PROMPT.match(text, *piece) if prompt is None else prompt
        found.append(Span(second.end(), piece.end) if second else piece)
        joined = text[piece.start : piece.end].rstrip("\r\n").endswith("\\")
    return found


def _writing(prefix: str) -> Write:
    return lambda inserted: inserted.replace("\n", "\n" + prefix)


def _loose(document: Document, first: int, end: int) -> Iterator[Injection]:
    """Yield commands on lines of their own and in code spans, where nobody fenced them."""
    text = document.text
    if first >= end:
        return
    start = document.line_starts[first]
    stop = document.line_starts[end] if end < document.line_count else len(text)
    yield from _indented(document, first, end)
    yield from exports(text, start, stop)
    if not any(name in text[start:stop] for name in (*PROGRAMS, *SERVERS)):
        return
    done = -1
    for trigger in tools(text[start:stop]):
        line = document.line_of(start + trigger.start)
        if line <= done:
            continue
        span = document.line_span(line)
        lead = _LEAD.match(text, span.start, span.end)
        at = lead.end() if lead else span.start
        if _COMMAND.match(text[at : span.end]):
            done = line
            if _TEX.search(text, *span):
                continue
            while done + 1 < end and document.line_text(done).endswith("\\"):
                done += 1
            yield Injection(Kind.SHELL, unknown(text[at : document.line_span(done).end]), SourceMap(at))
            continue
        done = line
        for form, escaped in ((_SPAN, False), (_STRONG, True)):
            for code in form.finditer(text, *span):
                if _COMMAND.match(ESCAPED.sub("", code[name := str(code.lastgroup)])):
                    yield _shown_in(text, Span(*code.span(name)), escaped=escaped)


def _indented(document: Document, first: int, end: int) -> Iterator[Injection]:
    """Yield indented blocks that set options in Python: excerpts, as those in fences without a language."""
    text = document.text
    stop = document.line_starts[end] if end < document.line_count else len(text)
    done = first
    for match in _python(text, document.line_starts[first], stop):
        line = document.line_of(match.start())
        if line < done or not _is_indented(document, line):
            continue
        start = last = line
        while start > done and _is_indented(document, start - 1):
            start -= 1
        while last + 1 < end and _is_indented(document, last + 1):
            last += 1
        done = last + 1
        width = 1 if text.startswith("\t", document.line_starts[line]) else 4
        inner, places = slices_of(text, [_line(document, each, width, True) for each in range(start, done)])
        yield Injection(Kind.PYTHON, inner, places, _writing("    "), part=True)


def _python(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield what seems to set an option in Python; plain searches are ten times a pattern's speed."""
    if any(text.find(word, start, end) >= 0 for word in _PYTHON_WORDS):
        yield from _PYTHON.finditer(text, start, end)


def _is_indented(document: Document, line: int) -> bool:
    said = document.line_text(line)
    return said.startswith(("    ", "\t")) or not said.strip()


LACKS = (Lack("=1", "="), *IN_PYTHON, Lack("q: 1", ": "))

read, cursor = host(_find, _comments)
