"""What can be completed while a command is half typed. `|` is the cursor."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor
from npu_lsp.languages.completion_context import CompletionKind
from tests.languages.shell.found import at_bar, script
from tests.together import together


@together(
    ("text", "typed", "after"),
    [
        ("atc --pre|", "--pre", "="),
        ("atc -pre|", "-pre", "="),
        ("python3 -m ge.pyatc --pre|", "--pre", "="),
        ("atc --|", "--", "="),
        ("atc -|", "-", "="),
        ("atc |", "", "="),
        ("atc --model=a |", "", "="),
        ("atc --pre|=x", "--pre", ""),
        ("atc --pre| fp16", "--pre", ""),
        ("atc --pre| --log=info", "--pre", "="),
        ("atc --model=a \\\n  --pre| \\\n  --log=info", "--pre", "="),
        ("atc --model=a \\\n  --pre|\n", "--pre", "="),
        ("atc --model=a \\\r\n  --pre|\r\n", "--pre", "="),
        ("atc --model=a\n  --pre|\n", "--pre", "="),
        ("if ! atc --pre|", "--pre", "="),
        ("if ! atc --pre|; then\n  exit\nfi", "--pre", "="),
        ("x=$(atc --pre|", "--pre", "="),
        ("x=$(atc --pre|)", "--pre", "="),
        ("sudo env A=1 atc --pre|", "--pre", "="),
        ("cd x && /usr/bin/atc --pre|", "--pre", "="),
        ('bash -c "atc --pre|"', "--pre", "="),
        ("bash -c 'atc --pre|", "--pre", "="),
        ("ATC=/usr/bin/atc\n$ATC --pre|", "--pre", "="),
        ("atc $x\nargs=(--pre|)", "--pre", "="),
        ("atc $x\nargs=(\n  --pre|\n)", "--pre", "="),
        ('opts="--log=info --pre|"\natc $opts', "--pre", "="),
        ('echo "half \natc --pre|\n', "--pre", "="),
        ("for i in ; do (( \natc --pre|\n", "--pre", "="),
        ("echo 😀中文\natc --pre|", "--pre", "="),
    ],
)
def test_flags(text: str, typed: str, after: str) -> None:
    found = at_bar(text)
    assert found is not None
    assert (found.wanted, found.surface) == (CompletionKind.FLAG, Surface.ATC)
    assert found.typed == typed
    assert found.after == after


@together(
    ("text", "surface", "typed"),
    [
        (
            'A="\n    --nproc_per_node 8 \\\n    --mas|\n"\ntorchrun $A pretrain_gpt.py --lr 1\n',
            Surface.TORCHRUN,
            "--mas",
        ),
        ('A="\n    --nproc_per_node 8 \\\n    |\n"\ntorchrun $A \\\n    x.py\n', Surface.TORCHRUN, ""),
        (
            'G="\n    --lr 1\n    --use-|\n"\ntorchrun --nnodes 1 pretrain_gpt.py \\\n    $G\n',
            Surface.MINDSPEED,
            "--use-",
        ),
        ("export M=(\n    --num-experts 8\n    |\n)\ntorchrun pretrain_gpt.py ${M[@]}\n", Surface.MINDSPEED, ""),
        ('G="\n  --use-fused-rmsnorm \\\n  | \\\n  --lr 1\n"\ntorchrun pretrain_gpt.py $G\n', Surface.MINDSPEED, ""),
        ("v=(\n  --port 1\n  --max-|\n)\nvllm serve m \\\n  ${v[@]}\n", Surface.VLLM, "--max-"),
        ("python -m verl.trainer.main_ppo trainer.n|", Surface.VERL, "trainer.n"),
        ("python -m verl.trainer.main_ppo +actor.| trainer.device=npu", Surface.VERL, "actor."),
    ],
)
def test_flags_of_the_program_that_gets_them(text: str, surface: Surface, typed: str) -> None:
    found = at_bar(text)
    assert found is not None
    assert (found.wanted, found.surface, found.typed) == (CompletionKind.FLAG, surface, typed)


@together(
    ("text", "typed", "after"),
    [
        ("atc --precision_mode=fo|", "fo", ""),
        ("atc --precision_mode=|", "", ""),
        ("atc --precision-mode=fo|", "fo", ""),
        ("atc --precision_mode fo|", "fo", ""),
        ("atc --precision_mode |", "", ""),
        ('atc --precision_mode="fo|"', "fo", ""),
        ('atc --precision_mode="fo|', "fo", '"'),
        ("atc --precision_mode='fo|", "fo", "'"),
        ('atc --precision_mode="|', "", '"'),
        ('atc --precision_mode="|"', "", ""),
        ('atc --precision_mode="fo| \\\n  --log="info"\n', "fo", '"'),
        ("atc --precision_mode=fo|rce --log=info", "fo", ""),
        ("atc \\\n  --precision_mode=fo| \\\n  --log=info", "fo", ""),
        ("x=$(atc --precision_mode=fo|)", "fo", ""),
        ('atc "--precision_mode=fo|"', "fo", ""),
        ('convert="atc --precision_mode=fo|"', "fo", ""),
    ],
)
def test_values(text: str, typed: str, after: str) -> None:
    found = at_bar(text)
    assert found is not None
    assert (found.wanted, found.option) == (CompletionKind.VALUE, "precision_mode")
    assert found.typed == typed
    assert found.after == after


@together("text", ["export ASC|", "export A=1 ASC|", "declare -x ASC|", "export ASC|=3", "ASC|"])
def test_variables(text: str) -> None:
    found = at_bar(text)
    assert found is not None
    assert (found.wanted, found.surface, found.typed) == (CompletionKind.KEY, Surface.ENV, "ASC")
    assert found.after == ("" if "=3" in text else "=")


@together(
    "text", ["export HCCL_X=1|", 'export HCCL_X="1|"', 'export HCCL_X="1|', "HCCL_X=1| python3", "env HCCL_X=1| ls"]
)
def test_values_of_variables(text: str) -> None:
    found = at_bar(text)
    assert found is not None
    assert (found.wanted, found.surface, found.option, found.typed) == (
        CompletionKind.VALUE,
        Surface.ENV,
        "HCCL_X",
        "1",
    )


@together(
    "text",
    [
        "echo atc --pre|",
        'echo "atc --pre|',
        "# atc --pre|",
        "atc --x=1 # --pre|",
        "atc --x=1; ls --pre|",
        "a=(\n# --pre|\n)\natc ${a[@]}",
        "a=(\n--log=info # --pre|\n)\natc ${a[@]}",
        "a=(--log=info # --pre|\n)\natc ${a[@]}",
        "ls\n--pre|",
        "bash -c \"atc --log='x'\"|",
        "|",
    ],
)
def test_nothing_to_complete(text: str) -> None:
    assert at_bar(text) is None


def test_what_is_replaced_stays_on_the_line() -> None:
    text = 'atc \\\n  --precision_mode="for\nce" --log=info\n'
    for offset in range(len(text) + 1):
        found = cursor(script(text), offset)
        if found is not None:
            assert "\n" not in text[found.replace.start : found.replace.end]
            assert found.replace.start <= offset <= found.replace.end
            assert found.typed == text[found.replace.start : offset]


def test_present_names_are_those_of_the_whole_command() -> None:
    found = at_bar("atc --model=a \\\n  --pre| \\\n  --soc-version=b --log info\n")
    assert found is not None
    assert found.present == {"model", "soc_version", "log"}


@together(
    ("word", "replaced"),
    [
        ("'trainer.tot|'", "trainer.tot"),
        ('"trainer.tot|"', "trainer.tot"),
        ('"trainer.tot|=3"', "trainer.tot"),
        ("+trainer.tot|al=3", "trainer.total"),
        ("--conf|", None),
        ("~trainer.lo|", None),
    ],
)
def test_the_name_of_an_override_ends_before_its_quote(word: str, replaced: str | None) -> None:
    text = f"python -m verl.trainer.main_ppo trainer.device=npu {word}\n"
    found = at_bar(text)
    written = text.replace("|", "")
    assert (found and written[slice(*found.replace)]) == replaced
