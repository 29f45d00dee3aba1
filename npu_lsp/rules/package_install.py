"""NPU138, NPU241, NPU242, NPU250 and NPU253: packages that can't be installed as they are named, or that break each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.innermost import texts
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.pairs import TORCH_NPU, VLLM_ASCEND, overwritten, requirements, row_of, unresolvable
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, before


class UnresolvableInstall(Rule):
    """One command that is to install vLLM and vLLM-Ascend, which pin different PyTorches.

    ## What it does
    Compares the PyTorch that a vLLM of the package index pins with that of the vLLM-Ascend beside it, in one `pip install` and in one
    file of requirements. Two commands, one after the other, are what the installation page shows: the second one changes PyTorch.

    ## Why is this bad?
    `pip` finds no solution and installs nothing.
    """

    code = "NPU241"
    title = Text(en="Packages that one command can't install", zh="一条命令无法同时安装的软件包")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en="vLLM {vllm} pins torch {theirs}, vLLM-Ascend {version} torch {ours}: pip can't install both at once. Install vLLM first, and vLLM-Ascend with a command of its own behind it.",
            zh="vLLM {vllm} 固定 torch {theirs}，vLLM-Ascend {version} 固定 torch {ours}，pip 无法同时安装。请先安装 vLLM，再用另一条命令安装 vLLM-Ascend。",
        ),
    }
    VALID = (
        "pip install vllm==0.11.0\npip install vllm-ascend==0.11.0\n",
        "pip install --no-deps vllm==0.11.0 vllm-ascend==0.11.0\n",
        "pip install vllm vllm-ascend==0.11.0\n",
    )
    INVALID = (
        "pip install vllm==0.11.0 «vllm-ascend»==0.11.0\n",
        told("vllm==0.11.0\n«vllm_ascend»==0.11.0rc1\n", kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for ascend, vllm, ours, theirs in unresolvable(context):
            yield self.finding(
                context,
                ascend.setting.key,
                "found",
                of=ascend.setting,
                related=self.set_here(context, vllm.setting),
                vllm=vllm.exact,
                version=ascend.exact,
                ours=ours,
                theirs=theirs,
            )


class PackagesOverwritten(Rule):
    """A package that takes away what another one needs, when it is installed.

    ## What it does
    Knows two of them: triton and triton-ascend, which both install the folder `triton`, and a vLLM that is installed behind
    vLLM-Ascend, and brings the PyTorch that it pins in the place of the one for torch_npu.

    ## Why is this bad?
    The installation succeeds, and the server stops when it imports what is no longer there.
    """

    code = "NPU253"
    title = Text(en="Packages that overwrite each other", zh="互相覆盖的软件包")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "folder": Text(
            en="triton and triton-ascend both install the folder `triton`: the one that comes later overwrites the other, and uninstalling one of them breaks both. Leave triton out.",
            zh="triton 与 triton-ascend 都会安装到目录 `triton`，后安装的会覆盖前者，卸载任意一个都会破坏另一个。请删除 triton。",
        ),
        "torch": Text(
            en="vLLM {version} pins torch {theirs}, and brings it in the place of {ours}, which vLLM-Ascend {other} needs: its torch_npu no longer loads. Install vLLM first, and vLLM-Ascend behind it.",
            zh="vLLM {version} 固定 torch {theirs}，会替换 vLLM-Ascend {other} 所需的 {ours}，其 torch_npu 将无法加载。请先安装 vLLM，再安装 vLLM-Ascend。",
        ),
    }
    VALID = (
        "pip install vllm==0.11.0\npip install vllm-ascend==0.11.0\n",
        "pip install vllm-ascend==0.11.0\npip install --no-deps vllm==0.11.0\n",
        Valid("FROM quay.io/ascend/vllm-ascend:v0.11.0\nRUN pip install vllm==0.11.0\n", Kind.DOCKERFILE),
        "pip install triton\npip uninstall -y triton\npip install triton-ascend==3.2.0\n",
        "pip install triton-ascend triton\npip uninstall -y triton-ascend triton\npip install triton-ascend\n",
    )
    INVALID = (
        "pip install vllm-ascend==0.11.0\npip install «vllm»==0.11.0\n",
        told("«triton»==3.6.0\ntriton-ascend==3.2.0\n", kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if context.parsed.damaged or Surface.PACKAGE not in context.surfaces:
            return
        for how, later, earlier, theirs, ours in overwritten(context):
            yield self.finding(
                context,
                later.setting.key,
                how,
                of=later.setting,
                related=self.set_here(context, earlier.setting),
                version=later.exact,
                other=earlier.exact,
                theirs=theirs,
                ours=ours,
            )


_REPOSITORY = "https://mirrors.huaweicloud.com/ascend/repos/pypi"
_ELSEWHERE = re.compile(
    r"(?:index-url|INDEX_URL)(?![\"' \t=]{1,9}https?://(?:pypi\.|mirrors?\.(?:tuna|aliyun|cloud\.tencent|ustc|163|pku|sustech)\.))"
    r"|find-links|--no-deps|torch[_-]npu-\S{1,160}\.whl|ascend/repos|\.dev20"
)
"""What shows that packages come from elsewhere, or are there."""


class IndexMissing(Rule):
    """A release of vLLM-Ascend that needs a torch_npu of a day, which PyPI doesn't have.

    ## What it does
    Looks for `pip install vllm-ascend==X` of releases that pin such a torch_npu (`2.7.1.dev20250724`), in files that name no other
    index and no package of torch_npu.

    ## Why is this bad?
    `pip` stops: there is no matching distribution of torch-npu.
    """

    code = "NPU250"
    title = Text(en="Package that the usual index doesn't have", zh="默认软件源中不存在的依赖包")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en="vLLM-Ascend {version} needs torch-npu {needed}, which PyPI doesn't have: pip stops. Add `--extra-index-url {index}`.",
            zh="vLLM-Ascend {version} 依赖 torch-npu {needed}，PyPI 上没有该版本，pip 会报错退出。请补充 `--extra-index-url {index}`。",
        ),
    }
    VALID = (
        "pip install vllm-ascend==0.11.0rc0 --extra-index-url https://mirrors.huaweicloud.com/ascend/repos/pypi\n",
        f"pip config set global.extra-index-url {_REPOSITORY}\npip install vllm-ascend==0.11.0rc0\n",
        "pip install vllm-ascend==0.11.0\n",
        Valid("```sh\npip install vllm-ascend==0.11.0rc0\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "pip install «vllm-ascend»==0.11.0rc0\n",
        # A mirror has what PyPI has.
        "pip config set global.index-url https://pypi.tuna.tsinghua.edu.cn/simple\npip install «vllm-ascend»==0.11.0rc0\n",
        told("«vllm-ascend»==0.10.0rc1\n", kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if context.document.kind in PAGES or context.parsed.damaged:
            return
        for required in requirements(context):
            row = None
            if required.name == VLLM_ASCEND and required.exact and required.block.surface is Surface.PACKAGE:
                row = row_of(context, VLLM_ASCEND, required.exact)
            needed = str((row or {}).get(TORCH_NPU, ""))
            if ".dev" in needed and not _ELSEWHERE.search(context.document.text):
                yield self.finding(
                    context,
                    required.setting.key,
                    "found",
                    of=required.setting,
                    version=required.exact,
                    needed=needed,
                    index=_REPOSITORY,
                )


_OLD = re.compile(r"[\s=~<>]*[01]\.")
_MOVED = {"mindspore-ascend": "mindspore"}
"""Since MindSpore 2.0 there is one package for all devices: https://www.mindspore.cn/install"""


