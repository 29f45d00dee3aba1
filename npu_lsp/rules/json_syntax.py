"""NPU804: a configuration file that is no JSON."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.innermost import innermost, nested
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.placeholders import is_template
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.rule import Fixable, Invalid, Valid, told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_FILLED_IN = re.compile(r"[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,9}[ \t]*(?=[,\r\n}\]]|\Z)")
"""A name in the place of a value, without quotes: `"dp": DP_SIZE`, where `sed` writes a number."""


class JsonSyntax(SyntaxRule):
    """A file in JSON that doesn't parse.

    ## What it does
    Reads fusion switch files, `modify_mixlist` files, single-operator files, files with options of GE, and the JSON of `--additional-config` as
    strictly as the tools do, and tells the first place where the text is no JSON.

    ## Why is this bad?
    The tool stops, and doesn't say where. A fusion switch file that is no JSON is read line by line instead, which fails
    with a message about a missing colon. JSON whose quotes the shell takes away reaches vLLM as something else.

    ## Fix safety
    Safe: a comma goes that says nothing, JSON whose quotes the shell takes away gets quotes around it, and quotes that stand twice stand once.
    """

    code = "NPU804"
    fault = SyntaxFault.JSON_SYNTAX
    title = Text(en="File that is no JSON", zh="JSON 格式错误")
    fixable = Fixable.SOMETIMES
    messages = {
        "extra_comma": Text(
            en="Line {line}, column {column}: JSON has no comma before a closing bracket, and the tool can't read the file. Remove it.",
            zh="第 {line} 行第 {column} 列：JSON 不允许在右括号前写逗号，工具无法读取该文件。请删除。",
        ),
        "comma": Text(
            en='Line {line}, column {column}: a comma is missing before "{found}", and the tool can\'t read the file.',
            zh="第 {line} 行第 {column} 列：“{found}”之前缺少逗号，工具无法读取该文件。",
        ),
        "colon": Text(
            en="Line {line}, column {column}: a colon is missing behind this key, and the tool can't read the file.",
            zh="第 {line} 行第 {column} 列：键名后缺少冒号，工具无法读取该文件。",
        ),
        "key": Text(
            en="Line {line}, column {column}: a key in double quotes is expected here, and the tool can't read the file.",
            zh="第 {line} 行第 {column} 列：此处应为带双引号的键名，工具无法读取该文件。",
        ),
        "value": Text(
            en="Line {line}, column {column}: a value is expected here (text in double quotes, a number, true, false, an object, a list).",
            zh="第 {line} 行第 {column} 列：此处应为取值（带双引号的字符串、数字、true、false、对象或数组）。",
        ),
        "string": Text(
            en="Line {line}, column {column}: this text has no closing quote on its line, and the tool can't read the file.",
            zh="第 {line} 行第 {column} 列：字符串缺少右引号，工具无法读取该文件。",
        ),
        "closing": Text(
            en='Line {line}, column {column}: "{expected}" is missing for this bracket, and the tool can\'t read the file.',
            zh="第 {line} 行第 {column} 列：括号不配对，缺少“{expected}”，工具无法读取该文件。",
        ),
        "after": Text(
            en="Line {line}, column {column}: the file should end here, but there is more text. The tool can't read the file.",
            zh="第 {line} 行第 {column} 列：JSON 内容已结束，后面还有多余文本，工具无法读取该文件。",
        ),
        "single_quote": Text(
            en="Line {line}, column {column}: JSON takes double quotes only, and the tool can't read the file.",
            zh="第 {line} 行第 {column} 列：JSON 只能使用双引号，工具无法读取该文件。",
        ),
        "comment": Text(
            en="Line {line}, column {column}: JSON has no comments, and the tool can't read the file. Remove it.",
            zh="第 {line} 行第 {column} 列：JSON 不支持注释，工具无法读取该文件。请删除。",
        ),
        "deep": Text(
            en="Line {line}, column {column}: too deep or too large to be read here.",
            zh="第 {line} 行第 {column} 列：嵌套过深或内容过大，无法继续读取。",
        ),
        "shell_quotes": Text(
            en="The shell takes these quotes away, so that no JSON is left, and vLLM stops. Put single quotes around all of it.",
            zh="Shell 会去掉其中的引号，vLLM 得到的不是 JSON，会报错退出。请用单引号括住整个 JSON。",
        ),
        "doubled_quotes": Text(
            en="Double quotes stand twice each here, so that this is no JSON, and vLLM stops. Write each of them once.",
            zh="此处每个双引号都写成了两个，不是合法的 JSON，vLLM 会报错退出。请各写一个。",
        ),
        "mend": Text(en="Mend it", zh="修复"),
    }
    examples_in = Kind.FUSION_SWITCH
    examples_fixed = "safe"
    VALID = (
        Valid('{"black-list": {"to-add": ["Add"]}}\n', Kind.MIXLIST),
        "ConvBatchnormFusionPass:off\n",
        # Templates.
        Valid("vllm serve m --additional-config '{\"refresh\": {{ refresh }}}'\n", Kind.SHELL),
        Valid("vllm serve m --additional-config '{%%CONFIG:a%%\"refresh\":true%%/CONFIG:a%%}'\n", Kind.SHELL),
        Valid("vllm serve m --additional-config '{{% if a %}\"refresh\":true{% endif %}}'\n", Kind.SHELL),
        '{"Switch": {"GraphFusion": {{ rules }}}}\n',
        '{"Switch": {"GraphFusion": <rules>}}\n',
        '{"Switch": {"GraphFusion": {"ALL": ALL_RULES}}}\n',
        Valid('vllm serve m --additional-config "{\\"refresh\\": $REFRESH}"\n', Kind.SHELL),
        # Two commands write one file.
        Valid(
            "cat > fusion_switch.json <<'E'\n{\"Switch\": {\nE\ncat >> fusion_switch.json <<'E'\n}}\nE\n", Kind.SHELL
        ),
        # What a program was started with, as a log shows it: the shell has read it before.
        Valid('--port 8000 --seed 0\n--additional-config {"refresh":true}\n', Kind.SHELL),
        Valid('```text\n--port 8000\n--additional-config {"refresh":true}\n```\n', Kind.MARKDOWN),
    )
    INVALID = (
        told('{"black-list": {"to-add": ["MatMulV2"«,→»]}}\n', kind=Kind.MIXLIST),
        told('{"black-list": {"to-add": ["Add"«,→»]}}\n', kind=Kind.MIXLIST),
        told('{"black-list": {"to-add": ["Add" «"»Mul"]}}\n', kind=Kind.MIXLIST),
        '{"Switch": {"GraphFusion": {"ALL": «off»}}}\n',
        '«{»"Switch": {"GraphFusion": {"ALL": "off"}}\n',
        told(
            'vllm serve m --additional-config «"{"refresh": true}"→\'{"refresh": true}\'»\n'
            'vllm serve m --additional-config «{"refresh":true}→\'{"refresh":true}\'»\n'
        ),
        told('CONFIG=«"{"refresh": true}"→\'{"refresh": true}\'»\nvllm serve m --additional-config "$CONFIG"\n'),
        # As a table has them that was exported.
        told(
            'vllm serve m --additional-config «\'{""refresh"":true, ""expert_map_path"": """"}\'→\'{"refresh":true, "expert_map_path": ""}\'»\n'
        ),
        told('{"cudagraph_mode": «FULL_DECODE_ONLY»}\n', kind=Kind.COMPILATION_CONFIG),
        told("[{«'op'»: 'Add'}]\n", kind=Kind.SINGLE_OP),
        '{"Switch" «{»"GraphFusion": {"ALL": "off"}}}\n',
        '{"Switch": {«GraphFusion»: {"ALL": "off"}}}\n',
        '{"Switch": {"GraphFusion": {"ALL": «"off}}}»\n',
        '{"Switch": {"GraphFusion": {"ALL": "off"}}} «x»\n',
        '{"Switch": {"GraphFusion": {"ALL": "off"}} «// why»\n}\n',
        Invalid('{"Switch": ' * 300, ("{",), ("error",), kind=Kind.FUSION_SWITCH),
    )

    def is_one(self, found: SyntaxFinding, context: Context) -> bool:
        """Tell a slip from a template, of which a program makes JSON, and from what another slip makes of it."""
        text, at = context.document.text, found.span.start
        if is_template(text, at) or _is_torn(at, context):
            return False
        name = _FILLED_IN.match(text, at)
        return name is None or _is_value(name.group().strip(), context)


