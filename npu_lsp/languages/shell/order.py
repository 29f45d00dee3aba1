"""What runs before and after a place in a shell script, as far as its lines tell."""

from __future__ import annotations

from bisect import bisect_left

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

# A line that starts something which may read the environment of the NPU: not the installer of packages, nor a question
# for help or a version.
_RUNS = re.compile(
    r"^(?:(?:nohup|time|sudo|exec)[ \t]+)*(?:\S*/)?(?:python[\d.]*|atc|aoe|torchrun|msame|mpirun|accelerate)[ \t]+"
    r"(?!-m[ \t]+(?:pip|venv|virtualenv|ensurepip|build|json\.tool|http\.server)\b"
    r"|(?:-V|-h|--version|--help)(?![^\s;&|])|(?:\S*/)?setup\.py\b)\S",
    re.MULTILINE,
)
# A line that runs nothing which could read a variable.
_IDLE = re.compile(
    r"(?:#.*|(?:export|unset|declare|readonly|set|echo|printf|exit|return|rm|cp|mv|mkdir|ls|cat|sleep|wait|date)\b.*"
    r"|[A-Za-z_]\w*=[^\s`$(]*|fi|done|esac|\}|)"
)
# What waits for programs that run in the background, or ends them.
_ENDS = re.compile(r"(?:^|[;&|({ \t])(?:wait|fg|p?kill|killall)\b|(?<![\w.-])[\w.-]{0,80}(?:stop|down)\b", re.MULTILINE)
_UNSURE = re.compile(r"`|\$\(|&&|\|\||;[ \t]*\S|\|")


def ran_before(document: Document, offset: int) -> str | None:
    """Return the name of the last program that a line before that at `offset` runs, `None` where there is none for sure."""
    lines, names = _runs(document)
    before = bisect_left(lines, offset)
    return names[before - 1] if before else None


def may_end_between(document: Document, start: int, end: int) -> bool:
    """Return whether what was started in the background may have ended when the text reaches from one place to the other."""
    return _ENDS.search(document.text, start, end) is not None


def nothing_runs_after(document: Document, offset: int) -> bool:
    """Return whether no line below that at `offset` runs anything that could read a variable."""
    end = document.text.find("\n", offset)
    return end < 0 or _last_busy(document) <= end


@Memoized
def _runs(document: Document) -> tuple[list[int], list[str]]:
    """Return where the lines that run a program begin, and its names."""
    found = list(_RUNS.finditer(document.text))
    return [each.start() for each in found], [each.group().split()[-2].rpartition("/")[2] for each in found]


@Memoized
def _last_busy(document: Document) -> int:
    """Return where the last line begins that may run something, -1 where none does."""
    text = document.text
    start = len(text) + 1
    while start > 0:
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if not _IDLE.fullmatch(line.strip(" \t\r")) or _UNSURE.search(line.split("#")[0]):
            return start
    return -1
