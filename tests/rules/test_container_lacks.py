"""NPU244 where a command is shown with remarks: what a shell would cut off is meant to be there."""

from __future__ import annotations

from npu_lsp.text.kinds import Kind
from tests.languages.told import told

_CUT = r"""docker run \
    --device /dev/davinci0 \   # one for each NPU
    --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc -v /usr/local/Ascend/driver:/usr/local/Ascend/driver \
    -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi -v /etc/ascend_install.info:/etc/ascend_install.info \
    quay.io/ascend/vllm-ascend:v0.18.0
"""


def test_a_remark_behind_a_backslash_hides_what_the_container_gets() -> None:
    assert "NPU244" not in [code for code, _ in told(_CUT, Kind.SHELL)]
    whole = _CUT.replace("   # one for each NPU", "").replace(" --device /dev/hisi_hdc", "")
    assert "NPU244" in [code for code, _ in told(whole, Kind.SHELL)]
