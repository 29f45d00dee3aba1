"""A script that was edited reads as its text alone does; what is inside of it and stays is not read again."""

from __future__ import annotations

import re

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.injections import regions
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.languages.shell.found import reading, script
from tests.together import together

_EDIT = re.compile(r"«(?P<old>[^»→]*)→(?P<new>[^»→]*)»")


def edited(marked: str) -> Document:
    """Return a script that was read and then edited, as each `«old→new»` in `marked` says."""
    document = script(_EDIT.sub(lambda match: match["old"], marked))
    read(document)
    for match in reversed(list(_EDIT.finditer(marked))):
        start = len(_EDIT.sub(lambda match: match["old"], marked[: match.start()]))
        document = document.edited(Span(start, start + len(match["old"])), match["new"])
    return document


@together(
    "marked",
    [
        # What a command asks.
        "soc=«A→B»\natc --soc_version=$soc\n",
        "«→soc=B\n»soc=A\natc --soc_version=$soc\n",
        "soc=A\n«→if x; then\n»atc --soc_version=$soc\n«→fi\n»",
        "soc=A\natc --soc_version=$soc\n«→soc=B\n»",
        "soc=A\n«→read soc\n»atc --soc_version=$soc\n",
        "soc=A\n# «→x»\natc --soc_version=$soc\n",
        "opts=--log=«info→debug»\natc $opts\n",
        "«→opts='--a=b --c=d'\n»atc $opts --log=info\n",
        "T=«atc→aoe»\n$T --log=info\n",
        'run() { «echo →»"$@"\n}\nrun atc --log=info\n',
        "set -- --log=«info→debug»\natc $@\n",
        # Where it stands.
        "«→if x; then\n»atc --log=info\n",
        "if x; then «→y;»\natc --log=info\nfi\n",
        "f() {\natc --log=info\n}\n«→g() {\n»export HCCL_X=1\n«→}\n»",
        "«→echo\n»if x; then\nexport HCCL_X=1\nelse\natc --log=info\nfi\n",
        "true «&&→||» atc --log=info\n",
        "x=$(atc --log=info«→ --y=1»)\n",
        "«→x=1 »# export HCCL_X=1\n",
        "«#→»export HCCL_X=1\n",
        # What lies below and around it.
        "atc --log=info\n«echo→--y=1»\n",
        "atc --log=info\n\n# why\n\n«→--y=1»\n",
        "atc --log=info«→\n--y=1»",
        "echo\n«atc --log=info→atc --log=debug»\n",
        "«export HCCL_X=1→export HCCL_X=2»\n",
        "atc --log=info\n«#→--y=1» why\n",
        "atc --log=info «→\\»\n--y=1\n",
        'echo "atc --x=1" «→| bash»\n',
        'atc --log="a«"→»\natc --log="b"\n',
        "export HCCL_X=«→'»1\nexport HCCL_Y='2'\n",
        "bash <<EOF\natc --log=«info→debug»\nEO«F→»\n",
        "bash <<EOF\natc --log=info\nEO«F→»\nexport HCCL_X=1\n",
        "export HCCL_X=1\n«→unset HCCL_X\n»",
        "HCCL_X=1\n«→export HCCL_X\n»",
        "HCCL_X=1\n«→set -a\n»",
        "export HCCL_X=1\n«→. ./env.sh\n»",
        "export HCCL_X=1\n# «→npu-lsp: ignore»\n",
        "export HCCL_X=1«→\r»\nexport HCCL_Y=1\n",
        "export HCCL_X=1 -p='a\n\nb\n --y«y→»=b'\n",
        pytest.param("atc --log=info\n" + "# why\n" * 1000 + "«→--y=1»\n", id="far below"),
        "«→echo\n»atc --log=info stray\n",
    ],
)
def test_what_is_kept_is_what_the_text_says(marked: str) -> None:
    for text in (marked, marked.replace("\n", "\r\n"), "# 中文😀\n" + marked):
        document = edited(text)
        found = read(document)
        assert found == reading(document.text)
        # It moves on with what comes after it, too.
        for at in (0, len(document.text)):
            further = document.edited(Span(at, at), "echo\n")
            assert read(further) == reading(further.text)


def test_a_script_inside_that_stays_is_not_read_again() -> None:
    document = script(
        "echo\nbash <<'EOF'\natc --log=info\nEOF\npython3 -c 'import os; os.environ[\"HCCL_X\"] = \"1\"'\n"
    )
    read(document)
    before = {region.found.kind: region.document for region in regions(document)}
    after = document.edited(Span(0, 0), "export HCCL_X=1\n")
    read(after)
    now = {region.found.kind: region.document for region in regions(after)}
    assert set(before) == {Kind.SHELL, Kind.PYTHON}
    assert all(now[kind] is before[kind] for kind in before)
    at = after.text.index("info")
    further = after.edited(Span(at, at), "x")
    read(further)
    last = {region.found.kind: region.document for region in regions(further)}
    assert last[Kind.PYTHON] is now[Kind.PYTHON]
    assert last[Kind.SHELL] is not now[Kind.SHELL]
