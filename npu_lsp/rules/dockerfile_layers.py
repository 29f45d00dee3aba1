"""NPU719 and NPU721: what the build of an image loses, or writes down too early."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.variable_names import is_variable
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span
from npu_lsp.text.word_search import in_lines_with

_RUN = re.compile(
    r"^[ \t]*(?P<begin>RUN[ \t]{1,9}(?P<word>export|source|\.))[ \t]{1,9}"
    r"(?:(?P<name>[A-Z]\w{0,80})=(?:[^\s;&|\\\"'$`()]{0,400}|\"[^\"\\\r\n$`]{0,400}\")|(?P<file>[^\s;&|\\]{1,400}set_?env\.(?:ba)?sh))"
    r"[ \t]*\r?$",
    re.MULTILINE,
)
_CONTINUED = re.compile(r"\\[ \t]*\r?\n[ \t]*\Z")


class LostWithLayer(Rule):
    """A `RUN` of a Dockerfile that only exports a variable, or only reads `set_env.sh`.

    ## What it does
    Looks for `RUN export HCCL_BUFFSIZE=200` and `RUN source /usr/local/Ascend/ascend-toolkit/set_env.sh` with nothing behind them.

    ## Why is this bad?
    Each `RUN` has a shell of its own. What it exports ends with it: neither the lines below nor the container have the variable.

    ## Fix safety
    Unsafe: the variable has a value from then on.
    """

    code = "NPU721"
    title = Text(en="Variable that ends with its RUN", zh="仅在单条 RUN 中有效的环境变量")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "exported": Text(
            en='Each RUN has a shell of its own: "{option}" is set neither below nor in the container. Write `ENV`.',
            zh="每条 RUN 使用独立的 Shell：“{option}”对后续指令和容器均不生效，请改用 `ENV`。",
        ),
        "sourced": Text(
            en="Each RUN has a shell of its own: what this file sets is there neither below nor in the container. Source it in the `RUN` and in "
            "the command that need it.",
            zh="每条 RUN 使用独立的 Shell：该脚本设置的变量对后续指令和容器均不生效。请在需要它的 `RUN` 和启动命令中 source。",
        ),
        "env": Text(en="Write ENV", zh="改用 ENV"),
    }
    examples_in = Kind.DOCKERFILE
    VALID = (
        "FROM cann\nENV HCCL_BUFFSIZE=200\nRUN export HCCL_BUFFSIZE=1 && python a.py\n",
        "FROM cann\nRUN source /usr/local/Ascend/set_env.sh && pip install a\nRUN export MY_OWN=1\n",
        # It belongs to the command above.
        "FROM cann\nRUN cat a \\\n  RUN export HCCL_BUFFSIZE=200\n",
    )
    INVALID = (
        "FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11\n«RUN export→ENV» HCCL_BUFFSIZE=200\n",
        told(
            "FROM cann\nENV HCCL_BUFFSIZE=200\n«RUN source» /usr/local/Ascend/ascend-toolkit/set_env.sh\n",
            "info",
            Kind.DOCKERFILE,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.DOCKERFILE:
            return
        for match in in_lines_with(_RUN, document.text, "export", "source", ". ", ".\t"):
            span, name = Span(*match.span("begin")), match["name"]
            exports = match["word"] == "export"
            if exports is (name is None) or _CONTINUED.search(
                document.text, max(0, match.start() - 20), match.start("begin")
            ):
                continue
            if name is None:
                yield self.finding(context, span, "sourced", severity=Severity.INFO)
            elif is_variable(name):
                fixes = self.fix(context, "env", [Edit(span, "ENV")], Safety.UNSAFE)
                yield self.finding(context, span, "exported", option=name, fixes=fixes)


_WRITTEN = re.compile(
    r"e(?<=\be)cho[ \t]{1,9}(?:-e[ \t]{1,9})?(?P<quote>\")[ \t]{0,9}(?:export[ \t]{1,9})?(?P<name>[A-Z][A-Z0-9_]{2,60})="
    r"(?P<value>[^\"\\\n]{0,400})(?P<close>\")[ \t]{0,9}>>?[ \t]{0,9}[\"']?(?P<file>[\w./~$\{\}-]{1,200})"
)
_PROFILE = re.compile(
    r"(?:^|/)(?:\.?bashrc|\.?bash_profile|\.?profile|\.?zshrc|environment|bash\.bashrc|[\w.-]+\.sh)\Z"
)
_LOADED = re.compile(r"LD_LIBRARY_PATH|PYTHONPATH|ASCEND_\w+")
_NPU = re.compile(r"[aA]scend|\bcann\b|npu")


class ExpandedAtBuild(Rule):
    """An `echo "export P=$P:..."` in a Dockerfile, which writes what the variable holds while the image is built.

    ## What it does
    Looks in Dockerfiles of NPU images for lines that write an export of `LD_LIBRARY_PATH`, `PYTHONPATH` or a path of CANN into a profile,
    in double quotes and with its own name in its value. It is information: an image whose base sets the variable gets what it needs.

    ## Why is this bad?
    The shell of the build fills the variable in. What `set_env.sh` adds where the container is started is taken away again by this
    line, and libraries aren't found.

    ## Fix safety
    The fix is unsafe: what the build holds may be meant.
    """

    code = "NPU719"
    title = Text(en="Variable filled in while the image is built", zh="构建镜像时即被展开的变量")
    severity = Severity.INFO
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='In double quotes "${option}" is filled in while the image is built, so that this line takes away what set_env.sh adds at run time. Write single quotes.',
            zh="双引号中的“${option}”在构建镜像时就被展开，此行会覆盖运行时 set_env.sh 追加的内容。请改用单引号。",
        ),
        "quote": Text(en="Write single quotes", zh="改用单引号"),
    }
    examples_in = Kind.DOCKERFILE
    VALID = (
        "FROM quay.io/ascend/cann:8.5.0\nRUN echo 'export PYTHONPATH=$PYTHONPATH:/a' >> ~/.bashrc\n",
        'FROM quay.io/ascend/cann:8.5.0\nRUN echo "export PYTHONPATH=/a" >> ~/.bashrc\n',
        'FROM ubuntu\nRUN echo "export PATH=$PATH:/a" >> ~/.bashrc\n',
        'FROM quay.io/ascend/cann:8.5.0\nRUN echo "export PYTHONPATH=\\$PYTHONPATH:/a" >> ~/.bashrc\n',
    )
    INVALID = (
        (
            "FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11\n"
            "RUN echo ‹\"→'›export LD_LIBRARY_PATH=«$LD_LIBRARY_PATH»:/usr/local/lib‹\"→'› >> ~/.bashrc\n"
        ),
        (
            "FROM cann\nRUN a && \\\n"
            "    echo ‹\"→'›export PYTHONPATH=/opt:«${PYTHONPATH}»‹\"→'› >> /etc/profile\n"
            "ENV ASCEND_HOME_PATH=/usr/local/Ascend\n"
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.DOCKERFILE or not _NPU.search(document.text):
            return
        for match in _WRITTEN.finditer(document.text):
            name = match["name"]
            used = re.search(rf"\$(?:{name}\b|\{{{name}(?::[-+][^}}]*)?\}})", match["value"])
            if used is None or not _LOADED.fullmatch(name) or not _PROFILE.search(match["file"]):
                continue
            if "'" in match["value"]:
                continue
            at = match.start("value")
            edits = [Edit(Span(*match.span(quote)), "'") for quote in ("quote", "close")]
            fixes = self.fix(context, "quote", edits, Safety.UNSAFE)
            yield self.finding(context, Span(at + used.start(), at + used.end()), "found", option=name, fixes=fixes)
