"""A rule's page: the same text for `npu-lsp rule`, for the editor and for the reports."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

FIXES = {
    Fixable.NEVER: Text(en="no fix", zh="无自动修复"),
    Fixable.SOMETIMES: Text(en="sometimes has a fix", zh="部分情况可自动修复"),
    Fixable.ALWAYS: Text(en="has a fix", zh="可自动修复"),
}
_OFF = Text(en="off by default", zh="默认关闭")
_IN_EDITOR = Text(en="in editors only, unless selected", zh="默认仅在编辑器中启用")
HEADINGS = {
    "What it does": "检查内容",
    "Why is this bad?": "有什么影响",
    "Example": "示例",
    "Fix safety": "修复是否安全",
    "Configuration": "相关配置",
}
"""The headings of a page, in their order: in a docstring, and in the Chinese files beside it."""
_INSTEAD = Text(en="Use instead:", zh="改为：")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_SILENCE = Text(en="Silence it", zh="如何忽略")
_COMMENT = Text(
    en="- here: `# npu-lsp: ignore[{code}]` at the end of the line, or on a line of its own above the statement or command; "
    "`ignore-file[{code}]` for the whole file\n",
    zh="- 仅此处：在行尾，或在语句、命令上方单独一行写注释 `# npu-lsp: ignore[{code}]`；整个文件用 `ignore-file[{code}]`\n",
)
_SELECT = Text(
    en='- it runs on the command line only with `extend-select = ["{code}"]`\n',
    zh='- 命令行中仅在配置 `extend-select = ["{code}"]` 后启用\n',
)
_CONFIGURE = Text(
    en='- in the configuration: `ignore = ["{code}"]`, or under `[per-file-ignores]` for some files: `"old/**" = ["{code}"]`',
    zh='- 在配置中：`ignore = ["{code}"]`；仅对部分文件时写在 `[per-file-ignores]` 下：`"old/**" = ["{code}"]`',
)


def page(rule: Rule, language: Language = "en") -> str:
    """Return the Markdown page of `rule`."""
    facts = [f"`{rule.code}`", rule.severity.value, FIXES[rule.fixable].to(language)]
    if not rule.default:
        facts.append((_IN_EDITOR if rule.in_editor else _OFF).to(language))
    body = rule.prose(language)
    if not body:
        body = _english(rule)
        body = _in_chinese(rule, body) if language == "zh" else body
    return f"# {rule.name}: {rule.title.to(language)}\n\n{' · '.join(facts)}\n\n{body}\n\n{_silence(rule, language)}\n"


def table(rules: Iterable[Rule], language: Language = "en") -> str:
    """Return a Markdown table of rules, a row each."""
    head = {"en": ("code", "name", "severity", "fix", "what it finds"), "zh": ("编码", "名称", "级别", "修复", "说明")}
    rows = [head[language], ("---",) * 5]
    for rule in rules:
        fix = FIXES[rule.fixable].to(language) if rule.fixable is not Fixable.NEVER else ""
        rows.append((rule.code, f"`{rule.name}`", rule.severity.value, fix, rule.title.to(language)))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of a page with the text below; what stands above the first has none."""
    parts = _SECTION.split(text)
    yield "", parts[0].strip()
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        yield heading, body.strip()


def chinese(rule: Rule) -> str | None:
    """Return the prose of the rule's page in Chinese; its example is that of the docstring, unless it has its own."""
    path = Path(inspect.getfile(type(rule))).parent / "zh" / f"{rule.code}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _english(rule: Rule) -> str:
    """Return the docstring, with the rule's first example where it has none of its own: the page can't say what isn't so."""
    body = inspect.cleandoc(type(rule).__doc__ or "")
    if not rule.INVALID or "\n## Example\n" in body:
        return body
    shown = rule.invalid[0]
    instead = rule.valid[0].text if shown.fixed is None else shown.fixed
    language = BY_KIND[shown.kind]
    label = language.labels[0] if language.labels else "json" if language.json else "ini"
    one, other = (f"```{label}\n{text.rstrip()}\n```" for text in (shown.text, instead))
    above, heading, below = body.partition("\n## Fix safety\n")
    return f"{above.rstrip()}\n\n## Example\n{one}\n\n{_INSTEAD.en}\n{other}\n{heading}{below}".rstrip()


def _in_chinese(rule: Rule, english: str) -> str:
    written = chinese(rule)
    if written is None:
        return english
    translated = dict(sections(written))
    found = [translated[""]]
    for heading, body in list(sections(english))[1:]:
        name = HEADINGS.get(heading, heading)
        own = body.replace(_INSTEAD.en, _INSTEAD.zh) if heading == "Example" else body
        found.append(f"## {name}\n{translated.get(name, own)}")
    return "\n\n".join(found)


def _silence(rule: Rule, language: Language) -> str:
    """Return the section that says how to get rid of the rule."""
    lines = f"## {_SILENCE.to(language)}\n"
    if not rule.default:
        lines += _SELECT.to(language)
    if (
        rule.of_text
        and not rule.of_suppressions
        and (rule.prose(language) or any(BY_KIND[example.kind].hash_comments for example in rule.invalid))
    ):
        lines += _COMMENT.to(language)
    return (lines + _CONFIGURE.to(language)).replace("{code}", rule.code)
