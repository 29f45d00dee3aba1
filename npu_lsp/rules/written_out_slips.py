"""Slips in how a script writes a variable or a text: a name that nothing expands, and what is never closed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from npu_lsp.languages.innermost import texts
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.assigned import folders
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span
from npu_lsp.text.word_search import in_lines_with, lines_with, matches

_SCRIPTS = frozenset({Kind.SHELL, Kind.DOCKERFILE})
_RUNNING = _SCRIPTS | PAGES
"""Elsewhere `$(name)` may be what others fill in: Kubernetes, Make and pipelines do."""
_BRACED = re.compile(r"\{(?<=[=:/\" \t]\{)(?P<name>[A-Za-z_]\w{2,60})\}(?=[/:\s\"\\]|$)", re.MULTILINE)
_GIVEN = re.compile(
    r"(?:^|[;& \t])(?P<name>[A-Za-z_]\w{2,60})=|^[ \t]*(?:ARG|ENV)[ \t]+(?P<old>[A-Za-z_]\w*)", re.MULTILINE
)
_BARE = re.compile(r"(?P<name>[A-Z](?<=[= \"].)[A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,5})(?=/[\w.$])")
_GIVING = re.compile(r"(?:(?<![\w-])[A-Za-z_]\w{0,60}=|[ \t]--[a-z][\w-]{1,60}[= ])\"?\Z")
_NO_PATH = re.compile(r"^[ \t]*(?:echo|printf|let|declare|typeset|expr)\b|\(\(|\b(?:awk|sed|perl)\b|[ \t]-c[ \t]")
"""A path that begins with a name in capitals; what stands in front of one that is printed, counted with, or code."""
_RUN = re.compile(r"\$(?<![\\$]\$)\((?P<name>[A-Za-z_]\w{2,60})\)")
_MADE = re.compile(r"\b(?P<name>[A-Za-z_]\w{2,60})[ \t]*\(\)|\b(?:function|alias)[ \t]+(?P<told>[A-Za-z_]\w{2,60})")
_COMMANDS = re.compile(
    "arch|date|getopt|groups|hostname|jobs|locale|logname|mktemp|nproc|pwd|times|tty|uname|uptime|users|uuidgen|who|whoami"
)
"""Commands that stand alone in `$(...)`, and are names of variables as well."""
_OF_OTHERS = re.compile(
    r"\b[frbFRB]{1,2}[\"']|format|printf|[\"'](?:[^\"']*[\"'])?[^\"']*%|\b(?:awk|sed|jq|find|xargs|curl|cat|parallel|python3?[ \t]+-c|bash[ \t]+-c)\b|(?i:template|pattern|prompt)"
)
"""What a line has that fills in `{NAME}` itself, or hands it on to somebody who does."""
_NAMED = re.compile(
    r"^[ \t]*-[ \t]+name:[ \t]*[\"']?(?P<name>[A-Za-z_]\w*)[\"']?[ \t]*\r?\n[ \t]*value(?:From)?:(?P<value>[^\r\n]*)",
    re.MULTILINE,
)
_SIGN = re.compile(r"\$(?:\{(?P<braced>[A-Za-z_]\w*)\}|(?P<plain>[A-Za-z_]\w*))")
_OPENED = re.compile(r"^(?P<indent>[ \t]*)(?P<name>[A-Za-z_]\w{2,60})=(?P<sign>[\"(])[ \t]*(?:\\)?\r?$", re.MULTILINE)
_ENDS = {
    "(": re.compile(
        r"\)|^[ \t]*(?P<next>[A-Za-z_]\w*=\(|(?P<item>[A-Za-z_]\w*=\"|torchrun\b|\"[ \t]*\r?$))|\Z", re.MULTILINE
    )
}
_ENDS['"'] = re.compile(r"(?P<next>^[ \t]*(?:[A-Za-z_]\w*=\"|\))[ \t]*\\?\r?$)|\"|\Z", re.MULTILINE)
"""What comes first behind what is opened: its end, or what shows that it has none."""
_LINE = 500
"""Characters behind what is opened, in which its first item is looked for."""
_QUOTED = re.compile(
    r"\"(?<=[\w-][ =]\")(?![ \t])(?=[^\"\r\n]{0,200}[ \t;&|<>()])(?![^\"\r\n]{0,200}[$`\\'])[^\"\r\n]{1,200}(?<![ \t])\""
)
"""A value in double quotes that has a sign of the shell, and nothing that is filled in."""
_BEFORE = re.compile(r"(?:^|[ \t=])\"(?:[^\"\r\n]*[ \t])?--?[A-Za-z][\w.-]{0,80}[ =]\Z")
_ON_ITS_LINE = re.compile(r"(?:[ \t]+-{1,2}[A-Za-z][^\"\r\n]*)?\"(?=[\s;&|)]|$)")
_CLOSED = re.compile(r"^[ \t]*\"[ \t]*\r?$", re.MULTILINE)
_ABOUT = re.compile(r"(?i:ascend|mindspore|mindformers|\bmsrun)|(?<![a-zA-Z])(?:npu|NPU)(?![a-z])")
_PRINTS = re.compile(r"[ \t]*(?:#|echo\b|printf\b)")
_TEXT = 8000
"""Characters of a text of several lines."""
_TEST = re.compile(
    r"(?:\b(?:if|elif|while|until)|&&|\|\|)[ \t]+\[(?:(?P<left>(?=[$\"!\w-])(?:[^\[\]\r\n'])*[ \t]\])|[ \t](?P<right>[^\[\]\r\n']*[^\s\[\]']\]))(?=[ \t]*(?:;|&&|\|\||\r?$))",
    re.MULTILINE,
)


class UnexpandedVariable(Rule):
    """A variable that is written so that nothing puts its value there.

    ## What it does
    Looks in scripts and Dockerfiles for `{NAME}` without `$` where the file gives `NAME` a value, in scripts for `$(name)`, and for a
    path `NAME_OF_FOLDER/a`, where a variable of that name is given a value above, and in manifests of Kubernetes for `$NAME` in the value of a variable where the same
    file has a variable of that name.

    ## Why is this bad?
    A shell keeps the braces as they are. Kubernetes expands `$(NAME)` alone: the program gets the text with its sign.

    ## Fix safety
    Unsafe: from then on the value stands there.
    """

    code = "NPU134"
    title = Text(en="Variable that nothing expands", zh="未被展开的变量")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "braces": Text(
            en='Without "$" in front of its braces nothing puts the value of "{name}" here. Write the sign.',
            zh="花括号前缺少“$”，此处不会得到“{name}”的取值。请补上“$”。",
        ),
        "command": Text(
            en='"$({name})" runs a command of that name, and there is none: the variable is "{near}". Write that.',
            zh="“$({name})”会执行同名命令，而该命令不存在；变量应写为“{near}”。请改用该写法。",
        ),
        "bare": Text(
            en='Without "$" this is a folder called "{name}", and not the value of that variable. Write the sign.',
            zh="缺少“$”，此处是名为“{name}”的目录，而不是该变量的取值。请补上“$”。",
        ),
        "kubernetes": Text(
            en='Kubernetes expands "$({name})" alone: the program gets this text as it is. Write that.',
            zh="Kubernetes 只展开“$({name})”，程序会得到此处的原文。请改用该写法。",
        ),
    }
    VALID = (
        "export ASCEND_HOME=/a\nexport PATH=${ASCEND_HOME}/bin:$PATH\n",
        "export HCCL_IF_IP={local_ip}\nexport RANK_ID={RANK_ID}\n",
        "export HCCL_BUFFSIZE=1\nRANK=1\npython -c \"print(f'{RANK}')\"\necho '{RANK}'\n",
        "export HCCL_BUFFSIZE=1\nfd=3\nexec {fd}>a.log\n",
        'export HCCL_BUFFSIZE=1\nOUT_DIR=/a\necho "-o  where it goes, {OUT_DIR}/b by default"\n',
        "export HCCL_BUFFSIZE=1\nhostname=$(hostname)\nrun() { :; }\nrun=$(run)\necho '$(run)'\nprefix=$(conda_prefix)\n",
        'export HCCL_BUFFSIZE=1\nname=a\nrun --chat-template "a {name} b"\nparallel run {name} ::: b\n',
        "export HCCL_BUFFSIZE=1\nMY_DATA=MY_DATA/a\nrun --data OUR_DATA/a\nmkdir -p OUT_DIR\nOUT_DIR=/a\nls OUT_DIR/b\n",
        "export HCCL_BUFFSIZE=1\nMY_A=MY_A\nMY_B=$PWD/MY_B\nMY_C=/a\nmkdir -p MY_C\nrun --aa=MY_A/a --bb=MY_B/a --cc MY_C/a\n",
        'export HCCL_BUFFSIZE=1\nMY_NUM=4\nfor ((i=0; i<9; i=MY_NUM/a)); do let b=MY_NUM/a; done\necho "usage: $0 --data MY_NUM/a"\n',
    )
    INVALID = (
        (
            "export ASCEND_HOME=/usr/local/Ascend\n"
            "export LD_LIBRARY_PATH=«{ASCEND_HOME}→${ASCEND_HOME}»/driver/lib64:$LD_LIBRARY_PATH\n"
        ),
        "WORK_DIR=/a\nexport ASCEND_PROCESS_LOG_PATH=«WORK_DIR→$WORK_DIR»/log\nrun --data «WORK_DIR→$WORK_DIR»/b\n",
        "export HCCL_BUFFSIZE=1\nworker=$(nproc)\npython a.py --workers=«$(worker)→${worker}»\n",
        told(
            "FROM ascend/image\nARG MY_INDEX=b\nENV HCCL_BUFFSIZE=1\n"
            "RUN pip config set global.index-url «{MY_INDEX}→${MY_INDEX}»\n",
            kind=Kind.DOCKERFILE,
        ),
        told(
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    env:\n    - name: MY_IP\n"
            "      value: 10.0.0.1\n    - name: HCCL_IF_IP\n      value: «${MY_IP}→$(MY_IP)»\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if not context.parsed.blocks:
            return
        document = context.document
        found = [
            ("braces", span, "${" + document.text[slice(*span)][1:])
            for place in texts(document)
            if place.document.kind in _SCRIPTS
            for own in _braced(place.document, document)
            if (span := place.content(own)) is not None
        ]
        found += [
            (form, span, "$" + context.text(span) if form == "bare" else "${" + context.text(span)[2:-1] + "}")
            for place in texts(document)
            if place.document.kind is Kind.SHELL and document.kind in _RUNNING
            for form, own in _run(place.document)
            if (span := place.content(own)) is not None
        ]
        for message, span, near in (*dict.fromkeys(found), *_in_manifest(document)):
            fixes = self.fix(context, "rename", (Edit(span, near),), Safety.UNSAFE, near=near)
            yield self.finding(
                context,
                span,
                message,
                fixes=fixes,
                name=context.text(span).strip("${()}"),
                near=near.replace("{", "").replace("}", ""),
            )


@Memoized
def _given(document: Document) -> frozenset[str]:
    return frozenset(match["name"] or match["old"] for match in _GIVEN.finditer(document.text))


def _run(document: Document) -> Iterator[tuple[str, Span]]:
    """Yield the variables of a script that it runs as commands, or begins a path with: they are given a value above."""
    text = document.text
    bare = (each for each in _BARE.finditer(text) if _GIVING.search(text, max(0, each.start() - 70), each.start()))
    forms = (("command", _RUN.finditer(text)), ("bare", bare)) if "<<" not in text else ()
    found = [(form, each) for form, matches in forms for each in islice(matches, MOST_OF_ONE)]
    first: dict[str, int] = {}
    for each in _GIVEN.finditer(text) if found else ():
        first.setdefault(each["name"], each.end())
    made = {each["name"] or each["told"] for each in _MADE.finditer(text)} if first else set()
    for form, match in found:
        name, at = match["name"], match.start("name")
        line = text[document.line_span(document.line_of(at)).start : at]
        given = first.get(name, at) < at
        own = line.rstrip().endswith((f"{name}=$(", f"{name}=", f'{name}="')) or line.count("'") % 2 or "#" in line
        if not given or own:
            continue
        if form == "bare" and not _NO_PATH.search(line) and name not in folders(document):
            yield form, Span(*match.span("name"))
        elif form == "command" and not _COMMANDS.fullmatch(name) and name not in made:
            yield form, Span(*match.span())


def _braced(document: Document, around: Document) -> Iterator[Span]:
    found = list(islice(_BRACED.finditer(document.text), MOST_OF_ONE))
    given = _given(around) if found else frozenset()
    for match in found:
        line = document.line_span(document.line_of(match.start()))
        before = document.text[line.start : match.start()]
        bare = (
            "#" not in before
            and before.count("'") % 2 == 0
            and not _PRINTS.match(before)
            and _OF_OTHERS.search(document.text, *line) is None
        )
        # `X={X}` is filled in before the script runs.
        if bare and match["name"] in given and not before.endswith(f"{match['name']}="):
            yield Span(*match.span())


def _in_manifest(document: Document) -> Iterator[tuple[str, Span, str]]:
    text = document.text
    if document.kind is not Kind.YAML or "apiVersion:" not in text or "{{" in text:
        return
    variables = list(islice(_NAMED.finditer(text), MOST_OF_ONE))
    names = {match["name"] for match in variables}
    if any((sign := _SIGN.search(each["value"])) and each["name"] in sign.groups() for each in variables):
        return  # Somebody fills the file in before it is applied.
    for variable in variables:
        for sign in _SIGN.finditer(text, *variable.span("value")):
            name = sign["braced"] or sign["plain"]
            if name in names:
                yield "kubernetes", Span(*sign.span()), f"$({name})"


class CutText(Rule):
    """A text in double quotes that holds double quotes, which end it.

    ## What it does
    Looks in texts of arguments for a flag with a value in double quotes of its own, `ARGS="--a "b;c" --d"`, where the value has a blank
    or a sign of the shell, so that it is cut there.

    ## Why is this bad?
    The inner quotes end the text and begin another one. What stands between them stands in none: the shell cuts it at blanks, and runs
    what follows `;`.

    ## Fix safety
    Unsafe: from then on the flag gets its value.
    """

    code = "NPU136"
    title = Text(en="Quotes that end the text around them", zh="内层引号截断了外层字符串")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "words": Text(
            en='These quotes end the text around them, and the shell cuts "{name}" into words. Write single quotes inside, where a shell reads the text again, or an array.',
            zh="此处的引号结束了外层字符串，“{name}”会被 Shell 拆分。如果该字符串会再次由 Shell 解析，请在内层使用单引号，否则请使用数组。",
        ),
        "signs": Text(
            en='These quotes end the text around them, so that the shell takes the signs in "{name}" as its own. Leave them out.',
            zh="此处的引号结束了外层字符串，“{name}”中的符号会被 Shell 解释。请去掉内层引号。",
        ),
    }
    VALID = (
        'export HCCL_BUFFSIZE=1\nARGS="\n  --a "b" \\\n  --c "$D" \\\n"\nrun "--a "$B" --c"\n',
        'export HCCL_BUFFSIZE=1\nrun --a "b;c" --d "e f"\nrun "--a" b; run "--c "\necho "--a "b c" --d"\n',
        'export HCCL_BUFFSIZE=1\nrun "--a \'b c\' --d" "--e \\"f g\\" --h" "--i "$(j k)" --l"\n',
    )
    INVALID = (
        'export HCCL_BUFFSIZE=1\nARGS="--a "«"b:6;c:2"→b:6;c:2» --d"\n'.replace('--a "«', "--a «"),
        'export HCCL_BUFFSIZE=1\nARGS="\n  --a 1 \\\n  --b «"c:6;d:2"→c:6;d:2» \\\n"\ntorchrun a.py $ARGS\n',
        told('export HCCL_BUFFSIZE=1\nbash run.sh "a.py --predict «"I love it"» --length 100" 4\n', "warning"),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if not (context.parsed.blocks or _ABOUT.search(context.document.text)):
            return
        for place in texts(context.document):
            for own in _cut(place.document) if place.document.kind is Kind.SHELL else ():
                span = place.content(own)
                if span is not None:
                    name = context.text(span)[1:-1]
                    is_one = " " not in name and "\t" not in name
                    fixes = self.fix(context, "rename", (Edit(span, name),), Safety.UNSAFE, near=name) if is_one else ()
                    yield self.finding(context, span, "signs" if is_one else "words", fixes=fixes, name=name)


def _opened(text: str) -> Iterator[re.Match[str]]:
    return matches(_OPENED, text, (start for start, _ in lines_with(text, '="', "=(")))


def _cut(document: Document) -> Iterator[Span]:
    """Yield the quoted values, with their quotes, that stand in a text in double quotes: on a line of their own, or on its line."""
    text = document.text
    for match in islice(_opened(text), MOST_OF_ONE):
        end = _CLOSED.search(text, match.end(), match.end() + _TEXT) if match["sign"] == '"' else None
        if end is not None:
            yield from (Span(*each.span()) for each in _QUOTED.finditer(text, match.end(), end.start()))
    for each in islice(_QUOTED.finditer(text), MOST_OF_ONE) if text.count('"') > 3 else ():
        start = document.line_span(document.line_of(each.start())).start
        before, span = text[start : each.start()], Span(*each.span())
        behind = _ON_ITS_LINE.match(text, span.end)
        opened = before.count('"') % 2 == 1 and _BEFORE.search(before) is not None
        if opened and behind is not None and not _PRINTS.match(before):
            yield span


class LeftOpen(Rule):
    """A text, a list or a test of a script that is never closed.

    ## What it does
    Looks for `ARGS="` and `ARGS=(` whose end is missing, as what begins behind shows, and for `[` and `]` without their blanks.

    ## Why is this bad?
    All that follows becomes a part of the text, or the shell stops with an error of its syntax. Without its blank a bracket is a part of
    a word, and the test never holds.

    ## Fix safety
    Unsafe: from then on the test may hold. What is missing at an end nobody puts there, since where it was meant nobody knows.
    """

    code = "NPU135"
    title = Text(en="Text, list or test that isn't closed", zh="未闭合的字符串、数组或条件")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "open": Text(
            en='"{name}={sign}" has no end: what follows becomes a part of it. Close it in front of the next one.',
            zh="“{name}={sign}”没有闭合，后面的内容会成为其中的一部分。请在下一处之前闭合。",
        ),
        "test": Text(
            en='A bracket of a test needs blanks around it. Write "{near}".',
            zh="条件的方括号两侧需要空格。请写为“{near}”。",
        ),
    }
    VALID = (
        'export HCCL_BUFFSIZE=1\nA_ARGS="\n  --a 1\n"\nB_ARGS=(\n  --b 1\n)\nif [ "$A" == 8 ]; then :; fi\n',
        # A list of variables, and a whole command.
        'export HCCL_BUFFSIZE=1\nENVS=(\n  A="1"\n  B="2"\n)\nCMD=(\n  torchrun\n  --a 1\n)\n',
        "export HCCL_BUFFSIZE=1\nif [[ $A == [0-8] ]]; then :; fi\n",
        'export HCCL_BUFFSIZE=1\nCODE="\n  x=1\n  print(x)\n"\necho "$CODE"\n',
    )
    INVALID = (
        (
            'export HCCL_BUFFSIZE=200\nif «[ "$RANK_SIZE" == 8]→[ "$RANK_SIZE" == 8 ]»; then\n'
            "    torchrun --nproc_per_node 8 train.py\nfi\n"
        ),
        'export HCCL_BUFFSIZE=1\n«A_ARGS="»\n  --a 1\n\nB_ARGS="\n  --b 1\n"\n',
        "export HCCL_BUFFSIZE=1\n«A_ARGS=(»\n  --a 1\n\nB_ARGS=(\n  --b 1\n)\n",
        *(
            Invalid(
                f"export HCCL_BUFFSIZE=1\nif {wrong}; then :; fi\n",
                (wrong,),
                ("error unsafe",),
                f"export HCCL_BUFFSIZE=1\nif {right}; then :; fi\n",
                kind=Kind.SHELL,
            )
            for wrong, right in (('[ "$A" == 8]', '[ "$A" == 8 ]'), ("[$A -eq 8 ]", "[ $A -eq 8 ]"))
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if not context.parsed.blocks:
            return
        for place in texts(context.document):
            if place.document.kind is not Kind.SHELL or "<<" in place.document.text:
                continue
            for span, sign in _open(place.document):
                whole = place.content(span)
                if whole is not None:
                    name = place.document.text[slice(*span)][:-2]
                    yield self.finding(context, whole, "open", name=name, sign=sign)
            for span, near in _tests(place.document):
                whole = place.content(span)
                if whole is not None:
                    fixes = self.fix(context, "rename", (Edit(whole, near),), Safety.UNSAFE, near=near)
                    yield self.finding(context, whole, "test", fixes=fixes, near=near)


def _open(document: Document) -> Iterator[tuple[Span, str]]:
    for match in islice(_opened(document.text), MOST_OF_ONE):
        end = _ENDS[match["sign"]].search(document.text, match.end())
        # A list of variables, and a whole command, may have such an item: a list of flags has none.
        item = match["sign"] == "(" and end is not None and end["item"] is not None
        if item and not document.text[match.end() : match.end() + _LINE].lstrip().startswith("-"):
            continue
        if end is not None and end["next"] is not None:
            yield Span(match.start("name"), match.end("sign")), match["sign"]


def _tests(document: Document) -> Iterator[tuple[Span, str]]:
    for match in islice(in_lines_with(_TEST, document.text, "["), MOST_OF_ONE):
        span = (
            Span(match.start("left") - 1, match.end("left"))
            if match["left"]
            else Span(match.start("right") - 2, match.end())
        )
        line = document.line_span(document.line_of(span.start))
        if "#" not in document.text[line.start : span.start]:
            inner = (match["left"] or match["right"]).strip()[:-1].strip()
            yield span, f"[ {inner} ]"