def _is_value(name: str, context: Context) -> bool:
    """Return whether a name without quotes is a value that one of vLLM's keys takes: `"cudagraph_mode": FULL_DECODE_ONLY`."""
    options = context.catalog.options(Surface.VLLM_ARGS)
    return any(name == each.value for option in options if "." in option.name for each in option.values)


_MAKING = frozenset({SyntaxFault.UNBALANCED_QUOTE, SyntaxFault.FULLWIDTH})


def _is_torn(at: int, context: Context) -> bool:
    """Return whether another slip decides what is read there.

    That is a sign on its line that only looks like a quote, or a quote without a partner, on it or above it in the same script.
    """
    document = context.document
    slips = [each for each in context.parsed.syntax if each.kind in _MAKING][:MOST_OF_ONE]
    lines = {each.span.start: document.line_of(each.span.start) for each in slips}
    here = document.line_of(at)
    if any(each.kind is SyntaxFault.FULLWIDTH and lines[each.span.start] == here for each in slips):
        return True
    above = [
        each.span.start
        for each in slips
        if each.kind is SyntaxFault.UNBALANCED_QUOTE and lines[each.span.start] <= here
    ]
    scripts = [place.document for place in nested(document, at)] if above else []
    return any(innermost(document, quote).document is script for quote in above for script in scripts)
