"""The command that builds generated code."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_ODD = re.compile(r"[^A-Za-z0-9 _\-./+,:=@%'\"]")
_TOKEN = re.compile(r"(?:[^ '\"]|'[^']*'|\"[^\"]*\")+")
_MAKEFILE = re.compile(r"-f|--(?:file|makefile)(?:=|\Z)")
_MAKE_VARIABLES = ("CXX", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS")


def make_command(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`make -s -j16 CXX=/usr/bin/clang++`: the command that builds generated code (ge: `base/common/helper/om2/om2_utils.cc`)."""
    odd = _ODD.search(text)
    if odd is not None:
        yield ValuePart(odd.group(), odd.start()).problem(
            f'"{odd.group()}" is not allowed here', f"不允许使用字符“{odd.group()}”"
        )
        return
    tokens = [ValuePart(match.group(), match.start()) for match in _TOKEN.finditer(text)]
    if _TOKEN.sub("", text).strip(" "):
        yield whole(text).problem("a quote isn't closed", "引号未闭合")
    elif not tokens or not (tokens[0].text == "make" or tokens[0].text.endswith("/make")):
        yield (tokens or [whole(text)])[0].problem('the command must start with "make"', "命令必须以 make 开头")
    else:
        for token in tokens[1:]:
            yield from _argument(token)


def _argument(token: ValuePart) -> Iterator[ValueProblem]:
    name, equals, _ = token.text.partition("=")
    if _MAKEFILE.match(token.text):
        yield token.problem("the Makefile can't be chosen", "不支持自定义 Makefile")
    elif token.text.startswith("-"):
        return
    elif not equals:
        yield token.problem(
            f'"{token.text}" is neither a flag nor a variable', f"“{token.text}”既不是选项，也不是变量赋值"
        )
    elif name not in _MAKE_VARIABLES:
        yield ValuePart(name, token.start).problem(
            f'only the variables {", ".join(_MAKE_VARIABLES)} may be set, not "{name}"',
            f"只能设置变量 {'、'.join(_MAKE_VARIABLES)}，不能设置“{name}”",
        )
