"""NPU603: a variable that is exported when nobody reads it any more."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

# What such a file exports is for the shell that sources it.
_SOURCED = re.compile(r"(?:.*[-_.])?(?:set)?(?:env|environment|vars|profile|bashrc)(?:[-_.].*)?", re.IGNORECASE)


class ExportedTooLate(Rule):
    """A variable that a script exports below the command that should read it.

    ## What it does
    Looks in shell scripts for variables of the NPU that are exported, for the first time, below the last command that could
    read them. Exports in branches, loops and functions are left alone, and so are files that others source (`set_env.sh`).

    ## Why is this bad?
    A command gets the environment as it is when it starts. The export comes too late and has no effect.

    ## Example
    ```sh
    python3 train.py
    export ASCEND_GLOBAL_LOG_LEVEL=1
    ```

    Use instead:
    ```sh
    export ASCEND_GLOBAL_LOG_LEVEL=1
    python3 train.py
    ```
    """

    code = "NPU603"
    name = "exported-too-late"
    title = Text(en="Variable exported too late", zh="环境变量设置过晚")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.ENV})
    messages = {
        "late": Text(
            en='"{option}" is exported below "{command}", and no command follows that could read it. Move it above.',
            zh="“{option}”在“{command}”之后才设置，其后没有命令会读取它。请移到该命令之前。",
        ),
    }
    VALID = (
        Valid("python3 train.py\nif x; then\nexport ASCEND_GLOBAL_LOG_LEVEL=1\nfi\n", Kind.SHELL),
        Valid("export ASCEND_GLOBAL_LOG_LEVEL=1\npython3 train.py\n", Kind.SHELL),
        Valid("python3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\npython3 b.py\n", Kind.SHELL),
        Valid("export ASCEND_GLOBAL_LOG_LEVEL=1\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=3\n", Kind.SHELL),
        Valid("source set_env.sh\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", Kind.SHELL),
        Valid("python3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n./run.sh\n", Kind.SHELL),
        Valid("python3 a.py; export ASCEND_GLOBAL_LOG_LEVEL=1\n", Kind.SHELL),
        # Nobody knows what belongs to which case.
        Valid("case $MODE in\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", Kind.SHELL),
        Valid("```sh\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n```\n", Kind.MARKDOWN),
        Valid("python3 a.py\nASCEND_GLOBAL_LOG_LEVEL=1 python3 b.py\n", Kind.SHELL),
        Valid("python3 -m pip install numpy\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", Kind.SHELL),
        Valid("python3 setup.py install\natc --help\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "python3 train.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\nexit 0\n",
            ("ASCEND_GLOBAL_LOG_LEVEL",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx \\\n  --output=a\nexport DUMP_GE_GRAPH=2\n",
            ("DUMP_GE_GRAPH",),
            ("warning",),
            kind=Kind.SHELL,
        ),
    )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Look for a command above the export, and for none below it."""
        document = context.document
        if document.kind is not Kind.SHELL or setting.branch:
            return
        text, start = document.text, setting.statement.start
        at_edge = text[start - 1] in "\r\n"  # In front of the first line nothing runs.
        if not at_edge or not text.startswith("export", start) or context.parsed.damaged or _is_sourced(document):
            return
        if _first(context).get(setting.name) != setting.key.start:
            return
        from npu_lsp.languages.shell.order import nothing_runs_after, ran_before

        if not nothing_runs_after(document, setting.statement.end):
            return
        command = ran_before(document, start)
        if command is None:
            return
        yield self.finding(context, setting.key, "late", of=option, command=command)


@Memoized
def _is_sourced(document: Document) -> bool:
    return _SOURCED.fullmatch(re.split(r"[\\/]", document.path)[-1]) is not None


@Memoized
def _first(context: Context) -> dict[str, int]:
    """Return where each variable of the file is set first."""
    found: dict[str, int] = {}
    for block in context.parsed.blocks:
        for setting in block.settings if block.surface.row.environment else ():
            found[setting.name] = min(setting.key.start, found.get(setting.name, setting.key.start))
    return found
