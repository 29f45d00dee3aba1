"""NPU235: a deployment that lacks a setting, or has it under a name that nobody reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from npu_lsp.catalog.near import alike, distance
from npu_lsp.catalog.surfaces import ENVIRONMENT
from npu_lsp.languages.model import ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.constraint_rule import ConstraintRule
from npu_lsp.linter.deployment.constraints import Broken, broken, terms
from npu_lsp.linter.deployment.parts import DEPLOYED, ConfigPart, Placed, deployment_of
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.groups import is_complete
from npu_lsp.linter.names.meant import intended, is_before_all, places_of
from npu_lsp.linter.names.unknown import unknown
from npu_lsp.linter.rule import Fixable, Invalid, Valid, told
from npu_lsp.linter.wording import listed
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import in_lines_with

_NEAR, _KEY = 0.86, 0.915
"""How much of a variable's or a key's name must be that of one that the part lacks: `tlsCrl` is no `tlsCert`."""
_LONG = 6
"""So many letters has a key of which one may be another."""
_FAR = 0.6
"""As much is enough where that setting is needed."""
_LEFT_OUT = re.compile(r"^[ \t]{0,60}(?:\.{3}|…{1,2})[ \t]{0,8},?[ \t\r]{0,8}$", re.MULTILINE)
"""A line of dots: a page shows a part of the file."""
_PLACES = 3
"""So many are listed."""
_ENVIRONMENTS = (
    '{"mindie_common_env": {"HCCL_EXEC_TIMEOUT": 60},"mindie_ms_controller_env": {}, "mindie_ms_coordinator_env": {},\n'
    ' "mindie_server_prefill_env": {"NPU_MEMORY_FRACTION%s": 0.92}}\n'
)
_USER = '{"deploy_config": {"p_pod_npu_num": 8, "hardware_type": "800I_A2", "mindie_env_path": "./example.json"}}\n'


def _decode(name: str) -> str:
    return (
        '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},\n'
        f' "mindie_server_decode_config": {{"ServerConfig": {{"inferMode": "dmi"{name}}},\n'
        '  "BackendConfig": {"ScheduleConfig": {"distributedEnable": true}}}}\n'
    )


class DeploymentIncomplete(ConstraintRule):
    """A deployment of MindIE that lacks a setting, or has it under a name that nobody reads.

    ## What it does
    Looks for what the other parts of a deployment ask for and a part doesn't set, and for names in the files of a deployment that are
    close to one that the part lacks, or that are those of another part.

    ## Why is this bad?
    MindIE passes names that it doesn't know over, and takes what its image has instead.

    ## Example
    ```json
    {"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},
     "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi"}}}
    ```

    Use instead:
    ```json
    {"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},
     "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": true}}}
    ```

    ## Fix safety
    Unsafe: what had no effect has one then.
    """

    code = "NPU235"
    title = Text(en="Deployment that lacks a setting", zh="部署缺少配置项")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    kinds = frozenset({"missing"})
    messages = {
        "missing": Text(
            en='"{option}" is not set here, and must be {expected}: {why}',
            zh="此处未配置“{option}”，须为 {expected}：{why}",
        ),
        "path": Text(en='"{option}" is not set here: {why}', zh="此处未配置“{option}”：{why}"),
        "several": Text(en="These are not set here: {names}. {why}", zh="此处未配置以下配置项：{names}。{why}"),
        "elsewhere": Text(
            en='MindIE reads no "{option}" here: it has no effect. Such a key belongs at {near}.',
            zh="MindIE 不读取此处的“{option}”，配置不会生效，应位于 {near}。",
        ),
        "near": Text(
            en='MindIE reads no "{option}": it has no effect. Did you mean "{near}", which is not set here?',
            zh="MindIE 不读取“{option}”，配置不会生效。是否应为此处未配置的“{near}”？",
        ),
    }
    examples_in = Kind.MINDIE
    VALID = (
        _decode(', "distDPServerEnabled": true'),
        Valid(_ENVIRONMENTS % "", Kind.JSON),
        # A page shows a part.
        Valid("```json\n" + _decode("").replace(', "d_pod', ',\n  ...\n  "d_pod') + "```\n", Kind.MARKDOWN),
        # The name that it had in MindIE 1.0.
        _decode(', "distDPServerEnabled": true, "interCommTlsCaFile": "ca.pem"'),
        # A script is no deployment, whatever its flags are called.
        Valid("torchrun pretrain_mamba.py --mamba-d-conv 4 --mamba-expand 2 --mamba-head-dim 64\n", Kind.SHELL),
    )
    INVALID = (
        *(
            Invalid(
                _ENVIRONMENTS % ""
                if more is None
                else (_ENVIRONMENTS % "").replace("{", "{" + more, 2).replace(more, "", 1),
                ("mindie_common_env",),
                ("error",),
                kind=Kind.JSON,
                files={"user_config.json": _USER},
            )
            for more in (None, '"CANN_INSTALL_PATH": "/usr/local/Ascend", "MIES_INSTALL_PATH": "/opt/mindie",\n ')
        ),
        Invalid(_decode(""), ("{",), ("error",), kind=Kind.MINDIE),
        _decode(', "«distributeDPServerEnabled→distDPServerEnabled»": true'),
        _decode(', "distDPServerEnabled": true, "«predict_port»": "1025"'),
        Invalid(
            _ENVIRONMENTS % "_GB",
            ("NPU_MEMORY_FRACTION_GB",),
            ("warning unsafe",),
            _ENVIRONMENTS % "",
            kind=Kind.JSON,
        ),
        told(
            '{"node_manager_port": 1028, "heartbeat_interval_seconds": 1, "tls_config": {"server_tls_items":\n'
            ' {"ca_cert": "a.pem", "tls_cert": "b.pem", "tls_key": "c.pem", "tls_passwd": "d.txt", "«tes_crl→tls_crl»": ""}}}\n',
            "warning unsafe",
            Kind.MINDIE,
        ),
        told(
            '{"digs_prefill_slo": 1000, "role_decision_methods": "digs", "fault_recovery_func_dict":\n'
            ' {"lingqu_link": false, "«oot→oom»": true, "hbm": false, "roce": true}}\n',
            "warning unsafe",
            Kind.MINDIE,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        yield from self._elsewhere(context)
        deployment = deployment_of(context)
        if (
            deployment is None
            or context.parsed.damaged
            or any(in_lines_with(_LEFT_OUT, context.document.text, "...", "…"))
        ):
            return
        missing: dict[tuple[str, str], Broken] = {
            (found.found, found.option): found
            for found in broken(context, self.kinds)
            if not _is_required(found, context)
        }
        for role, part in deployment.parts.items():
            needed = [name for called, name in missing if called == part.called]
            for placed, near in _misspelt(role, part, needed, context) if part.own else ():
                missing.pop((part.called, near), None)
                setting = placed.setting
                last = near.rpartition(".")[2]
                fixes = self.renamed_at(context, setting.key, last)
                yield self.finding(context, setting.key, "near", of=setting, fixes=fixes, near=last)
        together: dict[tuple[str, Text], list[Broken]] = {}
        for found in missing.values():
            together.setdefault((found.found, found.why), []).append(found)
        for (_, why), (first, *more) in together.items():
            if more:
                names = ", ".join(f'"{each.option}"' for each in (first, *more))
                worst = min((first, *more), key=lambda each: Severity(each.severity).rank)
                severity = Severity(worst.severity)
                yield self.finding(
                    context,
                    first.span,
                    "several",
                    surface=first.surface,
                    severity=severity,
                    names=names,
                    why=why.to(context.language),
                )
            else:
                yield self._finding(first if first.expected.en else first._replace(kind="path"), context)

    def _elsewhere(self, context: Context) -> Iterator[Finding]:
        """Report keys that belong to another part of the deployment, or fit several groups: NPU101 knows no one place to move them to."""
        for block in context.parsed.blocks:
            for setting in unknown(block, context) if block.surface in DEPLOYED else ():
                if intended(setting, block, context, complete=False)[0] is not None:
                    continue
                places = places_of(setting, DEPLOYED, context)
                if len(places) > 1 or (places and context.catalog.option(setting.surface, places[0]) is None):
                    near = listed(places[:_PLACES], context.language)
                    yield self.finding(context, setting.key, "elsewhere", of=setting, near=near)


def _is_required(found: Broken, context: Context) -> bool:
    """Return whether the part lacks an option in any case, which NPU208 tells."""
    option = context.catalog.option(found.surface, found.option)
    blocks = [block for block in context.parsed.blocks if block.surface is found.surface]
    whole = bool(blocks) and not any(block.open for block in blocks)
    return whole and option is not None and any(not condition.when for condition in option.required)


def _misspelt(role: str, part: ConfigPart, needed: Sequence[str], context: Context) -> Iterator[tuple[Placed, str]]:
    """Yield settings that nobody reads, and what they were meant to be, where no other rule tells that."""
    unread = [each for each in part.settings.values() if context.option(each.setting) is None]
    if not unread:
        return
    surface = unread[0].setting.surface
    names = terms(role, context.catalog) | (frozenset() if surface in ENVIRONMENT else context.catalog.names(surface))
    lacking = names - part.settings.keys()
    least = _NEAR if surface in ENVIRONMENT else _KEY
    for each in unread:
        setting = each.setting
        group, _, last = setting.name.rpartition(".")
        if (
            setting.name in names
            or setting.key in _named(context)
            or setting.name in context.known
            or (surface not in ENVIRONMENT and is_before_all(setting, context))
        ):
            continue
        # Older releases had one file where newer ones have a list: `interCommTlsCaFile`.
        old = f"{group}.{last}s" if setting.value.kind is ValueKind.STRING else ""
        free = {name.rpartition(".")[2]: name for name in lacking - {old} if name.rpartition(".")[0] == group}
        wanted = {last_of: name for last_of, name in free.items() if name in needed}
        near = alike(last, wanted, _FAR) or alike(last, free, least) or _one_letter_off(last, free)
        if near is not None:
            lacking = lacking - {free[near]}
            yield each, free[near]


@Memoized
def _named(context: Context) -> frozenset[Span]:
    """Return the keys of which NPU101 tells what they were meant to be."""
    return frozenset(
        setting.key
        for block in context.parsed.blocks
        for setting in unknown(block, context)
        if intended(setting, block, context, complete=is_complete(setting, context))[0] is not None
    )


def _one_letter_off(name: str, free: Collection[str]) -> str | None:
    """Return the only key that differs by a letter, as `tes_crl` from `tls_crl`: `tlsCrl` is no `tlsCert`, and no plural is a slip."""
    near = [each for each in free if distance(name, each, 1) is not None and name.rstrip("s") != each.rstrip("s")]
    # Of a short name only where nothing else is missing beside it: `oot` among all that stand with `oom`.
    enough = len(name) >= _LONG or len(free) == 1
    return near[0] if len(near) == 1 and enough and _digits(name) == _digits(near[0]) else None


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))
