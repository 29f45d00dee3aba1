"""A wheel carries the compiled catalog and parses no TOML."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.util import cache_from_source
from pathlib import Path

from hatch_build import CatalogHook
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.store import Store

ROOT = Path(__file__).parents[2]


def hook(tmp_path: Path, target: str, root: Path = ROOT) -> CatalogHook:
    return CatalogHook(str(root), {}, None, None, str(tmp_path), target)  # type: ignore[arg-type]


def test_the_build_adds_a_catalog_that_needs_no_comparing(tmp_path: Path) -> None:
    made = hook(tmp_path, "wheel")
    build: dict[str, dict[str, str]] = {"force_include": {}}
    made.initialize("standard", build)
    ((path, inside),) = build["force_include"].items()
    assert inside == "npu_lsp/catalog/compiled/catalog.jsonl"
    store = Store(Path(path).read_bytes())
    assert store.stamp is None
    assert set(store.names["session"]) == load().names(Surface.SESSION)
    made.finalize("standard", build, "")
    assert not Path(path).exists()


def test_other_builds_carry_none(tmp_path: Path) -> None:
    for target, version in (("sdist", "standard"), ("wheel", "editable")):
        build: dict[str, dict[str, str]] = {"force_include": {}}
        hook(tmp_path, target, tmp_path).initialize(version, build)
        assert build["force_include"] == {}


def test_an_editable_install_has_its_bytecode(tmp_path: Path) -> None:
    module = tmp_path / "npu_lsp" / "inner" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text("value = 1\n")
    hook(tmp_path, "wheel", tmp_path).initialize("editable", {})
    assert Path(cache_from_source(str(module))).is_file()


def test_a_built_wheel_works_without_toml(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        assert {"npu_lsp/catalog/compiled/catalog.jsonl", "npu_lsp/rules/zh/NPU101.md"} <= set(archive.namelist())
    code = (
        "import sys, json\n"
        f"sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "from npu_lsp.catalog import load as module\n"
        "from npu_lsp.catalog.model import Surface\n"
        "catalog = module.load()\n"
        "option = catalog.option(Surface.SESSION, 'precision_mode')\n"
        "print(json.dumps([module.__file__, option.slot.value, 'tomllib' in sys.modules, catalog.store.stamp]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    file, slot, parsed, stamp = json.loads(done.stdout)
    assert file.startswith(str(tmp_path))
    assert (slot, parsed, stamp) == ("s", False, None)
