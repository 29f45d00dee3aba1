"""What changes in a YAML file is the one variable: the rest of the data stays, whatever form it is written in."""

from __future__ import annotations

import re
from typing import Any

import yaml

from npu_lsp.languages import read
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, apply_edits
from tests.together import together

NAME, NEW = "ASCEND_LAUNCH_BLOCKING", "TASK_QUEUE_ENABLE"
ENTRIES = [
    f"{NAME}: 1",
    f'"{NAME}": "1"',
    f"'{NAME}': '1'  # why",
    f"- {NAME}=1",
    f'- "{NAME}=1"',
    f"- name: {NAME}\n  value: 1",
    f'- name: "{NAME}"\n  value: "1"  # why',
    f'- "name": {NAME}\n  "value": "1"',
    f"-   name: {NAME}\n    value: 1",
    f"- value: 1\n  name: {NAME}",
    f"- name: {NAME}\n  value: 1\n  extra: a",
    f"- extra: a\n  name: {NAME}\n  value: 1",
    f"- {{name: {NAME}, value: 1}}",
    f'- {{"name": "{NAME}", "value": "1"}}  # why',
    f"- {{ name: {NAME}, value: 1, extra: a }}",
    f"- {{extra: a, name: {NAME}, value: 1}}",
    f"- {{value: 1, name: {NAME}}}",
    f"-   {{name: {NAME}, value: 1}}",
]
FLOWS = [
    f"{{{NAME}: 1}}",
    f'{{"{NAME}": "1"}}',
    f"{{{NAME}: 1, OTHER: 2}}",
    f"{{OTHER: 2, {NAME}: 1}}",
    f"[{NAME}=1]",
    f'["{NAME}=1", "OTHER=2"]',
    f'["OTHER=2", "{NAME}=1"]',
    f"[{{name: {NAME}, value: 1}}]",
    f'[{{"name": "{NAME}", "value": "1"}}, {{name: OTHER, value: 2}}]',
]
OTHERS = {"": "OTHER: 2", "- ": "- OTHER=2", "- n": "- name: OTHER\n  value: 2"}


def _texts() -> list[str]:
    texts = [f"a:\n  env: {flow}\n  after: 1\n" for flow in FLOWS]
    for entry in ENTRIES:
        form = "- n" if re.match(r"- +[{\"nev]", entry) and "=" not in entry else "- " if entry[0] == "-" else ""
        for lines in ([entry], [entry, OTHERS[form]], [OTHERS[form], entry]):
            for indent in ("    ", "  ") if form else ("    ",):
                body = "".join(f"{indent}{line}\n" for line in "\n".join(lines).split("\n"))
                texts.append(f"a:\n  env:\n{body}  after: 1\n")
    return [*texts, *(text.replace("\n", "\r\n") for text in texts)]


def _changed(text: str, make: Any) -> str | None:
    """Return the text with the edits that `make` asks a writer for, or `None` where there are none."""
    document = Document(text, kind=Kind.YAML)
    setting = next((s for block in read(document).blocks for s in block.settings if s.name == NAME), None)
    edits: tuple[Edit, ...] = make(writer_for(setting), document, setting) if setting is not None else ()
    return apply_edits(text, edits) if edits else None


def _without(data: Any) -> Any:
    """Return the data without the variable; what is left empty is nothing."""
    if isinstance(data, dict):
        return {key: _without(value) for key, value in data.items() if key != NAME} or None
    if isinstance(data, list):
        return [_without(each) for each in data if not _is_it(each)] or None
    return data


def _is_it(item: Any) -> bool:
    return item == f"{NAME}=1" or (isinstance(item, dict) and item.get("name") == NAME)


def _as_text(data: Any) -> Any:
    """Return the data with numbers as texts: quotes around a value of a variable change nothing."""
    if isinstance(data, dict):
        return {key: _as_text(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_as_text(each) for each in data]
    return str(data) if isinstance(data, int) else data


@together("text", _texts())
def test_one_variable_changes_and_nothing_else(text: str) -> None:
    data = yaml.safe_load(text)
    removed = _changed(text, lambda writer, document, setting: writer.remove(document, [setting]))
    if removed is not None:
        assert yaml.safe_load(removed) == _without(data), removed
    renamed = _changed(text, lambda writer, document, setting: writer.rename(document, setting, NEW))
    if renamed is not None:
        assert yaml.safe_load(renamed) == yaml.safe_load(text.replace(NAME, NEW)), renamed
    revalued = _changed(text, lambda writer, document, setting: writer.set_value(document, setting, "0"))
    if revalued is not None:
        assert _as_text(yaml.safe_load(revalued)) == _as_text(yaml.safe_load(text.replace("1", "0", 1))), revalued


def test_what_can_be_taken_out() -> None:
    """The test above asks nothing of a writer that makes no edits."""
    made = [
        _changed(text, lambda writer, document, setting: writer.remove(document, [setting])) is not None
        for text in _texts()
    ]
    assert made.count(True) > len(made) * 2 / 3
