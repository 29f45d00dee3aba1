"""What is published: the sdist is whole, a package page's links lead somewhere, the image's recipe has the form that is meant."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from npu_lsp import __version__
from npu_lsp.text import toml

ROOT = Path(__file__).parents[2]
PROJECT = toml.read(ROOT / "pyproject.toml")["project"]
EXTENSION: dict[str, Any] = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of an sdist, by their paths in it."""
    pytest.importorskip("hatchling")
    from hatchling.builders.sdist import SdistBuilder

    made = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("sdist")), versions=["standard"]))
    with tarfile.open(made) as archive:
        members = [member for member in archive if member.isfile()]
        contents = ((member.name.partition("/")[2], archive.extractfile(member)) for member in members)
        return {name: file.read() for name, file in contents if file is not None}


def test_the_sdist_has_every_file_of_the_project(sdist: dict[str, bytes]) -> None:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    files = {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}
    if not files:
        pytest.skip("not a checkout")
    assert files - set(sdist) == set()


def test_links_of_the_package_page_lead_out_and_somewhere(sdist: dict[str, bytes]) -> None:
    page = message_from_bytes(sdist["PKG-INFO"])
    text = page.get_payload()
    assert isinstance(text, str)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(links) > 10
    own = f"{PROJECT['urls']['Repository']}/"
    for link in links:
        assert link.startswith("https://"), link
        if link.startswith(own):
            _, place, path = link.removeprefix(own).split("/", 2)
            assert place == "main"
            assert (ROOT / path.partition("#")[0]).exists(), link


def test_metadata_in_a_form_that_indexes_take(sdist: dict[str, bytes]) -> None:
    assert message_from_bytes(sdist["PKG-INFO"])["Metadata-Version"] == "2.4"


def test_one_version() -> None:
    assert EXTENSION["version"] == __version__


def test_the_manifest_for_galleries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / ".ci/release"))
    spec = importlib.util.find_spec("vsix")
    assert spec is not None
    assert spec.loader is not None
    packing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(packing)
    made = packing.manifest()
    urls = PROJECT["urls"]
    assert made["repository"] == {"type": "git", "url": f"{urls['Repository']}.git", "directory": "editors/vscode"}
    assert (made["bugs"], made["homepage"]) == ({"url": urls["Issues"]}, urls["Documentation"])
    assert "private" not in made
    assert {"pytorch", "vllm", "昇腾"} <= set(made["keywords"])
    ignored = (ROOT / "editors/vscode/.vscodeignore").read_text(encoding="utf-8").split()
    assert {f"!{name}" for name in ("README.md", "CHANGELOG.md", "LICENSE", "bundled/**")} <= set(ignored)
    assert all((ROOT / "editors/vscode" / name).exists() for name in packing.PACKED if name != "dist")


def test_the_recipe_of_the_image() -> None:
    """No Docker has to be here: what it does is read, as far as it can be."""
    lines = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    assert {step[0] for step in steps} <= {"FROM", "COPY", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    stages = [index for index, step in enumerate(steps) if step[0] == "FROM"]
    last = steps[stages[-1] :]
    assert all(":" in steps[index][1] and "latest" not in steps[index][1] for index in stages)
    assert "slim" in last[0][1]
    (user,) = (step[1] for step in last if step[0] == "USER")
    assert int(user) > 0
    assert any(f"--uid {user} " in step[1] for step in last if step[0] == "RUN")
    (entry,) = (json.loads(step[1]) for step in last if step[0] == "ENTRYPOINT")
    copied = next(step[1].split()[-1] for step in last if step[0] == "COPY")
    assert entry == [f"{copied}/bin/python", "-I", "-m", "npu_lsp"]
    assert last.index(["USER", user]) > max(index for index, step in enumerate(last) if step[0] == "RUN")


def test_wheelhouses_are_told_alike_and_for_the_platforms_of_a_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network isn't asked here; the commands were run as they stand on the page."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci/release"))
    platforms = importlib.import_module("wheels").PLATFORMS
    pages = [(ROOT / f"docs/{name}").read_text(encoding="utf-8") for name in ("offline.md", "offline.zh.md")]
    commands = [re.findall(r"^```sh\n(.*?)\n```$", page, re.MULTILINE) for page in pages]
    assert commands[0] == commands[1]
    for command, name in zip(commands[0], ("linux-x64", "linux-arm64"), strict=False):
        assert set(re.findall(r"--platform (\S+)", command)) <= set(platforms[name].tags)


@pytest.mark.parametrize(
    "compiled",
    [
        *("libcst.native", "tree_sitter._binding", "tree_sitter_bash._binding"),
        *("ahocorasick_rs.ahocorasick_rs", "yaml._yaml"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only there is a glibc")
def test_what_is_compiled_runs_with_the_oldest_glibc(monkeypatch: pytest.MonkeyPatch, compiled: str) -> None:
    """A release asks it of each wheel for Linux; here it is asked of those that are installed."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci/release"))
    wheels = importlib.import_module("wheels")
    spec = importlib.util.find_spec(compiled)
    assert spec is not None
    assert spec.origin is not None
    assert (2,) < wheels.newest_glibc(Path(spec.origin).read_bytes()) <= wheels.GLIBC


def test_a_wheel_that_asks_for_a_newer_glibc_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / ".ci/release"))
    wheels = importlib.import_module("wheels")
    for name, version in (("old", b"2.28"), ("new", b"2.3.4\0GLIBC_2.29")):
        with zipfile.ZipFile(tmp_path / f"{name}-1-cp311-abi3-manylinux_2_28_x86_64.whl", "w") as archive:
            archive.writestr("read.md", "GLIBC_2.34")
            archive.writestr("native.so", b"\x7fELF\0GLIBC_" + version + b"\0")
    old, new = sorted(tmp_path.iterdir(), reverse=True)
    wheels.refuse_newer_glibc(old)
    with pytest.raises(SystemExit, match=r"new-.*native\.so asks for glibc 2\.29"):
        wheels.refuse_newer_glibc(new)


def test_what_is_proposed_for_neovim_is_what_is_here() -> None:
    proposed = (ROOT / "editors/neovim/proposed/npu_lsp.lua").read_text(encoding="utf-8")
    here = (ROOT / "editors/neovim/lua/npu_lsp/init.lua").read_text(encoding="utf-8")
    for name in re.findall(r"'([\w.-]+toml|python|sh|dockerfile|markdown|yaml|make)'", proposed):
        assert f'"{name}"' in here, name
