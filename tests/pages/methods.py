"""The page of the protocol's methods: which of them the server answers and sends, what for, and why not the others."""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types

from npu_lsp.lsp.endpoint import Endpoint
from npu_lsp.lsp.server import wire
from npu_lsp.text.bilingual import Language, Text

_HEAD = Text(
    en="# Methods of the Language Server Protocol\n\nMade by `python -m tests.pages`. A client is offered no more than it says "
    "it takes; columns are in the encoding that it prefers.\n",
    zh="# 语言服务器协议的方法\n\n由 `python -m tests.pages` 生成。服务器只提供客户端声明支持的能力；列号采用客户端首选的编码。\n",
)
_TO_SERVER = Text("From the client to the server", "客户端发往服务器")
_TO_CLIENT = Text("From the server to the client", "服务器发往客户端")
_OWN = Text("Of npu-lsp's own", "npu-lsp 自有的方法")
_COLUMNS = Text("| method | | what for, or why not |", "| 方法 | | 用途或不支持的原因 |")
_YES, _NO = Text("yes", "支持"), Text("no", "不支持")
_PYTHON = Text(
    "Servers for Python and shell do that; options have none of it.",
    "由 Python 和 Shell 的语言服务器提供；配置项没有这种关系。",
)
_FORMAT = Text("Formatters of each language do that.", "由各语言的格式化工具提供。")
_FILES = Text(
    "Edits of the workspace's files change nothing that is remembered: files are watched.",
    "服务器监视文件变化，不需要这些通知。",
)

