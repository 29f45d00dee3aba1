"""Slips in entries: of configuration files, and in the keywords of a call."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.rule import Fixable, Valid, told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class MissingSection(SyntaxRule):
    """An `op_cache.ini` without its section.

    ## What it does
    Looks whether the keys of `op_cache.ini` stand in a section.

    ## Why is this bad?
    Without `[op_compiler_cache]` the file is taken as invalid: both sizes are ignored, and only the log says so.

    ## Fix safety
    Unsafe: the sizes take effect from then on.
    """

    code = "NPU806"
    fault = SyntaxFault.MISSING_SECTION
    title = Text(en="Section that is missing", zh="缺少小节")
    safety = Safety.UNSAFE
    messages = {
        "found": Text(
            en="The keys don't stand in [{section}]: the file is taken as invalid, and none of them counts. Put the section above them.",
            zh="配置项不在小节 [{section}] 中，整个文件视为无效，所有配置项均不生效。请在最前面加上该小节。",
        ),
        "mend": Text(en="Insert [{section}]", zh="插入 [{section}]"),
    }
    examples_in = Kind.OP_CACHE
    VALID = ("[op_compiler_cache]\nmax_op_cache_size=500\nremain_cache_size_ratio=80\n",)
    INVALID = ("«max_op_cache_size→[op_compiler_cache]\nmax_op_cache_size»=500\nremain_cache_size_ratio=80\n",)


class MalformedEntry(SyntaxRule):
    """A line that the tool can't understand in a file that an option points to.

    ## What it does
    Looks for lines without a colon, unknown keys, and switches other than `on` and `off` in fusion switch files, for empty
    lines, comments and keys in the wrong order in `customize_dtypes` files, for comments and types in lower case in
    `keep_dtype` files, for keys without a value in `op_debug_config` files, for fields without a colon and braces without a
    partner in AIPP files, and for an operator outside a list in single-operator files.

    ## Why is this bad?
    AIPP, fusion switch, single-operator and `customize_dtypes` files are read strictly: one such line stops the build. The others ignore the line.

    ## Example
    ```
    # switch off what breaks accuracy
    ConvBatchnormFusionPass:OFF
    ```

    Use instead:
    ```
    ConvBatchnormFusionPass:off
    ```

    ## Fix safety
    Unsafe: the line takes effect from then on.
    """

    code = "NPU805"
    fault = SyntaxFault.MALFORMED_ENTRY
    safety = Safety.UNSAFE
    title = Text(en="Line that isn't in the file's format", zh="配置文件中格式错误的行")
    fixable = Fixable.SOMETIMES
    messages = {
        "no_colon": Text(
            en='This line isn\'t of the form "{form}", and GE stops with an error.',
            zh="该行不符合“{form}”格式，GE 会报错退出。",
        ),
        "comment": Text(
            en='There are no comments in this file: the line isn\'t of the form "{form}", and GE stops with an error. Remove it.',
            zh="该文件不支持注释，此行不符合“{form}”格式，GE 会报错退出。请删除。",
        ),
        "comment_is_name": Text(
            en='There are no comments in this file: the line is taken for the name of a node. Lines are of the form "{form}".',
            zh="该文件不支持注释，此行会被当作节点名称。每行格式为“{form}”。",
        ),
        "empty": Text(
            en='An empty line isn\'t of the form "{form}", and GE stops with an error. Remove it.',
            zh="空行不符合“{form}”格式，GE 会报错退出。请删除。",
        ),
        "no_dtype": Text(
            en='This line isn\'t of the form "{form}", and GE stops with an error.',
            zh="该行不符合“{form}”格式，GE 会报错退出。",
        ),
        "order": Text(
            en='"InputDtype" must stand left of "OutputDtype", as in "{form}"; GE stops with an error.',
            zh="“InputDtype”必须写在“OutputDtype”左侧，如“{form}”，否则 GE 会报错退出。",
        ),
        "switch": Text(
            en='The switch of "{name}" must be on or off in lower case, not "{value}"; GE stops with an error.',
            zh="“{name}”的开关只能是小写的 on 或 off，不能是“{value}”，否则 GE 会报错退出。",
        ),
        "unknown_key": Text(
            en='There is no key "{name}" here, only {form}; GE stops with an error.',
            zh="此处没有键“{name}”，只能是 {form}，否则 GE 会报错退出。",
        ),
        "no_value": Text(
            en='This line isn\'t of the form "{form}" and is ignored.', zh="该行不符合“{form}”格式，会被忽略。"
        ),
        "pascal_case": Text(
            en='"{name}" is no operator type: types are in PascalCase. If the graph has no such type, ATC stops with E10003.',
            zh="“{name}”不是合法的算子类型，类型名须为大驼峰写法；图中不存在该类型时 ATC 报 E10003 退出。",
        ),
        "prefix": Text(
            en='This line is taken for the name of a node, not for a type of operators. Write "{name}".',
            zh="该行会被当作节点名称，而不是算子类型。请写成“{name}”。",
        ),
        "no_sign": Text(
            en="This isn't of the form \"{form}\": the file can't be read, and ATC stops with an error.",
            zh="此处不符合“{form}”格式，文件无法解析，ATC 会报错退出。",
        ),
        "outside": Text(
            en='This stands outside of "{name} {{ ... }}": the file can\'t be read, and ATC stops with an error. Put it in.',
            zh="此处不在“{name} {{ ... }}”之内，文件无法解析，ATC 会报错退出。请移入其中。",
        ),
        "opening": Text(
            en="This brace is never closed: the file can't be read, and ATC stops with an error. Close it.",
            zh="此大括号没有闭合，文件无法解析，ATC 会报错退出。请补上右括号。",
        ),
        "closing": Text(
            en="This brace closes nothing: the file can't be read, and ATC stops with an error. Remove it.",
            zh="多余的右大括号，文件无法解析，ATC 会报错退出。请删除。",
        ),
        "no_list": Text(
            en="The file must hold a list of operators, also for a single one: ATC stops with E10026. Put [ ] around it.",
            zh="文件内容必须是算子数组，即使只有一个算子，否则 ATC 报 E10026 退出。请用 [ ] 括起来。",
        ),
        "mend": Text(en="Write it as the tool reads it", zh="改为工具可识别的写法"),
    }
    examples_in = Kind.AIPP
    VALID = (
        Valid("ConvBatchnormFusionPass:off\n\nALL : on\n", Kind.FUSION_SWITCH),
        Valid("a::InputDtype:float16,,int8,OutputDtype:float16\n", Kind.CUSTOMIZE_DTYPES),
        Valid("# debug\nop_debug_config = oom\n", Kind.OP_DEBUG),
        Valid("conv1\n\nOpType::Relu\n", Kind.KEEP_DTYPE),
        Valid('{"op": "A", "input_desc": [{"format": ["ND"], "type": "int8"}]}\n', Kind.SINGLE_OP),
        "CLASS_NUM=1000\nSOFTMAX=true\n",
        "aipp_op {  # one\n  aipp_mode: static, crop: true;\n}\naipp_op: { mean_chn_0: -1 }\n",
    )
    INVALID = (
        told("ConvBatchnormFusionPass:«OFF→off»\n", kind=Kind.FUSION_SWITCH),
        told("«# why»\n#\n# so\nConvBatchnormFusionPass:off\n", kind=Kind.FUSION_SWITCH),
        told('{"Switch": {"GraphFusion": {"ALL": «false→"off"»}}}\n', kind=Kind.FUSION_SWITCH),
        told('{"Switch": {"«GraphFuson→GraphFusion»": {"ALL": "off"}}}\n', kind=Kind.FUSION_SWITCH),
        told("«a::OutputDtype:float16,InputDtype:float16»\n", kind=Kind.CUSTOMIZE_DTYPES),
        told("«Optype:→OpType::»Relu\n", kind=Kind.KEEP_DTYPE),
        told("OpType::«relu→Relu»\n", kind=Kind.KEEP_DTYPE),
        "aipp_op {\n  «aipp_mode=dynamic→aipp_mode: dynamic»\n  «crop true→crop: true»\n}\n",
        "«aipp_mode»: static\naipp_op {\n  crop: true\n",
        "aipp_op «{»\n  crop: true\n",
        "«a.cfg»\n├── b.c\n└── data\naipp_op {\n  crop: true\n}\n",
        told(
            '«{→[{»"op": "A", "input_desc": [{"format": "ND", "type": "int8", "shape": [1]}]}‹→]›\n',
            kind=Kind.SINGLE_OP,
        ),
        told("«op_debug_config=»\n", kind=Kind.OP_DEBUG),
        told("«ConvBatchnormFusionPass off»\n", kind=Kind.FUSION_SWITCH),
        told("OpType::Relu\n«# why»\n", kind=Kind.KEEP_DTYPE),
        told("a::InputDtype:float16\n«\n»b::InputDtype:float16\n", kind=Kind.CUSTOMIZE_DTYPES),
        told("«a::float16»\n", kind=Kind.CUSTOMIZE_DTYPES),
        "aipp_op {\n  crop: true\n}\n«}»\n",
    )


class PositionalArgument(SyntaxRule):
    """An argument without its name, where the function takes names only.

    ## What it does
    Looks for calls such as `mindspore.set_context(0)`: `set_context`, `set_auto_parallel_context` and `set_ps_context` have no
    argument that may stand without its name.

    ## Why is this bad?
    Python raises `TypeError`, and nothing runs.

    ## Fix safety
    Unsafe: a number or a constant of a mode gets the name of that argument; other values are left to you.
    """

    code = "NPU125"
    fault = SyntaxFault.POSITIONAL_ARGUMENT
    safety = Safety.UNSAFE
    title = Text(en="Argument without its name", zh="参数未写名称")
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en="{function} takes arguments by name only: Python raises TypeError at {argument}. Write its name before it.",
            zh="{function} 的参数只能以关键字形式传入，{argument} 会触发 TypeError。请在其前写上参数名。",
        ),
        "mend": Text(en="Write the argument's name", zh="补上参数名"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        "import mindspore as ms\nms.set_context(mode=0)\n",
        "import mindspore as ms\nms.set_context(**config)\nms.set_context(*none)\n",
        # Another library has a function of that name.
        'import seaborn as sns\nsns.set_context("paper")\n',
        'import mindspore\nfrom seaborn import set_context\nset_context("paper")\n',
    )
    INVALID = (
        "mindspore.set_context(«0→mode=0»)\n",
        told(
            "```python\n>>> import mindspore as ms\n>>> ms.set_context(«0→mode=0»)\nWARNING: a\n```\n",
            kind=Kind.MARKDOWN,
        ),
        (
            "from mindspore import context\n"
            'context.set_context(«context.GRAPH_MODE→mode=context.GRAPH_MODE», device_target="Ascend")\n'
        ),
        'import mindspore as ms\nms.set_context(«{"mode": 0}»)\n',
        "import mindspore as ms\nms.set_auto_parallel_context(«8»)\n",
        "import mindspore as ms\nms.set_ps_context(«True»)\n",
    )
