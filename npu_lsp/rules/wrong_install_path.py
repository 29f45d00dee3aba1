"""NPU137: a path of Ascend's software that no installer makes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from npu_lsp.catalog.install_paths import misplaced
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span, before

_MAKES = re.compile(r"\b(?:cp|mv|ln|mkdir|install|COPY|ADD)[ \t]+(?P<what>[^\r\n\\;&|]{1,400})")
_PRINTED = re.compile(r"[ \t]*=> (?:=> )?\[")
"""What docker prints of a step, which is cut at the edge of the screen."""
_LARGEST = 200
"""Commands of a text that are looked at."""


class WrongInstallPath(Rule):
    """A path below the folder of Ascend's software that no installer makes.

    ## What it does
    Looks at paths such as `/usr/local/Ascend/...` and `$HOME/Ascend/...` wherever they stand, for a part with a slip in its name, and
    for `set_env.sh` in a folder that has none. Parts that somebody adds below are left alone.

    ## Why is this bad?
    `source` stops, and a search path silently has a folder in it that doesn't exist: libraries and operators aren't found.

    ## Fix safety
    Unsafe: somebody may have a folder of that name.
    """

    code = "NPU137"
    title = Text(en="Path of Ascend's software that doesn't exist", zh="不存在的昇腾软件路径")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='No installer of Ascend\'s software makes "{path}". Did you mean "{near}" at its end?',
            zh="昇腾软件安装包不会生成“{path}”。其末尾是否应为“{near}”？",
        ),
    }
    VALID = (
        "source /usr/local/Ascend/ascend-toolkit/set_env.sh\nsource /usr/local/Ascend/nnal/atb/set_env.sh\n",
        "source /usr/local/Ascend/cann-9.0.0/set_env.sh\nsource /usr/local/Ascend/8.0.RC3/set_env.sh\n",
        "cp a /usr/local/Ascend/mine/lastest/x /usr/local/Ascend/third_party/lib; ls /usr/local/Ascend/cann/opp_kernel; ls ~/Ascend/ascend-toolkit/latest/opp/vendors/customized\n",
        # The text itself puts it there.
        Valid(
            "RUN cp ./ascend_pkg/set_env.sh /usr/local/Ascend && echo source /usr/local/Ascend/set_env.sh >> ~/.bashrc\n"
            "COPY env/set_env.sh /opt/Ascend/set_env.sh\nENV HCCL_BUFFSIZE=1\nRUN . /opt/Ascend/set_env.sh\n",
            Kind.DOCKERFILE,
        ),
        "/usr/local/Ascend/driver/tools/ascend_toolkit restart\n",
        # What docker prints is cut at the edge of the screen.
        Valid(
            "```text\n => [base 2/2] RUN echo 'export LD_LIBRARY_PATH=/usr/local/Ascend/drive  187.2s\n```\n",
            Kind.MARKDOWN,
        ),
        "mkdir -p /usr/local/Ascend/ascend_toolkit\nsource /usr/local/Ascend/ascend_toolkit/set_env.sh\n",
        "export LD_LIBRARY_PATH=/usr/local/ascend/drivers:/opt/Ascend/plugins:$LD_LIBRARY_PATH\n",
    )
    INVALID = (
        "source /usr/local/Ascend/«ascend-tookit→ascend-toolkit»/set_env.sh\n",
        (
            "source /usr/local/Ascend/«ascend-lastest/set_env.sh→ascend-toolkit/set_env.sh»\n"
            "source /usr/local/Ascend/«set_env.sh→ascend-toolkit/set_env.sh»\nexport HCCL_BUFFSIZE=1\n"
        ),
        told(
            "RUN echo source /usr/local/«Ascned→Ascend»/driver/x ~/Ascend/ascend-toolkit/«lastest→latest»/opp >> ~/.bashrc\n"
            "ENV HCCL_BUFFSIZE=1\n",
            kind=Kind.DOCKERFILE,
        ),
        told("`/usr/local/Ascend/«ascend_toolkit→ascend-toolkit»/set_env.sh`\n", kind=Kind.MARKDOWN),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for found in misplaced(context.document):
            if found.path in _made_here(context.document) or _PRINTED.match(
                before(context.document.text, found.start) or ""
            ):
                continue
            span = Span(found.start, found.end)
            fixes = self.renamed_at(context, span, found.near)
            yield self.finding(context, span, "found", fixes=fixes, path=found.path, near=found.near)


@Memoized
def _made_here(document: Document) -> frozenset[str]:
    """Return the paths to which, or into whose folders, the text itself copies something, and the folders that it makes."""
    made: set[str] = set()
    for match in islice(_MAKES.finditer(document.text), _LARGEST):
        *copied, to = [word.strip("\"'").rstrip("/") for word in match["what"].split()] or [""]
        made |= {to, *(f"{to}/{each.rpartition('/')[2]}" for each in copied if "/" in each)}
    return frozenset(made - {""})