SENT = frozenset(
    {
        "$/logTrace",
        "$/progress",
        "client/registerCapability",
        "textDocument/publishDiagnostics",
        "window/logMessage",
        "window/workDoneProgress/create",
        "workspace/configuration",
        "workspace/diagnostic/refresh",
    }
)
"""What the server sends."""
ABOUT: dict[str, Text] = {
    "initialize": Text("Reads what the client can do.", "读取客户端的能力。"),
    "initialized": Text("Asks for settings and begins to warm up.", "获取设置并开始预热。"),
    "shutdown": Text("Ends the session.", "结束会话。"),
    "exit": Text("Ends the process; 0 only after `shutdown`.", "结束进程；仅在 `shutdown` 之后退出码为 0。"),
    "$/cancelRequest": Text("Also of requests that wait for their turn.", "排队中的请求也可取消。"),
    "$/setTrace": Text("Messages are traced with `$/logTrace`.", "通过 `$/logTrace` 跟踪消息。"),
    "$/logTrace": Text("Where the client asks for a trace.", "客户端要求跟踪时发送。"),
    "$/progress": Text(
        "Partial results of workspace diagnostics; how far a search in the workspace is.",
        "工作区诊断的部分结果；工作区搜索的进度。",
    ),
    "window/workDoneProgress/create": Text(
        "A look at the whole workspace that takes its time; other progress is told where the client's request has a token for it.",
        "检查整个工作区耗时较长时使用；其他进度仅在客户端的请求带有进度令牌时报告。",
    ),
    "window/workDoneProgress/cancel": Text(
        "Leaves off the look at the workspace; a request itself can be cancelled.",
        "停止检查工作区；请求本身可直接取消。",
    ),
    "textDocument/didOpen": Text("The client's text is the truth from then on.", "此后以客户端的文本为准。"),
    "textDocument/didChange": Text("Incremental.", "增量同步。"),
    "textDocument/didClose": Text("The file on the disk counts again.", "恢复以磁盘文件为准。"),
    "textDocument/didSave": Text(
        "Looks whether configurations have changed, for clients that watch no files.",
        "供不监视文件的客户端检查配置是否变化。",
    ),
    "textDocument/willSave": Text("Nothing is done before a text is saved.", "保存前无需处理。"),
    "textDocument/willSaveWaitUntil": Text(
        "Fixing on save is the client's `source.fixAll` action.", "保存时修复由客户端执行 `source.fixAll` 操作。"
    ),
    "notebookDocument/didOpen": Text("Cells are read as one text.", "所有单元格作为一个整体读取。"),
    "notebookDocument/didChange": Text("Cells are read as one text.", "所有单元格作为一个整体读取。"),
    "notebookDocument/didClose": Text("Cells are read as one text.", "所有单元格作为一个整体读取。"),
    "notebookDocument/didSave": Text("What counts is the client's text.", "以客户端的文本为准。"),
    "workspace/didChangeConfiguration": Text("New settings hold at once.", "新设置立即生效。"),
    "workspace/didChangeWatchedFiles": Text(
        "Configurations, files that options name and, with `diagnosticMode`, all others.",
        "监视配置文件、配置项指向的文件；开启工作区诊断时监视所有文件。",
    ),
    "workspace/didChangeWorkspaceFolders": Text("Each folder has its own settings.", "每个文件夹有各自的设置。"),
    "workspace/workspaceFolders": Text("The client says them without being asked.", "客户端会主动告知。"),
    "workspace/configuration": Text("One question for all folders.", "一次获取所有文件夹的设置。"),
    "workspace/diagnostic": Text(
        "Findings of files that nobody has opened, with `diagnosticMode`.",
        "`diagnosticMode` 为 workspace 时，返回未打开文件的检查结果。",
    ),
    "workspace/diagnostic/refresh": Text("When other settings hold.", "设置变化时发送。"),
    "textDocument/diagnostic": Text("Findings, for clients that ask for them.", "供主动获取诊断的客户端使用。"),
    "textDocument/publishDiagnostics": Text("Findings, for all others.", "供其他客户端使用。"),
    "textDocument/completion": Text(
        "Keys, slots, values, flags, files, variables, codes in comments.",
        "键、字段、取值、参数、文件、环境变量和注释中的规则编号。",
    ),
    "completionItem/resolve": Text("Documentation comes with the item that is looked at.", "选中某项时才返回其文档。"),
    "textDocument/hover": Text(
        "What an option, a value, a variable, a tool, a chip or a code in a comment means here; which value a variable has, and which file gives it.",
        "说明配置项、取值、变量、工具、芯片和注释中的编码；变量的取值及其来源文件。",
    ),
    "textDocument/definition": Text(
        "From a value to its literal, a path to the file, a variable to the setting that gives its value and to those that this overrides, an option of one's own to its "
        "declaration.",
        "从取值跳转到字面量，从路径跳转到文件，从变量跳转到决定其取值的设置及被其覆盖的设置，从自定义配置项跳转到其声明。",
    ),
    "textDocument/references": Text(
        "Where else an option or a variable is set or used, also in files that nobody has opened.",
        "查找配置项或变量的其他设置和使用位置，包括未打开的文件。",
    ),
    "textDocument/documentHighlight": Text(
        "The same option or variable in the document.", "标出文档中的同一配置项或变量。"
    ),
    "workspace/symbol": Text("Settings of the workspace by the name of their option.", "按名称查找工作区中的配置。"),
    "workspaceSymbol/resolve": Text("Symbols are whole when they are sent.", "符号发送时已完整。"),
    "textDocument/documentLink": Text("Files that options name.", "配置项指向的文件。"),
    "documentLink/resolve": Text("Links are whole when they are sent.", "链接发送时已完整。"),
    "textDocument/documentSymbol": Text("Blocks and their settings.", "配置块及其配置项。"),
    "textDocument/codeAction": Text(
        "Fixes, values to choose, comments that silence, rules to turn off, everything at once; layouts of a command; an "
        "`NPURunConfig` with a session's options, and the other way round: added, since the code that runs them is for you to change. In a log: the value that a line asks for, written in the file of the workspace that sets another.",
        "修复、可选取值、忽略注释、停用规则、全部修复；调整命令的写法；将 Session 配置写成 `NPURunConfig`，或反之：只新增，原有代码由用户自行修改。在日志中：将该行要求的取值写入工作区中的配置文件。",
    ),
    "codeAction/resolve": Text("Edits are made when an action is chosen.", "选中操作时才生成修改。"),
    "workspace/executeCommand": Text(
        "The status, for clients without requests of our own.", "供无法发送自定义请求的客户端查看状态。"
    ),
    "workspace/applyEdit": Text("Edits come with actions.", "修改随操作返回。"),
    "window/logMessage": Text("The log.", "日志。"),
    "window/showMessage": Text(
        "Nothing pops up: what is wrong stands in the log and beside the text.",
        "不弹窗；问题记录在日志中或显示在文本旁。",
    ),
    "window/showMessageRequest": Text("Nothing pops up.", "不弹窗。"),
    "window/showDocument": Text("Nothing is opened unasked.", "不会主动打开文档。"),
    "telemetry/event": Text("There is no telemetry.", "不收集遥测数据。"),
    "client/registerCapability": Text("Watchers of files, once there are some to watch.", "需要监视文件时注册。"),
    "client/unregisterCapability": Text("What is watched stays watched.", "监视注册后保持不变。"),
    "npu-lsp/status": Text("Versions, target, configuration and what is open.", "版本、目标、配置和已打开的文档。"),
    "npu-lsp/targets": Text("The versions and products that one can choose.", "可选的版本和产品。"),
    "npu-lsp/options": Text(
        "All options by surface and group, for a list in a side bar.", "按配置入口和分组列出所有配置项，供侧边栏使用。"
    ),
    "npu-lsp/option": Text("What a hover says about one of them.", "返回某个配置项的说明。"),
    "npu-lsp/explain": Text(
        "What a log tells, as Markdown with links to the lines that may have caused it: `{textDocument}` or `{text}`. Also as the command "
        "`npu-lsp.explain`. A log that is open has diagnostics.",
        "以 Markdown 返回日志诊断结果，并链接到可能导致错误的配置行：参数为 `{textDocument}` 或 `{text}`，也可用命令 `npu-lsp.explain`。"
        "打开的日志会显示诊断。",
    ),
    "npu-lsp/settings": Text("Which of them the workspace sets, and where.", "返回工作区设置了哪些配置项及其位置。"),
    "npu-lsp/newConfiguration": Text(
        "What a new configuration begins with: what is in force, and comments.",
        "新配置文件的初始内容：当前生效的目标以及注释。",
    ),
    "npu-lsp/review": Text(
        "All fixes of a document as one edit to look through: those that are safe, and those to review.",
        "将文档的全部修复作为一个可预览的修改返回：可安全执行的与需审阅的。",
    ),
    "npu-lsp/recipe": Text(
        "How a document differs from a recipe, or from the one that is closest to it, as Markdown. With `npuLsp.showsRecipes` among the "
        "client's `experimental` capabilities its launches have an action whose command is the client's own `npuLsp.compareRecipe`.",
        "以 Markdown 返回文档与某个官方配方（缺省为最接近者）的差异。客户端在 `experimental` 中声明 `npuLsp.showsRecipes` 时，"
        "启动命令上会提供代码操作，其命令为客户端自带的 `npuLsp.compareRecipe`。",
    ),
    "npu-lsp/retarget": Text("The edits of a configuration that choose some.", "在配置文件中设置目标的修改。"),
    "textDocument/inlayHint": Text(
        "What a number means; on request the default, what else decides, and where the value of a variable comes from (`inlayHints`).",
        "数字的含义；可选显示默认值、影响因素和变量取值的来源（`inlayHints`）。",
    ),
    "inlayHint/resolve": Text("Hints are whole when they are sent.", "提示发送时已完整。"),
    "workspace/inlayHint/refresh": Text("Clients ask again when a text changes.", "文本变化时客户端会重新请求。"),
    "textDocument/codeLens": Text(
        "Processes and devices of a launch, and in how many files an option is set, where that is switched on (`codeLens`).",
        "启动的进程数与设备数，以及配置项在多少个文件中设置；需开启 `codeLens`。",
    ),
    "codeLens/resolve": Text("Counts when a lens is shown.", "显示时才统计。"),
    "workspace/codeLens/refresh": Text("Clients ask again when a text changes.", "文本变化时客户端会重新请求。"),
    "textDocument/signatureHelp": Text(
        "Arguments of `NPURunConfig(` and of the calls in it.", "`NPURunConfig(` 及其内部调用的参数。"
    ),
    "textDocument/semanticTokens/full": Text(
        "Options and values that are known, where that is switched on (`semanticHighlighting`): some editors take the "
        "tokens of one server alone.",
        "已知的配置项和取值；需开启 `semanticHighlighting`，因为部分编辑器只采用一个服务器的语义高亮。",
    ),
    "textDocument/semanticTokens/range": Text("The same for a part of the text.", "同上，仅限部分文本。"),
    "textDocument/semanticTokens/full/delta": Text(
        "The whole list is short: options, not all names.", "只包含配置项，完整列表已足够短。"
    ),
    "workspace/semanticTokens/refresh": Text("Clients ask again when a text changes.", "文本变化时客户端会重新请求。"),
    "textDocument/foldingRange": Text(
        "Functions, branches and long commands of scripts; other languages have folds of the editor's.",
        "脚本中的函数、分支和长命令；其他语言使用编辑器自带的折叠。",
    ),
    "workspace/foldingRange/refresh": Text("Clients ask again when a text changes.", "文本变化时客户端会重新请求。"),
    "textDocument/selectionRange": Text(
        "From a part of a value to the value, the setting and the statement.",
        "从取值的一部分逐步扩展到取值、配置和语句。",
    ),
    "textDocument/prepareRename": Text("Tells why a name can't be changed.", "说明不能重命名的原因。"),
    "textDocument/rename": Text(
        "A script's own variable that settings are made of, where no other program can see it. Servers for Python rename "
        "Python's.",
        "脚本中用于配置且其他程序不可见的变量。Python 变量由 Python 语言服务器重命名。",
    ),
    "textDocument/declaration": Text("The same as a definition here.", "在此与定义相同。"),
    "textDocument/implementation": _PYTHON,
    "textDocument/typeDefinition": _PYTHON,
    "textDocument/moniker": _PYTHON,
    **dict.fromkeys(
        ("textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"), _PYTHON
    ),
    **dict.fromkeys(
        ("textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes", "typeHierarchy/supertypes"), _PYTHON
    ),
    **dict.fromkeys(
        (
            "textDocument/formatting",
            "textDocument/rangeFormatting",
            "textDocument/rangesFormatting",
            "textDocument/onTypeFormatting",
        ),
        _FORMAT,
    ),
    **dict.fromkeys(
        (
            *("workspace/willCreateFiles", "workspace/willDeleteFiles", "workspace/willRenameFiles"),
            *("workspace/didCreateFiles", "workspace/didDeleteFiles", "workspace/didRenameFiles"),
        ),
        _FILES,
    ),
    **dict.fromkeys(
        ("textDocument/documentColor", "textDocument/colorPresentation"),
        Text("No option is a colour.", "没有颜色类配置项。"),
    ),
    **dict.fromkeys(
        ("textDocument/inlineValue", "workspace/inlineValue/refresh"),
        Text("A debugger shows values at run time.", "运行时取值由调试器显示。"),
    ),
    "textDocument/inlineCompletion": Text("Nothing is guessed.", "不猜测代码。"),
    "textDocument/linkedEditingRange": Text("No two places always change together.", "没有总是同时修改的位置。"),
    **dict.fromkeys(
        ("workspace/textDocumentContent", "workspace/textDocumentContent/refresh"),
        Text("There are no documents of the server's own.", "服务器没有自己的文档。"),
    ),
}


