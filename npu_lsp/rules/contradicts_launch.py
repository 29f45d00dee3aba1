"""NPU215: a key of `additional_config` that doesn't go with vLLM's own arguments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Option, Relation, Scalar, Surface
from npu_lsp.languages import read
from npu_lsp.languages.branches import run_together
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.shell.vllm import CONFIG
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.relations import active, among
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import outcome
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_LAUNCHES = frozenset({Surface.VLLM, Surface.VLLM_ARGS})
_CONFIGS = frozenset({CONFIG, CONFIG.replace("-", "_")})
_KINDS = ("conflicts", "ignored_when", "requires")
_IGNORED = Text(en="The key has no effect.", zh="该键不生效。")
_CHUNKS = '{"scheduler_config": {"profiling_chunk_config": {"enabled": true}}}'
_RECOMPUTE = '{"scheduler_config": {"recompute_scheduler_enable": true}}'
_SERVER = "vllm serve m --kv-transfer-config '{}' --additional-config \"$C\"\n"
_EXPERTS = 'C=\'{"enable_shared_expert_dp": true}\'\nvllm serve m --additional-config "$C"\n'
_TWO = f"C='{_RECOMPUTE}'\n{_SERVER}vllm serve n -pp 2 --additional-config \"$C\"\n"
_XLITE = '{"xlite_graph_config": {"enabled": true}}'

# A key that needs another one, and a variable.
_OURS = """
[options.our_key]
summary = "Ours."
[[options.our_key.relations]]
kind = "requires"
other = "refresh"
[[options.our_key.relations]]
kind = "requires"
other = "OUR_VARIABLE"
[options.our_key.additional_config]
type = "bool"
[options.OUR_VARIABLE]
summary = "Ours, too."
[options.OUR_VARIABLE.env]
type = "bool"
"""


class ContradictsLaunch(Rule):
    """A key of `additional_config` that doesn't go with the arguments that vLLM gets beside it.

    ## What it does
    Compares keys with vLLM's own arguments of the same command or call, as the checks of vLLM-Ascend do when the server
    starts. An argument that isn't there has its default where nothing else can set it; on pages that show a part of a command,
    only what is there counts.

    ## Why is this bad?
    The server stops when it starts, after minutes of loading, or the key has no effect.
    """

    code = "NPU215"
    title = Text(en="Key that vLLM's own arguments don't go with", zh="与 vLLM 启动参数冲突的配置")
    severity = Severity.ERROR
    messages = {
        "with": Text(
            en='"{option}" doesn\'t go with "{other}" = {value}. {result} Change one of them.',
            zh="“{option}”与“{other}”= {value} 冲突。{result}请修改其中一个。",
        ),
        "default": Text(
            en='"{option}" doesn\'t go with "{other}" = {value}, its default. {result} Set that argument, or leave this key out.',
            zh="“{option}”与“{other}”的默认值 {value} 冲突。{result}请设置该参数，或删除此键。",
        ),
        "missing": Text(
            en='"{option}" needs "{other}", which is not set. {result} Set it, or leave this key out.',
            zh="“{option}”须与“{other}”配合使用，但后者未配置。{result}请补充后者，或删除此键。",
        ),
    }
    VALID = (
        'vllm serve model --tensor-parallel-size 2 --additional-config \'{"xlite_graph_config": {"enabled": true}}\'\n',
        f"vllm serve m --pipeline-parallel-size 2 --additional-config '{_CHUNKS}'\n",
        f"vllm serve m -pp 2 --additional-config '{_CHUNKS}'\n",
        f"vllm serve m \"$@\" --additional-config '{_CHUNKS}'\n",
        f"vllm serve m --config a.yaml --additional-config '{_CHUNKS}'\n",
        f"python3 bench.py --additional-config '{_CHUNKS}'\n",
        Valid(f"```sh\nvllm serve m --additional-config '{_CHUNKS}'\n```\n", Kind.MARKDOWN),
        f"C='{_RECOMPUTE}'\n{_SERVER}{_SERVER}",
        # The other one doesn't ignore it.
        f'{_EXPERTS}vllm serve n --enable-expert-parallel --additional-config "$C"\n',
        Valid('LLM("m", tensor_parallel_size=size, additional_config={"enable_flashcomm1": True})\n'),
        Valid('LLM("m", additional_config={"enable_flashcomm1": True}, **more)\n'),
        Valid('LLM("m", additional_config={"enable_flashcomm1": False})\n'),
        Valid('Runner("m", additional_config={"enable_flashcomm1": True})\n'),
        Valid(
            'LLM("m", tensor_parallel_size=1, additional_config={"refresh": True})\n'
            'additional_config = {"enable_flashcomm1": True}\n'
        ),
        f"vllm serve m --kv-transfer-config \"$KV\" --additional-config '{_RECOMPUTE}'\n",
        # Without the argument there is one pipeline, which suits.
        f"vllm serve m --additional-config '{_XLITE}'\n",
        # Nobody knows whether a command gets both.
        (
            'ARGS=()\nif [ "$A" = 1 ]; then ARGS+=(-pp 2); fi\n'
            f"if [ \"$B\" = 1 ]; then ARGS+=(--additional-config '{_XLITE}'); fi\n"
            'vllm serve m "${ARGS[@]}"\n'
        ),
        # What goes with other keys and with variables is told by other rules.
        Valid("vllm serve m --additional-config '{\"our_key\": true}'\n", Kind.SHELL, files={"my-options.toml": _OURS}),
        # Nobody knows what the page leaves out.
        Valid(f"```sh\nvllm serve m --additional-config '{_RECOMPUTE}'\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        'vllm serve model --pipeline-parallel-size 2 --additional-config \'{"xlite_graph_config": {"«enabled»": true}}\'\n',
        Invalid(f"vllm serve m --additional-config '{_CHUNKS}'\n", ("enabled",), ("error",), kind=Kind.SHELL),
        Invalid(
            f"vllm serve m --additional-config '{{\"refresh\": true}}'\nvllm serve n --additional-config '{_CHUNKS}'\n",
            ("enabled",),
            ("error",),
            kind=Kind.SHELL,
        ),
        told(
            "ARGS=(--enforce-eager --additional-config '{\"«enable_shared_expert_dp»\": true}')\n"
            'vllm serve m "${ARGS[@]}"\n',
            "warning",
        ),
        ('C=\'{"scheduler_config": {"«recompute_scheduler_enable»": true}}\'\nvllm serve m --additional-config "$C"\n'),
        # One of two commands that get the same stops, whatever the text stands in.
        Invalid(
            _TWO,
            ("recompute_scheduler_enable",),
            ("error",),
            kind=Kind.SHELL,
        ),
        Invalid(
            f'{_EXPERTS}vllm serve n --additional-config "$C"\n',
            ("enable_shared_expert_dp",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid(f"import os\nos.system({_TWO!r})\n", ("recompute_scheduler_enable",), ("error",)),
        told('LLM("m", tensor_parallel_size=1, additional_config={"«enable_flashcomm1»": True})\n', kind=Kind.PYTHON),
        told(
            'C = {"«enable_flashcomm1»": True}\nLLM("m", additional_config=C)\n'
            'LLM("n", tensor_parallel_size=2, additional_config=C)\n',
            kind=Kind.PYTHON,
        ),
        Invalid(
            f"```sh\nvllm serve m --pipeline-parallel-size 1 --additional-config '{_CHUNKS}'\n```\n",
            ("enabled",),
            ("error",),
            kind=Kind.MARKDOWN,
        ),
    )

    def concerns(self, option: Option) -> bool:
        return any(_of(option))

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        told = [(setting, option) for setting, option in context.settings(block) if any(_of(option))]
        launches = _launches_of(block, context) if told else ()
        for setting, option in told:
            for relation in _of(option):
                if among(setting.value, relation.values):
                    yield from self._told(
                        setting, option, relation, [Companions.of_block(each, context) for each in launches]
                    )

    def _told(
        self, setting: Setting, option: Option, relation: Relation, launches: list[Companions]
    ) -> Iterator[Finding]:
        """Yield what is wrong with one of the commands that get a key, once; one that only some ignore is of use to others."""
        found = [finding for each in launches for finding in self._look(setting, option, relation, each)]
        if found and (relation.rejected or len(found) == len(launches)):
            yield found[0]

    def _look(self, setting: Setting, option: Option, relation: Relation, beside: Companions) -> list[Finding]:
        relation = relation._replace(other=launched(relation.other, beside.block))
        others = [pair for pair in beside.of(None, relation.other) if run_together(setting.branch, pair[0].branch)]
        if relation.kind == "requires":
            missing = not others and _is_unset(beside, relation)
            return [self._finding("missing", setting, option, relation, beside)] if missing else []
        for other, its in others:
            if active(relation, setting, other, its):
                return [self._finding("with", setting, option, relation, beside, other, other.value.data)]
        default = next(iter(beside.default(relation.other)), None)
        if not others and default in relation.other_values and _is_unset(beside, relation):
            return [self._finding("default", setting, option, relation, beside, value=default)]
        return []

    def _finding(
        self,
        message: str,
        setting: Setting,
        option: Option,
        relation: Relation,
        beside: Companions,
        other: Setting | None = None,
        value: Scalar = None,
    ) -> Finding:
        context = beside.context
        return self.finding(
            context,
            setting.key,
            message,
            of=option,
            severity=None if relation.rejected else Severity.WARNING,
            related=self.set_here(context, other, relation.other),
            other=relation.other,
            value=shown(value, setting.form),
            result=outcome(relation, _IGNORED, context.language),
        )


def _of(option: Option) -> Iterator[Relation]:
    return (each for each in option.total(*_KINDS) if each.other_surface and each.other_surface.row.beside)


def launched(name: str, block: Block) -> str:
    """Return an argument's name as calls write it, where `block` is one."""
    return name if block.surface is Surface.VLLM else name.replace("-", "_")


