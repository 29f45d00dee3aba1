"""Makes `npu_lsp/catalog/data/pairs.toml`: which releases of vLLM-Ascend go with which of the packages around it.

`python -m tests.authoring.pairs CHECKOUT TORCH_NPU REPORT...` reads every release tag of a checkout of vLLM-Ascend (a bare one will
do): what its `requirements.txt` asks for, the compatibility matrix of the newest tag, and the oldest CANN that its installation page
takes. TORCH_NPU is the page of compatibility of torch_npu, `COMPATIBILITY.md`. A report is what
`pip install --dry-run --no-deps --ignore-installed --report FILE vllm==VERSION` writes: what that vLLM pins; without one, what the
table says of vLLM stays.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read
from tests.authoring.releases import Releases

_FILE = Path(__file__).parents[2] / "npu_lsp/catalog/data/pairs.toml"
_MATRIX = "docs/source/community/versioning_policy.md"
_INSTALLATION = "docs/source/installation.md"
_ROW = re.compile(r"^\|[ \t]*v(?P<release>\d[\w.]*)[ \t]*\|(?P<cells>.*)\|[ \t]*$", re.MULTILINE)
_PIN = re.compile(r"^(?P<name>torch|torch-npu|triton-ascend)[ \t]*==[ \t]*(?P<version>[\w.]+)", re.MULTILINE)
_TAKEN = re.compile(r"^(?P<name>numpy|transformers)[ \t]*(?P<said>[<>=!~][^#;\n]*)", re.MULTILINE)
_NPU = re.compile(
    r"^\|[ \t]*(?P<release>\d[\w.]*)[ \t]*\|[^|]*\|[ \t]*(?P<torch>[\d.]+)[ \t]*\|[ \t]*CANN (?P<cann>[\w.]+)[ \t]*\|",
    re.MULTILINE,
)
_PYTHONS = re.compile(r"^\|[ \t]*PyTorch (?P<torch>[\d.]+)[ \t]*\|(?P<pythons>[^|]*)\|", re.MULTILINE)
_LEAST = re.compile(r"^[ \t]*\|[ \t]*CANN[ \t]*\|[ \t]*(?:>=|==)[ \t]*(?P<version>\d[\w.-]*)", re.MULTILINE)
_VERSION = re.compile(r"\d+\.\d[\w.+-]*")
_BY_HAND = "# Of PyTorch, entered by hand"
_HEAD = """\
# Which packages go with which release, by `python -m tests.authoring.pairs`. Of vLLM-Ascend: the vLLM that it is a plugin of and the
# PyTorch, torch_npu and Triton that its metadata pins or its matrix names, the numpy and transformers that it takes, and the oldest CANN
# and the Pythons that its pages take. Of torch_npu: the CANN that it was made for, and the Pythons that it has packages for. Of vLLM: the PyTorch that its metadata pins, so that one command can't install both where these differ. Of MindSpore: the CANN that its page of installation recommends, entered by hand.
"""


def matrix(text: str) -> dict[str, dict[str, str]]:
    """Return the rows of the compatibility matrix by release."""
    found: dict[str, dict[str, str]] = {}
    for row in _ROW.finditer(text):
        cells = [cell.strip() for cell in row["cells"].split("|")]
        torch, _, npu = (part.strip() for part in cells[3].partition("/"))
        facts = {
            "vllm": cells[0],
            "python": cells[1].replace(" ", ""),
            "cann": cells[2],
            "torch": torch,
            "torch-npu": npu,
        }
        found[row["release"]] = facts
    return found


def pins(text: str) -> dict[str, str]:
    """Return the versions that a list of requirements pins."""
    return {match["name"]: match["version"] for match in _PIN.finditer(text)}


def taken(text: str) -> dict[str, str]:
    """Return the versions of other packages that a list of requirements takes."""
    return {match["name"]: match["said"].strip().replace(" ", "") for match in _TAKEN.finditer(text)}


def of_torch_npu(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield what each release of torch_npu goes with, the oldest first."""
    pythons = {
        found["torch"]: [int(minor) for minor in re.findall(r"3\.(\d+)(?![\d.)])", found["pythons"])]
        for found in _PYTHONS.finditer(text)
    }
    for found in sorted(_NPU.finditer(text), key=lambda each: Version.parse(each["release"])):
        minors = pythons.get(found["torch"], [])
        facts = {"torch": found["torch"], "cann": found["cann"]}
        if minors:
            facts["python"] = f">=3.{min(minors)},<3.{max(minors) + 1}"
        yield found["release"], {**facts, "source": "torch:COMPATIBILITY.md"}


