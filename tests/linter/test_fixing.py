"""Fixes are made until none is left, and none that would break the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding, Fix, NewFile, Safety, Severity
from npu_lsp.linter.fixing.edits import compatible
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.linter.fixing.soundness import as_sound
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span
from tests.together import together

Find = Callable[[Document], Iterable[Finding]]


def finding(span: Span, text: str, *, code: str = "NPU101", safety: Safety = Safety.SAFE) -> Finding:
    fix = Fix("fix", (Edit(span, text),), safety)
    return Finding(code, "name", Severity.ERROR, span, "message", fixes=(fix,))


def replacing(old: str, new: str, **more: object) -> Find:
    """Return what finds each `old` and would put `new` in its place."""

    def find(document: Document) -> Iterable[Finding]:
        at = document.text.find(old)
        while at >= 0:
            yield finding(Span(at, at + len(old)), new)._replace(**more)  # type: ignore[arg-type]
            at = document.text.find(old, at + 1)

    return find


def document(text: str, kind: Kind = Kind.PYTHON) -> Document:
    return Document(text, path="/x/a.py", kind=kind)


def test_all_of_them_are_made_and_counted() -> None:
    done = fixed(document("a = 1\na = 2\n"), replacing("a", "b"), unsafe=False)
    assert done.document.text == "b = 1\nb = 2\n"
    assert done.counts == {"NPU101": 2}


def test_a_fix_may_make_room_for_another() -> None:
    def find(text: Document) -> Iterable[Finding]:
        yield from replacing("a", "b")(text)
        yield from replacing("b", "c", code="NPU102")(text)

    done = fixed(document("a = 1\n"), find, unsafe=False)
    assert (done.document.text, done.counts) == ("c = 1\n", {"NPU101": 1, "NPU102": 1})


def test_fixes_that_undo_each_other_end() -> None:
    def find(text: Document) -> Iterable[Finding]:
        for number, (old, new) in enumerate((("c", "d"), ("a", "b"), ("b", "x"), ("x", "a"))):
            yield from replacing(old, new, code=f"NPU10{number}")(text)

    done = fixed(document("c = 1\na = 1\n"), find, unsafe=False)
    assert done.document.text == "d = 1\na = 1\n"
    assert (done.counts, done.refused) == ({"NPU100": 1}, {"NPU101": 1, "NPU102": 1, "NPU103": 1})


@together("new", ["aa", "ax", "xa", "x = a", "a" + "x" * 60_000])
def test_one_after_which_its_finding_is_still_there_is_not_made(new: str) -> None:
    done = fixed(document("a = 1\n"), replacing("a", new), unsafe=False)
    assert (done.document.text, done.counts, done.refused) == ("a = 1\n", {}, {"NPU101": 1})


def test_one_that_brings_another_finding_is_not_made_and_the_others_are() -> None:
    def find(text: Document) -> Iterable[Finding]:
        for old, new in (("a", "b"), ("c", "d"), ("e", "f")):
            yield from replacing(old, new)(text)
        if "d" in text.text:
            yield Finding("NPU102", "n", Severity.ERROR, Span(0, 1), "m")

    done = fixed(document("a = 1\nc = 2\ne = 3\n"), find, unsafe=False)
    assert done.document.text == "b = 1\nc = 2\nf = 3\n"
    assert (done.counts, done.refused) == ({"NPU101": 2}, {"NPU101": 1})


@pytest.mark.parametrize(
    ("severity", "unsafe", "text"), [("info", True, "new"), ("info", False, "old"), ("error", True, "old")]
)
def test_what_is_put_there_may_be_found_less_bad(severity: str, unsafe: bool, text: str) -> None:
    def find(source: Document) -> Iterable[Finding]:
        if source.text == "old":
            yield finding(Span(0, 3), "new")
        else:
            yield Finding("NPU301", "name", Severity(severity), Span(0, 3), "message")

    assert fixed(document("old"), find, unsafe=unsafe).document.text == text


def test_two_that_fail_leave_the_others_their_turn() -> None:
    def find(text: Document) -> Iterable[Finding]:
        yield from sorted((*replacing("a", "b")(text), *replacing("x", "x ")(text)), key=lambda each: each.span)

    done = fixed(document("x = 1\na = 2\nx = 3\na = 4\n"), find, unsafe=False)
    assert done.document.text == "x = 1\nb = 2\nx = 3\nb = 4\n"


def test_the_search_for_those_that_fail_comes_to_an_end() -> None:
    analyses = 0

    def find(text: Document) -> Iterable[Finding]:
        nonlocal analyses
        analyses += 1
        return list(replacing("a", "aa")(text))

    done = fixed(document("a = 1\n" * 500), find, unsafe=False)
    assert done.document.text == "a = 1\n" * 500
    assert analyses < 500


def test_what_a_slip_hid_may_come_to_light() -> None:
    before = 'atc --model=a.onnx --framework=5 --output="a --log=debug\n'
    done = fixed(Document(before, kind=Kind.SHELL), Analyzer(Config(), all_rules).findings, unsafe=True)
    assert done.document.text == 'atc --model=a.onnx --framework=5 --output="a" --log=debug\n'
    assert done.counts == {"NPU709": 1}


def test_a_long_text_may_become_longer() -> None:
    text = document("a = '" + "x" * 200_000 + "'\n")
    assert fixed(text, replacing("a =", "b =  "), unsafe=False).counts == {"NPU101": 1}


def test_a_text_that_explodes_stays() -> None:
    done = fixed(document("a = 1\n"), replacing("a =", f"{'b' * 100_100} ="), unsafe=False)
    assert (done.document.text, done.refused) == ("a = 1\n", {"NPU101": 1})


def test_unsafe_ones_only_when_asked_for() -> None:
    def find(text: Document) -> Iterable[Finding]:
        if "a" in text.text:
            yield finding(Span(0, 1), "b", safety=Safety.UNSAFE)

    assert fixed(document("a = 1\n"), find, unsafe=False).document.text == "a = 1\n"
    assert fixed(document("a = 1\n"), find, unsafe=True).document.text == "b = 1\n"


def test_the_first_one_is_made_or_none() -> None:
    def find(text: Document) -> Iterable[Finding]:
        for found in replacing("a", "b")(text):
            yield found._replace(
                fixes=(found.fixes[0]._replace(safety=Safety.UNSAFE), Fix("-", (Edit(found.span, "c"),), Safety.SAFE))
            )

    assert fixed(document("a = 1\n"), find, unsafe=False).document.text == "a = 1\n"
    assert fixed(document("a = 1\n"), find, unsafe=True).document.text == "b = 1\n"


def test_suppressed_ones_are_left() -> None:
    assert not fixed(document("a = 1\n"), replacing("a", "b", suppressed=True), unsafe=True).counts


def test_overlapping_ones_wait_for_their_turn() -> None:
    def find(text: Document) -> Iterable[Finding]:
        if text.text == "abc = 1\n":
            yield finding(Span(0, 2), "x")
            yield finding(Span(1, 3), "y")

    done = fixed(document("abc = 1\n"), find, unsafe=False)
    assert (done.document.text, done.counts, done.refused) == ("xc = 1\n", {"NPU101": 1}, {})
    one, other = Fix("a", (Edit(Span(0, 2), "x"),), Safety.SAFE), Fix("b", (Edit(Span(1, 3), "y"),), Safety.SAFE)
    assert compatible([one, other]) == (one,)
    assert compatible([one, one]) == (one, one)


def test_the_one_that_breaks_is_left_out_and_the_others_are_made() -> None:
    def find(text: Document) -> Iterable[Finding]:
        for name, new in (("a", "b"), ("x", "("), ("y", "z")):
            at = text.text.find(f"{name} =")
            if at >= 0:
                yield finding(Span(at, at + 1), new)

    done = fixed(document("a = 1\nx = 2\ny = 3\n"), find, unsafe=False)
    assert done.document.text == "b = 1\nx = 2\nz = 3\n"
    assert (done.counts, done.refused) == ({"NPU101": 2}, {"NPU101": 1})


def test_line_ends_are_those_of_the_file() -> None:
    for newline in ("\n", "\r\n", "\r"):
        text = document(f"a = 1{newline}c = 2{newline}")
        done = fixed(text, replacing("a", "x = 1\nb"), unsafe=False)
        assert done.document.text == f"x = 1{newline}b = 1{newline}c = 2{newline}"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_in_a_text_with_several_line_ends_the_place_decides(newline: str) -> None:
    other = "\r\n" if newline == "\n" else "\n"
    text = document(f"y = 1{other}" * 3 + f"a = 1{newline}")
    done = fixed(text, replacing("a", "x = 1\nb"), unsafe=False)
    assert done.document.text == f"y = 1{other}" * 3 + f"x = 1{newline}b = 1{newline}"


@pytest.mark.parametrize("feeds", [0, 1, 9])
def test_line_ends_of_windows_are_mended_whatever_most_lines_have(feeds: int) -> None:
    lines = ["export ASCEND_DEVICE_ID=0", "for i in 1 2; do", "  python train.py \\", "    --a=$i", "done"]
    before = "\r\n".join(lines) + "\r\n" + "echo\n" * feeds
    script, find = Document(before, kind=Kind.SHELL), Analyzer(Config(), all_rules).findings
    done = fixed(script, find, unsafe=True)
    assert done.document.text == before.replace("\r\n", "\n")
    assert done.counts == {"NPU704": 1}
    # What ends otherwise among lines that end in LF may be meant for Windows.
    assert bool(fixed(script, find, unsafe=False).counts) is (feeds == 0)


def test_a_fix_whose_file_can_not_be_made_is_not_made() -> None:
    def find(text: Document) -> Iterable[Finding]:
        if "a" in text.text:
            fix = Fix("fix", (Edit(Span(0, 1), "b"),), Safety.SAFE, files=(NewFile("f.ini", "x"),))
            yield Finding("NPU101", "n", Severity.ERROR, Span(0, 1), "m", fixes=(fix,))

    assert not fixed(document("a = 1\n"), find, unsafe=False, may_create=lambda _: False).counts
    assert fixed(document("a = 1\n"), find, unsafe=False).files == {"f.ini": "x"}


@pytest.mark.parametrize(
    ("second", "text", "files"),
    [
        # Both want the same file, or each one of its own, ...
        (NewFile("f.ini", "x"), "x = x + x\n", {"f.ini": "x"}),
        (NewFile("g.ini", "y"), "x = x + x\n", {"f.ini": "x", "g.ini": "y"}),
        # ... or the second one another text in it, which isn't lost, now or in the next round.
        (NewFile("f.ini", "y"), "x = b + x\n", {"f.ini": "x"}),
    ],
)
@pytest.mark.parametrize("codes", [("NPU101", "NPU101"), ("NPU101", "NPU102")])
def test_two_that_want_different_files_of_one_name(
    second: NewFile, text: str, files: dict[str, str], codes: tuple[str, str]
) -> None:
    wanted = {"a": (codes[0], NewFile("f.ini", "x")), "b": (codes[1], second), "c": ("NPU103", None)}

    def find(document: Document) -> Iterable[Finding]:
        for at, word in enumerate(document.text):
            if word in wanted:
                code, file = wanted[word]
                fix = Fix("fix", (Edit(Span(at, at + 1), "x"),), Safety.SAFE, files=(file,) if file is not None else ())
                yield Finding(code, "n", Severity.ERROR, fix.edits[0].span, word, fixes=(fix,))

    done = fixed(document("a = b + c\n"), find, unsafe=False)
    assert (done.document.text, done.files) == (text, files)


@together(
    ("kind", "before", "after", "sound"),
    [
        (Kind.PYTHON, "a = 1\n", "b = 1\n", True),
        (Kind.PYTHON, "a = 1\n", "b = \n", False),
        (Kind.PYTHON, "print 'x'\na = 1\n", "print 'x'\nb = 1\n", True),
        (Kind.PYTHON, "print 'x'\na = 1\n", "a = (\nprint 'x'\n", False),
        (Kind.PYTHON, "a = (\n", "a = 1\n", True),
        (Kind.SHELL, "atc --a=1\n", "atc --b=1\n", True),
        (Kind.SHELL, "if x; then\n  y\nfi\n", "if x; then\nfi\n", False),
        (Kind.SHELL, "if x; then\n  y\nfi\n", "if x; then\n  # y\nelse\n  z\nfi\n", False),
        (Kind.SHELL, "if x; then y; else z; fi\n", "if x; then y; else fi\n", False),
        (Kind.SHELL, "for x in 1; do y; done\n", "for x in 1; do\ndone\n", False),
        (Kind.SHELL, "f() { y; }\n", "f() {\n}\n", False),
        (
            Kind.SHELL,
            "f() { y; z; }\nif a; then b; elif c; then d; fi\n",
            "f() { z; }\nif a; then b; elif c; then e; fi\n",
            True,
        ),
        (Kind.SHELL, "if x; then\ny\n", "if x; then\nz\n", True),
        # To bash, CR is a letter: the line end that comes may be the one that a sign had lacked, ...
        (Kind.SHELL, "a\n}\r\n", "a\n}\n", False),
        (Kind.SHELL, "f() {\n\r\n}\n", "f() {\n\n}\n", False),
        (Kind.SHELL, "a\nfi\rb\n", "a\nfi\nb\n", False),
        # In one large error no tree tells how many there are.
        (Kind.SHELL, "else\r\n<<E\n`", "else\n<<E\n`", False),
        (Kind.SHELL, "if a; then\r\nb\r\nelse\r\nc\r\nfi\r\n<<E\n`", "if a; then\nb\nelse\nc\nfi\n<<E\n`", True),
        # ... or the one that all of them lacked.
        (Kind.SHELL, "if a\r\nthen\r\nb\r\nfi\r\n", "if a\nthen\nb\nfi\n", True),
        (Kind.SHELL, "a <<E\r\n(\r\nE\r\nb >&3-\r\n", "a <<E\n(\nE\nb >&3-\n", True),
        (Kind.SHELL, "if a\r\nthen\r\nb\r\nfi\r\n}\r\n", "if a\nthen\nb\nfi\n}\n", True),
        (Kind.SHELL, "echo 'a\n", "echo 'b\n", True),
        (Kind.SHELL, "echo 'a'\n", "echo 'a\n", False),
        (Kind.NOTEBOOK, '{"cells": []}', '{"cells": [}', False),
        (Kind.MIXLIST, '{"a": 1}', '{"b": 1}', True),
        # Of a text with an error what stands in front of it may not break, ...
        (Kind.MIXLIST, '{"a": 1} // b', '{"a": } // b', False),
        (Kind.MIXLIST, '{"a": 1} // b', '{"a": 12} // b', True),
        (Kind.MIXLIST, '{"a": 1, // b\n"c": 2}', '{"a": 1, // b\n"c": 3}', True),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: '1'\n", True),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: '1\n", False),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: a: b\n", False),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: *b\n", False),
        (Kind.YAML, "env: &b\n  A: 1\n", "env: &b\n  A: *b\n", True),
        (Kind.YAML, "a: &b 1\n---\nenv:\n  A: 1\n", "a: &b 1\n---\nenv:\n  A: *b\n", False),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: \x01\n", False),
        (Kind.YAML, "env:\n  A: 1\n", "env:\n  A: \ud800\n", False),
        (Kind.YAML, "env:\n  A: 1\nb: c: d\n", "env:\n  A: 12\nb: c: d\n", True),
        (Kind.YAML, "env:\n  A: 1\nb: c: d\n", "env:\n  A: [12\nb: c: d\n", False),
        (Kind.YAML, "b: c: d\nenv:\n  A: 1\n", "b: c\nenv:\n  A: 1\n", True),
        # ... and a template is looked at as if it were filled in.
        (
            Kind.YAML,
            "{{- if .x }}\nenv:\n  A: {{ .y }}\n{{- end }}\n",
            "{{- if .x }}\nenv:\n  A: 1\n{{- end }}\n",
            True,
        ),
        (
            Kind.YAML,
            "{{- if .x }}\nenv:\n  A: {{ .y }}\n{{- end }}\n",
            "{{- if .x }}\nenv:\n  A: [1\n{{- end }}\n",
            False,
        ),
    ],
)
def test_what_counts_as_sound(kind: Kind, before: str, after: str, sound: bool) -> None:
    assert as_sound(Document(before, kind=kind), Document(after, kind=kind)) is sound


def test_lists_of_a_project_stay_toml() -> None:
    before, worse, after = (
        Document(f'[project]\ndependencies = ["{said}]\n', kind=Kind.REQUIREMENTS, path="pyproject.toml")
        for said in ('torch_npu==2.1.0"', "torch_npu==2.5.1", 'torch_npu==2.5.1"')
    )
    assert not as_sound(before, worse)
    assert as_sound(before, after)
    assert as_sound(worse, before)


_SET = 'op.parameter_map["a"].b = True\n'
_SET_JSON = "op.parameter_map['a'].b = True"
_CELL = '{{"cells": [{{"cell_type": "code", "metadata": {{}}, "source": ["{}"], "outputs": []}}], "metadata": {{}}, "nbformat": 4}}'


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (Kind.DOCKERFILE, "RUN atc --log=info\n", "RUN atc --log='info\n"),
        (Kind.YAML, "- run: |\n    atc --log=info\n", "- run: |\n    if atc --log=info; then\n"),
        (Kind.MARKDOWN, "```bash\natc --log=info\n```\n", "```bash\nif (atc --log=info\n```\n"),
        (Kind.MARKDOWN, f"```python\nif x:\n    {_SET}```\n", f"```python\n{_SET}if x:\n    # gone\n```\n"),
        (Kind.DOCKERFILE, "RUN if x; then atc --log=info; fi\n", "RUN if x; then fi; atc --log=info\n"),
        # The cells that an editor has open, and those of a file.
        (Kind.NOTEBOOK, f"import npu_bridge\nif x:\n    {_SET}", f"import npu_bridge\n{_SET}if x:\n    # gone\n"),
        (Kind.NOTEBOOK, _CELL.format(f"if x:\\n    {_SET_JSON}"), _CELL.format(f"{_SET_JSON}\\nif x:\\n    # gone")),
    ],
)
def test_what_is_inside_of_another_file_must_stay_sound(kind: Kind, before: str, after: str) -> None:
    documents = Document(before, kind=kind), Document(after, kind=kind)
    assert not as_sound(*documents)
    assert as_sound(*documents[::-1])
