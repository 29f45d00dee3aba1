"""NPU127: an environment variable whose name has hyphens where underscores belong, or small letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.innermost import innermost, texts
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import lines_with

_SET = re.compile(
    r"(?P<name>[A-Z](?<![\w.$/-].)[A-Z0-9]{0,30}(?=[A-Z0-9_]{0,60}-)(?:[-_][A-Z0-9]{1,30}){1,9})[\"']?[ \t]{0,9}(?::[ \t]|=(?![=~]))"
)
_EXPORTED = re.compile(r"[ \t]*export[ \t]+(?P<name>[A-Za-z]\w{4,60})=")
_OURS = re.compile(
    r"(?i:ascend|hccl|lccl|hcomm|vllm|sglang|mindie|mies|mindspore|ms|atb|aclnn|glog|pytorch|torch|inductor|task_queue)_"
)
"""How names begin that nobody gives variables of another use, as `rank_size` and `device_id` are."""
_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"[ \t]*(?:#|//)")
_KINDS = frozenset({Kind.SHELL, Kind.YAML, Kind.DOCKERFILE, Kind.DOTENV, Kind.JSON, Kind.MAKEFILE})


class HyphenatedVariable(Rule):
    """A variable of the NPU's software that is written with a hyphen, or in small letters.

    ## What it does
    Looks for `VLLM-ASCEND_...=` or `HCCL-BUFFSIZE:` where the name with underscores is a variable that npu-lsp knows, and for any such
    name that a script exports. Looks for `export hccl_buffsize=` in a script that doesn't read that name itself.

    ## Why is this bad?
    No variable can be called so. A shell refuses the name and goes on; what hands on a mapping or a file passes it on as it is, and
    nobody reads it. In small letters it is another variable.

    ## Fix safety
    The fix is unsafe: from then on the value counts, which it never did.
    """

    code = "NPU127"
    title = Text(en="Hyphen or small letters in the name of a variable", zh="环境变量名中的连字符或小写字母")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='"{option}" has a hyphen, and nothing reads it. The variable is called "{near}".',
            zh="“{option}”含连字符，不会被读取。正确的变量名为“{near}”。",
        ),
        "small": Text(
            en='"{near}" is what is read; "{option}" is another variable, since small letters make another name.',
            zh="程序读取的是“{near}”；环境变量名区分大小写，“{option}”是另一个变量。",
        ),
        "rename": Text(en='Change to "{near}"', zh="改为“{near}”"),
    }
    VALID = (
        "export HCCL_BUFFSIZE=512\n",
        "env MY-OWN_NAME=512 run\nexport HCCL_BUFFSIZE=1\n",
        "# HCCL-BUFFSIZE=512\nexport HCCL_BUFFSIZE=1\n",
        'export HCCL_BUFFSIZE=1\n[ "$HCCL-BUFFSIZE" == 1 ]\n',
        "export HCCL_BUFFSIZE=1\nexport ascend_device_id=1\nexport ASCEND_DEVICE_ID=$ascend_device_id\n",
        "export HCCL_BUFFSIZE=1\nexport rank_size=8\nexport master_port=1\n",
        "export HCCL_BUFFSIZE=1\nexport GLOG_v=2\nexport my_own=1\nhccl_connect_timeout=1\n",
    )
    INVALID = (
        "export HCCL_BUFFSIZE=1\nexport «HCCL-EXEC_TIMEOUT→HCCL_EXEC_TIMEOUT»=512\n",
        "export HCCL_BUFFSIZE=1\nexport «MODEL-PATH→MODEL_PATH»=/a\n",
        "export HCCL_BUFFSIZE=1\nexport «hccl_connect_timeout→HCCL_CONNECT_TIMEOUT»=1200\n",
        told(
            'envs:\n  HCCL_BUFFSIZE: "512"\n  «VLLM-ASCEND_ENABLE_FUSED_MC2→VLLM_ASCEND_ENABLE_FUSED_MC2»: "2"\n',
            kind=Kind.YAML,
        ),
        told(
            'cases:\n  - envs:\n      HCCL_BUFFSIZE: "512"\n'
            '      «HCCL-EXEC_TIMEOUT→HCCL_EXEC_TIMEOUT»: "60"\n    server_cmd:\n      - "--port"\n'
            '      - "$PORT"\n      - "--max-num-seqs"\n      - "8"\n      - "--additional-config"\n'
            "      - '{\"refresh\": true}'\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for span in _spans(context):
            said = context.text(span)
            near = said.replace("-", "_").upper()
            fixes = self.renamed_at(context, span, near)
            yield self.finding(context, span, "found" if "-" in said else "small", option=said, fixes=fixes, near=near)


def _spans(context: Context) -> Iterator[Span]:
    """Yield where such names of ours stand in a text and in the texts in it."""
    found = (place.content(own) for place in texts(context.document) for own in _own_spans(place.document, context))
    yield from dict.fromkeys(span for span in found if span is not None)


def _own_spans(document: Document, context: Context) -> Iterator[Span]:
    if document.kind not in _KINDS:
        return
    option, found = partial(context.catalog.option, Surface.ENV), _SET.finditer(document.text)
    hyphens = (
        each
        for each in found
        # A shell refuses to export any such name.
        if (document.kind is Kind.SHELL and document.text.endswith("export ", 0, each.start()))
        or option(each["name"].replace("-", "_")) is not None
    )
    for match in islice(chain(hyphens, _small(document, context)), MOST_OF_ONE):
        # A mapping of variables may be read as the command that gets them.
        own = innermost(document, match.start())
        if own.document.kind in _KINDS and not any(
            _is_comment(*at) for at in ((document, match.start()), (own.document, own.offset))
        ):
            yield Span(*match.span("name"))


def _small(document: Document, context: Context) -> Iterator[re.Match[str]]:
    """Yield the exports of a script that are called as a variable of ours is, but for the size of their letters."""
    option, text = partial(context.catalog.option, Surface.ENV), document.text
    small = [
        each
        for line in (lines_with(text, "export") if document.kind is Kind.SHELL else ())
        if (each := _EXPORTED.match(text, *line)) is not None
        and not (name := each["name"]).isupper()
        and _OURS.match(name)
        and option(name) is None
        and option(name.upper()) is not None
    ]
    named = Counter(_WORD.findall(text)) if small else Counter[str]()
    # Whoever names it again reads it.
    return (each for each in small if named[each["name"]] == 1)


def _is_comment(document: Document, offset: int) -> bool:
    return _COMMENT.match(document.text, document.line_span(document.line_of(offset)).start) is not None