class PackageGone(Rule):
    """A package that the index doesn't have.

    ## What it does
    Reports `mindspore-ascend`: it was MindSpore for Ascend up to 1.10, as a wheel on Huawei's own server. Since 2.0 `mindspore` is.

    ## Why is this bad?
    `pip` finds no such package and installs nothing.

    ## Fix safety
    Unsafe: the version may be one that the other package doesn't have.
    """

    code = "NPU242"
    title = Text(en="Package that doesn't exist", zh="不存在的软件包")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en='"{option}" ends with MindSpore 1.10: since 2.0 the package for Ascend is "{near}". Install that.',
            zh="“{option}”只发布到 MindSpore 1.10，2.0 起昇腾使用的软件包为“{near}”，请改用它。",
        ),
    }
    VALID = (
        Valid("mindspore==2.7.1\n", Kind.REQUIREMENTS),
        Valid("mindspore_ascend==1.3.0\nmindspore-ascend~=1.8\n", Kind.REQUIREMENTS),
    )
    INVALID = (
        told("pip install «mindspore-ascend→mindspore»\n", "warning unsafe"),
        told("«mindspore_ascend→mindspore»==2.2.0\n", kind=Kind.REQUIREMENTS),
    )

    def concerns(self, option: Option) -> bool:
        return option.name in _MOVED

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if _OLD.match(str(setting.value.data)):
            return  # The index has those.
        near = _MOVED[option.name]
        fixes = self.renamed(context, setting, near)
        severity = None if setting.value.data else Severity.WARNING  # PyPI has those of 1.x.
        yield self.finding(context, setting.key, "found", of=setting, severity=severity, fixes=fixes, near=near)


