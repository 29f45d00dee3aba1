"""What is let through: edits after which a text parses as well as before, and what they mend is said no more."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest
import yaml

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.fixing import soundness
from npu_lsp.linter.fixing.gate import Claim, offered, proven, that_hold
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, apply_edits
from tests.robustness.steps import steps
from tests.robustness.texts import texts
from tests.together import together


class Words:
    """Finds each `bad` in a text, and counts the texts that it looks at."""

    def __init__(self) -> None:
        self.texts = 0

    def __call__(self, document: Document, _codes: Collection[str] = ()) -> Iterator[Finding]:
        self.texts += 1
        at = document.text.find("bad")
        while at >= 0:
            yield Finding("NPU101", "name", Severity.WARNING, Span(at, at + 3), "bad")
            at = document.text.find("bad", at + 1)


def _claims(text: str, *new: str) -> tuple[Document, list[Claim]]:
    """Return a claim for each `bad` of a Python text, which puts another text in its place."""
    document = Document(text, path="", kind=Kind.PYTHON)
    found = Words()(document)
    return document, [
        Claim(each, Fix("fix", (Edit(each.span, put),), Safety.SAFE)) for each, put in zip(found, new, strict=True)
    ]


@together(
    ("text", "new", "holds"),
    [
        ("bad = 1\n", "good", True),
        # It is there still, elsewhere than before, ...
        ("bad = 1\n", "is_bad", False),
        ("bad = 1\n", "bad", False),
        # ... the text has no longer a meaning, ...
        ("bad = 1\n", "good good", False),
        ("bad = 1\n", "(", False),
        ("if x:\n    bad\n", "", False),
        # ... or had none before.
        ("bad = = 1\n", "good", False),
        ("(\nbad = 1\n", "good", True),
    ],
)
def test_a_single_one(text: str, new: str, holds: bool) -> None:
    document, (claim,) = _claims(text, new)
    let = proven(document, claim.fix.edits, Words(), [claim.finding])
    assert (let is not None) is holds
    assert let is None or let.edits == claim.fix.edits


def test_edits_that_mend_nothing_must_parse() -> None:
    document = Document("a = 1\n", path="", kind=Kind.PYTHON)
    assert proven(document, [Edit(Span(0, 1), "b")]) is not None
    assert proven(document, [Edit(Span(0, 1), "b c")]) is None
    assert proven(document, [Edit(Span(0, 9), "b")]) is None
    assert proven(document, []) is None


def test_a_number_that_python_refuses_is_no_reason_to_stop() -> None:
    text = f'{{"a": 1, "b": {"1" * 5_000}}}'
    document = Document(text, path="a.json", kind=Kind.JSON)
    assert proven(document, [Edit(Span(2, 3), "c")]) is not None
    assert proven(Document('{"a": 1}', path="a.json", kind=Kind.JSON), [Edit(Span(6, 7), "1" * 5_000)]) is None


@pytest.mark.parametrize("count", [20, 200])
def test_those_that_fail_leave_the_others_their_turn(count: int) -> None:
    wrong = {3, count - 1}
    document, claims = _claims("bad = 1\n" * count, *("bad" if n in wrong else "good" for n in range(count)))
    find, by = Words(), object()
    assert that_hold(document, find, claims, by) == [n not in wrong for n in range(count)]
    assert find.texts < 30
    # What is known isn't looked at again, unless somebody else asks.
    seen = find.texts
    assert that_hold(document, find, claims[:4], by) == [True, True, True, False]
    assert find.texts == seen
    assert that_hold(document, find, claims[:1], object()) == [True]
    assert find.texts == seen + 1


def test_what_is_offered_is_what_holds() -> None:
    document, claims = _claims("bad = 1\nbad = 2\n", "good", "(")
    found = [claim.finding._replace(fixes=(claim.fix,)) for claim in claims]
    shown = list(offered(document, Words(), found, None))
    assert [(each.span, each.fixes) for each in shown] == [(found[0].span, found[0].fixes), (found[1].span, ())]


def test_two_ways_to_mend_one_are_tried_apart() -> None:
    document, (claim,) = _claims("bad = 1\n", "good")
    other = claim._replace(fix=claim.fix._replace(edits=(Edit(Span(7, 7), "  # bad"),)))
    assert that_hold(document, Words(), [claim, other, claim], None) == [True, False, True]


def test_the_search_comes_to_an_end() -> None:
    count = 500
    document, claims = _claims("bad = 1\n" * count, *("bad" for _ in range(count)))
    find = Words()
    assert not any(that_hold(document, find, claims, None))
    assert find.texts <= 40


_BREAKS = ('"', "'", ": [", "a: b: c", "*nobody", "[1", "%", "}\n]")


def test_each_edit_of_yaml_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is let through was read by the parser of those who read such files, and what they can't read isn't let through."""
    seen: set[str] = set()
    stops = soundness._yaml_stops

    def noted(text: str) -> float:
        seen.add(text)
        return stops(text)

    monkeypatch.setattr(soundness, "_yaml_stops", noted)
    analyzer = Analyzer(Config(select=("ALL",)), all_rules)
    let = refused = 0
    for text in (each for kind, each in texts() if kind is Kind.YAML):
        document = Document(text, path="a.yaml", kind=Kind.YAML)
        for finding in analyzer.findings(document):
            for fix in finding.fixes:
                through = proven(document, fix.edits, analyzer.findings_of, [finding])
                if through is not None:
                    let += 1
                    assert apply_edits(text, through.edits) in seen
                for sign in _BREAKS if _is_yaml(text) else ():
                    broken = [*fix.edits[:-1], fix.edits[-1]._replace(text=sign)]
                    if not _is_yaml(apply_edits(text, tuple(broken))):
                        refused += 1
                        assert proven(document, broken) is None, (text, broken)
    assert let > 50
    assert refused > 200


