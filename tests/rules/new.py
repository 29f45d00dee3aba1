"""Makes the files of a new rule: `python -m tests.rules.new optimizer-lost 5 --en "Lost optimizer" --zh "丢失的优化器"`.

The code is the next one of its hundred. What is made is a whole rule, with its page in both languages: everything but its
check and its examples, whose tests fail until they are written.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from string import Template

from npu_lsp import rules

FOLDER = Path(rules.__file__).parent
GROUPS = {
    0: "files that can't be read",
    1: "one option and its value",
    2: "options that don't go together",
    3: "options that are old or have no effect",
    4: "versions, products and scenarios",
    5: "TensorFlow sessions",
    6: "environment variables",
    7: "shell syntax",
    8: "files that options point to",
    9: "comments that silence findings",
}
SEVERITIES = ("error", "warning", "info", "hint")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def next_code(group: int, codes: Collection[str]) -> str:
    """Return the code behind the last one of a group. One in between may have meant something else once."""
    used = [int(code[3:]) for code in codes if int(code[3:]) // 100 == group]
    number = max(used, default=group * 100) + 1
    if number // 100 != group:
        raise ValueError(f"group {group} is full")
    return f"NPU{number:03}"


def refusal(name: str, chinese: str, known: Collection[str]) -> str | None:
    """Return why there can be no such rule."""
    if not _NAME.fullmatch(name):
        return f"{name!r} is not in kebab case, such as wrong-type"
    if name in known or path_of(name).exists():
        return f"there is a rule {name!r} already"
    return None if _CHINESE.search(chinese) else "the Chinese title has no Chinese in it"


def path_of(name: str) -> Path:
    """Return the file of the rule with that name."""
    return FOLDER / f"{name.replace('-', '_')}.py"


def files(name: str, code: str, severity: str, english: str, chinese: str) -> dict[Path, str]:
    """Return what the files of the rule hold."""
    words = {
        "code": code,
        "name": name,
        "title": name.title().replace("-", ""),
        "severity": severity,
        "level": severity.upper(),
        "en": english.replace('"', '\\"'),
        "zh": chinese.replace('"', '\\"'),
    }
    return {
        path_of(name): Template(_RULE).substitute(words),
        FOLDER / "zh" / f"{code}.md": Template(_PAGE).substitute(words),
    }


def main() -> int:
    """Write the files, and what follows from there being another rule."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.new", description="Makes the files of a new rule.")
    parser.add_argument("name", help="in kebab case: optimizer-lost")
    groups = "; ".join(f"{number}: {about}" for number, about in GROUPS.items())
    parser.add_argument("group", type=int, choices=GROUPS, metavar="GROUP", help=f"the hundred of its code. {groups}")
    parser.add_argument("--en", required=True, help="what it finds, in a few words")
    parser.add_argument("--zh", required=True, help="the same in Chinese")
    parser.add_argument("--severity", choices=SEVERITIES, default="warning", help="default: warning")
    given = parser.parse_args()
    known = rules.all_rules()
    wrong = refusal(given.name, given.zh, {rule.name for rule in known})
    if wrong is not None:
        parser.error(wrong)
    code = next_code(given.group, [rule.code for rule in known])
    for path, text in files(given.name, code, given.severity, given.en, given.zh).items():
        path.write_text(text, encoding="utf-8")
        print(path)
    print(f"Now write its check and its examples; `pytest tests/rules -k {code}` tells what is left.")
    # In a process of its own, as this one knows the rules without the new one.
    return subprocess.run([sys.executable, "-m", "tests.pages", "docs/rules"], check=False).returncode


_RULE = '''"""$code: $en."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class $title(Rule):
    """$en.

    ## What it does
    Looks for each option that is set.

    ## Why is this bad?
    At run time, it has no effect.
    """

    code = "$code"
    title = Text(en="$en", zh="$zh")
    severity = Severity.$level
    messages = {
        "found": Text(
            en='"{option}": $en.',
            zh="“{option}”：$zh。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = ('custom_op.parameter_map["precision_mode"].s = b"allow_mix_precision"\\n',)
    INVALID = ('custom_op.parameter_map["precision_mode"].s = b"«force_fp16»"\\n',)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report one setting."""
        return iter(())
'''
_PAGE = """$zh。

## 检查内容
检查每个已设置的配置项。

## 有什么影响
运行时不生效。
"""

if __name__ == "__main__":
    raise SystemExit(main())
