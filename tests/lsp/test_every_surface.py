"""What an editor shows, offers and mends works on each surface, in each language that holds it."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.flags import OF_FLAGS
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.kinds import Kind
from tests.lsp.conftest import DIFFERENT
from tests.lsp.editor import MARK, Buffer, Editor
from tests.lsp.every_surface import KEY, VALUE, Example, everywhere

CASES = list(everywhere())
ALONE = [each for each in CASES if each[1] is each[2]]
WITHIN = [each for each in CASES if each[1] is not each[2]]
"""Those in another language: what they say there is that of the texts alone, whatever the client."""
NAMES = {
    Kind.PYTHON: "a.py",
    Kind.SHELL: "a.sh",
    Kind.MARKDOWN: "a.md",
    Kind.NOTEBOOK: "a.ipynb",
    Kind.DOCKERFILE: "Dockerfile",
    Kind.YAML: "a.yaml",
    Kind.MAKEFILE: "Makefile",
    Kind.DOTENV: ".env",
    Kind.PATCH: "a.patch",
    Kind.INI: "tox.ini",
    Kind.JSON: "launch.json",
    Kind.OP_PRECISION: "op_precision.ini",
    Kind.OP_CACHE: "op_cache.ini",
    Kind.FUSION_SWITCH: "fusion_switch.cfg",
    Kind.MIXLIST: "modify_mixlist.json",
    Kind.CUSTOMIZE_DTYPES: "customize_dtypes.cfg",
    Kind.KEEP_DTYPE: "keep_dtype.cfg",
    Kind.OP_DEBUG: "op_debug_config.cfg",
    Kind.AIPP: "aipp.cfg",
    Kind.COMPRESSION: "compression_optimize_conf.cfg",
    Kind.RANK_TABLE: "rank_table.json",
    Kind.MINDIE: "config.json",
    Kind.ACL_JSON: "acl.json",
    Kind.MSLITE: "lite.ini",
    Kind.AMCT: "quant_config.json",
    Kind.REQUIREMENTS: "requirements.txt",
    Kind.SINGLE_OP: "op.json",
    Kind.GE_OPTIONS: "ge.json",
}
"""Names of files; those that options point to are known by what they hold."""


def test_each_surface_has_an_example() -> None:
    assert {surface for surface, *_ in CASES} == set(Surface)
    # The JSON of a flag is no file.
    assert {around for _, _, around, _ in CASES} == set(Kind) - {*OF_FLAGS} - {Kind.OTHER, Kind.MINDFORMERS}


def _plain(text: str) -> str:
    for sign in "⟨⟩⟪⟫":
        text = text.replace(sign, "")
    return text


def _opened(editor: Editor, text: str, around: Kind) -> Buffer:
    ids = BY_KIND[around].editor_ids
    return editor.open(text, NAMES.get(around, "a.cfg"), ids[0] if ids else "plaintext")


def _turned(word: str) -> str:
    """Return a word with two letters in its middle turned."""
    at = len(word) // 2
    while word[at] == word[at + 1] or not (word[at].isalnum() and word[at + 1].isalnum()):
        at -= 1
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


async def _offers(editor: Editor, plain: str, around: Kind, at: int, word: str, kept: int) -> str:
    """Return what is wrong with the list behind the first signs of a word that stands at `at`; empty: nothing."""
    buffer = _opened(editor, plain, around)
    await buffer.diagnostics()
    buffer.type("", at + kept, len(word) - kept)
    labels = await buffer.labels()
    found = [label for label in labels if word.endswith(label)]
    if not found:
        return f"{word} isn't offered, but {labels[:8]}"
    done = (await buffer.accept(max(found, key=len))).replace(MARK, "")
    return "" if done == plain else f"{word} makes {done}"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("example", "around"),
    [pytest.param(e, around, id=f"{surface.value}-{around.value}") for surface, _, around, e in ALONE],
)
async def test_it_works(editor: Editor, example: Example, around: Kind) -> None:
    """A key is explained, offered from its first half on, its value, too; a slip is told, and mended."""
    assert not (problems := await _problems(editor, example, around)), "\n".join(problems)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("number", range(0, len(WITHIN), len(DIFFERENT)))
async def test_it_works_within(editor: Editor, number: int) -> None:
    """The same in another language: each example with one of the clients, in turn."""
    surface, kind, around, example = WITHIN[(number + DIFFERENT.index(editor.name)) % len(WITHIN)]
    problems = await _problems(editor, example, around)
    assert not problems, "\n".join([f"{surface.value} in {kind.value} in {around.value}", *problems])


async def _problems(editor: Editor, example: Example, around: Kind) -> list[str]:
    plain = _plain(example.text)
    problems: list[str] = []
    for pattern in (KEY, VALUE):
        if (marked := pattern.search(example.text)) is None:
            continue
        at, word = len(_plain(example.text[: marked.start()])), marked[1]
        problems.append(
            await _offers(editor, plain, around, at, word, len(word) // 2 if pattern is KEY else example.begun)
        )
        if pattern is KEY:
            contents = await _opened(editor, plain, around).hover_text(at + 2)
            if word.lstrip("-") not in contents:
                problems.append(f"hover: {contents[:80]!r}")
            wrong = plain[:at] + _turned(word) + plain[at + len(word) :]
    if example.slip:
        wrong = plain.replace(*example.slip)
    buffer = _opened(editor, wrong, around)
    told = await buffer.diagnostics()
    made = [await buffer.applied(each) for one in told for each in await buffer.actions(one.range)]
    if not told or (example.mended and plain not in made):
        problems.append(f"no fix: {[(each.code, each.message) for each in told]}: {made[:3]}")
    return [problem for problem in problems if problem]
