"""The parts of a release, in the order in which they are made and checked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import vsix as extension
from addresses import addresses
from wheels import PLATFORMS, PYTHONS, download

ROOT = Path(__file__).parents[2]
DIST = ROOT / "build/release/dist"


def release(*, tagged: bool) -> None:
    """Make and check all of it; the first thing that fails ends it."""
    shutil.rmtree(DIST, ignore_errors=True)
    version = _version()
    if tagged:
        _step(f"the tag v{version}")
        _tag(version)
        _step("known vulnerabilities in what users get")
        _audit()
    _step("wheel and sdist")
    wheel, sdist = wheel_and_sdist()
    _step("the wheel in a fresh environment")
    check_wheel(wheel)
    _step("the sdist passes its own tests")
    check_sdist(sdist)
    for platform in [*PLATFORMS, None]:
        _step(f"the extension for {platform or 'other systems'}")
        check_vsix(extension.pack(wheel, platform, DIST), platform)
    for platform in ("linux-x64", "linux-arm64"):
        _step(f"the wheelhouse for {platform}")
        wheelhouse(platform, wheel)
    _step("container image")
    pushed = container(wheel, version)
    print(_to_upload(version, pushed))


def wheel_and_sdist() -> tuple[Path, Path]:
    """Build both from the checkout, the wheel from the sdist, and check what a package page would show."""
    _run("-m", "build", "--no-isolation", "--outdir", str(DIST), str(ROOT))
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    _run("-m", "twine", "check", "--strict", str(wheel), str(sdist))
    return wheel, sdist


def vsix(platform: str) -> Path:
    """Make the extension for one platform, for this machine's (`here`), or for all that have none of their own (`universal`)."""
    chosen = {"universal": None, "here": here()}.get(platform, platform)
    made = extension.pack(_wheel(), chosen, DIST)
    check_vsix(made, chosen)
    return made.replace(DIST.parent / "npu-lsp-here.vsix") if platform == "here" else made


def wheelhouse(platform: str, wheel: Path | None = None) -> Path:
    """Make a ZIP file with all wheels for a platform, for machines without a network."""
    wheel = wheel or _wheel()
    made = DIST / f"npu-lsp-wheelhouse-{platform}-{_version()}.zip"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(made, "w") as packed:
        wheels = {path for each in download(wheel, platform, Path(folder)).values() for path in each}
        for path in sorted(wheels):
            packed.write(path, path.name)
    return made


