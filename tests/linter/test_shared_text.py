"""What several commands get from one text: what is right for one of them may be wrong for another."""

from __future__ import annotations

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.rule import Invalid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

_TWICE = "--is_output_adjust_hw_layout=false --is_output_adjust_hw_layout=true"


def safe(text: str, kind: Kind = Kind.SHELL, config: Config | None = None) -> list[str]:
    """Return the codes of findings whose fix is safe, but of slips in the syntax: what was meant there is meant for all."""
    slips = {rule.code for rule in all_rules() if isinstance(rule, SyntaxRule)}
    found = Analyzer(config or Config(), all_rules).findings(Document(text, kind=kind))
    return [f.code for f in found if f.code not in slips and any(fix.safety is Safety.SAFE for fix in f.fixes)]


def _examples() -> list[tuple[str, str, Invalid]]:
    """Return the commands of examples, of one line and without quotes: the program, what it gets, and the example."""
    found = []
    for rule in all_rules():
        for each in rule.invalid:
            program, _, flags = each.text.partition(" ")
            if each.kind is Kind.SHELL and flags.startswith("-") and each.text.count("\n") == 1:
                found += [(program, flags.strip(), each)] if not set(each.text) & set("'\"$`\\;&|#()") else []
    return found


@together(("program", "flags", "example"), _examples())
def test_what_an_unknown_program_gets_too_is_not_changed_unasked(program: str, flags: str, example: Invalid) -> None:
    del example
    assert safe(f'A="{flags}"\n{program} $A\nmytool $A\n') == []
    assert safe(f'A="{flags}"\nB="$A --x"\n{program} $A\nmytool $B\n') == []


@together(
    ("text", "codes"),
    [
        (f'A="{_TWICE}"\natc $A --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\necho "atc $A"\natc $A --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\necho "atc $A" >b.sh\natc $A --model=a\n', []),
        (f'A="{_TWICE}"\necho "$A" | mytool\natc $A --model=a\n', []),
        (f'A="{_TWICE}"\natc $(echo "$A") $A --model=a\n', []),
        (f'A="{_TWICE}"\n# mytool $A\natc $A --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\nA="$A --log=info"\natc $A --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\nAB=1\nmytool $AB\natc $A --model=a\n', ["NPU207"]),
        (f'A=({_TWICE})\natc "${{A[@]}}" --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\nB="$A --log=info"\natc $B --model=a\n', ["NPU207"]),
        (f'A="{_TWICE}"\natc $A --model=a\nmytool $A\n', []),
        (f'A="{_TWICE}"\natc $A --model=a\nmytool "${{A}}"\n', []),
        (f'A="{_TWICE}"\natc $A --model=a\nmytool ${{A#-}}\n', []),
        (f'A=({_TWICE})\natc "${{A[@]}}" --model=a\nmytool "${{A[@]}}"\n', []),
        (f'A=({_TWICE})\natc "${{A[@]}}" --model=a\nmytool "${{#A[@]}}"\n', []),
        (f'A="{_TWICE}"\nB="$A --log=info"\natc $B --model=a\nmytool $B\n', []),
        (f'A="{_TWICE}"\natc $A --model=a\naoe $A --job_type=1\n', []),
        (f'A="--log=info"\natc $A {_TWICE} --model=a\nmytool $A\n', ["NPU207"]),
        (f"steps:\n  - run: |\n      A='{_TWICE}'\n      atc $A --model=a\n", ["NPU207"]),
        (f"steps:\n  - run: |\n      A='{_TWICE}'\n      atc $A --model=a\n      mytool $A\n", []),
    ],
)
def test_text_that_other_commands_get(text: str, codes: list[str]) -> None:
    assert safe(text, Kind.YAML if text.startswith("steps") else Kind.SHELL) == codes


_LIST = ", ".join(f'"{flag}"' for flag in _TWICE.split())
_RUN = 'import subprocess\nsubprocess.run(["atc", *words])\n'


@together(
    ("text", "codes"),
    [
        (f"words = [{_LIST}]\n{_RUN}", ["NPU207"]),
        (f"words = [{_LIST}]\nprint(words)\nlogger.info(words)\n{_RUN}", ["NPU207"]),
        (f"words = [{_LIST}]\nwords += ['--log=info']\n{_RUN}", ["NPU207"]),
        (f"words = []\nwords += [{_LIST}]\n{_RUN}", ["NPU207"]),
        (f"words = [{_LIST}]\ndef f(words):\n    g(words)\n{_RUN}", ["NPU207"]),
        (f"words = [{_LIST}]\nother.words(1)\n{_RUN}", ["NPU207"]),
        (f"words = [{_LIST}]\n{_RUN}subprocess.run(['mytool', *words])\n", []),
        (f"words = [{_LIST}]\n{_RUN}def f():\n    mytool(words)\n", []),
        (f"words = []\nwords.extend([{_LIST}])\n{_RUN}mytool(words)\n", []),
        (f"base = [{_LIST}]\nwords = [*base, '--log=info']\n{_RUN}", ["NPU207"]),
        (f"base = [{_LIST}]\nwords = [*base, '--log=info']\n{_RUN}mytool(words)\n", []),
        (
            f"words = [{_LIST}]\nall = ['atc', *words]\nimport subprocess\nsubprocess.run(all)\nprepare(all)\n",
            ["NPU207"],
        ),
        (f'words = "--model=a {_TWICE}"\nimport os\nos.system("atc " + words)\n', ["NPU207"]),
        (f'words = "--model=a {_TWICE}"\nimport os\nos.system("atc " + words)\nos.system("mytool " + words)\n', []),
        (f'words = "atc {_TWICE}"\nimport os\nos.system(words)\nos.system(words)\n', ["NPU207"]),
        ("C = {'enable_shared_expert_dp': 'false'}\nLLM('m', additional_config=C)\n", ["NPU103"]),
        ("C = {'enable_shared_expert_dp': 'false'}\nprint(C)\nLLM('m', additional_config=C)\n", ["NPU103"]),
        ("C = {'enable_shared_expert_dp': 'false'}\nLLM('m', additional_config=C)\nother(C)\n", []),
        ("m = LLM('m', additional_config={'enable_shared_expert_dp': 'false'})\nuse(m)\nclose(m)\n", ["NPU103"]),
    ],
)
def test_what_python_hands_on_elsewhere(text: str, codes: list[str]) -> None:
    assert safe(text, Kind.PYTHON) == codes
