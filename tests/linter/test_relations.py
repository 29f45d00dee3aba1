"""When a setting sets something, and when a relation holds for it."""

from __future__ import annotations

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Relation, Surface
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.linter.relations import active, is_set
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


@together(
    ("name", "value", "expected"),
    [
        ("output", "a", True),
        # An empty text means "not set" to the tools ...
        ("output", '""', False),
        ("output", "$A", True),
        # ... but for the option that is empty by itself.
        ("multi_stream_parallel_mode", '""', True),
    ],
)
def test_an_empty_text_sets_nothing(name: str, value: str, expected: bool) -> None:
    (block,) = read(Document(f"atc --{name}={value}\n", kind=Kind.SHELL)).blocks
    option = load().option(Surface.ATC, name)
    assert option is not None
    assert is_set(block.settings[0], option) is expected


def test_none_sets_nothing() -> None:
    (block,) = read(Document("c = NPURunConfig(precision_mode=None)\n", kind=Kind.PYTHON)).blocks
    option = load().option(Surface.RUN_CONFIG, "precision_mode")
    assert option is not None
    assert not is_set(block.settings[0], option)


@together(
    ("value", "expected"), [("[]", False), ("()", False), ("['a']", True), ("[a]", True), ("{}", True), ("names", True)]
)
def test_an_empty_list_in_code_sets_nothing(value: str, expected: bool) -> None:
    text = f"from torch_npu.profiler import _ExperimentalConfig\n_ExperimentalConfig(mstx_domain_include={value})\n"
    (block,) = read(Document(text, kind=Kind.PYTHON)).blocks
    option = load().option(Surface.PROFILER, block.settings[0].name)
    assert option is not None
    assert is_set(block.settings[0], option) is expected


def test_an_empty_list_in_a_file_sets_one() -> None:
    (block,) = read(Document('{"ServerConfig": {"httpsEnabled": true, "openAiSupport": []}}', kind=Kind.MINDIE)).blocks
    option = load().option(Surface.MINDIE, "ServerConfig.openAiSupport")
    assert option is not None
    assert is_set(block.settings[2], option)


def first(text: str) -> Setting:
    return read(Document(text, kind=Kind.SHELL)).blocks[0].settings[0]


@together(
    ("narrowed", "mine", "its", "expected"),
    [
        ({}, "$A", "$A", True),
        ({"values": (1,)}, "1", "$A", True),
        ({"values": (1,)}, "2", "1", False),
        ({"values": (1,)}, "$A", "1", False),
        ({"other_values": (1, 2)}, "$A", "2", True),
        ({"other_values": (1, 2)}, "1", "3", False),
        ({"other_values": (1, 2)}, "1", "$A", False),
        ({"other_not": (1, 2)}, "$A", "3", True),
        ({"other_not": (1, 2)}, "3", "2", False),
        ({"other_not": (1, 2)}, "3", "$A", False),
        ({"other_not": (1, 2)}, "$A", "44", False),
        ({"values": (1,), "other_not": (1,)}, "1", "3", True),
        ({"values": (1,), "other_not": (1,)}, "2", "2", False),
    ],
)
def test_a_relation_holds_where_its_values_are_known(
    narrowed: dict[str, tuple[int, ...]], mine: str, its: str, expected: bool
) -> None:
    relation = Relation("conflicts", "mode", "source")._replace(**narrowed)  # type: ignore[arg-type]
    one, other = first(f"atc --framework={mine}\n"), first(f"atc --mode={its}\n")
    mode = load().option(Surface.ATC, "mode")
    assert mode is not None
    assert active(relation, one, other, mode) is expected
