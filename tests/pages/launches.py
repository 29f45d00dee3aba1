"""The page of the programs whose launches are understood: made from `programs.toml`."""

from __future__ import annotations

from npu_lsp.catalog.load import load
from npu_lsp.linter.launch.programs import Program, programs
from npu_lsp.linter.rule import Rule
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language, Text

_HEAD = Text(
    en="""# Launches

Made by `python -m tests.pages`. A launch is what one command starts, with the environment that it gets. `npu-lsp settings --launches`
lists those of files and folders: processes, devices, parallel sizes and ports, as far as they are known. A number that a variable, a
scheduler or another file decides isn't known, and nothing is said about it.

`npu-lsp settings --of serve.sh:12` says which value each variable has for the launch in that line, and where it comes from: `200, from
env.sh:1; overrides 512 in Dockerfile:7`. It follows, in the order in which they take effect, the `ENV` of the Dockerfile, `env_file` and
`environment` of Compose, `envFrom` and `env` of Kubernetes, the scripts that are sourced, exports, and the prefix of the command. The
files that may start a script are a Dockerfile or a Compose file beside or above it, or those named behind (`--of train.py:3 run.sh`).
What a branch decides, and a file that isn't read (it is not there, a variable names it, it lies outside of the folder), is said. The
same stands in the editor: hover, *Go to Definition*, and a hint on request.
""",
    zh="""# 启动

由 `python -m tests.pages` 生成。“启动”指一条命令所启动的程序及其生效的环境变量。`npu-lsp settings --launches` 列出文件和目录中的启动：可以确定的进程数、设备、
并行度和端口。由变量、调度器或其他文件决定的数值视为未知，不作判断。

`npu-lsp settings --of serve.sh:12` 列出该行所启动程序得到的各环境变量的取值及来源：`200，来自 env.sh:1；覆盖 Dockerfile:7 中的 512`。按生效顺序依次为 Dockerfile 的 `ENV`、
Compose 的 `env_file` 与 `environment`、Kubernetes 的 `envFrom` 与 `env`、被 source 的脚本、export 以及命令前缀。可能启动脚本的文件是其所在目录或上级目录中的 Dockerfile 或
Compose 文件，也可在其后指定（`--of train.py:3 run.sh`）。取决于分支的取值，以及未读取的文件（不存在、由变量指定、位于目录之外），均会注明。编辑器中的悬停、*转到定义* 和可选的行内提示显示相同内容。
""",
)
_RULES = Text(
    "## Rules\n\nThey hold what goes together in a launch against each other.",
    "## 规则\n\n以下规则检查一次启动内部是否自洽。",
)
_WHAT = {
    "processes": Text("processes on this node", "本节点进程数"),
    "total": Text("processes of all nodes", "全部节点进程数"),
    "multiplied": Text("multiplied to the processes of a copy", "相乘得到单副本进程数"),
    "copies": Text("copies", "副本数"),
    "local": Text("copies on this node", "本节点副本数"),
    "nodes": Text("nodes", "节点数"),
    "rank": Text("number of this node", "本节点序号"),
    "addresses": Text("addresses", "地址"),
}
_DEVICES = {
    "each": Text("each process takes a visible device of its own", "每个进程使用一个可见设备"),
    "first": Text("the program chooses devices itself, whatever is visible", "程序自行选择设备，不受可见设备限制"),
}
_ELSEWHERE = Text("others decide with {options}", "使用 {options} 时由外部决定")
_DEVICE = Text("devices", "设备")
_PORTS = Text("ports", "端口")
_HEADER = Text("| | option |", "| | 配置项 |")


def whole(language: Language) -> str:
    """Return the page in one language."""
    catalog = load()
    rows = programs(catalog).values()
    parts = [_HEAD.to(language), *(_program(row, language) for row in rows)]
    rules = [
        f"- [{r.code}](rules{'.zh' if language == 'zh' else ''}.md#{r.code}) {r.title.to(language)}" for r in _rules()
    ]
    parts.append(_RULES.to(language) + "\n\n" + "\n".join(rules) + "\n")
    return "\n".join(parts)


def _rules() -> list[Rule]:
    return [rule for rule in all_rules() if rule.checks_launches]


def _program(row: Program, language: Language) -> str:
    lines = [f"## {row.title.to(language)}", "", _HEADER.to(language), "|---|---|"]
    for field, what in _WHAT.items():
        found = getattr(row, field)
        options = [found] if isinstance(found, str) else [*(found.values() if isinstance(found, dict) else found or ())]
        if options:
            lines.append(f"| {what.to(language)} | {', '.join(f'`{each}`' for each in options)} |")
    for port in row.ports:
        default = f" ({port.default})" if port.default is not None else ""
        lines.append(f"| {_PORTS.to(language)} | `{port.option}`{default}: {port.purpose.to(language)} |")
    said = [_DEVICES[row.devices].to(language)] if row.devices is not None else []
    if row.elsewhere:
        others = ", ".join(f"`{each}`" for each in row.elsewhere)
        said.append(_ELSEWHERE.to(language).format(options=others))
    if said:
        lines.append(f"| {_DEVICE.to(language)} | {('; ' if language == 'en' else '；').join(said)} |")
    return "\n".join(lines) + "\n"
