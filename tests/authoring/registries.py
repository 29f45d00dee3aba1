"""Renews the values that vLLM and vLLM-Ascend register by name: parsers, quantization methods, load formats, KV connectors.

`python -m tests.authoring.registries VLLM ASCEND`: two folders with a folder for each release, named by its version, that holds its sources.
Their argument parsers take any text; what has no such name is refused when it is looked up. Run it behind `engines`, which knows of no registry.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read
from tests.authoring.engines import ENGINES, Releases, changes, paired, write

_LITERAL = re.compile(r"(?<!\w)(?:QuantizationMethods|LoadFormats) = Literal\[(?P<body>[^\]]*)\]")
_ENUM = re.compile(r"class LoadFormat\(str, enum\.Enum\):\n(?P<body>(?:    \w+ = .*\n)+)")
_TABLE = re.compile(
    r"_(?:REASONING|TOOL)_PARSERS_TO_REGISTER[^={]*= \{(?P<body>(?:.*\n)*?)\}\n|_LOAD_FORMAT_TO_MODEL_LOADER[^={]*= \{(?P<items>[^}]*)\}"
)
_KEY = re.compile(r"^ *\"(?P<name>[\w.-]+)\":", re.MULTILINE)
_REGISTERED = re.compile(
    r"(?<!>>> )(?:ParserManager\.register_module|KVConnectorFactory\.register_connector|@register_model_loader|@register_quantization_config)\("
    r"\s*(?:(?:name|force)\s*=\s*)?(?P<names>\[[^\]]*\]|\"[^\"]*\"|[A-Z_]+)"
)
_ADDED = re.compile(r"^ASCEND_QUAN?TIZATION_METHOD = \"(?P<name>\w+)\"", re.MULTILINE)
"""Some releases spell it with a letter less."""
_TEXT = re.compile(r"[\"']([\w.-]+)[\"']")


_TRANSFER, _EXTRA = "kv_transfer_config", "kv_connector_extra_config"
_EACH = f"{_TRANSFER}.{_EXTRA}.connectors"


class Registry(NamedTuple):
    """One table of names."""

    option: str
    file: str
    """Of the catalog, below `files/vllm`."""
    paths: tuple[str, ...]
    """Where releases of either project register: the ends of folders' and files' names."""
    source: str


_REGISTRIES = (
    Registry(
        "reasoning-parser",
        "input",
        ("vllm/reasoning/", "vllm/entrypoints/openai/reasoning_parsers/"),
        "vllm/reasoning/__init__.py",
    ),
    Registry(
        "tool-call-parser",
        "input",
        ("vllm/tool_parsers/", "vllm/entrypoints/openai/tool_parsers/"),
        "vllm/tool_parsers/__init__.py",
    ),
    Registry(
        "quantization",
        "accuracy",
        ("vllm/model_executor/layers/quantization/__init__.py", "vllm_ascend/utils.py", "vllm_ascend/quantization/"),
        "vllm/model_executor/layers/quantization/__init__.py",
    ),
    Registry(
        "load-format",
        "model",
        (
            "vllm/model_executor/model_loader/__init__.py",
            "vllm/config.py",
            "vllm/config/__init__.py",
            "vllm_ascend/model_loader/",
        ),
        "vllm/model_executor/model_loader/__init__.py",
    ),
    Registry(
        "kv_transfer_config.kv_connector",
        "kv_transfer_config",
        (
            "vllm/distributed/kv_transfer/kv_connector/factory.py",
            "vllm_ascend/distributed/__init__.py",
            "vllm_ascend/distributed/kv_transfer/__init__.py",
        ),
        "vllm/distributed/kv_transfer/kv_connector/factory.py",
    ),
)

_OPTIONAL = frozenset({"reasoning-parser", "tool-call-parser", "quantization"})
"""Flags whose word `None` says that there is none (vllm: `vllm/engine/arg_utils.py`, `optional_type`)."""


def main(arguments: Sequence[str]) -> int:
    """Write the files."""
    vllm, ascend = map(Path, arguments)
    engine = ENGINES["vllm"]
    read_ = [each.name for each in vllm.iterdir() if (each / "vllm").is_dir()]
    releases = Releases(engine, read_)
    with_it = {version: _folder_of(version, ascend) for version in read_}
    made: dict[str, Any] = {}
    for path in sorted((DATA / "files" / "vllm").glob("*.toml")):
        made |= read(path)["options"]
    for registry in _REGISTRIES:
        of = {
            version: sorted({*names(vllm / version, registry), *names(with_it[version], registry)})
            for version in releases.read
        }
        lacking = [version for version, found in of.items() if not found]
        if lacking:
            raise SystemExit(f"{registry.option}: nothing found in {', '.join(lacking)}")
        newest = list(reversed(of.values()))
        for surface in ("vllm", "vllm_args"):
            own = made[registry.option].get(surface)
            if own is not None:
                none = ["None"] if surface == "vllm" and registry.option in _OPTIONAL else []
                own["values"] = list(dict.fromkeys([*(name for found in newest for name in found), *none]))
                own.pop("changes", None)
                dated = changes(engine, releases, own, of, registry.source)
                own |= {"changes": dated} if dated else {}
    made |= dict(_within(made))
    write("vllm", made)
    return 0


def _within(made: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the keys of each of several connectors: vLLM makes the same object of them (`multi_connector.py`)."""
    for name, option in made.items():
        above, _, key = name.rpartition(".")
        if above == _TRANSFER and key != _EXTRA:
            own = dict(option["vllm_args"])
            if "extended_by" in own:
                own["extended_by"] = [each.replace(_TRANSFER, _EACH) for each in own["extended_by"]]
            yield f"{_EACH}.{key}", {**option, "vllm_args": own}


def _folder_of(version: str, ascend: Path) -> Path:
    """Return the newest release of vLLM-Ascend that goes with a vLLM: what was registered once stays till the next."""
    wanted = Version.parse(version)
    known = sorted((each.name for each in ascend.iterdir() if each.is_dir()), key=Version.parse)
    older = [each for each in known if Version.parse(paired(each)) <= wanted]
    return ascend / (older[-1] if older else known[0])


def names(folder: Path, registry: Registry) -> Iterator[str]:
    """Yield the names that a release registers."""
    for path in _files(folder, registry.paths):
        text = path.read_text(encoding="utf-8")
        for match in (*_LITERAL.finditer(text), *_ENUM.finditer(text)):
            if ("quant" in registry.option) == ("Quantization" in match.group()):
                yield from _TEXT.findall(match["body"])
        for match in _TABLE.finditer(text):
            yield from (key["name"] for key in _KEY.finditer(match["body"] or match["items"]))
        for match in _REGISTERED.finditer(text):
            yield from _TEXT.findall(match["names"])
        if registry.option == "quantization":
            yield from (match["name"] for match in _ADDED.finditer(text) if match["name"])


def _files(folder: Path, paths: Iterable[str]) -> Iterator[Path]:
    for each in paths:
        path = folder / each
        if path.is_dir():
            yield from sorted(path.rglob("*.py"))
        elif path.is_file():
            yield path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
