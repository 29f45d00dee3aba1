"""MindIE's configuration: known by its shape, in a file, in a larger one and on pages; what is told of it, and mended."""

from __future__ import annotations

from functools import partial

import pytest

from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.told import changed as changed_in
from tests.languages.told import told as of_text
from tests.together import together

SERVER = """{"ipAddress": "127.0.0.1", "port": 1025, "allowAllZeroIpListening": false, "maxLinkNum": 300,
  "httpsEnabled": false, "inferMode": "standard", "tlsCert": "a.pem",
  "metricsPort": 1027, "tokenTimeout": 600, "e2eTimeout": 600, "distDPServerEnabled": false}"""
MODEL = """{"maxSeqLen": 2560, "maxInputTokenLen": 2048, "truncation": false, "ModelConfig": [{"modelName": "a",
   "modelWeightPath": "/a", "worldSize": 2, "cpuMemSize": 0, "npuMemSize": -1, "backendType": "atb", "dp": "2", "trustRemoteCode": false,
   "models": {"deepseekv2": {"ep_level": 1}}}]}"""
SCHEDULE = """{"templateType": "Standard", "templateName": "Standard_LLM", "cacheBlockSize": 128,
   "maxPrefillBatchSize": 0, "maxPrefillTokens": 8192, "prefillTimeMsPerReq": 150, "prefillPolicyType": 0,
   "decodeTimeMsPerReq": 50, "decodePolicyType": 0, "maxBatchSize": 200, "maxIterTimes": 512, "maxPreemptCount": 0,
   "supportSelectBatch": false, "maxQueueDelayMicroseconds": 5000}"""
BACKEND = f"""{{"backendName": "mindieservice_llm_engine", "modelInstanceNumber": 1, "npuDeviceIds": [[0, 1]],
  "tokenizerProcessNumber": 8, "ModelDeployConfig": {MODEL}, "ScheduleConfig": {SCHEDULE}}}"""
WHOLE = f"""{{"Version": "1.0.0",
 "ServerConfig": {SERVER},
 "BackendConfig": {BACKEND}}}
"""
told = partial(of_text, kind=Kind.MINDIE)
changed = partial(changed_in, WHOLE)


def names(text: str, kind: Kind = Kind.MINDIE) -> list[str]:
    return [setting.name for block in read(Document(text, kind=kind)).blocks for setting in block.settings]


def test_a_whole_file_has_nothing_wrong() -> None:
    assert told(WHOLE) == []
    found = names(WHOLE)
    assert "ServerConfig.port" in found
    assert "BackendConfig.ModelDeployConfig.ModelConfig.worldSize" in found


@together(
    "text",
    [
        '{"ServerConfig": {"port": 80, "maxPlayers": 20}, "BackendConfig": {"url": "x"}}',
        '{"ServerConfig": {"httpsEnabled": 1}}',
        '{"ScheduleConfig": {"cron": "* * * * *"}}',
        '{"BackendConfig": []}',
        '[{"ServerConfig": ',
        "",
    ],
)
def test_what_others_call_alike_is_not_ours(text: str) -> None:
    assert names(text) == []
    assert told(text) == []


@together(
    ("before", "after", "finding"),
    [
        ('"httpsEnabled": false', '"httpsEnabled": "false"', ("NPU103", '"false"')),
        ('"maxLinkNum": 300', '"maxLinkNum": true', ("NPU103", "true")),
        ('"maxLinkNum": 300', '"maxLinkNum": null', ("NPU103", "null")),
        ('"maxLinkNum": 300', '"maxLinkNum": 5000', ("NPU106", "5000")),
        ('"Standard",', '"Standrad",', ("NPU104", "Standrad")),
        ('"maxLinkNum": 300,', "", ("NPU208", "{")),
        ('"maxLinkNum": 300,', '"maxLinkNum": 300, "fullTextEnable": true,', ("NPU101", "fullTextEnable")),
        ('"maxLinkNum": 300,', '"maxLinkNum": 300, "multiNodesInferPort": 1120,', ("NPU101", "multiNodesInferPort")),
        ('"port": 1025', '"port": 1025, "port": 1026', ("NPU207", "port")),
        ('"maxPrefillTokens": 8192', '"maxPrefillTokens": 1024', ("NPU205", "1024")),
        ('"maxBatchSize": 200', '"maxBatchSize": 200, "maxN": 201', ("NPU205", "200")),
        ('"maxSeqLen": 2560', '"maxSeqLen": 1024', ("NPU205", "1024")),
        ('"maxPreemptCount": 0', '"maxPreemptCount": 8', ("NPU203", "maxPreemptCount")),
        ('"maxPreemptCount": 0', '"maxPreemptCount": 0, "enableSplit": true', ("NPU301", "enableSplit")),
        ("[[0, 1]]", "[[0, 1, 2]]", ("NPU213", "[0, 1, 2]")),
        ('"port": 1025', '"port" 1025', ("NPU804", "1")),
    ],
)
def test_what_is_wrong(before: str, after: str, finding: tuple[str, str]) -> None:
    assert finding in told(changed(before, after))


