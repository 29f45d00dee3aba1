"""NPU242: a package that the index doesn't have."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_MOVED = {"mindspore-ascend": "mindspore"}
"""Since MindSpore 2.0 there is one package for all devices: https://www.mindspore.cn/install"""


class PackageGone(Rule):
    """A package that the index doesn't have.

    ## What it does
    Reports `mindspore-ascend`: it was MindSpore for Ascend up to 1.10, as a wheel on Huawei's own server. Since 2.0 `mindspore` is.

    ## Why is this bad?
    `pip` finds no such package and installs nothing.

    ## Example
    ```sh
    pip install mindspore-ascend
    ```

    Use instead:
    ```sh
    pip install mindspore
    ```

    ## Fix safety
    Unsafe: the version may be one that the other package doesn't have.
    """

    code = "NPU242"
    name = "package-gone"
    title = Text(en="Package that doesn't exist", zh="不存在的软件包")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en='The package index has no "{option}": since MindSpore 2.0 the package for Ascend is "{near}". Install that.',
            zh="软件源中没有“{option}”：MindSpore 2.0 起昇腾使用的软件包为“{near}”，请改用它。",
        ),
    }
    VALID = (Valid("mindspore==2.7.1\n", Kind.REQUIREMENTS),)
    INVALID = (
        Invalid(
            "pip install mindspore-ascend\n",
            ("mindspore-ascend",),
            ("error unsafe",),
            "pip install mindspore\n",
            Kind.SHELL,
        ),
        Invalid(
            "mindspore_ascend==2.2.0\n",
            ("mindspore_ascend",),
            ("error unsafe",),
            "mindspore==2.2.0\n",
            Kind.REQUIREMENTS,
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Only those that are gone."""
        return option.name in _MOVED

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Tell what it is called now."""
        near = _MOVED[option.name]
        fixes = self.renamed(context, setting, near)
        yield self.finding(context, setting.key, "found", of=setting, fixes=fixes, near=near)
