"""Counts the variables of other tools: `python -m tests.authoring.other_variables TREES`, where TREES holds `owner+name` folders.

What comes out is `other_variables.toml`: `heads` are first words under which repositories without any NPU have variables, so that
they tell nothing; `names` are names close to one of ours that some repository reads itself, or that several have. `mistaken` is kept by hand, and isn't printed.

`python -m tests.authoring.other_variables kin MIRRORS`, where MIRRORS holds `owner+name/repo` git directories, prints `kin`: variables
that components read or their pages list, and that the catalog has no page for; so does `engines SOURCES`, of folders such as
`vllm-0.33.0` and `sglang-0.5.23`, for those of vLLM and SGLang: a release may know names that another one has dropped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.spelling import Spelling
from npu_lsp.catalog.target import Version

_NAME = rb"[A-Z][A-Z0-9]+(?:_[A-Za-z0-9]+)+"
_NAMED = re.compile(rb"(?<![A-Za-z0-9_$.-])" + _NAME)
_READ = re.compile(
    rb"(?:(?i:getenv|get_env)\w*\s*\(|environ(?:\.get\s*\(|\[)|env::var\s*\(|LookupEnv\s*\()\s*[\"']("
    + _NAME
    + rb")[\"'](?!\]\s*=)"
)
_NPUS = re.compile(rb"(?i)ascend|(?<![a-z])npu")
_LARGEST = 3_000_000
_WITHOUT_NPUS = ("NVIDIA+Megatron-LM", "pytorch+examples")
"""Repositories in which first words of variables are looked for."""
_SEVERAL = 3


_COMPONENTS = (
    *("Ascend+pytorch", "Ascend+torchair", "Ascend+op-plugin", "vllm-project+vllm-ascend", "sgl-project+sgl-kernel-npu"),
    *("Ascend+MindSpeed", "Ascend+MindSpeed-LLM", "Ascend+MindSpeed-MM", "Ascend+MindIE-LLM", "Ascend+MindIE-Motor", "Ascend+MindIE-SD"),
    *("hicann+ge", "hicann+runtime", "hicann+hccl", "hicann+tensorflow", "hicann+ascend-transformer-boost", "Ascend+mind-cluster"),
    *("mindspore-ai+vllm-mindspore", "mindspore-lab+mindformers"),
)  # fmt: skip
_OURS = (
    "ASCEND_",
    "HCCL_",
    "MS_",
    "MINDIE_",
    "ATB_",
    "ACLNN_",
    "ASDOPS_",
    "TTP_",
    "TASKD_",
    "TORCHINDUCTOR_NPU_",
    "VLLM_ASCEND_",
)
"""How the names begin that nobody else has."""
_TAKEN = r"""(getenv|GetEnv|get_env|environ|environ\.get|LookupEnv)[[(]+ *["'][A-Z][A-Z0-9]+(_[A-Z0-9]+)+["']"""
_LISTED = r"^(\| *|   \* - |<td[^>]*>)[A-Z][A-Z0-9]+(_[A-Z0-9]+)+"
_LISTS = ("mindspore-ai+docs", ("*env_var_list*", "*environment_variable*"))
_OUTSIDE = (":!*test*", ":!*example*", ":!*/ci/*", ":!.github", ":!*benchmark*", ":!*/tools/*", ":!tools/*")
_RELEASED = re.compile(r"refs/heads/(?:master|r[12]\.\d+(?:\.\d+)?)")
_SHORTEST = 12


def _git(mirrors: Path, repository: str, *arguments: str) -> list[str]:
    command = ("git", "-C", str(mirrors / repository / "repo"), *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def kin(mirrors: Path) -> None:
    """Print the table of variables that the catalog has no page for."""
    others = load().plain("other_variables")
    known = load().names(Surface.ENV).union(others["names"], others["mistaken"])
    branches = filter(
        _RELEASED.fullmatch, _git(mirrors, _LISTS[0], "for-each-ref", "--format=%(refname)", "refs/heads")
    )
    asked = [
        *((each, "HEAD", _TAKEN, _OUTSIDE) for each in _COMPONENTS),
        *((_LISTS[0], each, _LISTED, _LISTS[1]) for each in sorted(branches)),
    ]
    found: dict[str, str] = {}
    last: dict[str, int] = {}
    for number, (repository, at, pattern, where) in enumerate(asked):
        for line in _git(mirrors, repository, "grep", "-oIE", pattern, at, "--", *where):
            _, path, said = line.split(":", 2)
            name = re.search(_NAME.decode(), said)
            if name is not None and name[0] not in known and len(name[0]) >= _SHORTEST and name[0].startswith(_OURS):
                branch, owner = at.rpartition("/")[2], repository.replace("+", "/")
                last[name[0]] = number
                found[name[0]] = f"https://github.com/{owner}/blob/{branch}/{path}"
    # A name that is close to another one may be its slip, in whatever page it stands: that of newer pages is right.
    guesses = {name: Spelling(known.union(found) - {name}).guess(name) for name in found}
    rows = (
        n
        for n, guess in sorted(guesses.items())
        if guess is None or all(last.get(e, 999) < last[n] for e in guess.names)
    )
    sys.stdout.write("[kin]\n" + "".join(f'{name} = "{found[name]}"\n' for name in rows))


_ENGINES = {
    "vllm": ("vllm-project/vllm", "vllm/envs.py", r"[\"'](VLLM_[A-Z0-9_]+)[\"']"),
    "sglang": ("sgl-project/sglang", "sglang/srt/environ.py", r"(?m)^    (SGLANG_[A-Z0-9_]+) *= *Env"),
}
"""Where engines say which variables they read: the repository, the file in a release, and how a name stands there."""


def engines(sources: Path) -> None:
    """Print the rows of variables of vLLM and SGLang; the source is the newest release that names one."""
    known = load().names(Surface.ENV)
    found: dict[str, str] = {}
    for engine, (repository, file, named) in _ENGINES.items():
        releases = {path: path.name.partition("-")[2] for path in sources.glob(f"{engine}-*")}
        for folder in sorted(releases, key=lambda each: Version.parse(releases[each])):
            inside = f"python/{file}" if engine == "sglang" else file
            for name in re.findall(named, Path(folder, file).read_text(encoding="utf-8")):
                found[name] = f"https://github.com/{repository}/blob/v{releases[folder]}/{inside}"
    rows = (name for name in sorted(found) if name not in known and len(name) >= _SHORTEST)
    sys.stdout.write("".join(f'{name} = "{found[name]}"\n' for name in rows))


def _files(tree: Path) -> Iterator[tuple[str, bytes]]:
    for folder, _, names in os.walk(tree):
        for path in (Path(folder, name) for name in names):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGEST:
                yield path.relative_to(tree).as_posix(), path.read_bytes()


def main(trees: Path) -> None:
    """Print the file's two tables."""
    ours = load().names(Surface.ENV)
    spelling = Spelling(ours)
    first = {f"{name.partition('_')[0]}_" for name in ours if "_" in name}
    heads: dict[str, str] = {}
    where: dict[str, set[str]] = defaultdict(set)
    reads: dict[str, str] = {}
    for tree in sorted(each for each in trees.iterdir() if each.is_dir()):
        repository = tree.name.replace("+", "/")
        for path, data in _files(tree):
            names = {match.decode() for match in _NAMED.findall(data)} - ours
            if tree.name in _WITHOUT_NPUS and not _NPUS.search(data):
                for name in names:
                    head = f"{name.partition('_')[0]}_"
                    if head in first:
                        heads.setdefault(head, f"https://github.com/{repository}/blob/HEAD/{path}")
            for name in names:
                if spelling.guess(name) is not None:
                    where[name].add(repository)
            for match in _READ.findall(data):
                if match.decode() in names:
                    reads.setdefault(match.decode(), f"https://github.com/{repository}/blob/HEAD/{path}")
    sys.stdout.write("[heads]\n" + "".join(f'{head} = "{heads[head]}"\n' for head in sorted(heads)))
    sys.stdout.write("\n[names]\n")
    for name in sorted(where):
        source = reads.get(name) or (f"https://github.com/{min(where[name])}" if len(where[name]) >= _SEVERAL else "")
        sys.stdout.write(f'{name} = "{source}"\n' if source else f"# {name}: {', '.join(sorted(where[name]))}\n")


if __name__ == "__main__":
    tables = {"kin": kin, "engines": engines}
    tables[sys.argv[1]](Path(sys.argv[2])) if sys.argv[1] in tables else main(Path(sys.argv[1]))
    assert DATA.is_dir()
