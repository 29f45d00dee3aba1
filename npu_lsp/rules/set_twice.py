"""NPU207: an option that is set twice."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.branches import dominates, in_order
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Fix, Related, Safety, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_FORMS = frozenset({Form.PARAMETER_MAP, Form.ATTRIBUTE, Form.FLAG, Form.ENTRY})
_FILES = where(lambda row: row.file)
"""Of files that are read as a whole: behind a broken place nobody knows what belongs where."""


_OF_OBJECTS = frozenset({Form.PARAMETER_MAP, Form.ATTRIBUTE})
_READS = re.compile(
    r"(?:session|open|compile|backend|run|train|evaluat|predict|fit|server|estimator|assert|raises)\w{0,40}[ \t]{0,9}\(",
    re.IGNORECASE,
)
"""What may read the options of a config that is changed afterwards."""
_RUNS = re.compile(r"\(|\b(?:yield|await)\b")
"""What may run operators, which look at the switches of a module."""
_OF_MODULES = where(lambda row: row.roots)
_ROOT = re.compile(r"\w{1,80}")
_VALUES_ONLY = re.compile(
    r"(?:[ \t\r]*(?:(?:export[ \t]{1,9})?[A-Za-z_]\w*=(?:[^\s$`;&|<>()\"'\\#]{1,400}|\"[^\"$`\\\n]*\"|'[^'\n]*')?"
    r"[ \t]*(?:#[^\n]*)?)?(?:\n|\Z))*"
)
"""Lines of a script in which nothing is run, so that nobody reads a variable; a comment of its own may begin another choice."""
_NO_SETTING = r"""(?!["'\\\])]{0,6}(?:\.\w{1,9})?[ \t]{0,9}=(?!=))"""
"""Behind a name that is looked at, not given another value."""


def is_read_between(first: Setting, last: Setting, context: Context) -> bool:
    """Return whether something between two settings of an object may look at the first one's value."""
    if context.document.kind is Kind.NOTEBOOK and first.form in _OF_OBJECTS:
        return True  # Cells are run in any order, and often one instead of another; an editor joins their texts.
    if first.form is Form.ASSIGNMENT:
        return first.value.data == last.value.data or not _follows(first, last, context)
    if first.form not in _OF_OBJECTS:
        return False
    text, start, end = context.document.text, first.statement.end, last.statement.start
    reads = _RUNS if first.surface in _OF_MODULES else _READS
    if reads.search(text, start, end) is not None:
        return True
    # Looked at by its own name: `if config.mode == ...:`, or a line of a session that shows it.
    target = re.escape(text[first.statement.start : first.key.end])
    if re.search(rf"(?<![\w.]){target}(?!\w){_NO_SETTING}", text[start:end]) is not None:
        return True
    # Brackets may stand in front: `(config).mode = ...`.
    root = _ROOT.search(text, first.statement.start, first.statement.end)
    # Handed to a function: `check(config)`, `check(config=config)`.
    return root is not None and re.compile(rf"[(,=][ \t]*{root[0]}[ \t]*[,)]").search(text, start, end) is not None


def _follows(first: Setting, last: Setting, context: Context) -> bool:
    """Return whether only lines that give values stand between two commands of a script, or nothing: one gives both."""
    between = context.document.text[first.statement.end : last.statement.start]
    return _VALUES_ONLY.fullmatch(between) is not None


class SetTwice(Rule):
    """An option that is set again before anybody reads the first value.

    ## What it does
    Looks for two settings of one option in one block, of which the second runs whenever the first does. A default that
    is changed in an `if` is left alone, and so are flags in a variable that other commands use too, options between
    whose settings a session is opened or a model compiled, settings in a test, and switches of a whole module
    (`torch.npu.config`) between whose settings anything is called. An environment variable is reported where a script
    gives it two values with nothing but values in between: any command may read the first one, and a comment may begin
    another choice.

    ## Why is this bad?
    The last one wins; the first is silently lost. With two different fields of one `parameter_map` entry the
    entry holds the second alone, and TF Adapter may read a zero value.

    ## Fix safety
    Safe: the setting that is taken out is lost anyway, so that what runs is the same. It is offered where its value is a
    literal. Unsafe in files of AIPP and AMCT, where the tool stops, unless both say the same, and for environment
    variables, whose two values may both have been meant.
    """

    code = "NPU207"
    title = Text(en="Option set twice", zh="配置项重复设置")
    tried = True
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = where(lambda row: not row.many)
    of_whole = True
    messages = {
        "lost": Text(
            en='"{option}" is set again below, and the last one wins: this value is lost. Keep one of them.',
            zh="“{option}”在后面被再次设置，以最后一次为准，此处取值不生效。请只保留一处。",
        ),
        "same": Text(
            en='"{option}" is set again below, to the same value. Keep one of them.',
            zh="“{option}”在后面以相同取值再次设置，请只保留一处。",
        ),
        "slot": Text(
            en='"{option}" is set again below in the field ".{slot}": an entry holds one field only, so this value is lost. Keep the right one.',
            zh="“{option}”在后面又写入了“.{slot}”字段，一个配置项只保留最后写入的字段，此处取值会丢失。请只保留正确的一处。",
        ),
        "stops": Text(
            en='"{option}" is set again below: it may stand only once, and {tool} stops with an error. Keep one of them.',
            zh="“{option}”在后面被再次设置，同一字段只能出现一次，{tool} 会报错退出。请只保留一处。",
        ),
        "other": Text(en='"{option}" is set again here', zh="“{option}”在此处再次设置"),
        "remove": Text(en='Remove this "{option}"', zh="删除此处的“{option}”"),
    }
    examples_in = Kind.PYTHON
    examples_fixed = "safe"
    VALID = (
        (
            'op.parameter_map["iterations_per_loop"].i = 1\nwith tf.Session(config=c) as sess:\n    pass\n'
            'op.parameter_map["iterations_per_loop"].i = 10\n'
        ),
        Valid(
            '{"cells": [{"cell_type": "code", "source": ["op.parameter_map[\'dump_mode\'].s = b\'all\'"]}, '
            '{"cell_type": "code", "source": ["op.parameter_map[\'dump_mode\'].s = b\'input\'"]}], "nbformat": 4}\n',
            Kind.NOTEBOOK,
        ),
        (
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "max-autotune"\n'
            'check(config)\nconfig.mode = "npugraph_ex"\n'
        ),
        (
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "max-autotune"\n'
            'a = torch.compile(m, backend=torchair.get_npu_backend(compiler_config=config))\nconfig.mode = "npugraph_ex"\n'
        ),
        'op.parameter_map["dump_mode"].s = b"output"\nif FLAGS.all:\n    op.parameter_map["dump_mode"].s = b"all"\n',
        (
            "def train():\n    npu.global_options().graph_run_mode = 1\n"
            "def infer():\n    npu.global_options().graph_run_mode = 0\n"
        ),
        Valid('A="--framework=5 --log=error"\natc $A --model=a\natc $A --model=b --log=info\n', Kind.SHELL),
        (
            "import torch_npu\ntorch.npu.config.allow_internal_format = True\ntry:\n    b = cast(a)\n"
            "finally:\n    torch.npu.config.allow_internal_format = False\n"
        ),
        "import torch_npu\ntorch.npu.matmul.allow_hf32 = True\nyield\ntorch.npu.matmul.allow_hf32 = False\n",
        (
            "import torchair\nconfig = torchair.CompilerConfig()\ndef test_modes():\n    config.mode = 'max-autotune'\n"
            "    config.mode = 'npugraph_ex'\n"
        ),
        (
            "import torch_npu\ntorch.npu.conv.allow_hf32 = False\ntorch.npu.conv.allow_hf32\n"
            "torch.npu.conv.allow_hf32 = True\n"
        ),
        Valid(
            "```python\n>>>import torch_npu\n>>>torch_npu.npu.conv.allow_hf32=False\n>>>torch_npu.npu.conv.allow_hf32\n"
            "False\n>>>torch_npu.npu.conv.allow_hf32=True\n```\n",
            Kind.MARKDOWN,
        ),
        Valid("export TASK_QUEUE_ENABLE=1; a; export TASK_QUEUE_ENABLE=2\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=1\nN=$(a)\nexport TASK_QUEUE_ENABLE=2\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=1  # A2\nexport TASK_QUEUE_ENABLE=2  # A3\n", Kind.SHELL),
        Valid("TASK_QUEUE_ENABLE=1 a\nTASK_QUEUE_ENABLE=2 a\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=1\nexport TASK_QUEUE_ENABLE=1\na\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=$A\nexport TASK_QUEUE_ENABLE=1\na\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=1\nexport TASK_QUEUE_ENABLE=$A\na\n", Kind.SHELL),
        Valid("aipp_op {\n  crop: true\n  crop: false\n", Kind.AIPP),
        'os.environ["TASK_QUEUE_ENABLE"] = "1"\nrun()\nos.environ["TASK_QUEUE_ENABLE"] = "2"\n',
        'op.parameter_map["variable_memory_max_size"].s = b"1"\n' * 2,
        Valid("aipp_op {\n  batch_list: 1\n  batch_list: 2\n}\n", Kind.AIPP),
        Valid("export TASK_QUEUE_ENABLE=1\nif a; then\n  export TASK_QUEUE_ENABLE=2\nfi\n", Kind.SHELL),
        Valid("export TASK_QUEUE_ENABLE=1\n# or\nexport TASK_QUEUE_ENABLE=2\n", Kind.SHELL),
        Valid("export ASCEND_GLOBAL_LOG_LEVEL=1\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=3\n", Kind.SHELL),
        (
            "def infer():\n    npu.global_options().graph_run_mode = 0\nnpu.global_options().graph_run_mode = 1\n"
            "train()\ninfer()\n"
        ),
        (
            'import torchair\nconfig = torchair.CompilerConfig()\n(config).mode = "max-autotune"\n'
            'check(config)\n(config).mode = "npugraph_ex"\n'
        ),
    )
    INVALID = (
        told("atc --model=a.onnx --framework=5‹ «--output»=a→› --output=b --soc_version=Ascend310P3\n"),
        told("atc --model=a.onnx‹ «--output»=a→›‹ «--output»=b→› --output=a\n"),
        told("aoe --job_type=1 «--reload» --reload\n", "hint"),
        # A text of bytes is none of characters.
        '‹op.parameter_map["«dump_mode»"].s = b"all"\n→›op.parameter_map["dump_mode"].s = "all"\n',
        # Nobody knows whether they are the same.
        'op.parameter_map["«dump_mode»"].s = x\nop.parameter_map["dump_mode"].s = y\n',
        'op.parameter_map["«dump_mode»"].s = x\nop.parameter_map["dump_mode"].s = b"all"\n',
        told("aipp_op {\n‹  «crop»: true\n→›  crop: 1\n}\n", "error unsafe", Kind.AIPP),
        told(
            "‹export «HCCL_OP_EXPANSION_MODE»=AIV\n→›N=8  # cards\n\nexport HCCL_OP_EXPANSION_MODE=AI_CPU\na\n",
            "warning unsafe",
        ),
        told("aipp_op {\n‹  «crop»: true\n→›  crop: false\n}\n", "error unsafe", Kind.AIPP),
        told(
            '‹op.parameter_map["«dump_mode»"].s = b"all"\n→›op.parameter_map["dump_mode"].s = b"all"\n',
            "hint safe",
            Kind.PYTHON,
        ),
        '‹op.parameter_map["«dump_mode»"].s = b"output"\n→›op.parameter_map["dump_mode"].s = b"all"\n',
        (
            'if FLAGS.a:\n    ‹op.parameter_map["«dump_mode»"].s = b"output"→pass›\nelse:\n'
            '    ‹op.parameter_map["«dump_mode»"].s = b"input"→pass›\n'
            'op.parameter_map["dump_mode"].s = b"all"\n'
        ),
        told("aipp_op {\n‹  «crop»: true\n→›  crop: true\n}\n", "error safe", Kind.AIPP),
        "import torch_npu\n‹torch.npu.conv.«allow_hf32» = True\n→›torch.npu.conv.allow_hf32 = False\n",
        'op.parameter_map["«use_off_line»"].b = True\nop.parameter_map["use_off_line"].i = 1\n',
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look for a later setting of the same option that runs whenever the earlier one does."""
        if block.surface in _FILES and context.parsed.damaged:
            return
        earlier: dict[str, list[Setting]] = {}
        for setting, option in context.settings(block):
            if not _is_for_once(setting, option):
                continue
            before = earlier.get(option.name, [])
            lost = [s for s in before if dominates(setting.branch, s.branch) and in_order(setting.branch, s.branch)]
            for first in lost:
                # What others get from the same text is not lost for them.
                if not context.shared(first) and not is_read_between(first, setting, context):
                    yield self._finding(first, setting, option, context)
            earlier[option.name] = [*(s for s in before if s not in lost), setting][-MOST_OF_ONE:]

    def _finding(self, first: Setting, last: Setting, option: Option, context: Context) -> Finding:
        one, other = first.value, last.value
        same = one.known and other.known and one.kind is other.kind and one.data == other.data
        same = same or first.separator == last.separator == ""
        slots = first.slot != last.slot
        stops = option.surface.row.once
        return self.finding(
            context,
            first.key,
            "stops" if stops else "slot" if slots else "same" if same else "lost",
            of=option,
            severity=Severity.ERROR if stops else Severity.HINT if same and not slots else None,
            fixes=self._fixes(first, last, option, context, same=same),
            tags=() if stops else (Tag.UNNECESSARY,),
            related=[Related(last.key, self.say(context, "other", option=option.name))],
            slot=last.slot,
            tool=option.surface.row.tool,
        )

    def _fixes(self, first: Setting, last: Setting, option: Option, context: Context, *, same: bool) -> list[Fix]:
        # Where the field that stays is the wrong one, the first setting is the better of the two.
        right = option.slot is None or last.slot == option.slot.value
        if not first.value.known or not right or first.own == last.own:
            return []
        # Where the tool stops, nobody knows which of the two was meant.
        safety = Safety.UNSAFE if option.surface.row.once and not same else Safety.SAFE
        return removal(context, self.say(context, "remove", option=option.name), [first], safety=safety)


def _is_for_once(setting: Setting, option: Option) -> bool:
    """Return whether a second setting of the option takes the place of this one."""
    if setting.form is Form.ASSIGNMENT:
        return setting.value.known
    if option.status == "no_effect":
        return False  # Nothing is lost, and a field of such a kind may be there to be given several times.
    return setting.form in _FORMS and not (setting.form is Form.ENTRY and setting.receiver)
