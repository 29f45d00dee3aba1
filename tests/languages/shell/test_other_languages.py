"""Commands that other languages start: in one string, or as a list of words."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.branches import Arm, Branch, Branching
from npu_lsp.languages.injections import Injection, nest_of, region_of
from npu_lsp.languages.model import Block, ParseResult
from npu_lsp.languages.shell.argument_list import ListElement, read_arguments
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Span
from tests.languages.shell.found import cut, value


def read_command(text: str, places: SourceMap, branch: Branch = ()) -> ParseResult:
    return reading_of(Injection(Kind.SHELL, text, places, branch=branch))


def reading_of(found: Injection) -> ParseResult:
    region = region_of(found, nest_of(Document(found.text, kind=found.kind)))
    assert region is not None
    return region.parsed()


def test_a_command_in_a_string() -> None:
    text = "os.system(\"cd x && atc --log=info --in='a b'\")"
    start = text.index('"') + 1
    found = read_command(text[start:-2], SourceMap(start))
    (block,) = found.blocks
    assert cut(text, block.head) == "atc"
    assert [(cut(text, s.key), cut(text, s.value.span), value(s)) for s in block.settings] == [
        ("--log", "info", "info"),
        ("--in", "'a b'", "a b"),
    ]


def test_holes_are_unknown() -> None:
    command = f"atc --log={HOLE}{HOLE}{HOLE} --model=a.onnx"
    (block,) = read_command(command, SourceMap(7)).blocks
    assert [value(s) for s in block.settings] == ["?", "a.onnx"]
    assert not block.open
    for quoted in (f"'{HOLE}{HOLE}a'", f'"{HOLE}a"', f"'a{HOLE}'", f"$'{HOLE}'", f'"{HOLE}', f"'{HOLE}"):
        (block,) = read_command(f"atc --log={quoted}", SourceMap(0)).blocks
        assert [value(s) for s in block.settings if s.name == "log"] == ["?"]
    (block,) = read_command(f"atc --model=a {HOLE}", SourceMap(0)).blocks
    assert block.open


def test_characters_that_take_several() -> None:
    # A Python string with escapes: "atc --in=\"a b\""
    text = '"atc --in=\\"a b\\""'
    inner = 'atc --in="a b"'
    ends = [*range(2, 11), 12, 13, 14, 15, 17]
    starts = [1, *ends[:-1]]
    (block,) = read_command(inner, SourceMap(0, starts, ends)).blocks
    (setting,) = block.settings
    assert cut(text, setting.key) == "--in"
    assert cut(text, setting.value.span) == '\\"a b\\"'
    assert setting.value.content is not None
    assert cut(text, setting.value.content) == "a b"


def test_variables_of_a_command() -> None:
    blocks = read_command("export HCCL_A=1 && HCCL_B=2 python3 x.py && MY=3 ls", SourceMap(0)).blocks
    assert [(b.surface, [s.name for s in b.settings]) for b in blocks] == [
        (Surface.ENV, ["HCCL_A"]),
        (Surface.ENV, ["HCCL_B"]),
    ]


ARM = Arm(Branching.CONDITION, (4,), 1)


def test_a_branch_is_passed_on() -> None:
    (block,) = read_command("atc --log=info", SourceMap(0), branch=(ARM,)).blocks
    assert block.settings[0].branch == (ARM,)


def elements(text: str) -> tuple[list[ListElement], Span]:
    """Return the strings of a Python list, as `*x` and names are unknown."""
    import re

    found = []
    for match in re.finditer(r'"([^"]*)"|\*\w+|\b[a-z]\b', text):
        if match[1] is not None:
            found.append(ListElement(Span(*match.span()), match[1], Span(*match.span(1))))
        else:
            found.append(ListElement(Span(*match.span()), many=match.group().startswith("*")))
    return found, Span(0, len(text))


def words(elements: list[ListElement], span: Span) -> tuple[Block, ...]:
    started = read_arguments(elements, span)
    return (*started.blocks, *(block for each in started.inner for block in reading_of(each).blocks))


def test_a_list_of_words() -> None:
    text = '["sudo", "/usr/bin/atc", "--log=a b", "--model", "x;y", x, "--mode", "0"]'
    (block,) = words(*elements(text))
    assert cut(text, block.head) == "/usr/bin/atc"
    assert [(s.name, value(s), cut(text, s.key), cut(text, s.own)) for s in block.settings] == [
        ("log", "a b", "--log", '"--log=a b"'),
        ("model", "x;y", "--model", '"--model", "x;y"'),
        ("mode", "0", "--mode", '"--mode", "0"'),
    ]
    assert block.command == Span(0, len(text))
    # A list's single element that isn't known is one word, and may be a flag.
    assert block.open


def test_a_list_with_more_words() -> None:
    (block,) = words(*elements('["atc", *extra]'))
    assert block.open
    assert words(*elements('["ls", "atc"]')) == ()
    assert words(*elements("[]")) == ()


def test_a_list_that_runs_a_script() -> None:
    text = '["bash", "-c", "cd x && atc --log=info"]'
    (block,) = words(*elements(text))
    assert cut(text, block.settings[0].key) == "--log"


def test_an_element_in_pieces() -> None:
    # `"--log=" "info"`
    element = ListElement(
        Span(8, 23), "--log=info", places=([*range(9, 15), *range(18, 22)], [*range(10, 16), *range(19, 23)])
    )
    (block,) = words([ListElement(Span(1, 6), "atc", Span(2, 5)), element], Span(0, 24))
    (setting,) = block.settings
    assert value(setting) == "info"
    assert setting.key == Span(9, 14)
    assert setting.value.content == Span(18, 22)


def test_a_key_that_is_put_together_with_a_name_ends_before_it() -> None:
    text = 'import subprocess\nSOC = "310"\nsubprocess.run(["atc", "--soc_version" + SOC])\n'
    document = Document(text, kind=Kind.PYTHON)
    ((setting,),) = [block.settings for block in read(document).blocks]
    assert setting.name == "soc_version310"
    assert cut(text, setting.key) == "--soc_version"
