"""NPU111: a flag that sticks to the value before it."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.shell.flags import tool_name
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_NEAR = 200
"""Code points in front of a flag that are looked at."""
_ENTRY = re.compile(r"[-,\[]\s*\Z")
"""What stands in front of a word of a list in YAML: the shell gets it whole, blanks or not."""
_FLAG = re.compile(r"--([A-Za-z](?:\w|-(?!-)){2,})=")


class GluedFlag(Rule):
    """A flag without a blank in front of it.

    ## What it does
    Looks for the name of a flag, with its dashes, inside the value of another one. Other dashes in values are left alone.

    ## Why is this bad?
    The shell makes one word of both: the first flag gets a value that nobody meant, the second one is lost.

    ## Fix safety
    Unsafe: it puts the blank in, and the second flag takes effect from then on.
    """

    code = "NPU111"
    title = Text(en="Flag without a blank in front of it", zh="参数之间缺少空格")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = COMMANDS
    messages = {
        "glued": Text(
            en='There is no blank before "--{other}", so it becomes part of the value of "--{option}", and is lost. Put one in.',
            zh="“--{other}”前缺少空格，会被当作“--{option}”取值的一部分而丢失，请补充空格。",
        ),
        "split": Text(en='Put a blank before "--{other}"', zh="在“--{other}”前补充空格"),
    }
    VALID = (
        "atc --model=my--model.onnx --output=a\n",
        # The blank is there, and a quotation mark has no partner: NPU709 speaks.
        "atc --model=a`.onnx --output=b --log=info\n",
        'atc --model=a".onnx --output="b" --log=info\n',
        Valid(
            "import os\ncmd = 'atc --model=a.onnx --output=' + out\ncmd = cmd + ' --log=\"debug\"'\nos.system(cmd)\n"
        ),
        # NPU713 speaks.
        "atc --model=a.onnx --framework=5\\\n--output=a\n",
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a«--soc_version=→ --soc_version=»Ascend310P3\n",
        "atc --model=a.onnx --output=a«--log=→ --log=»info\n",
        # Nobody knows where the quotes were meant to end.
        'atc --model="a«--log=»info" --output=b\n',
        "atc --model='a«--log=»info' --output=b\n",
        'atc "--model=a«--log=»info" --output=b\n',
        told('subprocess.run(["atc", "--model=a«--log=»info", "--output=b"])\n', kind=Kind.PYTHON),
        *(
            Invalid(
                "command: [atc, --model=a--log=info]\n".replace("[", "[" + blank),
                ("--log=",),
                ("error",),
                kind=Kind.YAML,
            )
            for blank in ("", "\n  ")
        ),
        told("command:\n  - atc\n  - --model=a«--log=»info\n", kind=Kind.YAML),
        *(
            Invalid(
                f"atc --input_shape={mark}a:1,2{mark}--output=a\n",
                ("--output=",),
                ("error unsafe",),
                f"atc --input_shape={mark}a:1,2{mark} --output=a\n",
                kind=Kind.SHELL,
            )
            for mark in ('"', "'")
        ),
        # The names of this tool have dashes.
        "msprof --output=a«--aic-metrics=→ --aic-metrics=»Memory --application=./a\n",
    )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        text = context.document.text
        # A blank stands there inside of quotes, or in another literal of a script; at the start of a line the backslash
        # above has none: NPU713.
        place = next((flag for flag in flags_in(setting, context) if not text[flag.start - 1].isspace()), None)
        if place is None:
            return
        other = context.text(place)[2:-1]
        # From the mark in front of a flag that is quoted as a whole, too: a word of a list is one word, blanks or not.
        before = text[setting.key.start - 1 : place.start]
        outside = before.count('"') % 2 == 0 and before.count("'") % 2 == 0
        able = outside and _ENTRY.search(text, setting.key.start - _NEAR, setting.key.start) is None
        edits = [Edit(Span(place.start, place.start), " ")] if able else []
        yield self.finding(
            context,
            place,
            "glued",
            of=option,
            fixes=self.fix(context, "split", edits, Safety.UNSAFE, other=other),
            other=other,
        )


def flags_in(setting: Setting, context: Context) -> Iterator[Span]:
    """Yield where flags of the same tool stand in the value of `setting`: not all of it was meant as one."""
    start = setting.value.span.start
    for match in _FLAG.finditer(context.text(setting.value.span)):
        if context.lookup(setting.surface, tool_name(f"--{match[1]}", setting.surface)) is not None:
            yield Span(start + match.start(), start + match.end())
