"""NPU203: two options that must not both be set."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from npu_lsp.catalog.model import Option, Relation
from npu_lsp.languages.branches import run_together
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.relations import active, is_set
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import outcome
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_VALUE = Text(en=" ({value})", zh="（{value}）")
_EITHER = Text(en="Only one of them counts.", zh="只有其中一个生效。")


_SETS_OR_SAYS = re.compile(r"|#.*|(?:export[ \t]+)?[A-Za-z_]\w*=[^;&|]*")
_LONGEST = 4_000
"""Characters of a file on a page that are looked at."""
_MOST = 300
"""Lines between two exports of a list."""


def are_listed(document: Document, first: int, last: int) -> bool:
    """Return whether two exports, which stand at these code points, are of a list of what can be set.

    Each stands in a paragraph of its own below a comment of its own, and nothing runs between them: pages show alternatives so.
    """
    one, other = document.line_of(first), document.line_of(last)
    if not 0 < other - one <= _MOST or one == 0:
        return False
    if not all(document.line_text(line - 1).lstrip().startswith("#") for line in (one, other)):
        return False
    between = [document.line_text(line).strip() for line in range(one, other)]
    return "" in between and all(map(_SETS_OR_SAYS.fullmatch, between))


def _is_listing(block: Block, context: Context) -> bool:
    """Return whether a page lists what a file may have, with dots for the rest: not all of it stands in one."""
    if context.document.kind not in PAGES or not block.surface.row.file:
        return False
    shown = context.document.text[block.head.start : block.head.start + _LONGEST]
    return "..." in shown.partition("```")[0]


class MutuallyExclusive(Rule):
    """Two options in one block that exclude each other.

    ## What it does
    Looks for pairs of options that the docs or the tool forbid to combine, set for the same optimizer, call or
    command. Settings that may never meet, in branches of one `if` or under conditions of their own, are left alone. Exports that
    stand in paragraphs of their own, each below a comment, may be a list of what can be set: of these it is information.

    ## Why is this bad?
    The tool stops with an error, or takes one of the two without saying which.

    ## Fix safety
    Unsafe: the fix takes one of the two out, and only you know which one you want to keep.
    """

    code = "NPU203"
    title = Text(en="Options that exclude each other", zh="互斥的配置项")
    tried = True
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "both": Text(
            en='"{option}" and "{other}" exclude each other. {result} Keep one of them.',
            zh="“{option}”与“{other}”互斥。{result}请只保留其中一个。",
        ),
        "values": Text(
            en='"{option}"{value} and "{other}"{other_value} exclude each other. {result} Change one of them.',
            zh="“{option}”{value}与“{other}”{other_value}互斥。{result}请修改其中一个。",
        ),
    }
    examples_fixed = "unsafe unsafe"
    VALID = (
        # A page lists the keys of a file.
        Valid(
            '```json\n"motor_deploy_config": {\n  "p_instances_num": 1,\n  "hybrid_instances_num": 1,\n  "tls_config": { ... }\n}\n```\n',
            Kind.MARKDOWN,
        ),
        # Neither an empty text nor None sets anything.
        Valid('op.parameter_map["precision_mode"].s = b""\nop.parameter_map["precision_mode_v2"].s = b"fp16"\n'),
        Valid('config = NPURunConfig(precision_mode=None, precision_mode_v2="fp16")\n'),
        Valid(
            'if FLAGS.v2:\n    op.parameter_map["precision_mode_v2"].s = b"origin"\n'
            'else:\n    op.parameter_map["precision_mode"].s = b"must_keep_origin_dtype"\n'
        ),
        Valid(
            'if FLAGS.dump:\n    op.parameter_map["enable_dump"].b = True\n'
            'if FLAGS.overflow:\n    op.parameter_map["enable_dump_debug"].b = True\n'
        ),
        "atc --precision_mode=force_fp16\natc --precision_mode_v2=fp16\n",
        "atc --model=a.pb --framework=3 --input_format=NHWC --output=a --soc_version=Ascend310P3\n",
    )
    INVALID = (
        told(
            '‹custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
            '→›custom_op.parameter_map["«precision_mode_v2»"].s = tf.compat.as_bytes("mixed_float16")\n',
            kind=Kind.PYTHON,
        ),
        "‹export HCCL_INTRA_PCIE_ENABLE=1\n→›export «HCCL_INTRA_ROCE_ENABLE»=1\n",
        # A list of what can be set, as pages have it.
        told(
            "# PCIe\n‹export HCCL_INTRA_PCIE_ENABLE=1\n→›\n# RoCE\nexport «HCCL_INTRA_ROCE_ENABLE»=1\n",
            "info unsafe unsafe",
        ),
        'vllm serve m --additional-config \'{"ascend_compilation_config": {"enable_static_kernel": true‹, "«enable_npugraph_ex»": false→›}}\'\n',
        told(
            "atc --model=a.onnx --framework=5‹ «--input_format»=NHWC→› --output=a --soc_version=Ascend310P3\n",
            "error unsafe",
        ),
        told(
            'A="--framework=5 --precision_mode=force_fp16"\natc $A --model=a\n'
            "atc $A --model=b‹ «--precision_mode_v2»=fp16→›\n",
            "error unsafe",
        ),
        # Both reach others.
        (
            'A="--framework=5‹ --precision_mode=force_fp16→› «--precision_mode_v2»=fp16"\n'
            "atc $A --model=a\natc $A --model=b\n"
        ),
        # One that is set twice is told once.
        told(
            'A="--framework=5 --precision_mode=force_fp16 --precision_mode=force_fp32"\natc $A --model=a\n'
            "atc $A --model=b‹ «--precision_mode_v2»=fp16→›\n",
            "error unsafe",
        ),
        # Code is no list of what can be set.
        told(
            'config = NPURunConfig(\n    # One\n‹    precision_mode="force_fp16",\n→›\n    # Two\n'
            '    «precision_mode_v2»="fp16",\n)\n',
            kind=Kind.PYTHON,
        ),
        # Values of one of the two.
        told(
            "atc --model=a --framework=5‹ --input_format=ND→› «--insert_op_conf»=a.cfg --output=b --soc_version=Ascend310P3\n",
            "warning unsafe unsafe",
        ),
        "atc --model=a --framework=5‹ --modify_mixlist=m.json→› «--precision_mode»=force_fp16 --output=b --soc_version=Ascend310P3\n",
        # What the other one takes the place of can go, whatever else needs it.
        "atc --singleop=a.json‹ «--framework»=5→› --output=a --soc_version=Ascend310P3\n",
        # The newer one stays.
        'atc --model=a --framework=5 --dynamic_dims="1;2" --input_shape="x:-1,1"‹ «--input_shape_range»="x:[1~2,1]"→› --output=b --soc_version=Ascend310P3\n',
    )

    def concerns(self, option: Option) -> bool:
        return any(option.total("conflicts"))

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at each pair of settings once whose options have a word for each other."""
        if _is_listing(block, context):
            return
        seen: dict[str, list[tuple[Setting, Option]]] = {}
        opposed = _opposed(option for _, option in context.settings(block))
        for setting, option in context.settings(block):
            if option.name not in opposed or not is_set(setting, option):
                continue
            for name in opposed[option.name]:
                told: set[int] = set()
                for earlier, its_option in seen.get(name, ()):
                    relation = _between(earlier, its_option, setting, option)
                    if relation is None or id(relation) in told:
                        continue  # The same is said of the two already.
                    if run_together(earlier.branch, setting.branch):
                        told.add(id(relation))
                        yield self._finding((earlier, its_option), (setting, option), relation, block, context)
            same = seen.setdefault(option.name, [])
            if len(same) < MOST_OF_ONE:
                same.append((setting, option))

    def _finding(
        self,
        one: tuple[Setting, Option],
        two: tuple[Setting, Option],
        relation: Relation,
        block: Block,
        context: Context,
    ) -> Finding:
        values = {
            option.name: _VALUE.to(context.language).format(value=shown(setting.value.data, setting.form))
            for setting, option in (one, two)
            if _narrowed(relation, option)
        }
        # Where some values of the two exclude each other, one that the tool can't do without gets another value.
        companions = Companions.of_block(block, context)
        needed = {o.name for _, o in (one, two) if _narrowed(relation, o) and companions.must_be_set(o.name)}
        listed = block.surface.row.environment and are_listed(context.document, one[0].key.start, two[0].key.start)
        return self.finding(
            context,
            two[0].key,
            "values" if values else "both",
            of=two[1],
            severity=Severity.INFO if listed else None if relation.rejected else Severity.WARNING,
            fixes=self._fixes(one, two, needed, context),
            related=self.set_here(context, one[0], one[1].name),
            other=one[1].name,
            value=values.get(two[1].name, ""),
            other_value=values.get(one[1].name, ""),
            result=outcome(relation, _EITHER, context.language),
        )

    def _fixes(
        self,
        one: tuple[Setting, Option],
        two: tuple[Setting, Option],
        needed: Container[str],
        context: Context,
    ) -> list[Fix]:
        fixes: list[Fix] = []
        # The old one goes first: the docs recommend the newer of such a pair.
        older = sorted((one, two), key=lambda pair: (pair[1].deprecated is None, pair[1].name))
        for setting, option in older:
            if context.shared(setting) and not all(context.shared(s) for s, _ in older):
                continue  # Others get this one alone.
            if option.name in needed:
                continue
            edits = writer_for(setting).remove(context.document, [setting])
            fixes += self.fix(context, "remove", edits, Safety.UNSAFE, option=option.name)
        return fixes


def _narrowed(relation: Relation, option: Option) -> bool:
    """Return whether it takes certain values of an option for a relation to hold."""
    if relation.other == option.name:
        return bool(relation.other_values or relation.other_not)
    return bool(relation.values)


def _opposed(options: Iterable[Option]) -> dict[str, set[str]]:
    """Return the options that conflict with others by some value, and with which; the same on both sides."""
    found: dict[str, set[str]] = {}
    for option in {option.name: option for option in options}.values():
        for relation in option.total("conflicts"):
            found.setdefault(option.name, set()).add(relation.other)
            found.setdefault(relation.other, set()).add(option.name)
    return found


def _between(one: Setting, its: Option, two: Setting, other: Option) -> Relation | None:
    """Return the relation that forbids the two, from whichever side it is written on."""
    sides = ((its, one, two, other), (other, two, one, its))
    return next(
        (
            relation
            for option, first, second, opposite in sides
            for relation in option.total("conflicts")
            if relation.other == opposite.name and active(relation, first, second, opposite)
        ),
        None,
    )
