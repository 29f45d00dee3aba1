"""What is read of the parsers of MindSpeed and its family, and what the catalog has of it."""

from __future__ import annotations

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring.mindspeed import _life, _Seen
from tests.authoring.parsers import Argument, of_text

_PARSER = """
group.add_argument('--sparse-mode', type=int, default=0, choices=[0, 2], help='Which '
                   'mask.')
group.add_argument("--use-x", action="store_true", dest="other")
group.add_argument('--stage', default=None, choices=STAGES)
group.add_argument('--names', '-n', nargs='+', type=lambda x: x)
group.add_argument(f'--{name}')
parser.add_argument('positional')
"""


def test_calls_are_read_where_they_are_literal() -> None:
    sparse, switch, stage, names = of_text(_PARSER, "a.py")
    assert sparse == Argument(("--sparse-mode",), "int", None, (0, 2), False, 0, "Which mask.", "a.py")
    assert (switch.names, switch.nargs) == (("--use-x",), "0")
    assert (stage.choices, stage.open, stage.default) == ((), True, None)
    assert (names.names, names.kind, names.nargs) == (("--names", "-n"), "?", "+")


def _seen(*lines: str, repository: str = "MindSpeed-LLM") -> list[_Seen]:
    (argument,) = of_text("p.add_argument('--a')", "a.py")
    return [_Seen(line, f"{line}.0", repository, argument) for line in lines]


def test_versions_follow_from_the_lines_that_have_it() -> None:
    assert _life(_seen("1.0", "26.1", ""), also=False) == {"seen": "1.0"}
    assert _life(_seen("2.1", "26.1", ""), also=False) == {"since": "2.1"}
    assert _life(_seen(""), also=False) == {"undated": "unreleased"}
    removed = _life(_seen("2.0", "2.1"), also=False)["removed"]
    assert (removed["version"], removed["source"]) == ("2.2", "mindspeed-llm:a.py@2.1.0")


def test_what_megatron_has_too_isnt_gone() -> None:
    assert "removed" not in _life(_seen("2.0", "2.1"), also=True)


def test_what_the_catalog_has_of_it() -> None:
    catalog = load()
    names = catalog.names(Surface.MINDSPEED)
    assert {"use-mc2", "qlora", "stage", "mm-model", "layerzero"} <= set(names)
    assert catalog.of_others(Surface.MINDSPEED, "hidden-size")
    assert not catalog.of_others(Surface.MINDSPEED, "use-mc2")
    renamed = [each for each in catalog.options(Surface.MINDSPEED) if each.deprecated is not None]
    assert {each.deprecated.replacement for each in renamed if each.deprecated} <= set(names)
