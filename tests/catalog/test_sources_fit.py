"""A source is of the project whose option it tells of, at a release that there is."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Version

OWN = {
    Surface.SGLANG: {"sglang", "sgl-kernel-npu"},
    Surface.SGLANG_ARGS: {"sglang", "sgl-kernel-npu"},
    Surface.VLLM: {"vllm", "vllm-ascend"},
    Surface.VLLM_ARGS: {"vllm", "vllm-ascend"},
    Surface.ADDITIONAL_CONFIG: {"vllm", "vllm-ascend", "omni-infer"},
    Surface.MINDSPEED: {"mindspeed", "mindspeed-llm", "mindspeed-mm", "megatron"},
}
"""Surfaces whose options are those of one family of repositories."""
TAGGED = {"sglang": "v{}", "vllm-ascend": "v{}"}
"""Repositories whose releases are those of a component of `versions.toml`, and how their tags are written."""


def foreign(catalog: Catalog, options: Iterable[Option]) -> set[str]:
    """Return sources of another project's repository, or of a release that its component doesn't have."""
    versions = catalog.plain("versions")
    tags = {
        component: {form.format(each) for line in versions[component].values() for each in line["releases"]}
        for component, form in TAGGED.items()
    }
    found = set()
    for option in options:
        gone = (option.removed.source,) if option.removed is not None else ()
        for source in (*option.sources, *gone, *(each.source for each in option.relations)):
            project, _, rest = source.partition(":")
            ref = rest.partition("@")[2]
            alien = option.surface in OWN and project not in OWN[option.surface]
            # A source with no `@` is at the commit that was read; releases before the first that is known were read, too.
            unknown = project in tags and ref not in tags[project] and not _earlier(ref, tags[project])
            if project != "https" and (alien or unknown):
                found.add(f"{option.surface.value} {option.name}: {source}")
    return found


def _earlier(ref: str, tags: Iterable[str]) -> bool:
    first = min(Version.parse(tag[1:]) for tag in tags)
    return not ref or ref[0] != "v" or Version.parse(ref[1:]) < first


def test_each_source_is_of_the_project_itself() -> None:
    catalog = load()
    options = [option for surface in Surface for option in catalog.options(surface)]
    assert foreign(catalog, options) == set()
    option = catalog.option(Surface.SGLANG_ARGS, "cuda_graph_config.decode.max_bs")
    assert option is not None
    for wrong in ("vllm:vllm/config/__init__.py@v0.5.20", "sglang:python/sglang/srt/server_args.py@v0.5.99"):
        assert foreign(catalog, [option._replace(sources=(wrong,))])
