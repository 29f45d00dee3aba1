"""Every rule does on its own examples what they say, and its fixes are final."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Relation
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.page import HEADINGS, chinese, page, sections
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.rules import all_rules, rule_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.golden import agrees
from tests.rules.trial import findings, fixed, marked, said, worded, write_files
from tests.together import in_groups

_RAW = re.compile(r"\{\w*\}|\b(?:[A-Z][a-z]+)?(?:Kind|Fault|Severity|Surface|Slot|Safety)\.")
"""What should have been filled in, or is a name of the program itself."""
OF_RELATIONS = frozenset({"NPU201", "NPU202", "NPU203", "NPU204", "NPU602"})
"""What says of an option that another one takes its effect away, or that it has none alone."""
_SPECIAL: dict[str, tuple[bool, set[str]]] = {
    "default": (True, {"NPU306", "NPU404", "NPU504"}),
    "in_editor": (False, {"NPU306", "NPU504"}),
    "of_text": (True, {"NPU001", "NPU002", "NPU003"}),
    "of_suppressions": (False, {"NPU901", "NPU902"}),
    "tried": (False, {"NPU103", "NPU104", "NPU105", "NPU106", "NPU203", "NPU207", "NPU208"}),
    "of_whole": (False, {"NPU207", "NPU208"}),
}
"""What most rules say of themselves, and those that say otherwise."""
_OF_FILES = {"NPU001": "error", "NPU002": "error", "NPU003": "warning"}
"""How grave the rules are that no example can show."""
VALID = {r.code: [pytest.param(r, e, id=str(i)) for i, e in enumerate(r.valid)] for r in all_rules() if r.of_text}
INVALID = {r.code: [pytest.param(r, e, id=str(i)) for i, e in enumerate(r.invalid)] for r in all_rules() if r.of_text}
"""By the code of the rule: `-k NPU307` tries one."""
_FIXED = {code: [p for p in cases if p.values[1].fixed is not None] for code, cases in INVALID.items()}  # type: ignore[union-attr]
MENDED = {code: cases for code, cases in _FIXED.items() if cases}


def _is_known(finding: Finding) -> bool:
    return finding.surface is not None and load().option(finding.surface, finding.option or "") is not None


@in_groups(("rule", "example"), VALID)
def test_stays_silent(rule: Rule, example: Valid, tmp_path: Path) -> None:
    write_files(tmp_path, example.files)
    assert findings(rule, example, tmp_path) == []


@in_groups(("rule", "example"), INVALID)
def test_speaks(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, example.files)
    found = findings(rule, example, tmp_path)
    assert marked(example.text, found) == example.marks
    # A word may stand there more than once: what is shown as underlined is the one.
    assert example.starts in (None, tuple(each.span.start for each in found))
    assert said(found) == example.says
    assert all(f.code == rule.code and f.message and not _RAW.search(f.message) for f in found)
    # What stops the tool does something: it isn't greyed as if it were of no use.
    assert not any(f.severity is Severity.ERROR and Tag.UNNECESSARY in f.tags for f in found)
    # What else is shown stands elsewhere.
    assert not any(related.span == f.span for f in found for related in f.related)
    # It is about something that the file configures.
    surfaces = {block.surface for block in read(Document(example.text, kind=example.kind)).blocks}
    assert all(f.surface in surfaces or f.surface is None for f in found)
    texts = "\n".join((example.text, *example.files.values()))
    assert all(f.option is None or f.option.rpartition(".")[2] in texts or _is_known(f) for f in found)
    text, created = fixed(example.text, found)
    assert text == (example.fixed if example.fixed is not None else example.text)
    assert created == dict(example.creates)


@in_groups(("rule", "example"), MENDED)
def test_fix_is_final(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, {**example.files, **example.creates})
    assert example.fixed is not None
    assert findings(rule, example, tmp_path, example.fixed) == []


@pytest.mark.parametrize(("rule", "example"), [case for code in sorted(OF_RELATIONS) for case in INVALID[code]])
def test_what_loses_only_a_part_of_its_effect_is_no_finding(
    rule: Rule, example: Invalid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Relation, "extent", property(lambda _: "partial"))
    write_files(tmp_path, example.files)
    assert findings(rule, example, tmp_path) == []


@pytest.mark.parametrize("rule", [r for r in all_rules() if r.of_text], ids=lambda r: r.code)
def test_what_people_read(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    heard: set[str] = set()
    say = Rule.say

    def overheard(self: Rule, context: Context, message: str, **arguments: object) -> str:
        heard.add(message)
        return say(self, context, message, **arguments)

    monkeypatch.setattr(Rule, "say", overheard)
    for number, example in enumerate(rule.invalid):
        folder = tmp_path / str(number)
        write_files(folder, example.files)
        for language in ("en", "zh"):
            lines += [f"{number} {language}", *worded(findings(rule, example, folder, language=language)), ""]
    assert set(rule.messages) - heard == set(), "no example says it"
    agrees(Path(__file__).parent / "said" / f"{rule.code}.txt", "\n".join(lines).replace(str(tmp_path), ""))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.code)
def test_rule_is_complete(rule: Rule) -> None:
    assert re.fullmatch(r"NPU\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert bool(rule.valid) is rule.of_text
    assert bool(rule.invalid) is rule.of_text
    assert rule_for(rule.name) is rule
    text = page(rule)
    for heading in ("## What it does", "## Why is this bad?", "## Example"):
        assert heading in text
    if rule.fixable is Fixable.NEVER:
        assert all(example.fixed is None for example in rule.invalid)
    else:
        assert "## Fix safety" in text
        assert any(example.fixed is not None for example in rule.invalid)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.code)
def test_when_it_is_asked(rule: Rule) -> None:
    """What a rule is asked, and when, is decided once: a slip in one word would switch it off, or on for everybody."""
    for name, (usual, others) in _SPECIAL.items():
        assert getattr(rule, name) is ((rule.code in others) is not usual), name
    assert rule.of_text or rule.severity.value == _OF_FILES[rule.code]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.code)
def test_page_is_there_in_chinese(rule: Rule) -> None:
    english, translated = dict(sections(page(rule))), dict(sections(page(rule, "zh")))
    assert [HEADINGS[heading] for heading in list(english)[1:-1]] == list(translated)[1:-1]
    for heading, text in list(translated.items())[1:]:
        assert heading == "示例" or re.search(r"[\u4e00-\u9fff]", text), heading
    assert rule.code in translated["如何忽略"]
    # Nothing that is written there is lost.
    assert {heading for heading, _ in sections(chinese(rule) or "")} <= {"", *translated}
    examples = [
        re.findall(r"```.*?```", pages[name], re.DOTALL) for pages, name in ((english, "Example"), (translated, "示例"))
    ]
    assert examples[0] == examples[1]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.code)
def test_messages_exist_in_both_languages(rule: Rule) -> None:
    formatter = string.Formatter()
    for text in (*rule.messages.values(), rule.title):
        if text.en == text.zh == "{said}":
            continue  # The catalog has both languages of what is said.
        assert text.en.strip()
        assert re.search(r"[\u4e00-\u9fff]", text.zh)
        assert text.en != text.zh
        names = [{name for _, name, _, _ in formatter.parse(t) if name} for t in (text.en, text.zh)]
        assert names[0] == names[1], text


@pytest.mark.parametrize(("name", "count"), [("train.sh", 1), ("set_env.sh", 0), ("env_npu.sh", 0), ("convert.sh", 1)])
def test_what_others_source_may_export_at_its_end(name: str, count: int) -> None:
    document = Document("python3 check.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", path=name, kind=Kind.SHELL)
    assert len(list(Analyzer(Config(select=("NPU603",)), all_rules).findings(document))) == count
