"""Patches: what they add is read as the file would be, and what stands there already isn't theirs."""

from __future__ import annotations

from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import at_bar, find, rows
from tests.together import together

SCRIPT = (
    "--- a/run.sh\n+++ b/run.sh\n@@ -3,3 +3,3 @@ set -e\n export HCCL_A=1\n-export HCCL_B=2\n+export HCCL_B=3\n wait\n"
)


@together(
    ("text", "expected"),
    [
        (SCRIPT, [("HCCL_B", "3")]),
        (SCRIPT.replace("+++ b/run.sh", "+++ run.sh\t2026-11-29 11:00:00"), [("HCCL_B", "3")]),
        ("From 1\nSubject: x\n---\ndiff --git a/x b/x\n" + SCRIPT + "-- \n2.4\n", [("HCCL_B", "3")]),
        (
            "--- /dev/null\n+++ b/a.sh\n@@ -0,0 +1 @@\n+export HCCL_A=1\n\\ No newline at end of file\n",
            [("HCCL_A", "1")],
        ),
        # The brackets of JSON, and the name of an environment, stand further up.
        (
            '--- a/env.json\n+++ b/env.json\n@@ -4,3 +4,3 @@\n   "HCCL_A": 1,\n-  "HCCL_B": 1,\n+  "HCCL_B": 2,\n   "HCCL_C": 1,\n',
            [("HCCL_B", "2")],
        ),
        (
            '--- a/env.json\n+++ b/env.json\n@@ -4,4 +4,5 @@\n   "x": [1\n     ]\n   }],\n   "env": {\n+    "HCCL_B": 2,\n',
            [("HCCL_B", "2")],
        ),
        (
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -4,2 +4,4 @@\n     env:\n+    - name: HCCL_A\n+      value: '1'\n     - name: HCCL_B\n",
            [("HCCL_A", "1")],
        ),
    ],
)
def test_what_is_added(text: str, expected: list[tuple[str, str]]) -> None:
    assert [row for block in rows(text, Kind.PATCH) for row in block] == expected


@together(
    "text",
    [
        "",
        "export HCCL_A=1\n",
        "@@ -1 +1 @@\n+export HCCL_A=1\n",
        # A few lines of a program don't say what it sets.
        '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n+os.environ["HCCL_A"] = "1"\n',
        '--- a/a.json\n+++ b/a.json\n@@ -1 +0,0 @@\n-{"env": {"HCCL_A": 1}}\n',
        "--- a/a.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-export HCCL_A=1\n",
        "--- a/a.sh\n+++ b/a.sh\n@@ -1 +1 @@\n-x\n+y\n+export HCCL_A=1\n",
    ],
)
def test_nothing_is_added(text: str) -> None:
    assert rows(text, Kind.PATCH) == []


def test_no_line_comes_or_goes() -> None:
    document = Document(SCRIPT, kind=Kind.PATCH)
    setting = find(document, "HCCL_B")[1]
    writer = writer_for(setting)
    assert writer.remove(document, [setting]) == ()
    changed = writer.set_value(document, setting, "4")
    assert apply_edits(document.text, changed) == SCRIPT.replace("HCCL_B=3", "HCCL_B=4")


def test_a_value_is_completed() -> None:
    found = at_bar(SCRIPT.replace("HCCL_B=3", "TASK_QUEUE_ENABLE=|~"), Kind.PATCH)
    assert found is not None
    assert found.option == "TASK_QUEUE_ENABLE"
