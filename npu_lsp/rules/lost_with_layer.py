"""NPU721: what a line of a Dockerfile exports for itself alone."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.variable_names import is_variable
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

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

    ## Example
    ```dockerfile
    FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11
    RUN export HCCL_BUFFSIZE=200
    ```

    Use instead:
    ```dockerfile
    FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11
    ENV HCCL_BUFFSIZE=200
    ```

    ## Fix safety
    Unsafe: the variable has a value from then on.
    """

    code = "NPU721"
    name = "lost-with-layer"
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
    VALID = (
        Valid("FROM cann\nENV HCCL_BUFFSIZE=200\nRUN export HCCL_BUFFSIZE=1 && python a.py\n", Kind.DOCKERFILE),
        Valid(
            "FROM cann\nRUN source /usr/local/Ascend/set_env.sh && pip install a\nRUN export MY_OWN=1\n",
            Kind.DOCKERFILE,
        ),
        # It belongs to the command above.
        Valid("FROM cann\nRUN cat a \\\n  RUN export HCCL_BUFFSIZE=200\n", Kind.DOCKERFILE),
    )
    INVALID = (
        Invalid(
            "FROM cann\nRUN export HCCL_BUFFSIZE=200\n",
            ("RUN export",),
            ("warning unsafe",),
            "FROM cann\nENV HCCL_BUFFSIZE=200\n",
            kind=Kind.DOCKERFILE,
        ),
        Invalid(
            "FROM cann\nENV HCCL_BUFFSIZE=200\nRUN source /usr/local/Ascend/ascend-toolkit/set_env.sh\n",
            ("RUN source",),
            ("info",),
            kind=Kind.DOCKERFILE,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each `RUN` that does nothing else."""
        document = context.document
        if document.kind is not Kind.DOCKERFILE:
            return
        for match in _RUN.finditer(document.text):
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
