"""Scripts inside scripts: what the outer one fills in before the inner one runs."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from tests.languages.shell.found import UNKNOWN, blocks, cut, exports, flags, settings
from tests.together import together

BEFORE = "soc=Ascend310P3\nshape='data:1,3;b:2'\nATC=/usr/bin/atc\n"


@together(
    ("text", "said"),
    [
        ('bash -c "atc --soc_version=$soc"', "Ascend310P3"),
        ('bash -c "atc --soc_version=${soc}"', "Ascend310P3"),
        ('bash -c "$ATC --soc_version=$soc"', "Ascend310P3"),
        ("bash -c 'atc --soc_version=$soc'", UNKNOWN),
        ('bash -c "atc --soc_version=\\$soc"', UNKNOWN),
        ("bash -c \"atc --soc_version='$soc'\"", "Ascend310P3"),
        ("bash -c \"atc --soc_version='$shape'\"", "data:1,3;b:2"),
        ('bash -c "atc --soc_version=$1"', UNKNOWN),
        ("bash -c \"atc --soc_version='$1'\"", UNKNOWN),
        ("bash -c \"atc --soc_version='$other'\"", UNKNOWN),
        ('bash -c "soc=b; atc --soc_version=$soc"', "Ascend310P3"),
        ('eval "atc --soc_version=$soc"', "Ascend310P3"),
        ("eval 'atc --soc_version=$soc'", "Ascend310P3"),
        ('eval "atc --soc_version=\\$soc"', "Ascend310P3"),
        ("eval 'soc=b; atc --soc_version=$soc'", "b"),
        ("eval 'read soc; atc --soc_version=$soc'", UNKNOWN),
        ('ssh host "cd /x && atc --soc_version=$soc"', "Ascend310P3"),
        ("bash <<EOF\natc --soc_version=$soc\nEOF\n", "Ascend310P3"),
        ("bash <<EOF\natc --soc_version='$soc'\nEOF\n", "Ascend310P3"),
        ("bash <<EOF\natc --soc_version=\\$soc\nEOF\n", UNKNOWN),
        ("bash <<EOF\natc --soc_version=$(soc)\nEOF\n", UNKNOWN),
        ("bash <<'EOF'\natc --soc_version=$soc\nEOF\n", UNKNOWN),
        ('bash <<"EOF"\natc --soc_version=$soc\nEOF\n', UNKNOWN),
        ("sudo bash -s <<-EOF\n\tatc --soc_version=$soc\n\tEOF\n", "Ascend310P3"),
        ('cmd="atc --soc_version=$soc"\neval "$cmd"', "Ascend310P3"),
        ('cmd="atc --soc_version=$soc"\neval $cmd', "Ascend310P3"),
        ('cmd="atc --soc_version=$soc"\nbash -c "$cmd"', "Ascend310P3"),
        ('cmd="atc --soc_version=$soc"\n$cmd', "Ascend310P3"),
    ],
)
def test_values(text: str, said: str) -> None:
    text = BEFORE + text
    assert flags(text) == [[("soc_version", said)]]
    for setting in settings(text, Surface.ATC):
        assert cut(text, setting.key) == "--soc_version"
        content = setting.value.content
        assert content is None or cut(text, content) == setting.value.data


def test_flags_that_a_variable_brings_have_no_place_in_there() -> None:
    text = 'opts="--log=info --mode=0"\nbash -c "atc $opts --model=a"\n'
    assert flags(text) == [[("model", "a")]]
    assert [block.open for block in blocks(text)] == [True]


def test_variables_that_an_inner_script_exports() -> None:
    text = 'level=3\nbash <<EOF\nexport ASCEND_GLOBAL_LOG_LEVEL=$level\nEOF\nbash -c "export HCCL_A=$level"\n'
    assert exports(text) == [("ASCEND_GLOBAL_LOG_LEVEL", "3"), ("HCCL_A", "3")]