def test_yaml_is_read_once_where_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    stops = soundness._yaml_stops

    def noted(text: str) -> float:
        seen.append(text)
        return stops(text)

    monkeypatch.setattr(soundness, "_yaml_stops", noted)
    assert proven(Document("a: 1\n", kind=Kind.YAML), [Edit(Span(3, 4), "2")]) is not None
    assert seen == ["a: 2\n"]


@pytest.mark.parametrize("text", [f"a: {'[' * 10_000}{']' * 10_000}\n", "a: 1\n" * 100_000])
def test_what_takes_long_without_libyaml_is_let_alone(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    short, long = (Document(each, kind=Kind.YAML) for each in ("a: 1\n", text))
    insert = Edit(Span(0, 0), "b: 2\n")
    assert proven(short, [insert]) is not None
    found: list[object] = []
    assert steps(lambda: found.append(proven(long, [insert]))) < 3 * len(text)
    assert found == [None]


def _is_yaml(text: str) -> bool:
    # Not the reader in C that the gate asks.
    try:
        list(yaml.compose_all(text, yaml.SafeLoader))
    except yaml.YAMLError:
        return False
    return True


def test_what_is_asked_again_is_what_the_rules_concerned_say() -> None:
    text = "docker run x\natc --model=a.onnx --framework 5 --precision_mode=fp16 \nexport HCCL_BUFFSIZE=abc\n"
    analyzer = Analyzer(Config(), all_rules)
    document = Document(text, path="run.sh", kind=Kind.SHELL)
    every = {finding.code for finding in analyzer.findings(document)}
    assert len(every) > 1
    for code in every:
        fresh = Document(text, path="run.sh", kind=Kind.SHELL)
        some = [each for each in analyzer.findings_of(fresh, {code}) if each.code == code]
        assert some == [each for each in analyzer.findings(document) if each.code == code]
        # What is known of some rules isn't taken for what all say.
        assert analyzer.findings(fresh) == analyzer.findings(document)
