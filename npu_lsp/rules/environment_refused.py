"""NPU226: a variable with which vLLM-Ascend refuses an argument of vLLM."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Relation, Scalar, Surface
from npu_lsp.languages.model import Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.relations import among
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import outcome
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_SLEEP = "export PYTORCH_NPU_ALLOC_CONF={}\nvllm serve m {}\n"
_BLOCKING = "export ASCEND_LAUNCH_BLOCKING=1\nvllm serve m {}\n"
_FLASHCOMM = "export VLLM_ASCEND_ENABLE_FLASHCOMM1=1\nvllm serve m {}\n"
_MODE = "compilation_config.cudagraph_mode"
_CONFIG = "compilation-config"
_EAGER = "enforce-eager"
_STOPS = Text(en="The server stops.", zh="服务会报错退出。")


class EnvironmentRefused(Rule):
    """An environment variable with which vLLM-Ascend refuses an argument of the server that gets it.

    ## What it does
    Compares variables that are set in front of `vllm serve`, `LLM(...)` or `EngineArgs(...)` with their arguments, as the checks of
    vLLM-Ascend do. An argument that isn't there has its default where nothing else can set it.

    ## Why is this bad?
    The server stops when it starts, after minutes of loading.
    """

    code = "NPU226"
    title = Text(en="Variable that an argument of vLLM doesn't go with", zh="与 vLLM 启动参数冲突的环境变量")
    severity = Severity.ERROR
    messages = {
        "with": Text(
            en='"{option}" = {own} doesn\'t go with "{other}" = {value}. {result} Change one of them.',
            zh="“{option}”= {own} 与“{other}”= {value} 冲突。{result}请修改其中一个。",
        ),
        "default": Text(
            en='"{option}" = {own} doesn\'t go with "{other}" = {value}, its default. {result} Set that argument, or leave the variable out.',
            zh="“{option}”= {own} 与“{other}”的默认值 {value} 冲突。{result}请设置该参数，或删除此变量。",
        ),
    }
    VALID = (
        "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:False\nvllm serve model --enable-sleep-mode\n",
        _SLEEP.format("expandable_segments:False", "--enable-sleep-mode"),
        _SLEEP.format("expandable_segments:True", "--port 1"),
        _SLEEP.format("expandable_segments:True", "--no-enable-sleep-mode"),
        _SLEEP.format('"$CONF"', "--enable-sleep-mode"),
        # The process started before; and another script on the page.
        "vllm serve m --enable-sleep-mode\nexport PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\n",
        Valid(
            "```sh\nexport PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\n```\nor\n```sh\nvllm serve m --enable-sleep-mode\n```\n",
            Kind.MARKDOWN,
        ),
        _BLOCKING.format("--enforce-eager"),
        _BLOCKING.format('"$@"'),
        _BLOCKING.format('--compilation-config \'{"cudagraph_mode": "NONE"}\''),
        _BLOCKING.format('--compilation-config "$C"'),
        _FLASHCOMM.format("-tp 2"),
        Valid(
            'import os\nfrom vllm.config import KVTransferConfig\nos.environ["VLLM_ASCEND_ENABLE_FLASHCOMM1"] = "1"\n'
            'm = Runner("m", tensor_parallel_size=2, kv_transfer_config=KVTransferConfig(kv_role="kv_producer"))\n',
            Kind.PYTHON,
        ),
        _FLASHCOMM.format('-tp "$TP"'),
        "if a; then\n  export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\nelse\n  vllm serve m --enable-sleep-mode\nfi\n",
    )
    INVALID = (
        "export PYTORCH_NPU_ALLOC_CONF=«expandable_segments:True»\nvllm serve model --enable-sleep-mode\n",
        "PYTORCH_NPU_ALLOC_CONF=«page_size:1g,expandable_segments:True» vllm serve m --enable_sleep_mode\n",
        told(
            "import os\nfrom vllm import LLM\n"
            'os.environ["PYTORCH_NPU_ALLOC_CONF"] = "«expandable_segments:True»"\n'
            'llm = LLM("m", enable_sleep_mode=True)\n',
            kind=Kind.PYTHON,
        ),
        Invalid(_BLOCKING.format("--port 8000"), ("1",), ("error",), kind=Kind.SHELL),
        Invalid(_BLOCKING.format("--no-enforce-eager"), ("1",), ("error",), kind=Kind.SHELL),
        Invalid(_FLASHCOMM.format("--port 8000"), ("1",), ("error",), kind=Kind.SHELL),
        Invalid(_FLASHCOMM.format("-tp 1"), ("1",), ("error",), kind=Kind.SHELL),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if launch.program.name != "vllm":
            return
        for option in _refused(context.catalog):
            setting = launch.environment.value(option.name)
            for relation in _of(option) if setting is not None else ():
                if setting is not None and relation.values and among(setting.value, relation.values):
                    yield from self._look(setting, option, relation, launch, context)

    def _look(
        self, setting: Setting, option: Option, relation: Relation, launch: Launch, context: Context
    ) -> Iterator[Finding]:
        beside, name = Companions.of_block(launch.block, context), launch.spelling(relation.other)
        if relation.other == _EAGER and not _captures(launch):
            return
        others = beside.of(None, name)
        for other, _ in others:
            if other.value.known and among(other.value, relation.other_values):
                yield self._told("with", setting, option, relation, context, other, other.value.data)
                return
        default = next(iter(beside.default(name)), None)
        whole = context.document.kind not in PAGES and beside.complete(None, name)
        if not others and default in relation.other_values and whole:
            yield self._told("default", setting, option, relation, context, None, default)

    def _told(
        self,
        message: str,
        setting: Setting,
        option: Option,
        relation: Relation,
        context: Context,
        other: Setting | None,
        value: Scalar,
    ) -> Finding:
        return self.finding(
            context,
            setting.value.inside,
            message,
            of=option,
            related=self.set_here(context, other, relation.other),
            own=shown(setting.value.data),
            other=relation.other,
            value=shown(value, setting.form).lower() if isinstance(value, bool) else shown(value),
            result=outcome(relation, _STOPS, context.language),
        )


@lru_cache(maxsize=4)
def _refused(catalog: Catalog) -> tuple[Option, ...]:
    """Return the variables that some argument doesn't go with."""
    return tuple(option for option in catalog.options(Surface.ENV) if any(_of(option)))


def _of(option: Option) -> Iterator[Relation]:
    return (each for each in option.total("conflicts") if each.other_surface is Surface.VLLM and not each.mirrored)


def _captures(launch: Launch) -> bool:
    """Return whether graphs are captured for sure, where `enforce-eager` doesn't say otherwise."""
    mode = launch.key(_MODE)
    if mode is None:
        return not launch.is_set(_CONFIG)
    return mode.value.known and str(mode.value.data).upper() != "NONE"
