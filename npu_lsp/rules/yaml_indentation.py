"""NPU252: indentation that makes a Kubernetes file no YAML."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import manifests
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_KEY = re.compile(
    r"(?P<indent>[ \t]*)(?P<dashes>(?:-[ ]+)*)(?P<key>[\w./-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ ]*:(?:[ ]+(?P<rest>.*))?"
)
_BLOCK = re.compile(r"(?:[&!][^ ]+[ ]+)?[|>][+-]?[0-9]?[+-]?(?:[ ]+#.*)?\Z")
_POD = (
    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n%s"
    '      env:\n        - name: ASCEND_GLOBAL_LOG_LEVEL\n          value: "3"\n'
)


class YamlIndentation(Rule):
    """Indentation that makes a Kubernetes file with NPUs no YAML.

    ## What it does
    Looks for tabs in front of keys, and for keys that are indented like none of those around them.

    ## Why is this bad?
    `kubectl apply` and every script that reads the file stop with a parse error.

    ## Example
    ```yaml
    spec:
      containers:
        - name: server
         env: []
    ```

    Use instead:
    ```yaml
    spec:
      containers:
        - name: server
          env: []
    ```

    ## Fix safety
    Unsafe: how far a line belongs to the right is told by its author alone. A tab is taken for as many blanks as make the line fit.
    """

    code = "NPU252"
    title = Text(en="Indentation that is no YAML", zh="YAML 缩进错误")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "tab": Text(
            en="YAML takes no tabs as indentation, and the file can't be read. Write blanks.",
            zh="YAML 不允许用 Tab 缩进，该文件无法解析，请改用空格。",
        ),
        "column": Text(
            en='"{option}" stands at column {value}, but the keys around it at {other}: the file can\'t be read.',
            zh="“{option}”位于第 {value} 列，而相邻的键位于第 {other} 列，该文件无法解析。",
        ),
        "blanks": Text(en="Write blanks", zh="改为空格"),
    }
    examples_in = Kind.YAML
    VALID = (
        _POD % "",
        # What stands in texts of several lines is theirs.
        _POD % "      args:\n        - |\n          if true; then\n\t  echo a: b\n          fi\n",
        _POD % '      command: ["/bin/bash", "-c", "\n    run: a \\n\n  "]\n',
        # The items of a list may stand below its key.
        (_POD % "").replace("    - name: a\n", "  - name: a\n").replace("      env", "    env"),
    )
    INVALID = (
        _POD % "‹«\t»  →      ›image: b\n",
        _POD % "     «image»: b\n",
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the first line that doesn't fit: what follows depends on it."""
        if manifests(context):
            found = _Lines(context.document).misfit(self, context)
            yield from () if found is None else (found,)


class _Lines:
    """Goes through the lines of a file, past texts of several lines, with the columns of the keys around."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._columns: list[int] = []
        """Where the keys and dashes around stand, from the outermost."""

    # branches: one arm for each kind of line.
    def misfit(self, rule: Rule, context: Context) -> Finding | None:
        """Return what there is to say of the first line that fits nowhere."""
        skip: int | None = None
        depth, quote = 0, ""
        for number in range(self._document.line_count):
            start, end = self._document.line_span(number)
            line = self._document.text[start:end].rstrip("\r\n")
            bare = line.lstrip(" \t")
            if depth or quote:
                depth, quote = _open(line, depth, quote)
                continue
            indent = len(line) - len(bare)
            if not bare or bare[0] == "#" or (skip is not None and indent > skip):
                continue
            skip = None
            if line.startswith(("---", "%", "...")):
                self._columns = []
                continue
            match = _KEY.match(line)
            if match is None:
                if bare[0] != "-":
                    # The second line of a plain text.
                    continue
                depth, quote = _open(bare[1:], 0, "")
                if _BLOCK.match(bare[1:].strip()):
                    skip = indent
                continue
            if "\t" in match["indent"]:
                return self._tabs(match, start, rule, context)
            found = self._place(match, start, rule, context)
            if found is not None:
                return found
            rest = match["rest"] or ""
            if _BLOCK.match(rest):
                skip = self._columns[-1]
            else:
                depth, quote = _open(rest, 0, "")
        return None

    def _place(self, match: re.Match[str], start: int, rule: Rule, context: Context) -> Finding | None:
        column = len(match["indent"])
        before = self._columns[-1] if self._columns else -1
        if column < before and column not in self._columns:
            around = max(each for each in (*self._columns, 0) if each < column or each == 0)
            near = min((each for each in self._columns if each > column), default=around)
            span = Span(start + match.start("key"), start + match.end("key"))
            said = " / ".join(str(each + 1) for each in dict.fromkeys((around, near)))
            return rule.finding(context, span, "column", option=match["key"], value=column + 1, other=said)
        self._columns = [each for each in self._columns if each < column]
        places = [column + at for at, sign in enumerate(match["dashes"]) if sign == "-"]
        self._columns += [*places, column + len(match["dashes"])]
        return None

    def _tabs(self, match: re.Match[str], start: int, rule: Rule, context: Context) -> Finding:
        """Tell tabs, and write as many blanks as the keys around have, where a usual width of tabs comes to that."""
        indent = match["indent"]
        span = Span(start, start + len(indent))
        width = next(
            (len(indent.expandtabs(each)) for each in (4, 2, 8) if len(indent.expandtabs(each)) in self._columns), None
        )
        fixes = []
        if width is not None:
            fixes = [Fix(rule.say(context, "blanks"), (Edit(span, " " * width),), Safety.UNSAFE)]
        first = indent.index("\t")
        return rule.finding(context, Span(start + first, start + first + 1), "tab", fixes=fixes)


def _open(text: str, depth: int, quote: str) -> tuple[int, str]:
    """Return how many brackets are open behind a line, and the quote that is: both carry on from the line before."""
    if not depth and not quote and text.lstrip(" ")[:1] not in ("[", "{", '"', "'"):
        return 0, ""
    place = 0
    while place < len(text):
        sign = text[place]
        if quote:
            if sign == "\\" and quote == '"':
                place += 1
            elif sign == quote:
                quote = ""
        elif sign in "\"'":
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth = max(depth - 1, 0)
        elif sign == "#" and text[place - 1 : place] in ("", " "):
            break
        place += 1
    return depth, quote
