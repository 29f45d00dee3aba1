"""NPU208: a flag that the command can't do without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Condition, Option
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block, FactKind
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import apart
from npu_lsp.rules.glued_flag import flags_in
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_HELP = "help"
_BEFORE_3 = (
    '{"ServerConfig": {"allowAllZeroIpListening": false, "httpsEnabled": false, "inferMode": "standard", "ipAddress": '
    '"127.0.0.1", "maxLinkNum": 100, "port": 1025, "tokenTimeout": 600, "e2eTimeout": 600, "distDPServerEnabled": false}, '
    '"BackendConfig": {"backendName": "mindieservice_llm_engine", "modelInstanceNumber": 1, "npuDeviceIds": [[0]], '
    '"tokenizerProcessNumber": 8, "ModelDeployConfig": {"maxSeqLen": 2560, "maxInputTokenLen": 2048, "ModelConfig": '
    '[{"modelName": "m", "modelWeightPath": "/m", "worldSize": 1, "cpuMemSize": 5, "npuMemSize": -1, "backendType": "atb", '
    '"trustRemoteCode": false}]}, "ScheduleConfig": {"templateType": "Standard", "templateName": "Standard_LLM", '
    '"cacheBlockSize": 128, "maxPrefillBatchSize": 50, "maxPrefillTokens": 8192, "prefillTimeMsPerReq": 150, '
    '"prefillPolicyType": 0, "decodeTimeMsPerReq": 50, "decodePolicyType": 0, "maxBatchSize": 200, "maxIterTimes": 512, '
    '"maxPreemptCount": 0, "supportSelectBatch": false, "maxQueueDelayMicroseconds": 5000}}}\n'
)
"""A configuration without `metricsPort`, which MindIE asks for from 3.0 on."""


class MissingRequired(Rule):
    """A command without a flag that it needs in its mode, or an AIPP operator without a field.

    ## What it does
    Looks up which flags `--mode` and `--framework` make necessary. Where flags may come from elsewhere (`"$@"`, `$opts`), or
    another flag takes over (`--singleop`), nothing is missing. A command that lacks several is reported once.

    ## Why is this bad?
    The command stops with an error.
    """

    code = "NPU208"
    title = Text(en="Required flag missing", zh="缺少必选参数")
    severity = Severity.ERROR
    surfaces = where(lambda row: row.needs)
    of_whole = True
    tried = True
    messages = {
        "one": Text(
            en="{tool} needs {missing} and stops with an error without it{since}. Add it.",
            zh="{tool} 缺少必选参数{missing}，{since}执行时会报错，请补充。",
        ),
        "several": Text(
            en="{tool} needs {missing} and stops with an error without them{since}. Add them.",
            zh="{tool} 缺少必选参数{missing}，{since}执行时会报错，请补充。",
        ),
        "field": Text(
            en="{missing} is missing here, and {tool} stops with an error{since}. Add it.",
            zh="此处缺少{missing}，{tool} {since}会报错退出，请补充。",
        ),
        "fields": Text(
            en="{missing} are missing here, and {tool} stops with an error{since}. Add them.",
            zh="此处缺少{missing}，{tool} {since}会报错退出，请补充。",
        ),
        "with": Text(en="{name} (with {conditions})", zh="{name}（{conditions} 时必选）"),
        "and": Text(en="{names} and {last}", zh="{names}和{last}"),
    }
    VALID = (
        "atc --model=a.prototxt --weight=a.caffemodel --framework=0 --output=a --soc_version=Ascend310P3\n",
        "atc --model=a.onnx --framework=5 b.om\n",
        "atc --model=a.onnx --framework=5 --of-another-tool=1\n",
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3\n",
        "atc --singleop=ops.json --output=out --soc_version=Ascend310P3\n",
        "atc --mode=1 --om=a.om --json=a.json\n",
        'atc --model=a.onnx "$@"\n',
        # NPU111 speaks: there is no blank.
        'atc --model=a.onnx --framework=5 --soc_version=Ascend310P3 --input_shape="a:1,3"--output=a\n',
        # NPU707 speaks: the blank is none.
        "atc --mode=1 --om=a.om\u00a0 --json=a.json\n",
        "atc --mode=1 --om=a.om\u3000--json=a.json\n",
        "atc --mode=1 --om=a.om\u00a0\u2013json=a.json\n",
        "atc --help\n",
        "atc --version\n",
        "which atc\n",
        "atc\n",
        # NPU109 speaks: it is empty.
        "atc --model= --framework=5 --output=a --soc_version=Ascend310P3\n",
        Valid("aipp_op {\n  aipp_mode: dynamic\n  max_src_image_size: 752640\n}\n", Kind.AIPP),
        Valid("aipp_op {\n  aip_mode: static\n}\n", Kind.AIPP),
        Valid("```sh\natc --model=a.onnx --soc_version=Ascend310P3\n```\n", Kind.MARKDOWN),
        Valid(_BEFORE_3, Kind.MINDIE, target={"mindie": "2.3.0"}),
    )
    INVALID = (
        "«atc» --model=a.prototxt --framework=0 --output=a --soc_version=Ascend310P3\n",
        "«atc» --model=a.onnx --framework=5 --output=a\n",
        "«atc» --mode=1 --om=a.om\n",
        "«atc» --mode=3 --model=a.onnx --soc_version=Ascend310P3\n",
        "«atc» --model=a.caffemodel --framework=0\n",
        "«atc» --model=a.onnx --framework=5\n",
        "«atc» --mode=0 --model=a.prototxt --framework=0 --output=a --soc_version=Ascend310P3\n",
        told("«aipp_op» {\n  crop: true\n  mine: 1\n}\n", kind=Kind.AIPP),
        told('[{"«input_desc»": []}]\n', kind=Kind.SINGLE_OP),
        told("«aipp_op» {\n  crop: true\n}\n", kind=Kind.AIPP),
        told("«aipp_op» {\n  aipp_mode: static\n}\n", kind=Kind.AIPP),
        told("```sh\n«atc» --model=a.onnx --framework=5 --soc_version=Ascend310P3\n```\n", kind=Kind.MARKDOWN),
        # One that only has to be as large as another one is needed beside it, too.
        told(
            '«{»"ServerConfig": {"port": 1025}, "BackendConfig": {"ModelDeployConfig": {"maxInputTokenLen": 2048}}}\n',
            kind=Kind.MINDIE,
        ),
        Invalid(_BEFORE_3, ("{",), ("error",), kind=Kind.MINDIE, target={"mindie": "3.0.0"}),
        Invalid(_BEFORE_3, ("{",), ("info",), kind=Kind.MINDIE),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at every option of the surface that isn't set and has a condition that holds."""
        companions = Companions.of_block(block, context)
        # Where no flag is known (`atc --version`), that is what is wrong with the command.
        if not context.settings(block) or companions.of(None, _HELP):
            return
        if not block.surface.row.file and (_has_strays(block) or _has_unknown(block, context)):
            return  # What belongs to no flag may be what is left of the one that is missing, and the tool stops at it first.
        if any(context.has_slip(s.value.span) or any(flags_in(s, context)) for s in block.settings):
            return  # A slip in a value may have taken in the one that is missing.
        missing = list(self._missing(companions))
        certain = [each for each in missing if not context.is_assumed(each[1].since, each[0].component)]
        missing = certain or missing
        # A page that leaves several out shows a part of a command.
        if missing and (len(missing) == 1 or context.document.kind not in PAGES):
            yield self._finding(missing, companions)

    def _missing(self, companions: Companions) -> Iterator[tuple[Option, Condition]]:
        block, context = companions.block, companions.context
        # One that is there without a value is told elsewhere.
        there = {option.name for _, option in context.settings(block)}
        for option in context.catalog.options(block.surface):
            if not option.required or option.name in there:
                continue
            asked = (c for c in option.required if context.target.at_least(c.since, option.component) is not False)
            holding = next((c for c in asked if companions.fulfils(None, c)), None)
            if holding is not None and companions.complete(None, option.name) and not _is_void(option, companions):
                yield option, holding

    def _finding(self, missing: Sequence[tuple[Option, Condition]], companions: Companions) -> Finding:
        """Return one finding for all that the block lacks: whoever forgot a flag sees what the command needs at once."""
        context, block = companions.context, companions.block
        field = block.surface.row.file
        names = [self._named(option, condition, companions) for option, condition in missing]
        said = names[-1]
        if len(names) > 1:
            said = self.say(context, "and", names=apart(names[:-1], context.language), last=names[-1])
        singular, plural = ("field", "fields") if field else ("one", "several")
        return self.finding(
            context,
            block.head,
            singular if len(names) == 1 else plural,
            of=missing[0][0],
            holds_since=missing[0][1].since,
            tool=block.surface.row.tool,
            missing=said,
        )

    def _named(self, option: Option, condition: Condition, companions: Companions) -> str:
        """Return an option's name in quotes, with the settings that make it necessary."""
        context = companions.context
        field = option.surface.row.file
        quotes = "“{}”" if context.language == "zh" else '"{}"'
        name = quotes.format(option.name if field else f"--{option.name}")
        form = "{}: {}" if field else "--{}={}"
        given = [
            form.format(other, shown(setting.value.data).strip(chr(34)))
            for other, _ in condition.when
            for setting, _ in companions.of(None, other)
            if setting.value.known
        ]
        return self.say(context, "with", name=name, conditions=" ".join(given)) if given else name


def _has_strays(block: Block) -> bool:
    return any(fact.kind == FactKind.STRAY_WORD for fact in block.facts)


def _has_unknown(block: Block, context: Context) -> bool:
    return any(context.option(setting) is None for setting in block.settings)


def _is_void(option: Option, companions: Companions) -> bool:
    """Return whether something that is set rules the option out, or makes it void."""
    return any(
        relation.kind in ("conflicts", "ignored_when") and companions.holds(None, relation) is not None
        for relation in option.relations
        if not relation.values
    )
