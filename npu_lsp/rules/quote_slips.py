"""Slips in quotes and signs: without an end, missing around a list or a separator, of full width, and broken expansions."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.rule import Fixable, told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnbalancedQuote(SyntaxRule):
    """A quote that is opened and not closed, or closed and not opened.

    ## What it does
    Looks for commands of `atc` and `aoe` and for variables of the NPU in which a quote has no partner on its line.

    ## Why is this bad?
    Everything up to the next quote, often many lines below, becomes one value: the commands in between are never run.

    ## Fix safety
    Unsafe: the missing quote is put at the end of the word, which may not be where the value was meant to end.
    """

    code = "NPU709"
    fault = SyntaxFault.UNBALANCED_QUOTE
    title = Text(en="Quote without a partner", zh="引号不配对")
    fixable = Fixable.SOMETIMES
    safety = Safety.UNSAFE
    messages = {
        "found": Text(
            en="This {quote} has no partner on its line: everything up to the next one, line ends included, becomes a part of the value. Close the quote or remove it.",
            zh="此处的 {quote} 没有配对，直到下一个引号之前的内容（包括换行）都会并入取值。请补全或删除引号。",
        ),
        "mend": Text(en="Balance the quotes", zh="补全引号"),
    }
    VALID = ('atc --input_shape="x:1,3" --output=a\n',)
    INVALID = ('atc --input_shape=«"»x:1,3,224,224‹→"› --output=a\n',)


class UnquotedList(SyntaxRule):
    """A list of numbers with blanks and no quotes around it, or a value that a blank cuts from the rest of it or from a command.

    ## What it does
    Looks for `X=0, 1, 2` where `X` is a variable of the NPU, for `export X=a b/c`, `export X=a $X` and `export X=1 ./run.sh`, also where `X` is `PYTHONPATH`,
    `LD_LIBRARY_PATH` or `LD_PRELOAD`: no name that can be exported has a `/` in it.

    ## Why is this bad?
    The value ends at the first blank, and the shell takes the rest for names or for a command.

    ## Fix safety
    Unsafe: the variable has another value from then on.
    """

    code = "NPU718"
    fault = SyntaxFault.UNQUOTED_LIST
    safety = Safety.UNSAFE
    title = Text(en="List with blanks and without quotes", zh="列表中有空格且未加引号")
    messages = {
        "found": Text(
            en='The value of "{name}" ends at the first blank. Write the list without blanks: {value}.',
            zh="“{name}”的取值在第一个空格处结束。请去掉列表中的空格：{value}。",
        ),
        "cut": Text(
            en='The value of "{name}" ends at the blank: the shell takes "{rest}" for a name, refuses it, and goes on. Remove the blank, '
            "or put the value in quotes.",
            zh="“{name}”的取值在空格处结束：Shell 会把“{rest}”当作变量名，报错后继续执行。请删除空格，或给取值加上引号。",
        ),
        "command": Text(
            en='The value of "{name}" ends at the blank: the shell takes "{rest}" for a name to export, and doesn\'t run it. Leave "export" out, '
            "or put the command on a line of its own.",
            zh="“{name}”的取值在空格处结束：Shell 会把“{rest}”当作要导出的变量名，不会执行它。请去掉“export”，或将命令另起一行。",
        ),
        "joined": Text(
            en='The value of "{name}" ends at the blank, and the shell takes what it held before for names. Write {near}.',
            zh="“{name}”的取值在空格处结束，Shell 会把其原有取值当作变量名。请写为 {near}。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
        "mend_joined": Text(en="Put a colon there", zh="改为冒号"),
        "mend_command": Text(en="Leave `export` out", zh="去掉 `export`"),
        "mend_cut": Text(en="Put the value in quotes", zh="给取值加上引号"),
    }
    VALID = (
        "export ASCEND_RT_VISIBLE_DEVICES=0,1,2\n",
        'export ASCEND_RT_VISIBLE_DEVICES="0, 1"\n',
        "export MY_OWN=0, 1\n",
        "export ASCEND_LOG_PATH=/a PYTHONPATH=/b/c\nexport PYTHONPATH=/a:$PYTHONPATH # /b\n",
        "export PYTHONPATH=${A:-/a b/c}\n",
        "export HCCL_BUFFSIZE=1\nexport PYTHONPATH=$PYTHONPATH:your path/Megatron-LM\n",
        "PYTHONPATH=/a /b/run.sh\nexport HCCL_BUFFSIZE=200 NAME $OTHER\n",
    )
    INVALID = (
        "export ASCEND_RT_VISIBLE_DEVICES=«0, 1, 2→0,1,2»\n",
        'export HCCL_BUFFSIZE=1\nexport PYTHONPATH=«$PYTHONPATH:our path/M→"$PYTHONPATH:our path/M"»\n',
        'export HCCL_CONNECT_TIMEOUT=«12 00→"12 00"»; run\n',
        "export HCCL_BUFFSIZE=1\nexport LD_PRELOAD=«/lib/a.so $LD_PRELOAD→/lib/a.so:$LD_PRELOAD»\n",
        "export HCCL_BUFFSIZE=1\nexport PYTHONPATH=«/a: $PYTHONPATH→/a:$PYTHONPATH»\n",
        told(
            "```sh\nexport LD_PRELOAD=«/lib/a.so $LD_PRELOAD→/lib/a.so:$LD_PRELOAD»\n```\n\nSet `HCCL_BUFFSIZE=1`.\n",
            "error unsafe",
            Kind.MARKDOWN,
        ),
        "export ASCEND_RT_VISIBLE_DEVICES=«0 1 2 3→0,1,2,3»\n",
        "‹export →›HCCL_BUFFSIZE=«200 ./run.sh» --a\n",
    )


class UnquotedSeparator(SyntaxRule):
    """A flag's value with `;`, `|` or `&` and without quotes.

    ## What it does
    Looks for such a sign where the text behind it goes on like the value: `--input_shape=a:1,2;b:3,4`.

    ## Why is this bad?
    For the shell the command ends at the sign. The tool gets half of the value and none of the flags behind it.

    ## Fix safety
    Safe: the whole value is put in quotes.
    """

    code = "NPU711"
    fault = SyntaxFault.UNQUOTED_SEPARATOR
    title = Text(en="Value cut by an unquoted separator", zh="取值被未加引号的分隔符截断")
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='The unquoted "{separator}" ends the command for the shell: "{flag}" gets half of its value, and what follows is lost. Put the value in quotes.',
            zh="未加引号的“{separator}”会被 shell 当作命令结束，“{flag}”只得到一半取值，后面的参数全部丢失。请给取值加上引号。",
        ),
        "mend": Text(en="Put the value in quotes", zh="给取值加上引号"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=a.onnx;ls\n",
        'atc --input_shape="a:1,2;b:3" --output=a\n',
    )
    INVALID = ('atc --model=a.onnx --input_shape=«a:1,2;b:3,4→"a:1,2;b:3,4"» --output=a\n',)


class FullwidthCharacter(SyntaxRule):
    """Full-width or typographic characters in the place of ASCII ones.

    ## What it does
    Looks for quotes, dashes, blanks, colons, commas and equal signs that an input method or a word processor has put into flags
    and variables. Chinese text in paths and in comments is left alone.

    ## Why is this bad?
    They look alike, but no tool knows them: `—model` is no flag, and `“` and `”` become a part of the value.

    ## Fix safety
    Safe: each character is replaced by the one it stands for. A quote without a partner has no fix.
    """

    code = "NPU707"
    fault = SyntaxFault.FULLWIDTH
    title = Text(en="Full-width or typographic character", zh="全角或排版字符")
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{found}" is not ASCII: shell and tool take it as a part of the text, not as "{instead}". Type it on the keyboard as "{instead}".',
            zh="全角或排版字符 {found} 会被 shell 与工具当作普通文字，请改为半角的 {instead}。",
        ),
        "mend": Text(en="Replace by ASCII", zh="改为半角字符"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=/模型/中文，名.onnx\n",
        "atc --model=a # “注释”，：\n",
    )
    INVALID = (
        'atc «—model=“a.onnx”→--model="a.onnx"» --output=a\n',
        "atc «—→--»model=a.onnx\n",
        'atc --input_shape=«“a：1，2”→"a:1,2"»\n',
        "export HCCL_BUFFSIZE=200«”»\n",
    )


class BrokenExpansion(SyntaxRule):
    """A value that names another variable and has a slip in its signs.

    ## What it does
    Looks for `${$X}`, `$x}` and `#x/` in the values of variables of the NPU, of `PATH`, `PYTHONPATH` and `LD_LIBRARY_PATH`, and for `${$X}`
    of a variable of the NPU anywhere.

    ## Why is this bad?
    The shell stops at the first, and takes the others for text: the variable has a value that nobody meant.

    ## Fix safety
    Unsafe: the variable has another value from then on.
    """

    code = "NPU715"
    fault = SyntaxFault.BROKEN_EXPANSION
    safety = Safety.UNSAFE
    title = Text(en="Broken expansion in a variable's value", zh="环境变量取值中的变量引用写错")
    messages = {
        "twice": Text(
            en='The shell stops here: inside of braces there is no second "$". Take it away.',
            zh="大括号内不能再写“$”，Shell 会在此报错。请删除多余的“$”。",
        ),
        "unopened": Text(
            en='The brace closes nothing and becomes a part of "{name}". Open it behind the "$".',
            zh="右大括号没有对应的左大括号，会成为“{name}”取值的一部分。请在“$”后补上左大括号。",
        ),
        "hash": Text(en='"{name}" gets this "#" as it is. Was "$" meant?', zh="“{name}”会得到原样的“#”。是否应为“$”？"),
        "mend": Text(en="Mend the expansion", zh="修正变量引用"),
    }
    VALID = (
        "export RANK_ID=${ASCEND_DEVICE_ID}\n",
        "export RANK_ID=$ASCEND_DEVICE_ID\n",
        "export MY_OWN=${$OTHER}\n",
        "export HCCL_BUFFSIZE=1\nexport PYTHONPATH=${A:-$B}:$PYTHONPATH\n",
        "export ASCEND_DEVICE_ID=${x:-$y}\n",
    )
    INVALID = (
        "export RANK_ID=«${$ASCEND_DEVICE_ID}→${ASCEND_DEVICE_ID}»\n",
        "export ASCEND_DEVICE_ID=«$device_id}→${device_id}»\n",
        "export ASCEND_PROCESS_LOG_PATH=«#→$»cur_path/log\n",
        "export ASCEND_DEVICE_ID=0\npython train.py --id=«${$ASCEND_DEVICE_ID}→${ASCEND_DEVICE_ID}»\n",
        "export PATH=«${$ASCEND_HOME_PATH}→${ASCEND_HOME_PATH}»/bin:$PATH\n",
        "export HCCL_BUFFSIZE=1\nexport PYTHONPATH=«#→$»cur_path/..:$PYTHONPATH\n",
    )
