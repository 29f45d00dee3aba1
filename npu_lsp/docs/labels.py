"""What stands beside the facts of an option, in both languages."""

from __future__ import annotations

from functools import cache

from npu_lsp.text.bilingual import Text

SLOT = Text("slot", "字段")
DEPRECATED = Text("Deprecated", "已废弃")
DEPRECATED_IN = Text("Deprecated since {component} {version}", "自 {component} {version} 起废弃")
REMOVED = Text("Removed", "已删除")
REMOVED_IN = Text("Removed in {component} {version}", "{component} {version} 已删除")
INSTEAD = Text("Use {name} instead.", "请改用 {name}。")
MISSING = Text(
    "Not in {component} {target}: it comes with {component} {since}.",
    "{component} {target} 尚无此配置，自 {component} {since} 起支持。",
)
UNSUPPORTED = Text("Not supported on {products}.", "{products} 不支持。")
STATUS = {
    "undocumented": Text("Not in the official documentation.", "官方文档未说明。"),
    "internal": Text("For internal use: not meant to be set.", "内部使用，请勿配置。"),
    "no_effect": Text("Has no effect.", "配置后不生效。"),
}
STABILITY = {
    "experimental": Text(
        "Experimental: may change, not for commercial products.", "试验参数，后续版本可能变更，不支持应用于商用产品。"
    ),
    "debug": Text("For debugging only.", "仅用于调试。"),
}
VALUES = Text("Values", "取值")
CLOSED_VALUES = Text("Values (others are an error)", "取值（其他取值会报错）")
COUNTED_VALUES = Text("Values (others count as {otherwise})", "取值（其他取值视为 {otherwise}）")
FORMED_VALUES = Text("Values (anything of another form is an error)", "取值（不符合格式的其他取值会报错）")
KNOWN_VALUES = Text("Known values (others are possible)", "常用取值（也可为其他值）")
MORE = Text("… and {count} more", "……另有 {count} 项")
RANGE = Text("Range", "取值范围")
FROM = Text("from {low}", "不小于 {low}")
ABOVE = Text("more than {low}", "大于 {low}")
TO = Text("up to {high}", "不大于 {high}")
UNIT = Text("Unit", "单位")
DEFAULT = Text("Default", "默认值")
ON = Text("on {products}", "{products}")
PRODUCTS = Text("Products", "支持的产品")
SCENARIO = Text("Only for", "适用场景")
SINCE = Text("Since", "起始版本")
UNTIL = Text("Until", "截止版本")
BEFORE = Text("before {component} {version}", "{component} {version} 之前")
CHANGES = Text("Changes", "版本变更")
NEW_DEFAULT = Text("default {value}", "默认值改为 {value}")
OTHER_DEFAULT = Text("default {value}, before {was}", "默认值由 {was} 改为 {value}")
ADDED = Text("adds {values}", "新增取值 {values}")
DROPPED = Text("drops {values}", "删除取值 {values}")
RELATIONS = Text("With other options", "与其他配置的关系")
NOTE = Text("Note", "说明")
ALIASES = Text("Also written", "其他写法")
ERRORS = Text("Possible errors", "可能的错误码")
ELSEWHERE = Text("Elsewhere", "其他入口")
EXAMPLE = Text("Example", "示例")
PAGE_IN_CHINESE = Text("Documentation (in Chinese)", "官方文档")
PAGE = Text("Documentation", "官方文档")
FOR = Text("For {component} {version}", "适用于 {component} {version}")
FOR_NEWEST = Text("For the newest {component}", "适用于最新版 {component}")
ONLY_ON = Text("only {products}", "仅 {products}")
ONLY_FOR = Text("only for {scenario}", "仅用于{scenario}")
OR_OLDER = Text("{component} {version} or older", "{component} {version} 或更早版本")
NEWLY_DOCUMENTED = Text(
    "documented for {component} {version}, not yet for {before}",
    "{component} {version} 文档已收录，{before} 文档尚未收录",
)
UNRELEASED = Text("no release of {component} yet", "尚无 {component} 发布版本包含")
SINCE_VALUE = Text("since {component} {version}", "自 {component} {version} 起")
RULE_KINDS = {"graph": Text("graph fusion rule", "图融合规则"), "ub": Text("UB fusion rule", "UB 融合规则")}
SWITCHABLE = {
    True: Text("Can be switched off in a fusion switch file.", "可通过融合开关配置文件关闭。"),
    False: Text("Can't be switched off.", "不支持关闭。"),
}
NOT_YET = Text("not supported yet", "暂不支持")


_UNNAMED = "/OWNER"
"""What stands in the place of a name as long as nobody has published the project."""


def rule_url(code: str) -> str | None:
    """Return the address of a rule's page; `None` where the package that is installed names none, and for a house rule."""
    documentation = _documentation() if code.startswith("NPU") else None
    return f"{documentation}/en/rules/{code}.html" if documentation else None


@cache
def _documentation() -> str | None:
    from importlib import metadata

    try:
        named = metadata.metadata("npu-lsp").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return None
    pages = dict(each.split(", ", 1) for each in named if ", " in each)
    address = pages.get("Documentation", "")
    return None if _UNNAMED in address else address or None
