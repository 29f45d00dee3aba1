"""A source that leads nowhere, or to a file that doesn't have the option, is told."""

from __future__ import annotations

import subprocess
from pathlib import Path

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring.held import Sources, missing, unheld


def _sources(tmp_path: Path) -> Sources:
    checkout = tmp_path / "mine+tool" / "repo"
    checkout.mkdir(parents=True)
    who = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"]
    for name, text in (("old.py", "HCCL_BUFFSIZE\n"), ("new.py", "hccl_other\n")):
        (checkout / name).write_text(text, "utf-8")
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", name], ["tag", f"v-{name[:3]}"]):
            subprocess.run(["git", "-C", str(checkout), *who, *arguments], check=True, capture_output=True)
        (checkout / "old.py").unlink(missing_ok=True)
    table = tmp_path / "sources.toml"
    table.write_text('[tool]\nrepository = "https://github.com/mine/tool"\ncommit = "v-old"\n', "utf-8")
    return Sources(tmp_path, table)


def test_each_source_is_looked_up_at_its_commit_or_tag(tmp_path: Path) -> None:
    sources = _sources(tmp_path)
    option = load().option(Surface.ENV, "HCCL_BUFFSIZE")
    assert option is not None
    option = option._replace(removed=None, deprecated=None, relations=())

    def told(*where: str) -> tuple[set[str], int]:
        asked = [option._replace(sources=where)]
        return set(missing(sources, asked)), len(list(unheld(sources, asked)))

    assert told("tool:old.py") == (set(), 0)
    assert told("tool:old.py@v-new") == ({"tool:old.py@v-new"}, 1)
    assert told("tool:new.py@v-new") == (set(), 1)
    assert told("tool:new.py@v-new", "tool:old.py#anchor") == (set(), 0)
    # Nothing is known of repositories that aren't at hand, nor of pages.
    assert told("other:gone.py") == told("https://example.org/") == (set(), 0)
    # A package is of one release.
    (tmp_path / "tool-1.2").mkdir()
    (tmp_path / "tool-1.2" / "args.py").write_text("HCCL_BUFFSIZE", "utf-8")
    assert told("tool:args.py@v1.2") == told("tool:python/args.py@v1.2") == (set(), 0)
    assert told("tool:old.py@v1.2") == ({"tool:old.py@v1.2"}, 1)