def answered() -> frozenset[str]:
    """Return the methods that have a handler."""

    async def wired() -> frozenset[str]:
        endpoint = Endpoint(wire, logging.NullHandler())
        wire(endpoint)
        # What the dispatch itself takes has no handler.
        return frozenset(endpoint.protocol.fm.features) | {"exit", "$/cancelRequest", "$/progress"}

    return asyncio.run(wired())


def whole(language: Language) -> str:
    """Return the page in one language."""
    known = answered()
    parts = [_HEAD.to(language)]
    for title, to_server in ((_TO_SERVER, True), (_TO_CLIENT, False)):
        rows = [
            (method, method in (known if to_server else SENT))
            for method in sorted(types.METHOD_TO_TYPES, key=str.lower)
            if types.message_direction(method) in (("clientToServer", "both") if to_server else ("serverToClient",))
        ]
        parts.append(_table(title.to(language), rows, language))
    own = sorted(method for method in known if method not in types.METHOD_TO_TYPES)
    parts.append(_table(_OWN.to(language), [(method, True) for method in own], language))
    return "\n".join(parts)


def _table(title: str, rows: list[tuple[str, bool]], language: Language) -> str:
    lines = [f"## {title}", "", _COLUMNS.to(language), "|---|---|---|"]
    lines += [
        f"| `{method}` | {(_YES if yes else _NO).to(language)} | {ABOUT[method].to(language)} |" for method, yes in rows
    ]
    return "\n".join([*lines, ""])