_INSTALL = re.compile(r"\bpip3?(?:\.\d{1,2})?[ \t]+install[ \t]+(?P<words>(?:\\\r?\n|[^\n;&|\\]){1,1000})")
_BEGINS = re.compile(
    r"(?:\A[ \t>]*(?:[-*+][ \t]+)?`?|[;&|(]|(?:\b(?:then|do|else|RUN)|:)[ \t])[ \t]{0,40}[\"'!%]?(?:[$>][ \t]+)?"
    r"(?:(?:sudo|-[A-Za-z]|[A-Za-z_]\w{0,40}=\S{0,80}|(?:\S{0,80}/)?python[\d.]{0,5}[ \t]+-m|uv|time)[ \t]+){0,8}(?:\S{0,80}/)?\Z"
)
"""What stands before a command in its line: a sentence that speaks of one, and what is printed, don't run it."""
_TAKEN = re.compile(
    r"(?<!\S)(?P<option>-e|--editable)(?P<gap>[ \t]+)(?P<flag>-[vqUI]{1,4}|--(?:no-(?!binary)[a-z-]{1,40}|verbose|quiet|upgrade|user|pre|force-reinstall|ignore-installed|use-pep517|break-system-packages))(?=\s|\Z)"
)
"""Of what takes a word itself, as `-i` does, the two can't change places."""
_SECOND = re.compile(
    r"(?<!\S)(?P<option>--extra-index-url|--index-url|-i|--find-links|-f)(?:[ \t=]|\\\r?\n){1,40}[\"']?https?://[^\s\"'@]+[\"']?(?:[ \t]|\\\r?\n){1,40}"
    r"(?P<second>https?://(?!\S{0,400}(?:\.(?:whl|zip|tar|t?gz|bz2|xz)\b|\$[^\s/]{0,100}(?:\s|\Z)))[^\s\"'@#]+)(?=\s|\Z)"
)
"""An index, and not the file of a package, which may be named by a variable."""


