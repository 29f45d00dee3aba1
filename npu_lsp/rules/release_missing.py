"""NPU229: a release of a package, or of an image, that was never made."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.pairs import TORCH_NPU, VLLM, VLLM_ASCEND, exact
from npu_lsp.linter.rule import Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_IMAGE = re.compile(
    r"q(?<![\w.-]q)uay\.io/ascend/vllm-ascend:v?(?P<version>\d+\.\d+\.\d+(?:rc\d+|\.post\d+)?)(?![\w.]|-dev)"
)
_ASKED = frozenset({VLLM_ASCEND, VLLM, TORCH_NPU, "torch", "torchvision", "torchaudio", "transformers", "numpy"})
_OWN_INDEX = "wheels.vllm.ai"
"""Where vLLM has more than its releases."""


class ReleaseMissing(Rule):
    """A release of a package, or the image of one, that was never made.

    ## What it does
    Compares `==` of vLLM-Ascend, vLLM and torch_npu, of PyTorch and what goes with it, NumPy and transformers, and the tags of
    vLLM-Ascend's images, with the releases that the package index has; of torch_npu it looks at the PyTorch that a release is for.
    What is newer than the newest one known here is left alone, and what is older than the oldest.

    ## Why is this bad?
    `pip` finds no such version, `docker` no such image.
    """

    code = "NPU229"
    title = Text(en="Release that doesn't exist", zh="不存在的版本")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en="There is no {name} {version}: nothing is found under it. The releases next to it are {near}.",
            zh="{name} 没有 {version} 版本，无法下载。相近的版本为 {near}。",
        ),
    }
    VALID = (
        "pip install vllm-ascend==0.9.1\n",
        "pip install vllm-ascend==0.9.1 torch-npu==2.5.1.post9\n",
        "pip install vllm-ascend==99.1.0 vllm==0.9.1.dev3 torch-npu==99.0.0\n",
        # One of a line that isn't its last, a build of somebody's own, and one from before those that are known.
        "pip install torch-npu transformers==4.46.0 torch==2.5.0+cpu numpy==1.19.9\n",
        # A release that was taken back can still be asked for.
        "pip install torch-npu vllm==0.2.1\n",
        "docker run a.b/vllm-ascend:v0.9.3 vllm serve m\n",
        "docker run quay.io/ascend/vllm-ascend:v0.7.1-dev-openeuler vllm serve m\n",
    )
    INVALID = (
        "pip install torch-npu transformers«==4.47.3» numpy«==1.27.4»\n",
        "pip install vllm-ascend«==0.9.3»\n",
        told("torch==2.5.0\ntorch-npu«==2.5.0»\n", kind=Kind.REQUIREMENTS),
        told("vllm«==0.13.0rc1»\nvllm-ascend==0.13.0rc1\n", kind=Kind.REQUIREMENTS),
        "docker run quay.io/ascend/vllm-ascend:v«0.9.3rc9»-a3 vllm serve m\n",
    )

    def concerns(self, option: Option) -> bool:
        return option.name in _ASKED

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        said, ours = str(setting.value.data), option.name != VLLM or _OWN_INDEX not in context.document.text
        if setting.value.known and ours and "+" not in said and "dev" not in said:
            yield from self._missing(context, setting.value.inside, option.name, exact(said))

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the images that a text names, wherever they stand."""
        text = context.document.text
        for found in _IMAGE.finditer(text) if VLLM_ASCEND in text else ():
            if not context.document.line_text(context.document.line_of(found.start())).lstrip().startswith("#"):
                span = Span(*found.span("version"))
                yield from self._missing(context, span, VLLM_ASCEND, Version.parse(found["version"]))

    def _missing(self, context: Context, span: Span, name: str, version: Version | None) -> Iterator[Finding]:
        if version is None:
            return
        pairs = context.catalog.plain("pairs")
        released = [Version.parse(each) for each in pairs["released" if name in pairs["released"] else "last"][name]]
        if name in pairs["last"] and (version < released[-1] or any(_is_in_line(version, each) for each in released)):
            return
        if name == TORCH_NPU:
            version = Version.parse(version.text.partition(".post")[0].partition("rc")[0].rstrip("."))
        if version in released or version > released[0]:
            return
        later = sum(each > version for each in released)
        near = ", ".join(each.text for each in reversed(released[later - 1 : later + 1]))
        yield self.finding(context, span, "found", name=name, version=version, near=near)


def _is_in_line(version: Version, last: Version) -> bool:
    """Return whether a version is one of a line of releases (`2.5`) that ends with `last`."""
    return version.text.split(".")[:2] == last.text.split(".")[:2] and version <= last
