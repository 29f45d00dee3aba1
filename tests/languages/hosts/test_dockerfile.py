"""Dockerfiles."""

from __future__ import annotations

from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.detection import detect
from npu_lsp.text.kinds import Kind
from tests.languages.hosts.found import UNKNOWN, at_bar, cut, reading, rows
from tests.together import together

LOG = [[("log", "info")]]


@together(
    "text",
    [
        "RUN atc --log=info\n",
        "run atc --log=info\n",
        "RUN cd x && atc --log=info\n",
        "RUN cd x && \\\n    atc --log=info && \\\n    ls\n",
        "RUN cd x && \\\n    # why\n\n    atc --log=info\n",
        "RUN --mount=type=cache,target=/x atc --log=info\n",
        'RUN ["atc", "--log=info"]\n',
        'RUN ["atc", "--log", "info"]\n',
        'CMD ["bash", "-c", "atc --log=info"]\n',
        'ENTRYPOINT [ "/usr/bin/atc",\\\n  "--log=info" ]\n',
        "ONBUILD RUN atc --log=info\n",
        "HEALTHCHECK --interval=5m CMD atc --log=info\n",
        "RUN <<EOF\natc --log=info\nEOF\nCOPY a b\n",
        "RUN <<EOF bash\natc --log=info\nEOF\n",
        "RUN <<'EOF' /bin/sh -e\natc --log=info\nEOF\n",
        "RUN bash <<EOF\natc --log=info\nEOF\n",
        "RUN cd x && \\\n  bash -s <<'EOF' && ls\natc --log=info\nEOF\nCOPY a b\n",
        "RUN echo $((1<<2)) && atc --log=info\n",
        'ENTRYPOINT ["atc"]\nCMD ["--log=info"]\n',
        'ENTRYPOINT ["/usr/bin/env", "atc"]\nEXPOSE 1\nCMD [ "--log", "info" ]\n',
    ],
)
def test_a_command_is_found(text: str) -> None:
    assert rows(text, Kind.DOCKERFILE) == LOG


@together(
    "text",
    [
        "# RUN atc --log=info\n",
        "COPY atc /x\n",
        'LABEL x="atc --log=info"\n',
        "RUN echo atc --log=info\n",
        "RUN <<EOF python3\natc --log=info\nEOF\n",
        "RUN cat <<EOF > x.txt\natc --log=info\nEOF\n",
        "ENV PATH=/x\n",
    ],
)
def test_what_is_no_command_is_left_alone(text: str) -> None:
    assert rows(text, Kind.DOCKERFILE) == []


def test_variables_are_one_block() -> None:
    text = 'ENV ASCEND_A=1 \\\n    HCCL_B="a b"\nRUN ls\nENV NPU_C /x/y\nENV NPU_D a b\nENV HCCL_E=$X HCCL_F=a\\ b\n'
    assert rows(text, Kind.DOCKERFILE) == [
        [
            ("ASCEND_A", "1"),
            ("HCCL_B", "a b"),
            ("NPU_C", "/x/y"),
            ("NPU_D", "a b"),
            ("HCCL_E", UNKNOWN),
            ("HCCL_F", UNKNOWN),
        ]
    ]
    (block,) = reading(text, Kind.DOCKERFILE).blocks
    assert [cut(text, s.key) for s in block.settings] == ["ASCEND_A", "HCCL_B", "NPU_C", "NPU_D", "HCCL_E", "HCCL_F"]
    assert cut(text, block.settings[1].value.span) == '"a b"'


def test_completion() -> None:
    found = at_bar("RUN ls && \\\n  atc --pre|~\n", Kind.DOCKERFILE)
    assert found is not None
    assert (found.wanted, found.typed) == (CompletionKind.FLAG, "--pre")
    found = at_bar("ENV ASC|~\n", Kind.DOCKERFILE)
    assert found is not None
    assert (found.wanted, found.typed, found.after) == (CompletionKind.KEY, "ASC", "=")
    found = at_bar("ENV ASCEND_X=1|~\n", Kind.DOCKERFILE)
    assert found is not None
    assert (found.wanted, found.typed) == (CompletionKind.VALUE, "1")


def test_names_of_files() -> None:
    assert detect("a/Dockerfile", "") is Kind.DOCKERFILE
    assert detect("Dockerfile.npu", "") is Kind.DOCKERFILE


def test_nothing_is_missing_where_the_container_gets_more() -> None:
    (block,) = reading('ENTRYPOINT ["atc", "--log=info"]\n', Kind.DOCKERFILE).blocks
    assert block.open
    (block,) = reading('CMD ["atc", "--log=info"]\n', Kind.DOCKERFILE).blocks
    assert not block.open


@together(
    ("text", "kind", "found"),
    [
        ('ENV A="b ASCEND_GLOBAL_LOG_LEVEL=9 C=d\n', Kind.DOCKERFILE, []),
        ("ENV ASCEND_GLOBAL_LOG_LEVEL='9 A=b\n", Kind.DOCKERFILE, [[("ASCEND_GLOBAL_LOG_LEVEL", UNKNOWN)]]),
        ('ENV ASCEND_GLOBAL_LOG_LEVEL=3 A="b HCCL_ALGO=d\n', Kind.DOCKERFILE, [[("ASCEND_GLOBAL_LOG_LEVEL", "3")]]),
        ('RUN ["atc", "--log=info]\n', Kind.DOCKERFILE, [[]]),
        ('RUN ["atc", "--log=info", "--model=x]\n', Kind.DOCKERFILE, LOG),
        ('command: ["atc", "--log=info", "--model=x]\nimage: b\n', Kind.YAML, []),
    ],
)
def test_what_stands_behind_a_quote_that_nobody_closes_is_not_known(
    text: str, kind: Kind, found: list[list[tuple[str, str]]]
) -> None:
    assert rows(text, kind) == found
