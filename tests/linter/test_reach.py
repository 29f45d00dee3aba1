"""What a comment that silences findings reaches, to the character, and which comments are of use."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.suppressions.comments import Suppression, silenced, suppressions
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.together import together

IGNORE, SHOWN = "# npu-lsp: ignore", "<!-- npu-lsp: ignore -->"
SHORT = 'op.parameter_map["dump_step"].s = b"1"'
LONG = 'op.parameter_map[\n    "dump_mode"\n].s = b"all"'


def written(text: str, kind: Kind = Kind.PYTHON) -> list[Suppression]:
    document = Document(text, kind=kind)
    return suppressions(document, read(document))


@together(
    ("kind", "text", "reached"),
    [
        # The line, and the statement that it is a part of.
        (Kind.PYTHON, f"a = 1\nx = 1  {IGNORE}\nb = 2\n", f"x = 1  {IGNORE}"),
        (Kind.PYTHON, f"a = 1\n{LONG}  {IGNORE}\nb = 2\n", f"{LONG}  {IGNORE}"),
        (Kind.PYTHON, f"{LONG}; x = 1  {IGNORE}\n{LONG}\n", f"{LONG}; x = 1  {IGNORE}"),
        (Kind.SHELL, f"ls {IGNORE}\nls \\\n  a", f"ls {IGNORE}"),
        # The next statement, past blanks and comments; itself where there is none.
        (Kind.PYTHON, f"{IGNORE}\n\n# more\nx = 1\nb = 2\n", "x = 1"),
        (Kind.PYTHON, f"{IGNORE}\n{LONG}\nb = 2\n", LONG),
        (Kind.PYTHON, f"{IGNORE}\nx = 1; {LONG}\nb = 2\n", f"x = 1; {LONG}"),
        (Kind.PYTHON, f"{IGNORE}\n{SHORT}; {LONG}\nb = 2\n", f"{SHORT}; {LONG}"),
        (Kind.PYTHON, f"x = 1\n{IGNORE}\n# more\n\n", IGNORE),
        (Kind.PYTHON, f"x = 1\n{IGNORE}", IGNORE),
        (Kind.OP_PRECISION, "[ByOpType]\n; npu-lsp: ignore\n; c\nAdd=a\nSub=b\n", "Add=a"),
        # A text that YAML folds: no line of it can be a comment.
        (Kind.YAML, f"{IGNORE}\nrun: >\n  a\n\n  b\nc: d\n", "run: >\n  a\n\n  b"),
        (Kind.YAML, f"a:\n  {IGNORE}\n  - run: x\n     y\n    c: d\n", "  - run: x\n     y"),
        (Kind.YAML, f"{IGNORE}\nrun: |\n  a\n  b\n", "run: |"),
        (Kind.YAML, f"{IGNORE}\na:\n  b: c\n", "a:"),
        # What backslashes join.
        (Kind.SHELL, f"{IGNORE}\nls \\\n  a \\\n  b\nls\n", "ls \\\n  a \\\n  b"),
        (Kind.SHELL, f"{IGNORE}\nls \\", "ls \\"),
        # A recipe, with blank lines, comments and joined lines in it.
        (Kind.MAKEFILE, f"{IGNORE}\nall: a\n\tls\n\n# c\n\tx\nB = 1\n", "all: a\n\tls\n\n# c\n\tx"),
        (Kind.MAKEFILE, f"{IGNORE}\nall: a\n\tls \\\nx\n\ty\nb: c\n\tz\n", "all: a\n\tls \\\nx\n\ty"),
        (Kind.MAKEFILE, f"{IGNORE}\nall:: a \\\n  b\n\tls\nx:\n", "all:: a \\\n  b\n\tls"),
        (Kind.MAKEFILE, f"{IGNORE}\nA := a\n\tls\n", "A := a"),
        (Kind.MAKEFILE, f"all: a  {IGNORE}\n\tls\n", f"all: a  {IGNORE}"),
        (Kind.MAKEFILE, f"all: a\n\tls  {IGNORE}\n\tx\n", f"\tls  {IGNORE}"),
        (Kind.MAKEFILE, f"{IGNORE}\nall: a\nB = 1\n", "all: a"),
        (Kind.MAKEFILE, f"{IGNORE}\nall: a\n\tls\n_B = 1\n", "all: a\n\tls"),
        (Kind.SHELL, f"{IGNORE}\nall: a\n\tls\n", "all: a"),
        # A code block.
        (Kind.MARKDOWN, f"{SHOWN}\n```sh\na\nb\n```\nc\n", "```sh\na\nb\n```"),
        (Kind.MARKDOWN, f"{SHOWN}\n\n~~~~\na\n~~~\nb\n~~~~\nc\n", "~~~~\na\n~~~\nb\n~~~~"),
        (Kind.MARKDOWN, f"{SHOWN}\n```sh\na\nb\n", "```sh\na\nb\n"),
        (Kind.MARKDOWN, f"{SHOWN}\nwords\n```sh\na\n```\n", "words"),
        (Kind.MARKDOWN, f"```sh {SHOWN}\na\n```\n", f"```sh {SHOWN}"),
        (Kind.MARKDOWN, f"```sh\n{IGNORE}\na\nb\n```\n", "a"),
        # The file, and ranges in it.
        (Kind.PYTHON, "a = 1\n# npu-lsp: ignore-file\nb = 1\n", "a = 1\n# npu-lsp: ignore-file\nb = 1\n"),
        (Kind.PYTHON, "a = 1\n# npu-lsp: off\nb = 1\n# npu-lsp: on\nc = 1\n", "\nb = 1\n"),
        (Kind.PYTHON, "a = 1\n# npu-lsp: off\nb = 1\n", "\nb = 1\n"),
    ],
)
def test_it_reaches(kind: Kind, text: str, reached: str) -> None:
    assert [text[one.reach.start : one.reach.end] for one in written(text, kind)] == [reached]


@together(
    ("off", "ons", "end"),
    [
        ("", ["[A]", ""], 1),
        ("", [], None),
        ("[A]", ["[B]", "[A]"], 1),
        ("[A]", ["[B]", ""], 1),
        ("[A]", ["", "[A]"], 0),
        ("[A, B]", ["[A]", "[B]"], None),
        ("[A, B]", ["[B]", "[C, B, A]"], 1),
        ("[A: x]", ["[A: y]", "[A]"], 1),
        ("[A: x]", ["[A: x]"], 0),
        ("[A: x, B]", ["[A: x]", "[B, A: x]"], 1),
        ("[A]", ["[A: x]"], None),
        ("[a]", ["[A]"], 0),
    ],
)
def test_a_range_ends_at_the_next_that_speaks_of_the_same(off: str, ons: list[str], end: int | None) -> None:
    text = f"# npu-lsp: off{off}\n" + "".join(f"x = {at}\n# npu-lsp: on{on}\n" for at, on in enumerate(ons))
    places = [text.index(f"x = {at}\n") + len("x = 0\n") for at in range(len(ons))]
    (one,) = written(text)
    assert one.reach.end == (len(text) if end is None else places[end])
    assert (one.end is not None) is (end is not None)


def test_an_end_above_ends_nothing() -> None:
    text = "# npu-lsp: on[A]\n# npu-lsp: off[A]\nx = 1\n"
    (one,) = written(text)
    assert (one.reach.end, one.end) == (len(text), None)


def test_what_is_no_code_is_kept_as_it_is_written() -> None:
    (one,) = written("# npu-lsp: ignore[:a, NPU101: b, C]\nx = 1\n")
    assert [(each.text, each.code, each.option) for each in one.codes] == [
        (":a", ":a", ""), ("NPU101: b", "NPU101", "b"), ("C", "C", ""),
    ]  # fmt: skip


def test_what_starts_where_a_comment_ceases_to_reach_makes_it_of_use() -> None:
    for beyond, used in ((0, {"NPU101"}), (1, set())):
        (one,) = written("x = 1  # npu-lsp: ignore[NPU101]\ny = 2\n")
        list(silenced([found(0, "NPU102"), found(one.reach.end + beyond)], [one]))
        assert one.used == used


def test_an_end_of_two_ranges_belongs_to_neither() -> None:
    one, other = written("# npu-lsp: off[A]\n# npu-lsp: off[B]\n# npu-lsp: on\n")
    assert one.reach.end == other.reach.end < len("# npu-lsp: off[A]\n# npu-lsp: off[B]\n# npu-lsp: on\n")
    assert one.end is other.end is None


def found(at: int, code: str = "NPU101", option: str | None = None) -> Finding:
    return Finding(code, "unknown-option", Severity.ERROR, Span(at, at + 1), "message", option=option)


@together(
    ("codes", "option", "used"),
    [
        ("", None, {""}),
        ("[NPU101]", None, {"NPU101"}),
        ("[npu101]", None, {"npu101"}),
        ("[Unknown-Option]", None, {"Unknown-Option"}),
        ("[NPU102]", None, None),
        ("[NPU102, NPU101]", None, {"NPU101"}),
        ("[:NPU101]", None, None),
        ("[NPU101: a_b]", "a_b", {"NPU101: a_b"}),
        ("[NPU101: --a-b]", "a_b", {"NPU101: --a-b"}),
        ("[NPU101: b]", "a.b", {"NPU101: b"}),
        ("[NPU101: a.b]", "a.b", {"NPU101: a.b"}),
        ("[NPU101: a]", "a.b", None),
        ("[unknown-option: a]", "a", {"unknown-option: a"}),
        ("[NPU101: a]", None, None),
    ],
)
def test_what_it_silences(codes: str, option: str | None, used: set[str] | None) -> None:
    comments = written(f"# npu-lsp: ignore-file{codes}\n")
    (after,) = silenced([found(0, option=option)], comments)
    assert (after.suppressed, comments[0].used) == (used is not None, used or set())


def test_each_of_several_that_reach_a_place_is_of_use_and_none_behind_its_end() -> None:
    text = f"# npu-lsp: ignore-file[NPU102]\na = 1\nx = 1  {IGNORE}[NPU101, NPU102]\nb = 1  {IGNORE}\nc = 1\n"
    comments = written(text)
    findings = [found(text.index("c ")), *(found(text.index(f"{name} ")) for name in "bxa"), found(0, "NPU102")]
    assert [each.suppressed for each in silenced(findings, comments)] == [False, True, True, False, True]
    assert [each.used for each in comments] == [{"NPU102"}, {"NPU101"}, {""}]


def test_one_that_starts_where_a_comment_ceases_to_reach_is_silenced_and_the_next_is_not() -> None:
    text = f"a = 1  {IGNORE}\nb = 1\n"
    end = text.index("\nb")
    assert [each.suppressed for each in silenced([found(end), found(end + 1)], written(text))] == [True, False]