def least(text: str) -> str | None:
    """Return the oldest CANN that an installation page takes for any product."""
    said = [Version.parse(match["version"]) for match in _LEAST.finditer(text)]
    return min(said).text if said else None


def rows(releases: Releases) -> Iterator[tuple[str, Mapping[str, str | list[str]]]]:
    """Yield what each release of vLLM-Ascend goes with, the oldest first."""
    tags = releases.tags()
    told = [matrix(releases.text(tag, _MATRIX) or "") for tag in reversed(tags)]
    for tag in tags:
        release = tag.removeprefix("v")
        row = next((each[release] for each in told if release in each), {})
        required = releases.text(tag, "requirements.txt") or ""
        pinned = pins(required)
        vllm = _VERSION.findall(row.get("vllm", "")) or _tagged(releases, tag)
        cann = _oldest(least(releases.text(tag, _INSTALLATION) or ""), row.get("cann"))
        torch = pinned.get("torch") or row.get("torch")
        facts: dict[str, str | list[str] | None] = {
            "vllm": vllm,
            "torch": torch,
            "torch-npu": pinned.get("torch-npu") or row.get("torch-npu"),
            "triton-ascend": pinned.get("triton-ascend"),
            **taken(required),
            "cann": cann,
            "python": row.get("python"),
            "source": f"vllm-ascend:requirements.txt@{tag}" if pinned else f"vllm-ascend:{_MATRIX}",
        }
        yield release, {name: fact for name, fact in facts.items() if fact}


def _tagged(releases: Releases, tag: str) -> list[str]:
    found = re.search(r"^ARG VLLM_TAG=v([\d.\w]+)", releases.text(tag, "Dockerfile") or "", re.MULTILINE)
    return [found[1]] if found else []


def _oldest(*said: str | None) -> str | None:
    """Return the oldest of the versions that pages name: where they differ, either has been tried."""
    versions = [Version.parse(each) for each in said if each]
    return min(versions).text.replace("rc", "RC") if versions else None


def pinned_by(report: Path) -> tuple[str, str] | None:
    """Return the release of vLLM that a report of pip tells of, and the PyTorch that it pins."""
    for each in json.loads(report.read_text("utf-8"))["install"]:
        metadata = each["metadata"]
        for line in metadata.get("requires_dist", ()) if metadata["name"] == "vllm" else ():
            found = re.match(r"torch==([\w.]+)", line)
            if found:
                return metadata["version"], found[1]
    return None


def _written(component: str, release: str, facts: Mapping[str, str | list[str]]) -> str:
    lines = [f'[{component}."{release}"]', *(f"{name} = {json.dumps(fact)}" for name, fact in facts.items())]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("torch_npu", type=Path)
    parser.add_argument("report", type=Path, nargs="*")
    given = parser.parse_args(arguments)
    parts = [_written("vllm-ascend", release, facts) for release, facts in rows(Releases(given.checkout))]
    parts += (
        _written("torch-npu", release, facts) for release, facts in of_torch_npu(given.torch_npu.read_text("utf-8"))
    )
    if not given.report:
        parts += (_written("vllm", release, facts) for release, facts in read(_FILE).get("vllm", {}).items())
    told = sorted(
        {found for report in given.report if (found := pinned_by(report))}, key=lambda each: Version.parse(each[0])
    )
    for release, torch in told:
        source = f"https://pypi.org/project/vllm/{release}/"
        parts.append(_written("vllm", release, {"torch": torch, "source": source}))
    parts += (_written("mindspore", release, facts) for release, facts in read(_FILE).get("mindspore", {}).items())
    by_hand = _FILE.read_text("utf-8").partition(_BY_HAND)
    _FILE.write_text("\n".join((_HEAD, *parts, "".join(by_hand[1:]))), "utf-8")


if __name__ == "__main__":
    main()
