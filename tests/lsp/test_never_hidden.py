"""A client that is told of nothing doesn't ask again while another server has words: a list that is still empty says so."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def listed(editor: Editor, text: str, name: str, trigger: str | None = None) -> types.CompletionList:
    """Return the list for a cursor, which must be one."""
    buffer = editor.open(text, name)
    kind = types.CompletionTriggerKind.TriggerCharacter if trigger else types.CompletionTriggerKind.Invoked
    params = types.CompletionParams(
        buffer.identifier, buffer.position(buffer.cursor), types.CompletionContext(kind, trigger)
    )
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList), (text, found)
    return found


_TYPED = "HCCL_BUFFSIZE"


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("", "\n", "bare.sh"),
        ('echo "${', '}"\n', "braces.sh"),
        ('echo "$', '"\n', "quotes.sh"),
        ("echo $", "\n", "used.sh"),
        ("export ", "\n", "export.sh"),
        ("", "\n", "app.env"),
        ("docker run -e ", " image\n", "run.sh"),
        ("FROM x\nENV ", "\n", "a.dockerfile"),
        ("env:\n  ", "\n", "a.yaml"),
        ("env:\n- name: ", "\n", "b.yaml"),
        ("services:\n  a:\n    environment:\n      - ", "\n", "compose.yaml"),
        ('import os\nos.environ["', '"]\n', "a.py"),
        ('import os\nos.getenv("', '")\n', "b.py"),
        ('{"env": {"', '"}}\n', "launch.json"),
    ],
)
async def test_from_the_first_letter_on(editor: Editor, before: str, after: str, name: str) -> None:
    """At each letter there is a list; it has the name, or is to be asked for again."""
    for count in range(len(_TYPED)):
        found = await listed(editor, before + _TYPED[:count] + MARK + after, name)
        assert found.is_incomplete or _TYPED in [item.label for item in found.items], _TYPED[:count]
    assert _TYPED in [item.label for item in found.items]


async def test_signs_that_begin_a_name(editor: Editor) -> None:
    """What the text sets comes with the sign."""
    for text in (f"export HCCL_BUFFSIZE=1\necho ${MARK}\n", f"export HCCL_BUFFSIZE=1\necho ${{{MARK}}}\n"):
        found = await listed(editor, text, "a.sh", text[text.index(MARK) - 1])
        assert [item.label for item in found.items] == ["HCCL_BUFFSIZE"]
        assert found.is_incomplete
    found = await listed(editor, f"export PYTORCH_NPU_ALLOC_CONF=expandable_segments:{MARK}\n", "b.sh", ":")
    assert [item.label for item in found.items] == ["True", "False"]


async def test_signs_that_mean_nothing_there(editor: Editor) -> None:
    for text, name, trigger in (
        (f"def f(x):{MARK}\n", "a.py", ":"),
        (f"x = {{{MARK}\n", "b.py", "{"),
        (f"echo atc:{MARK}\n", "c.sh", ":"),
    ):
        assert (await listed(editor, text, name, trigger)).items in ([], ())


async def test_words_of_others_end_it(editor: Editor) -> None:
    """Whoever types a word that no name begins with is left alone."""
    for text, name in ((f"impo{MARK}\n", "a.py"), (f"ech{MARK}\n", "b.sh")):
        buffer = editor.open(text, name)
        context = types.CompletionContext(types.CompletionTriggerKind.Invoked)
        params = types.CompletionParams(buffer.identifier, buffer.position(buffer.cursor), context)
        assert await editor.client.text_document_completion_async(params) is None
