"""The keys of the configuration: name, form and meaning, told once for files, schema, command line and clients."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.catalog.components import COMPONENTS, Component
from npu_lsp.config.house_rules import FORM as HOUSE_RULE
from npu_lsp.linter.configuration import FORMATS
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import LANGUAGE_CHOICES, Text
from npu_lsp.text.toml_shape import Choice, Items, Plain, Shape, TableShape, WordShape

_NAME = Text("an option's name without blanks, or a glob", "不含空格的配置项名称或通配模式")
_PRODUCT = Text("a product: a2, Ascend310P3, Atlas A2, ...", "产品：a2、Ascend310P3、Atlas A2 等")
_SELECTOR_SAYS = Text("a rule's code, a prefix of codes, a name or ALL", "规则编号、编号前缀、名称或 ALL")
_SELECTOR = WordShape(r"ALL|HOUSE|NPU\d{0,3}|[a-z0-9]+(?:-[a-z0-9]+)*", _SELECTOR_SAYS)
_SELECTORS = Items(_SELECTOR)
_GLOB = WordShape(says=Text("a glob", "通配模式"))
_PATH = WordShape(says=Text("a path", "路径"))
_SEVERITIES = Choice(tuple(each.value for each in Severity))
_FLAG = Plain(("boolean",))


def _version(component: Component) -> WordShape:
    title, example = component.title, component.example
    says = Text(f'a version of {title} such as "{example}"', f'形如 "{example}" 的 {title} 版本')
    return WordShape(r"v?\d+\.\d+(?:[.-]?\w+)*", says)


class Key(NamedTuple):
    """One key of the configuration."""

    name: str
    """As files write it."""
    shape: Shape
    about: Text

    @property
    def field(self) -> str:
        """The field of `Config`."""
        return self.name.replace("-", "_")


KEYS = (
    Key(
        "extend",
        _PATH,
        Text(
            en="Another configuration file to start from; what this file says wins.",
            zh="作为基础的另一个配置文件；本文件中的配置优先。",
        ),
    ),
    Key(
        "select",
        _SELECTORS,
        Text(
            en="The rules that run: codes, prefixes of codes, names or ALL. Left out: the rules that run by default.",
            zh="启用的规则：编号、编号前缀、名称或 ALL。缺省时启用默认规则。",
        ),
    ),
    Key(
        "extend-select",
        _SELECTORS,
        Text(en="Rules that run besides those of `select`.", zh="在 `select` 之外额外启用的规则。"),
    ),
    Key(
        "ignore",
        _SELECTORS,
        Text(
            en="Rules that don't run. The more exact word wins over `select`; of two equally exact, `ignore` wins.",
            zh="停用的规则。与 `select` 冲突时以更精确者为准；同样精确时以 `ignore` 为准。",
        ),
    ),
    Key(
        "extend-safe-fixes",
        _SELECTORS,
        Text(
            en="Rules whose fixes count as safe here: `--fix` and *Fix all* make them. The more exact word wins; of two equally exact, "
            "`extend-unsafe-fixes` wins.",
            zh="在此视为安全修复的规则：`--fix` 与“全部修复”会执行其修复。以更精确者为准；同样精确时以 `extend-unsafe-fixes` 为准。",
        ),
    ),
    Key(
        "extend-unsafe-fixes",
        _SELECTORS,
        Text(
            en="Rules whose fixes are to be reviewed here: only `--unsafe-fixes`, or a person, makes them.",
            zh="在此需人工审阅修复的规则：仅 `--unsafe-fixes` 或人工选择时执行。",
        ),
    ),
    Key(
        "per-file-ignores",
        TableShape(rest=_SELECTORS),
        Text(
            en="Rules that don't run in the files that a glob matches; a glob that starts with `!` means all others.",
            zh="对匹配某个通配模式的文件停用的规则；以 `!` 开头表示不匹配的文件。",
        ),
    ),
    Key(
        "severity",
        TableShape(rest=_SEVERITIES),
        Text(en="Another severity for a rule, by its code or name.", zh="按规则编号或名称调整严重级别。"),
    ),
    Key(
        "known",
        Items(WordShape(r"\S+", _NAME)),
        Text(
            en="Options of your own that are right although no catalog has them; globs such as `my_*` work.",
            zh="目录中没有但确实存在的自有配置项；支持 `my_*` 之类的通配模式。",
        ),
    ),
    Key(
        "catalog",
        Items(_PATH),
        Text(en="TOML files that add options or correct them.", zh="用于新增或修正配置项的 TOML 文件。"),
    ),
    Key(
        "target",
        TableShape(
            {
                **{name: _version(component) for name, component in COMPONENTS.items()},
                "products": Items(WordShape(says=_PRODUCT)),
            }
        ),
        Text(
            en="What the code must run on: versions of components, and products. Left out: the toolkit's CANN, else the newest.",
            zh="代码的运行目标：各组件的版本与产品。缺省时 CANN 取已安装工具包的版本，否则取最新版本。",
        ),
    ),
    Key(
        "profiles",
        TableShape(rest=TableShape(rest=WordShape(says=Text("a value as it is written", "按书写形式填写的取值")))),
        Text(
            en="Sets of switches of your own for `npu-lsp profile`: a value for each option, by the profile's name.",
            zh="供 `npu-lsp profile` 使用的自定义方案：按方案名列出各配置项的取值。",
        ),
    ),
    Key(
        "house-rules",
        TableShape(rest=HOUSE_RULE),
        Text(
            en="Rules of your own, by name: what an option must be, or go with. `extend` adds those of another file.",
            zh="自定义规则，按名称列出：配置项应满足的约束。通过 `extend` 可加入另一文件中的规则。",
        ),
    ),
    Key(
        "language",
        Choice(LANGUAGE_CHOICES),
        Text(
            en="The language of messages; `auto` follows the locale.",
            zh="提示信息的语言；`auto` 表示跟随系统区域设置。",
        ),
    ),
    Key(
        "baseline",
        _PATH,
        Text(
            en="A file with findings that are known and not reported; `check --write-baseline` makes it.",
            zh="记录已知问题的基线文件，其中的问题不再报告；由 `check --write-baseline` 生成。",
        ),
    ),
    Key(
        "include",
        Items(_GLOB),
        Text(
            en="Globs of files that are checked although neither name nor first line tells their kind.",
            zh="额外检查的文件的通配模式，用于无法从文件名或首行判断类型的文件。",
        ),
    ),
    Key(
        "exclude",
        Items(_GLOB),
        Text(
            en="Globs of files and folders that are passed over, in place of the default ones.",
            zh="跳过的文件和目录的通配模式，替换默认列表。",
        ),
    ),
    Key(
        "extend-exclude",
        Items(_GLOB),
        Text(en="Globs that are passed over besides those of `exclude`.", zh="在 `exclude` 之外额外跳过的通配模式。"),
    ),
    Key(
        "force-exclude",
        _FLAG,
        Text(
            en="Pass over excluded files even when they are named on the command line, as hooks need it.",
            zh="即使在命令行中显式指定，也跳过被排除的文件（适用于提交钩子）。",
        ),
    ),
    Key(
        "respect-gitignore",
        _FLAG,
        Text(en="Pass over what Git ignores, but for what it tracks.", zh="跳过被 Git 忽略的文件（已跟踪的除外）。"),
    ),
    Key(
        "max-file-size",
        Plain(("integer",)),
        Text(
            en="In bytes. A larger file isn't read but reported; a notebook, which holds pictures, may be ten times as large.",
            zh="文件大小上限，单位为字节；超过时只报告、不读取。Notebook 含图片，上限为其十倍。",
        ),
    ),
    Key(
        "output-format",
        Choice(FORMATS),
        Text(en="The format of the report.", zh="报告的输出格式。"),
    ),
    Key(
        "fail-on",
        _SEVERITIES,
        Text(
            en="The command exits with 1 when a finding is at least as bad.",
            zh="存在不低于该级别的问题时，命令返回 1。",
        ),
    ),
    Key("cache", _FLAG, Text(en="Remember results between runs.", zh="在多次运行之间缓存结果。")),
    Key(
        "cache-dir",
        _PATH,
        Text(
            en="Where results are remembered, a folder for nothing else; default: `.npu-lsp-cache` beside the configuration.",
            zh="缓存专用目录；默认为配置文件所在目录下的 `.npu-lsp-cache`。",
        ),
    ),
)

FORM = TableShape({key.name: key.shape for key in KEYS})
"""What a whole file looks like."""