class InstallOption(Rule):
    """An option of `pip install` that doesn't get what it takes.

    ## What it does
    Looks for `pip install -e -v .`, where `-e` takes `-v` for the path of a package, and for a second address behind
    `--extra-index-url`, which takes one, in texts that set options of NPUs or install packages for them.

    ## Why is this bad?
    `pip` stops: `-v` is no package, and neither is the address of an index.

    ## Fix safety
    Unsafe: from then on the package is installed.
    """

    code = "NPU138"
    title = Text(en="Option of pip that takes another word", zh="pip 选项缺少所需的参数")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "taken": Text(
            en='"{option}" takes the word behind it for a package, and "{value}" is none: pip stops. Write `{near}`.',
            zh="“{option}”会把其后的“{value}”当作软件包路径，pip 会报错退出。请写为 `{near}`。",
        ),
        "second": Text(
            en='"{option}" takes one address, and pip takes the second one for a package: it stops. Write "{option}" once more in front of it.',
            zh="“{option}”只接受一个地址，第二个地址会被 pip 当作软件包，安装会报错退出。请在其前面再写一次“{option}”。",
        ),
    }
    VALID = (
        "export HCCL_BUFFSIZE=1\npip install -v -e .\npip install -e . -v\npip install -e.\n",
        "export HCCL_BUFFSIZE=1\npip install --extra-index-url https://a.b/pypi https://a.b/x-1.0-py3-none-any.whl\n",
        "export HCCL_BUFFSIZE=1\npip install -i https://a.b/pypi -f https://a.b/pypi vllm\n",
        # What takes a word itself can't stand there either, but what was meant isn't clear.
        "export HCCL_BUFFSIZE=1\npip install -e -i https://a.b/pypi .\n# pip install -e -v .\necho pip install -e -v .\n",
        Valid("```sh\nexport HCCL_BUFFSIZE=1\n```\nDon't write `pip install -e -v .`.\n", Kind.MARKDOWN),
        *(
            f"export HCCL_BUFFSIZE=1\npip install -i https://a.b/pypi https://a.b/{file}\n"
            for file in ("a-1.tgz", "a-1.tar.bz2", "a-1.whl?b=c", "whl/${WHEEL}")
        ),
    )
    INVALID = (
        "export HCCL_BUFFSIZE=1\nVLLM_TARGET_DEVICE=empty pip install «-e -v→-v -e» .\n",
        told(
            "FROM ascend/image\nENV HCCL_BUFFSIZE=1\nRUN cd a && python3 -m pip install «-e -v→-v -e» .\n",
            kind=Kind.DOCKERFILE,
        ),
        told("```sh\n$ export HCCL_BUFFSIZE=1\n$ sudo pip3 install «-e -v→-v -e» .\n```\n", kind=Kind.MARKDOWN),
        (
            "pip install vllm-ascend==0.11.0 --extra-index-url https://a.b/variant "
            "‹→--extra-index-url ›«https://a.b/pypi»\n"
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if not context.parsed.blocks or "pip" not in context.document.text:
            return
        found: dict[Span, tuple[str, Edit, str, str]] = {}
        for place in texts(context.document):
            text = place.document.text
            for command in islice(_INSTALL.finditer(text), MOST_OF_ONE):
                said = before(text, command.start())
                if said is None or not _BEGINS.search(said):
                    continue
                for match in _TAKEN.finditer(text, *command.span("words")):
                    if (span := place.content(Span(*match.span()))) is not None:
                        near = f"{match['flag']}{match['gap']}{match['option']}"
                        found[span] = "taken", Edit(span, near), match["option"], match["flag"]
                for match in _SECOND.finditer(text, *command.span("words")):
                    span = place.content(Span(*match.span("second")))
                    # What others escape goes on behind the sign.
                    if span is not None and text[match.end() : match.end() + 1] != "\\":
                        edit = Edit(Span(span.start, span.start), f"{match['option']} ")
                        found[span] = "second", edit, match["option"], match["second"]
        for span, (message, edit, option, value) in found.items():
            near = edit.text.strip() if message == "taken" else f"{option} {value}"
            fixes = self.fix(context, "rename", (edit,), Safety.UNSAFE, near=near)
            yield self.finding(context, span, message, fixes=fixes, near=near, option=option, value=value)
