"""Whether Python takes the value of a variable that it sets: what it takes is its own, and no slip for one of a product."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.catalog.near import distance
from npu_lsp.languages import read
from npu_lsp.linter.variable_uses import is_fetched, slips, words_apart
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

SET = 'os.environ["HCCL_CONECT_TIMEOUT"] = "9"\n'


def fetched(text: str) -> bool:
    document = Document(text, kind=Kind.PYTHON)
    setting = next(setting for block in read(document).blocks for setting in block.settings)
    return is_fetched(setting, document)


@together(
    "use",
    [
        'wait(os.getenv("HCCL_CONECT_TIMEOUT"))\n',
        "wait(environ ['HCCL_CONECT_TIMEOUT'])\n",
        'wait(os.environ.get("HCCL_CONECT_TIMEOUT", "1"))\n',
        'if os.environ["HCCL_CONECT_TIMEOUT"] == "9":\n    wait()\n',
        'model = os.environ["HCCL_CONECT_TIMEOUT"]\n',
    ],
)
def test_a_value_is_taken(use: str) -> None:
    assert fetched(SET + use)
    assert fetched(use + SET)


@together(
    "text",
    [
        SET,
        SET + SET,
        SET + 'del os.environ["HCCL_CONECT_TIMEOUT"]\n',
        SET + 'os.environ.pop("HCCL_CONECT_TIMEOUT")\n',
        SET + 'os.getenv("HCCL_CONECT_TIMEOUTS")\n',
        SET + 'table.get("HCCL_CONECT_TIMEOUT")\n',
        'os.environ["HCCL_CONECT_TIMEOUT"] = os.environ.get("HCCL_CONECT_TIMEOUT", "9")\n',
    ],
)
def test_none_is(text: str) -> None:
    assert not fetched(text)


def test_names_of_a_text_that_a_program_made_are_not_compared() -> None:
    own = "".join(f"MODEL_PATH_{chr(65 + number % 26)}{chr(65 + number // 26)}XY" + "=1\n" for number in range(300))
    used = own.replace("MODEL", "echo $MODEL").replace("=1", "")
    few = "MODEL_NAME=a\necho $MODEL_NAME $MODEL_NMAE\n"
    assert [near for _, near in slips(Document(few, kind=Kind.SHELL))] == ["MODEL_NAME"]
    assert slips(Document(few + own + used, kind=Kind.SHELL)) == ()


def _slips(name: str, other: str) -> tuple[str, ...]:
    """Return what is told of a script that has one name often and another one once."""
    text = f"export HCCL_BUFFSIZE=1\n{name}=a\ncp ${name}/a ${name}/b\nls ${name} ${other}\n"
    return tuple(near for _, near in slips(Document(text, kind=Kind.SHELL)))


@given(st.sampled_from(sorted(words_apart())), st.sampled_from(["DIR", "PATH", "NAME"]))
def test_two_right_words_are_no_slip(word: str, tail: str) -> None:
    """Whatever two words are both used by people, neither is told beside the other: `HEIGHT_DIR` beside `WEIGHT_DIR`."""
    alike = [each for each in words_apart() if distance(word, each, 1) == 1]
    assert all(not _slips(f"RUN_{word}_{tail}", f"RUN_{each}_{tail}") for each in alike)


@given(st.sampled_from(["TRAIN", "LOAD", "ENCOD", "SCHEDUL", "RENDER"]), st.permutations(["ED", "ER", "ES"]))
def test_forms_of_a_word_are_no_slip(stem: str, ends: list[str]) -> None:
    assert not _slips(f"{stem}{ends[0]}_DIR", f"{stem}{ends[1]}_DIR")


@given(st.sampled_from(["CHECKPOINT_DIR", "TOKENIZER_NAME", "TENSORBOARD_PATH"]), st.integers(1, 6))
def test_two_letters_in_the_wrong_order_are_a_slip(name: str, at: int) -> None:
    typed = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    assert typed == name or _slips(name, typed) == (name,)
