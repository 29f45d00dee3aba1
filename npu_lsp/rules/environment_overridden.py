"""NPU602: a variable and an option of which only one counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Option, Relation, Surface
from npu_lsp.languages.branches import dominates, exclusive, reaches, running, subshells
from npu_lsp.languages.model import Block, Fact, FactKind, Setting
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.relations import active, is_set
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import MemoTable

_TAKEN_OUT = r"(?:\b(?:environ\.pop|unsetenv)\(\s*|\bdel\s+(?:os\.)?environ\[\s*)\\?[\"']{}\\?[\"']"
"""How Python takes a variable out of the environment, around its name; marks may be escaped in a notebook."""
_KINDS = ("ignored_when", "overrides")
_ASKED: MemoTable[Context, str, int] = MemoTable()
"""How many settings of a name were looked at."""
_FENCE = re.compile(r"^[ \t>]{0,20}(?:```|~~~)", re.MULTILINE)

# A variable that a flag of a command wins over.
_OURS = """
[options.OUR_PATH]
summary = "Ours."
[[options.OUR_PATH.relations]]
kind = "ignored_when"
other = "our_flag"
[options.OUR_PATH.env]
type = "path"
[options.our_flag]
summary = "Ours, too."
[options.our_flag.atc]
type = "path"
"""


def _silent(text: str) -> Valid:
    return Valid(text, Kind.SHELL, files={"my-options.toml": _OURS})


def _told(text: str) -> Invalid:
    return Invalid(text, ("OUR_PATH",), ("info",), kind=Kind.SHELL, files={"my-options.toml": _OURS})


class EnvironmentOverridden(Rule):
    """An environment variable and an option for the same thing, set in one script.

    ## What it does
    Looks for pairs of a variable and an option in one file of which one wins, such as `AOE_MODE` and
    `aoe_mode`. Where several commands follow, each of them must set the option.
    Examples of a page in Markdown are looked at one by one.

    ## Why is this bad?
    Only one of the two takes effect, and who changes the other one will wonder why nothing happens.
    """

    code = "NPU602"
    title = Text(en="Variable and option for the same thing", zh="环境变量与配置项重复")
    severity = Severity.INFO
    surfaces = frozenset({Surface.ENV})
    messages = {
        "variable": Text(
            en='"{option}" has no effect here: "{other}", which is set as well, wins.{result} Keep one of them.',
            zh="“{option}”在此不生效：同时设置的“{other}”优先。{result}请只保留其中一个。",
        ),
        "option": Text(
            en='"{option}" has no effect here: the variable "{other}", which is set as well, wins.{result} Keep one of them.',
            zh="“{option}”在此不生效：同时设置的环境变量“{other}”优先。{result}请只保留其中一个。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'custom_op.parameter_map["aoe_mode"].s = tf.compat.as_bytes("2")\n',
        Valid(
            '```sh\nexport AOE_MODE=1\n```\nOr:\n```python\nop.parameter_map["aoe_mode"].s = b"2"\n```\n',
            Kind.MARKDOWN,
        ),
        # Only the docs say which of the two wins.
        Valid("export TUNE_BANK_PATH=/a\natc --model=a --op_bank_path=/b\n", Kind.SHELL),
        Valid("export TUNE_BANK_PATH=/a\natc --model=a --output=b\n", Kind.SHELL),
        Valid("export ASCEND_WORK_PATH=/a\natc --model=a --output=b --debug_dir=/b\n", Kind.SHELL),
        _silent("export OUR_PATH=/a\natc --model=a --our_flag=/b\natc --model=b --output=c\n"),
        _silent("if x; then\n  export OUR_PATH=/a\nelse\n  atc --model=a --our_flag=/b\nfi\n"),
        _silent("export OUR_PATH=/a\nrun\nunset OUR_PATH\natc --model=a --our_flag=/b\n"),
        _silent("atc --model=a --our_flag=/b\nexport OUR_PATH=/a\n"),
        # The option of the first name says that nothing is to be done.
        'os.environ["PROFILING_MODE"] = "true"\nop.parameter_map["profiling_mode"].b = False\n',
        # It is taken out again, or the two never meet.
        'os.environ["NPU_COLLECT_PATH"] = "/a"\nrun()\ndel os.environ["NPU_COLLECT_PATH"]\nop.parameter_map["enable_exception_dump"].i = 2\n',
        'if a:\n    os.environ["NPU_COLLECT_PATH"] = "/a"\nelse:\n    op.parameter_map["enable_exception_dump"].i = 2\n',
        'os.environ["NPU_COLLECT_PATH"] = "/a"\nif a:\n    op.parameter_map["enable_exception_dump"].i = 2\n',
        # The variable may be there for the other session.
        'os.environ["NPU_COLLECT_PATH"] = "/a"\na.parameter_map["enable_exception_dump"].i = 2\nb.parameter_map["dump_path"].s = b"c"\n',
        'os.environ["AOE_MODE"] = ""\nop.parameter_map["aoe_mode"].s = b"2"\n',
    )
    INVALID = (
        'os.environ["«AOE_MODE»"] = "1"\ncustom_op.parameter_map["aoe_mode"].s = tf.compat.as_bytes("2")\n',
        told(
            '```python\nos.environ["NPU_COLLECT_PATH"] = "/a"\n'
            'op.parameter_map["«enable_exception_dump»"].i = 2\n```\n',
            kind=Kind.MARKDOWN,
        ),
        'os.environ["NPU_COLLECT_PATH"] = "/a"\nop.parameter_map["«enable_exception_dump»"].i = 2\n',
        # What is taken out before, or another one.
        (
            'del os.environ["NPU_COLLECT_PATH"]\nos.environ["NPU_COLLECT_PATH"] = "/a"\n'
            'del os.environ["AOE_MODE"]\nop.parameter_map["«enable_exception_dump»"].i = 2\n'
        ),
        'os.environ["«PROFILING_MODE»"] = "true"\nop.parameter_map["profiling_mode"].b = True\n',
        _told("export OUR_PATH=/a\natc --model=a --our_flag=/b\n"),
        # The command before has another environment, and what is taken out is another variable, or set again.
        _told("atc --model=a\nexport OUR_PATH=/a\natc --model=a --our_flag=/b\n"),
        _told("unset OUR_PATH\nexport OUR_PATH=/a\nunset OUR_OTHER\natc --model=a --our_flag=/b\n"),
        _told("export OUR_PATH=/a\nexport AOE_MODE=1\nunset AOE_MODE\natc --model=a --our_flag=/b\nunset OUR_PATH\n"),
        _told("if x; then\n  export OUR_PATH=/a\nelse\n  unset OUR_PATH\nfi\natc --model=a --our_flag=/b\n"),
        # Wherever the command runs, it has the variable.
        _told("export OUR_PATH=/a\nif x; then\n  atc --model=a --our_flag=/b\nfi\n"),
    )

    def concerns(self, option: Option) -> bool:
        """Few variables have to do with options."""
        return any(option.total(*_KINDS))

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if not is_set(setting, option) or not _is_one_of_few(setting, context):
            return
        for relation in option.total(*_KINDS):
            met = [
                each
                for each in _others(setting, relation, _in_subshells(setting, block), context)
                if not _apart(setting, each, context)
            ]
            # The whole text is looked through for that.
            end = _end(setting, block, context) if met else 0
            others = [each for each in met if each.key.start < end]
            if not others:
                continue
            wins = relation.kind == "overrides"
            what, because = (others[0], setting) if wins else (setting, others[0])
            result = relation.result.to(context.language) if relation.result is not None else ""
            yield self.finding(
                context,
                what.key,
                "option" if wins else "variable",
                of=what,
                related=self.set_here(context, because),
                other=because.name,
                result=f" {result}" if result and context.language == "en" else result,
            )
            return


def _is_one_of_few(setting: Setting, context: Context) -> bool:
    """Return whether the variable is among the first settings of its name: each is held against all blocks of the file."""
    asked = _ASKED.of(context)
    asked[setting.name] = asked.get(setting.name, 0) + 1
    return asked[setting.name] <= MOST_OF_ONE


def _apart(one: Setting, other: Setting, context: Context) -> bool:
    """Return whether two settings stand in different examples of a page, which need not be run together."""
    start, end = sorted((one.key.start, other.key.start))
    return _FENCE.search(context.document.text, start, end) is not None


def _end(setting: Setting, block: Block, context: Context) -> int:
    """Return where the variable is taken out of the environment again."""
    taken_out = (
        fact.span.start
        for fact in block.facts
        if fact.kind is FactKind.UNSET and fact.value and fact.value.data == setting.name
        if reaches(fact.branch, setting.branch)
    )
    end = min((at for at in taken_out if at > setting.key.start), default=len(context.document.text))
    in_python = re.compile(_TAKEN_OUT.format(re.escape(setting.name))).search(
        context.document.text, setting.key.end, end
    )
    return in_python.start() if in_python is not None else end


def _in_subshells(setting: Setting, block: Block) -> list[Fact]:
    """Return where subshells take the variable out of their own environment."""
    apart = (fact for fact in block.facts if fact.kind is FactKind.UNSET_APART and subshells(fact.branch))
    return [fact for fact in apart if fact.value and fact.value.data == setting.name]


def _others(setting: Setting, relation: Relation, gone: Sequence[Fact], context: Context) -> Iterator[Setting]:
    """Yield the settings of the other one that meet the variable; none where it may stand alone for a command.

    `gone`: where the variable is taken out of the environment of a subshell.
    """
    found: list[Setting] = []
    for block in context.parsed.blocks:
        if block.surface is not relation.other_surface:
            continue
        there = [
            other
            for other, its in Companions.of_block(block, context).of(None, relation.other)
            if active(relation, setting, other, its)
            and not exclusive(setting.branch, other.branch)
            and not any(reaches(fact.branch, other.branch) and fact.span.start < other.key.start for fact in gone)
        ]
        runs_before = block.command is not None and block.command.end <= setting.key.start
        if runs_before:
            continue
        if not there or not all(dominates(running(other.branch), setting.branch) or block.command for other in there):
            return
        found += there[:1]
    yield from found