class _Given(NamedTuple):
    """Where a command or a call gets a dict, and its arguments."""

    place: Span
    launch: Block


@Memoized
def _launches(document: Document) -> list[_Given]:
    """Return the arguments of all commands and calls that get such a dict, in the order of where that is written."""
    found: list[_Given] = []
    for block in read(document).blocks:
        if block.surface in _LAUNCHES:
            places = [each.value.origin or each.value.span for each in block.settings if each.name in _CONFIGS]
            # A call that nobody knows: its block hangs on the dict.
            found += (_Given(place, block) for place in places or [block.head])
    return sorted(found, key=lambda each: each.place.start)


def _launches_of(block: Block, context: Context) -> list[Block]:
    """Return the arguments beside those that hold `block`: of one command or call, or of each of several that get the same."""
    launches = _launches(context.document)
    at = bisect_right(launches, block.head.start, key=lambda each: each.place.start)
    found: list[Block] = []
    while at and block.head.start < launches[at - 1].place.end and len(found) < MOST_OF_ONE:
        at -= 1
        found.append(launches[at].launch)
    return found[::-1]


def _is_unset(beside: Companions, relation: Relation) -> bool:
    """Return whether an argument that isn't there certainly has its default."""
    return beside.context.document.kind not in PAGES and beside.complete(None, relation.other)
