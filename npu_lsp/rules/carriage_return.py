"""NPU704: a script with the line ends of Windows."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text


class CarriageReturn(SyntaxRule):
    """A shell script whose lines end in CR LF.

    ## What it does
    Tells once for each script with commands or variables for the NPU that its lines end in CR LF.

    ## Why is this bad?
    The shell takes the CR for the last character of the line: `export X=1` sets `1` with a CR behind it, a backslash at the end of a
    line joins nothing, and paths end in a character that nobody sees.

    ## Example
    ```sh
    export ASCEND_DEVICE_ID=0    # each line of the file ends in CR LF
    ```

    Use instead:
    ```sh
    export ASCEND_DEVICE_ID=0    # each line of the file ends in LF
    ```

    ## Fix safety
    Safe where all lines end so: only line ends change, and the shell then reads what an editor shows. Unsafe where some end in
    LF: the others may stand in a text that is meant for Windows. To keep them so, add `*.sh text eol=lf` to `.gitattributes`.
    """

    code = "NPU704"
    fault = SyntaxFault.CRLF
    title = Text(en="Line ends of Windows in a shell script", zh="脚本使用 Windows 换行符")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en="{lines} lines end in CR LF, and the shell takes the CR as a part of each line's last word: values get an invisible character, and commands are cut at backslashes. Use LF.",
            zh="共 {lines} 行以 CRLF 结尾，shell 会把 CR 当作行尾单词的一部分，导致取值多出不可见字符、续行失效。请改用 LF 换行。",
        ),
        "mend": Text(en="Change all line ends to LF", zh="将换行符全部改为 LF"),
    }
    VALID = ("atc --model=a.onnx --output=a\n",)
    INVALID = (
        "«export ASCEND_DEVICE_ID=0»‹\r\ncat > a.bat <<EOF\r→\ncat > a.bat <<EOF›\nEOF\n",
        told("«export ASCEND_DEVICE_ID=0»‹\r\natc --model=a.onnx\r→\natc --model=a.onnx›\n", "warning safe"),
    )

    def safety_of(self, mistake: SyntaxFinding, context: Context) -> Safety:
        """Return whether the whole script came from Windows."""
        text = context.document.text
        return Safety.SAFE if text.count("\n") == text.count("\r\n") else Safety.UNSAFE
