"""Compiles the catalog into wheels, where no TOML is parsed, and the modules of a checkout, as pip does with a wheel's.

The page that a package index shows is the README, with links that lead there from any place.
"""

from __future__ import annotations

import compileall
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class CatalogHook(BuildHookInterface[Any]):
    """Adds the compiled catalog to a wheel; an editable install compiles it from the checkout when it is loaded."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalog beside the build, so that the checkout stays as it is."""
        if self.target_name != "wheel":
            return
        if version == "editable":
            # Where Python may not write bytecode, as in many containers, each start would compile all modules anew.
            compileall.compile_dir(Path(self.root) / "npu_lsp", quiet=2)
            return
        sys.path.insert(0, self.root)
        try:
            from npu_lsp.catalog.compile import compile_folder
            from npu_lsp.catalog.store import packed
        finally:
            sys.path.remove(self.root)
        content = packed(compile_folder(Path(self.root) / "npu_lsp" / "catalog" / "data"), stamp=None)
        with tempfile.NamedTemporaryFile(prefix="catalog-", suffix=".jsonl", delete=False) as file:
            file.write(content)
        self._written = Path(file.name)
        build_data["force_include"][file.name] = "npu_lsp/catalog/compiled/catalog.jsonl"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the file that the wheel has by now."""
        written = getattr(self, "_written", None)
        if written is not None:
            written.unlink(missing_ok=True)


class ReadmeHook(MetadataHookInterface):
    """Makes the description of the package of the README."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Links within the project become addresses in its repository, which stands in `pyproject.toml`."""
        repository = metadata["urls"]["Repository"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")

        def absolute(link: re.Match[str]) -> str:
            place = "raw" if link["image"] else "blob"
            return f"{link['image']}[{link['text']}]({repository}/{place}/main/{link['target']})"

        text = re.sub(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?!\w+:|#)(?P<target>[^)\s]+)\)", absolute, text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