@together(
    ("before", "after"),
    [
        ('"templateType": "Standard"', '"templateType": "Mix"'),
        ('"maxInputTokenLen": 2048', '"maxInputTokenLen": 2560'),
        ('"dp": "2"', '"dp": 2'),
        ('"truncation": false', '"truncation": -1'),
        ('"tlsCert": "a.pem"', '"someKeyOfALaterRelease": 1'),
    ],
)
def test_what_is_right(before: str, after: str) -> None:
    assert told(changed(before, after)) == []


def test_mix_needs_no_room_for_a_whole_input() -> None:
    text = changed('"templateType": "Standard"', '"templateType": "Mix"')
    assert told(text.replace('"maxPrefillTokens": 8192', '"maxPrefillTokens": 512')) == []


def test_a_type_is_mended() -> None:
    document = Document(changed('"httpsEnabled": false', '"httpsEnabled": "false"'), kind=Kind.MINDIE)
    (finding,) = Analyzer(Config(), all_rules).findings(document)
    assert apply_edits(document.text, finding.fixes[0].edits) == WHOLE


def test_a_key_is_moved_to_its_part() -> None:
    text = changed('"maxLinkNum": 300,', '"maxLinkNum": 300, "maxN": 4,')
    document = Document(text, kind=Kind.MINDIE)
    (finding,) = Analyzer(Config(), all_rules).findings(document)
    mended = apply_edits(text, finding.fixes[0].edits)
    assert '"ScheduleConfig": {"maxN": 4, "templateType"' in mended
    assert told(mended) == []


def test_a_part_for_a_role_needs_nothing_more() -> None:
    text = (
        '{"mindie_server_prefill_config": {"ServerConfig": {"inferMode": "dm", "maxLinkNum": 1}, "BackendConfig": {}}}'
    )
    assert told(text) == [("NPU104", "dm")]


def test_two_models_are_two() -> None:
    text = '{"BackendConfig": {"ModelDeployConfig": {"ModelConfig": [{"worldSize": 1}, {"worldSize": 1}]}}}'
    assert told(text) == []


PAGE = (
    '```{label}\n"ScheduleConfig" : {{\n    "maxPrefillTokens" : 0, # "0" is none\n    ...\n    "maxN": 4,\n}}\n```\n'
)


@pytest.mark.parametrize("label", ["json", "jsonc", "json5"])
def test_a_part_on_a_page(label: str) -> None:
    text = PAGE.format(label=label)
    assert names(text, Kind.MARKDOWN) == [
        "BackendConfig.ScheduleConfig",
        "BackendConfig.ScheduleConfig.maxPrefillTokens",
        "BackendConfig.ScheduleConfig.maxN",
    ]
    assert told(text, kind=Kind.MARKDOWN) == [("NPU106", "0")]


@together("rest", ["}", "", '"a" "b"}', ',, "maxN" }'])
def test_the_syntax_of_a_page_is_its_own_matter(rest: str) -> None:
    text = f'```json\n{{"ScheduleConfig": {{"maxPrefillTokens": 1\n{rest}\n```\n'
    assert told(text, kind=Kind.MARKDOWN) == []


@pytest.mark.parametrize("label", ["text", "yaml", "python"])
def test_other_fences_are_left_alone(label: str) -> None:
    assert names(PAGE.format(label=label), Kind.MARKDOWN) == []
