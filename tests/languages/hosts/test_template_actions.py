"""Templates of Helm and Jinja: what their actions stand between is read, and conditions are branches."""

from __future__ import annotations

import pytest

from npu_lsp.languages.branches import exclusive
from npu_lsp.languages.hosts.template_actions import Actions, is_action
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from tests.languages.hosts.found import reading

NAMES = """\
{{- if .Values.enabled }}
env:
- name: HCCL_A
  value: "1"
{{- if .Values.debug }}
- name: HCCL_B
  value: "2"
{{- else if .Values.quiet }}
- {name: HCCL_B, value: "3"}
{{- else }}
- name: HCCL_D
  value: "5"
{{- end }}
{{- toYaml .Values.env | nindent 0 }}
- name: HCCL_C
  value: "4"
{{- end }}
"""
MAPPING = """\
env:
  HCCL_A: "1"
  {% if debug %}
  HCCL_B: "2"
  {% elif quiet %}
  HCCL_B: "3"
  {% else %}
  HCCL_D: "5"
  {% endif %}
  HCCL_C: "4"
"""
PAIRS = """\
environment:
- HCCL_A=1
{{- with .Values.all }}
- HCCL_B=2
{{- else if .Values.quiet }}
- HCCL_B=3
{{- else }}
- HCCL_D=5
{{- end }}
{{/* what for */}}
- HCCL_C=4
"""


@pytest.mark.parametrize("text", [NAMES, MAPPING, PAIRS])
def test_conditions_are_branches(text: str) -> None:
    (block,) = reading(text, Kind.YAML).blocks
    found = sorted(block.settings, key=lambda setting: setting.key)
    assert [(s.name, s.value.data) for s in found] == [
        ("HCCL_A", "1"),
        ("HCCL_B", "2"),
        ("HCCL_B", "3"),
        ("HCCL_D", "5"),
        ("HCCL_C", "4"),
    ]
    first, two, three, other, last = (setting.branch for setting in found)
    assert exclusive(two, three)
    assert exclusive(two, other)
    assert exclusive(three, other)
    assert first == last == ()


def script(text: str) -> str:
    """Return the script that the lines of a template become."""
    document, lines = Document(text, kind=Kind.YAML), VariableLines()
    actions = Actions(document, 0)
    for number in range(document.line_count):
        if not is_action(document.line_text(number)):
            actions.reach(number, lines)
            lines.put(document.line_text(number).strip() + ";", *document.line_span(number))
    actions.close(lines, document.line_span(0))
    return lines.said.replace(HOLE, "?").replace("\n", " ").replace(":", "").strip()


@pytest.mark.parametrize(
    ("template", "becomes"),
    [
        ("{{- if x }}|a|{{- else if y }}|b|{{- else }}|c|{{- end }}|d", "if ?; then  a;elif ?; then  b;else  c;fi d;"),
        (
            "{% if x %}|a|{% elif y %}|b|{% elseif z %}|c|{% endif %}|d",
            "if ?; then  a;elif ?; then  b;elif ?; then  c;fi d;",
        ),
        ("{{ with x }}|a|{{ end }}|b", "if ?; then  a;fi b;"),
        ("{{ range x }}|a|{{ else }}|b|{{ end }}|c", "while ?; do  a;done if ?; then  b;fi c;"),
        ("{%- for x in y %}|a|{%- endfor %}|b", "while ?; do  a;done b;"),
        ("{{ if x }}{{ range y }}|a|{{ end }}|b|{{ end }}|c", "if ?; then  while ?; do  a;done b;fi c;"),
        # What begins further up, or goes on below.
        ("a|{{ else }}|b|{{ end }}|c|{{ end }}|d", "a;if ?; then  b;fi c;d;"),
        ("a|{{ if x }}|b", "a;if ?; then  b;fi"),
        # There is one last arm.
        ("{{ if x }}|a|{{ else }}|b|{{ else }}|c|{{ end }}", "if ?; then  a;else  b;fi if ?; then  c;fi"),
        # These decide nothing.
        ('a|{{/* if x */}}|b|{{ toYaml .x }}|c|{{- include "x" . }}|d', "a;b;c;d;"),
    ],
)
def test_conditions_become_those_of_a_script(template: str, becomes: str) -> None:
    assert script(template.replace("|", "\n")) == becomes


@pytest.mark.parametrize(
    "actions",
    [
        ("{{- if a }}", "{{- else }}", "{{- end }}"),
        ("{{- range a }}", "{{- else }}", "{{- end }}"),
        ("{{- else }}", "", "{{- end }}"),
        ("{{- end }}", "{{- if a }}", ""),
        ("{{- if a }}{{- if b }}", "{{- else }}{{- else }}", ""),
        ("{% for a in b %}", "{% else %}", "{% endfor %}"),
        ("{{ while }}", "{{ else }}", "{{ end }}{{ end }}"),
    ],
)
def test_whatever_the_actions_are_variables_are_read(actions: tuple[str, str, str]) -> None:
    one, two, three = actions
    text = f"env:\n  HCCL_A: '1'\n{one}\n  HCCL_B: '2'\n{two}\n  HCCL_C: '3'\n{three}\n  HCCL_D: '4'\n"
    found = reading(text, Kind.YAML)
    settings = sorted(found.settings, key=lambda setting: setting.key)
    assert [(s.name, s.value.data) for s in settings] == [
        ("HCCL_A", "1"),
        ("HCCL_B", "2"),
        ("HCCL_C", "3"),
        ("HCCL_D", "4"),
    ]
    assert not found.damaged
    assert not found.syntax


@pytest.mark.parametrize(
    "line", ["{{- if x }}", "  {{ end }}  ", "{% for a in b -%}", "{{ a }}{{ b }}", "{{/* note */}}"]
)
def test_a_line_of_nothing_but_actions(line: str) -> None:
    assert is_action(line)


@pytest.mark.parametrize("line", ["", "a: {{ b }}", "{{ a }}: b", "{a: b}", "- {{ x }}", "{{ never closed"])
def test_a_line_that_is_more(line: str) -> None:
    assert not is_action(line)
