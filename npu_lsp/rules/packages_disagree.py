"""NPU240: packages of releases that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.pairs import (
    MINDSPORE,
    TORCH_NPU,
    VLLM_ASCEND,
    Clash,
    Required,
    clashes,
    excludes,
    lines_between,
    made_for,
    newest_for,
    python_of,
    requirements,
    row_of,
)
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_FIRST_FOR_950 = Version.parse("9.0.0")


def _is_older(row: Mapping[str, Any], cann: Version) -> bool:
    """Return whether a release is made for an older CANN."""
    return CANN in row and not Version.parse(row[CANN]).reaches(cann)


class PackagesDisagree(Rule):
    """Packages of releases that exclude each other.

    ## What it does
    Compares the versions that requirements, `pip install` and the image of a Dockerfile name: a vLLM-Ascend is for one vLLM, PyTorch
    and torch_npu, a torch_npu for one PyTorch, and a vLLM-Ascend, a torch_npu and a MindSpore are for certain releases of CANN. A later
    command that installs what an earlier one needs in another version is told. Where what needs it comes last, pip puts the right one in its
    place: that is information, and only of a PyTorch or torch_npu with one version.

    ## Why is this bad?
    `pip` finds no solution, or what is installed stops when it is imported: the plugin is built for one release.

    ## Fix safety
    Unsafe: the other package may be the one that is meant to change.
    """

    code = "NPU240"
    title = Text(en="Packages that exclude each other", zh="软件包版本不配套")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "together": Text(
            en='{other} {version} goes with {name} {right}, and "{said}" excludes that: they can\'t be installed together. Ask for {right}.',
            zh="{other} {version} 配套的 {name} 版本为 {right}，与“{said}”冲突，无法同时安装。请改为 {right}。",
        ),
        "later": Text(
            en='{other} {version} goes with {name} {right}, and "{said}" is another one: {other} stops when it is imported. Ask for {right}.',
            zh="{other} {version} 配套的 {name} 版本为 {right}，与“{said}”不符，{other} 导入时会报错。请改为 {right}。",
        ),
        "replaced": Text(
            en="{other} {version}, which is installed below, goes with {name} {right}: pip puts that in the place of this one, or stops where no index has it. Ask for {right} here.",
            zh="后面安装的 {other} {version} 配套的 {name} 版本为 {right}，pip 会用它替换此处的版本，找不到时会报错退出。请将此处改为 {right}。",
        ),
        "cann": Text(
            en="vLLM-Ascend {version} needs CANN {right} or later, and this runs on {said}. Use a newer CANN.",
            zh="vLLM-Ascend {version} 要求 CANN {right} 及以上版本，此处为 {said}。请升级 CANN。",
        ),
        "cann_older": Text(
            en="vLLM-Ascend {version} needs CANN {right} or later, and this runs on {said}. Use a newer CANN, or vLLM-Ascend {older}, the newest one for it.",
            zh="vLLM-Ascend {version} 要求 CANN {right} 及以上版本，此处为 {said}。请升级 CANN，或改用与其配套的最新版本 vLLM-Ascend {older}。",
        ),
        "torch_npu": Text(
            en="torch_npu {version} is made for CANN {right}, and this runs on {said}: it finds functions missing when it is imported or used. Use a newer CANN, or the torch_npu that goes with this one.",
            zh="torch_npu {version} 配套 CANN {right}，此处为 {said}，导入或运行时会缺少符号。请升级 CANN，或改用与其配套的 torch_npu。",
        ),
        "mindspore": Text(
            en="MindSpore {version} is made for CANN {right}, and this runs on {said}: it stops when it is imported, or an operator isn't found. Use a newer CANN, or an older MindSpore.",
            zh="MindSpore {version} 配套 CANN {right}，此处为 {said}，导入时会报错或找不到算子。请升级 CANN，或改用较早的 MindSpore。",
        ),
        "product": Text(
            en='torch_npu {version} is made for CANN {right}, which is older than Ascend 950: it stops with "Unsupported soc version". Take one that is made for CANN 9.0 or later.',
            zh="torch_npu {version} 配套 CANN {right}，早于 Ascend 950，会报错 Unsupported soc version。请使用配套 CANN 9.0 及以上的版本。",
        ),
        "newer_cann": Text(
            en="torch_npu {version} is made for CANN {right}, and this runs on {said}, for which there is {fitting}: symbols are missing when it is imported. Ask for {fitting}.",
            zh="torch_npu {version} 配套 CANN {right}，此处为 {said}，其配套版本为 {fitting}，导入时会缺少符号。请改为 {fitting}。",
        ),
        "python": Text(
            en="{name} {version} is there for Python {right}, and this runs on {said}: pip finds no package that fits. Take another Python.",
            zh="{name} {version} 仅支持 Python {right}，此处为 {said}，pip 找不到匹配的软件包。请更换 Python 版本。",
        ),
    }
    VALID = (
        Valid("torch==2.7.1\ntorch-npu==2.7.1.post1\nvllm-ascend==0.11.0rc1\n", Kind.REQUIREMENTS),
        Valid("torch==2.7.1+cpu\ntorch_npu==2.7.1\n", Kind.REQUIREMENTS),
        Valid("torch>=2.5\nvllm_ascend==0.11.0\n", Kind.REQUIREMENTS),
        Valid('torch==2.8.0; platform_machine == "x86_64"\ntorch_npu==2.7.1\n', Kind.REQUIREMENTS),
        # The last one wins, and asks for what it needs.
        "pip install 'torch>=2.8.0'\npip install vllm-ascend==0.11.0\n",
        "pip install torch==2.7.1\ngit clone -b v0.11.0 https://github.com/vllm-project/vllm-ascend\npip install -e .\n",
        "git clone -b v0.11.0 https://github.com/vllm-project/vllm-ascend\npip install torch==2.8.0\n",
        Valid("dependencies:\n  - python=3.11\n  - pip:\n    - vllm-ascend==0.18.0\n", Kind.YAML),
        Valid(
            "FROM quay.io/ascend/cann:9.0.0-910b-ubuntu22.04-py3.11\nRUN pip install torch-npu==2.7.1.post4\n",
            Kind.DOCKERFILE,
        ),
        "pip install torch-npu==2.5.1\npython -m venv b\npip install torch==2.8.0\n",
        "if a; then pip install torch-npu==2.5.1; else pip install torch==2.8.0; fi\n",
        Valid("```sh\npip install torch-npu==2.5.1\n```\n```sh\npip install torch==2.8.0\n```\n", Kind.MARKDOWN),
        Valid("numpy<2\nvllm-ascend==0.11.0\n", Kind.REQUIREMENTS),
        Valid(
            "FROM quay.io/ascend/cann:8.0.0-910b-ubuntu22.04-py3.10\nRUN pip install torch-npu==2.5.1\n",
            Kind.DOCKERFILE,
        ),
        "pip install vllm==0.10.1.1\npip install vllm-ascend==0.10.1rc1\n",
        Valid(
            "FROM quay.io/ascend/cann:8.3.rc1-910b-ubuntu22.04-py3.11\nRUN pip install vllm-ascend==0.11.0\n",
            Kind.DOCKERFILE,
        ),
    )
    INVALID = (
        told("pip install «torch»==2.‹8.0→7.1›\npip install vllm-ascend==0.11.0\n", "info unsafe"),
        (
            "git clone -b v0.11.0 https://github.com/vllm-project/vllm-ascend\npip install -e .\n"
            "pip install «torch»==2.‹8.0→7.1›\n"
        ),
        # The release of torch-npu that goes with it is a daily build, `2.5.1.post1.dev20250619`.
        told("pip install vllm-ascend==0.9.2rc1\npip install «torch-npu»==2.‹6.0→5.1.post1.dev20250619›\n"),
        told("dependencies:\n  - python=3.9\n  - pip:\n    - «vllm-ascend»==0.18.0\n", kind=Kind.YAML),
        told(
            "FROM quay.io/ascend/cann:9.0.0-910b-ubuntu22.04-py3.11\nRUN pip install «torch-npu»==2.7.1\n",
            "warning",
            Kind.DOCKERFILE,
        ),
        told("torch==2.6.0\n«torch-npu»==2.6.0\n", "warning", Kind.REQUIREMENTS, target={"products": ["950"]}),
        told(
            "FROM quay.io/ascend/cann:7.0.1-910b-ubuntu22.04-py3.9\nRUN pip install «mindspore»==2.6.0\n",
            "warning",
            Kind.DOCKERFILE,
        ),
        told("«numpy»‹==2.1→<2.0›.0\nvllm-ascend==0.11.0\n", kind=Kind.REQUIREMENTS),
        told(
            "FROM quay.io/ascend/cann:8.0.rc3-910b-ubuntu22.04-py3.10\nRUN pip install «torch-npu»==2.7.1\n",
            "warning",
            Kind.DOCKERFILE,
        ),
        told(
            "FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.12\nRUN pip install «vllm-ascend»==0.13.0\n",
            kind=Kind.DOCKERFILE,
        ),
        told("«torch»==2.‹8.0→7.1›\ntorch-npu==2.7.1\nvllm-ascend==0.11.0rc1\n", kind=Kind.REQUIREMENTS),
        told("«torch»‹>=2.8→==2.5.1›\ntorch_npu==2.5.1.post1\n", kind=Kind.REQUIREMENTS),
        "pip install «vllm»==0.1‹0→1›.0\npip install vllm-ascend==0.11.0\n",
        "python3 -m pip install vllm-ascend==0.11.0\npip install '«torch»==2.‹8.0→7.1›'\n",
        told(
            "FROM quay.io/ascend/cann:8.1.rc1-910b-ubuntu22.04-py3.10\nRUN pip install «vllm-ascend»==0.11.0\n",
            kind=Kind.DOCKERFILE,
        ),
        told("pip install «vllm-ascend»==0.7.3rc1\n", target={"cann": "7.0"}),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if context.parsed.damaged or Surface.PACKAGE not in context.surfaces:
            return
        for clash in clashes(context):
            yield self._clash(clash, context)
        for required in requirements(context):
            yield from self._cann(required, context)

    def _clash(self, clash: Clash, context: Context) -> Finding:
        setting = clash.wrong.setting
        content = setting.value.content
        fixes: list[Fix] = []
        if content is not None and clash.wrong.said:
            right = clash.right if clash.right[0] in "<>=!~" else f"=={clash.right}"
            fixes = self.changed(context, setting, right, Safety.UNSAFE)
        return self.finding(
            context,
            setting.key,
            clash.how,
            of=setting,
            severity=Severity.INFO if clash.how == "replaced" else None,
            fixes=fixes,
            related=self.set_here(context, clash.other.setting),
            name=clash.wrong.name,
            said=clash.wrong.said,
            right=clash.right,
            other=clash.other.name,
            version=clash.other.exact,
        )

    def _cann(self, required: Required, context: Context) -> Iterator[Finding]:
        if required.exact is None or required.block.surface is not Surface.PACKAGE or context.document.kind in PAGES:
            return
        row = row_of(context, required.name, required.exact) or {}
        yield from self._python(required, row, context)
        if required.name == TORCH_NPU and context.products == ("950",) and _is_older(row, _FIRST_FOR_950):
            yield self._told(required, "product", context, row[CANN], required.exact, severity=Severity.WARNING)
        needed, newest = row.get(CANN), context.target.newest(CANN)
        if needed is None or newest is None:
            return
        if not context.target.precedes(needed, CANN):
            fitting = made_for(context, required, needed, newest) if required.name == TORCH_NPU else None
            if fitting is not None:
                yield self._told(required, "newer_cann", context, needed, newest, fitting, Severity.WARNING)
        elif required.name in (TORCH_NPU, MINDSPORE):
            message = "torch_npu" if required.name == TORCH_NPU else "mindspore"
            if lines_between(context, newest, needed) > 1:
                yield self._told(required, message, context, needed, newest, severity=Severity.WARNING)
        elif required.name == VLLM_ASCEND:
            older = newest_for(context, VLLM_ASCEND, CANN, newest)
            yield self._told(required, "cann" if older is None else "cann_older", context, needed, newest, older)

    def _python(self, required: Required, row: Mapping[str, Any], context: Context) -> Iterator[Finding]:
        """Look for a Python that a release has no packages for."""
        python = python_of(context, required)
        if "python" in row and python is not None and excludes(row["python"], python[0]):
            yield self.finding(
                context,
                required.setting.key,
                "python",
                of=required.setting,
                related=self.set_here(context, python[1]) if python[1] is not None else (),
                name=required.name,
                version=required.exact,
                right=row["python"],
                said=python[0],
            )

    def _told(
        self,
        required: Required,
        message: str,
        context: Context,
        needed: str,
        newest: Version,
        fitting: str | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        return self.finding(
            context,
            required.setting.key,
            message,
            of=required.setting,
            severity=severity,
            version=required.exact,
            right=needed,
            said=newest,
            older=fitting,
            fitting=fitting,
        )
