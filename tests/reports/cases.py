"""A result with everything that is hard to show."""

from __future__ import annotations

from npu_lsp.checking.report import Creation, Note, Range, Replacement, ReportedFinding, ReportedFix, Result, RuleFacts
from npu_lsp.linter.severity import Severity

_PYTHON = (
    "if 中文:",
    '\top.parameter_map["名字😀"].s = b"é\u0301"  # 说明',
    "",
    "x = (1,",
    "     2)",
)

ENTRIES = (
    ReportedFinding(
        "a b/训练.py",
        Range(3, 20, 3, 23),
        "NPU101",
        "unknown-option",
        Severity.ERROR,
        'Unknown option "名字😀" is silently ignored. Did you mean "x:y, z%"?',
        "名字😀",
        fixable=True,
        reported_fixes=(
            ReportedFix('Change to "名"', True, (Replacement(Range(3, 20, 3, 23), "名"),)),
            ReportedFix("Another way", False, (Replacement(Range(3, 1, 4, 1), ""),)),
        ),
        notes=(Note(Range(5, 1, 5, 2), "x is set here"),),
        source=_PYTHON,
        source_line=2,
    ),
    ReportedFinding(
        "a b/训练.py",
        Range(5, 5, 6, 8),
        "NPU203",
        "mutually-exclusive",
        Severity.WARNING,
        "Two lines, 100% of them:\r\nsecond line <&> \"quoted\" 'too' \x07.",
        None,
        reported_fixes=(ReportedFix("Remove both", False, (Replacement(Range(5, 1, 6, 8), ""),), (Creation("op.ini", "[a]\n"),), "Look."),),
        source=("x = (1,", "     2)"),
        source_line=5,
    ),
    ReportedFinding("b.sh", Range(1, 1, 1, 1), "NPU001", "unreadable-file", Severity.ERROR, "There is no such file."),
    ReportedFinding(
        "c.sh",
        Range(1, 10, 1, 12),
        "NPU301",
        "deprecated-option",
        Severity.INFO,
        "Old.",
        "old",
        silenced="comment",
        source=("atc --a=1 --old",),
    ),
    ReportedFinding("c.sh", Range(2, 1, 2, 4), "NPU301", "deprecated-option", Severity.HINT, "Old.", "old", source=("", "atc"), silenced="baseline"),
    ReportedFinding("c.sh", Range(3, 1, 3, 4), "NPU301", "deprecated-option", Severity.INFO, "Old.", "old", source=("", "atc"), source_line=2),
)  # fmt: skip

RULES = {
    "NPU101": RuleFacts("NPU101", "unknown-option", "Option that doesn't exist", Severity.ERROR, "# page\n", True),
    "NPU301": RuleFacts("NPU301", "deprecated-option", "Deprecated option", Severity.WARNING, "# page\n", True),
}

RESULT = Result(ENTRIES, rules=RULES, here="/project/sub", root="/project")
CLEAN = Result((), here="/project", root="/project")
