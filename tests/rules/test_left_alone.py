"""What nobody can know from a text is left alone: each of these looks like a slip that a rule tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_SET = "export ASCEND_GLOBAL_LOG_LEVEL=3\n"
_SERVE = "vllm serve /m/Qwen3-8B --additional-config '{{}}' --port 8100 --served-model-name qwen3 &\n"
_APPLY = _SET + "kubectl apply -f {} -n mindie\nkubectl get pods -n mindie\n"
_GROUPS = '[project.optional-dependencies]\nnpu = ["torch-npu==2.7.1"]\ngpu = ["torch==2.8.0"]\n'


def _codes(path: Path, text: str, kind: Kind = Kind.SHELL) -> set[str]:
    document = Document(text, path=str(path), kind=kind)
    analyzer = Analyzer(Config(), all_rules)
    codes = {each.code for each in analyzer.findings(document)}
    assert not analyzer.failures
    return codes


@pytest.mark.parametrize(
    ("code", "text", "told"),
    [
        # A proxy listens on its own port, and another node has servers of its own.
        ("NPU227", _SERVE + "{}curl http://localhost:8000/v1/models\n", ("python toy_proxy_server.py\n", "")),
        ("NPU227", _SERVE + "curl http://{}:8300/v1/models\n", ("10.20.30.40", "127.0.0.1")),
        # Behind an alias there is a command.
        (
            "NPU262",
            _SET + "start_engine() {{\n    echo\n}}\n{}start_engin\n",
            ("alias start_engin='echo'\n", "echo\n"),
        ),
        # What is made by the script, followed, run in a pod, or lies elsewhere.
        ("NPU261", "{}" + _APPLY.replace("{}", "server.yaml"), ("sed s/a/b/ t > server.yaml\n", "")),
        ("NPU261", _APPLY.replace("apply -f {}", "{} -f server.yaml"), ("logs", "apply")),
        ("NPU261", _APPLY.replace("{}", "servers.yaml") + "kubectl exec a {} -n mindi\n", ("-- python", "")),
        ("NPU261", _APPLY, ("../beside/server.yaml", "./server.yaml")),
        ("NPU261", _APPLY, ("linked/server.yaml", "./server.yaml")),
        # A script that this one sources may set it.
        (
            "NPU115",
            _SET + 'cp "$CONFIG_PATH/a" "$CONFIG_PATH/b"\n{}ls "$CONFIG_PATH" "$CONFIG_PATHS"\n',
            ("source ./more.sh\n", ""),
        ),
        # Perl reads what stands between such quotes.
        ("NPU715", _SET + "perl -e {0}print ${{$ASCEND_GLOBAL_LOG_LEVEL}}{0}\n", ("'", '"')),
        # A manual names what a script takes.
        ("NPU701", _SET + "python train.py\n  --data-path {}\n  --lr 1\n", ("PATH", "/data/a")),
    ],
)
def test_what_looks_like_a_slip(tmp_path: Path, code: str, text: str, told: tuple[str, str]) -> None:
    here, beside = tmp_path / "here", tmp_path / "beside"
    for folder in (here, beside):
        folder.mkdir()
        (folder / "servers.yaml").write_text("kind: Pod\n")
    (here / "linked").symlink_to(beside)
    silent, slip = told
    assert code not in _codes(here / "run.sh", text.format(silent))
    assert code in _codes(here / "run.sh", text.format(slip))


def test_groups_of_packages_are_alternatives(tmp_path: Path) -> None:
    assert "NPU240" not in _codes(tmp_path / "pyproject.toml", _GROUPS, Kind.REQUIREMENTS)
    together = _GROUPS.replace('1"]\ngpu = [', '1", ')
    assert "NPU240" in _codes(tmp_path / "pyproject.toml", together, Kind.REQUIREMENTS)


_JOB = (
    "apiVersion: mindxdl.gitee.com/v1\nkind: AscendJob\nmetadata:\n  name: a\n  labels:\n    framework: pytorch\nspec:\n"
    "  replicaSpecs:\n    Master:\n      replicas: {0}\n      template:\n        spec:\n          containers:\n"
    "            - name: ascend\n              resources:\n                requests:\n                  huawei.com/Ascend910: {0}\n"
    "                limits:\n                  huawei.com/Ascend910: {0}\n"
    '              env:\n                - name: ASCEND_GLOBAL_LOG_LEVEL\n                  value: "3"\n'
    "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n  ports:\n    - nodePort: {0}\n"
)
_DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  annotations:\n    sp-block: '{0}'\nspec:\n  replicas: {0}\n"
    "  template:\n    spec:\n      containers:\n        - name: a\n          resources:\n            requests:\n"
    "              huawei.com/Ascend910: {0}\n            limits:\n              huawei.com/Ascend910: 8\n"
    '          env:\n            - name: ASCEND_GLOBAL_LOG_LEVEL\n              value: "3"\n'
)


@pytest.mark.parametrize("number", ["²", "9" * 5000], ids=("superscript", "long"))
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (_JOB, Kind.YAML),
        (_DEPLOYMENT, Kind.YAML),
        ("vllm serve m --compilation-config.max_cudagraph_capture_size {0}\n", Kind.SHELL),
        ("docker run --device /dev/davinci0 -e ASCEND_RT_VISIBLE_DEVICES={0} a vllm serve m\n", Kind.SHELL),
        ("export NPU_ASD_CONFIG=cooldown:{0}\n", Kind.SHELL),
    ],
)
def test_numbers_that_python_takes_for_none(tmp_path: Path, text: str, kind: Kind, number: str) -> None:
    _codes(tmp_path / "a", text.format(number), kind)