def check_wheel(wheel: Path) -> None:
    """Install it into a new environment, and find something with it."""
    with tempfile.TemporaryDirectory() as folder:
        python = _environment(Path(folder), str(wheel))
        script = Path(folder) / "serve.sh"
        script.write_text("export ASCEND_RT_VISIBLE_DEVICE=0\n", encoding="utf-8")
        done = subprocess.run(
            [python, "-m", "npu_lsp", "check", "serve.sh"], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 1 or "NPU101" not in done.stdout:
            sys.exit(f"the wheel finds nothing: {done.stdout}{done.stderr}")
        said = subprocess.run([python, "-m", "npu_lsp", "--version"], capture_output=True, text=True, check=True).stdout
        if _version() not in said:
            sys.exit(f"the wheel says {said}")


def check_sdist(sdist: Path) -> None:
    """Unpack it and run its tests in a new environment."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(sdist, folder)
        (source,) = Path(folder).iterdir()
        python = _environment(Path(folder), f"{source}[test]")
        subprocess.run([python, "-m", "pytest", "--quiet", "-n", "auto"], cwd=source, check=True)


def check_vsix(packed: Path, platform: str | None) -> None:
    """See that it brings what it should, and start what it brings where it is for this machine."""
    with zipfile.ZipFile(packed) as archive:
        compiled = [name for name in archive.namelist() if name.startswith("extension/bundled/lib/libcst/native.")]
        missing = [python for python in PYTHONS if not any(python.replace(".", "") in name for name in compiled)]
        if missing if platform else compiled:
            sys.exit(f"{packed.name} brings {compiled}")
        if platform != here():
            return
        with tempfile.TemporaryDirectory() as folder:
            archive.extractall(folder)
            start = Path(folder) / "extension/bundled/start.py"
            subprocess.run([sys.executable, "-I", start, "--version"], check=True)


def here() -> str | None:
    """Return the name of this machine's platform."""
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(
        os.uname().machine if hasattr(os, "uname") else "AMD64"
    )
    name = f"{sys.platform}-{machine}"
    return name if name in PLATFORMS else None


def container(wheel: Path, version: str) -> str | None:
    """Build the image and run it; `None` where nothing is to be had that does."""
    engine = _engine()
    if engine is None:
        print(
            "No container image: neither Docker nor Podman answers here. Build it where one does, with the Dockerfile."
        )
        return None
    name = f"npu-lsp:{version}"
    subprocess.run([engine, "build", "--tag", name, "--file", str(ROOT / "Dockerfile"), str(wheel.parent)], check=True)
    ran = [engine, "run", "--rm", "--network=none", name]
    said = subprocess.run([*ran, "--version"], capture_output=True, text=True, check=True).stdout
    if version not in said:
        sys.exit(f"the image says {said}")
    return f"{engine} push {name}"


def _engine() -> str | None:
    for engine in ("docker", "podman"):
        if shutil.which(engine) and not subprocess.run([engine, "info"], capture_output=True, check=False).returncode:
            return engine
    return None


def _wheel() -> Path:
    """Return the wheel of the checkout as it is now."""
    shutil.rmtree(DIST / "wheel", ignore_errors=True)
    _run("-m", "build", "--no-isolation", "--wheel", "--outdir", str(DIST / "wheel"), str(ROOT))
    (wheel,) = (DIST / "wheel").glob("*.whl")
    return wheel


def _environment(folder: Path, package: str) -> Path:
    environment = folder / "environment"
    _run("-m", "venv", str(environment))
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package], check=True)
    return python


def _version() -> str:
    text = (ROOT / "npu_lsp/__init__.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def _tag(version: str) -> None:
    """End where no tag names this commit, where something isn't committed, or where the changelog doesn't tell of the version."""
    if f"v{version}" not in _git("tag", "--points-at", "HEAD").split():
        sys.exit(f"no tag v{version} on this commit; `--untagged` makes a trial")
    if _git("status", "--porcelain"):
        sys.exit("there are changes that aren't committed")
    if "/OWNER/" in addresses()["Repository"]:
        sys.exit("pyproject.toml doesn't say yet where the project's repository is")
    if f"## [{version}]" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        sys.exit(f"the changelog has no part on {version}")


def _audit() -> None:
    """End where a vulnerability is known, and where nobody could be asked."""
    done = subprocess.run(["bash", str(ROOT / ".ci/audit.sh")], check=False)
    if done.returncode:
        sys.exit("nothing is published without an audit that found nothing")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _to_upload(version: str, pushed: str | None) -> str:
    names = sorted(path.name for path in DIST.iterdir() if path.is_file())
    packages = [name for name in names if name.endswith((".whl", ".tar.gz"))]
    extensions = [name for name in names if name.endswith(".vsix")]
    lines = [f"\nnpu-lsp {version} is in {DIST}. To upload:"]
    lines += [f"  the package index        twine upload {' '.join(packages)}"]
    lines += [f"  Visual Studio Marketplace  vsce publish --packagePath {name}" for name in extensions]
    lines += [f"  Open VSX                 ovsx publish {name}" for name in extensions]
    if pushed:
        lines += [f"  a container registry     {pushed}, under the name that it has there"]
    lines += [f"  the release of the tag v{version}, as files: {' '.join(names)}"]
    return "\n".join(lines)


def _step(what: str) -> None:
    print(f"\n== {what}", flush=True)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True)
