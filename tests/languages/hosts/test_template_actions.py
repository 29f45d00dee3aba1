"""Templates of Helm and Jinja: what their actions stand between is read, and what hangs on a condition has no known value."""

from __future__ import annotations

import pytest

from npu_lsp.languages.hosts.template_actions import depth, is_action
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, rows

NAMES = """\
{{- if .Values.enabled }}
env:
- name: HCCL_A
  value: "1"
{{- if .Values.debug }}
- name: HCCL_B
  value: "2"
{{- else }}
- {name: HCCL_B, value: "3"}
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
  {% endif %}
  HCCL_C: "4"
"""
PAIRS = """\
environment:
{{- range .Values.all }}
- HCCL_B=2
{{- end }}
- HCCL_A=1
{{/* what for */}}
- HCCL_C=4
"""


@pytest.mark.parametrize("text", [NAMES, MAPPING, PAIRS])
def test_what_hangs_on_a_condition_has_no_known_value(text: str) -> None:
    found = {each for block in rows(text, Kind.YAML) for each in block}
    assert found == {("HCCL_A", "1"), ("HCCL_B", UNKNOWN), ("HCCL_C", "4")}


def test_a_condition_around_all_of_it_is_none_of_one() -> None:
    document = Document(NAMES, kind=Kind.YAML)
    assert [depth(document, line) for line in range(document.line_count)] == [
        1,
        1,
        1,
        1,
        2,
        2,
        2,
        2,
        2,
        1,
        1,
        1,
        1,
        0,
        0,
    ]


@pytest.mark.parametrize(
    "line", ["{{- if x }}", "  {{ end }}  ", "{% for a in b -%}", "{{ a }}{{ b }}", "{{/* note */}}"]
)
def test_a_line_of_nothing_but_actions(line: str) -> None:
    assert is_action(line)


@pytest.mark.parametrize("line", ["", "a: {{ b }}", "{{ a }}: b", "{a: b}", "- {{ x }}", "{{ never closed"])
def test_a_line_that_is_more(line: str) -> None:
    assert not is_action(line)
