"""Reads what official pages set for a model on a product into `catalog/data/recipes`: facts only, each with its source and date.

`python -m tests.authoring.recipes vllm-ascend CLONE TAG...` reads the launches on the tutorials of releases, the newest tag first: what an
older one sets is a recipe of its own where it differs. `... mindspeed-llm CLONE BRANCH` reads training scripts, `... msprechecker CLONE
BRANCH` the values that its rules advise, `... sglang CLONE BRANCH` the best practices for NPUs, prefill and decode apart.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.recipes import of_machine
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.checking.inventory import rows
from npu_lsp.config.cmate import house_rules_of
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_FENCE = re.compile(
    r"^(?P<indent>[ ]*)```(?:shell|bash|sh|console)[^\n]*\n(?P<text>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL
)
_LAUNCH = re.compile(
    r"vllm serve|vllm\.entrypoints\.openai\.api_server|sglang\.launch_server|sglang serve|pretrain_gpt\.py|posttrain_gpt\.py"
)
_MODEL = re.compile(r"(?:vllm serve|sglang serve|--model(?:-path)?[ =])[ ]*[\"']?([^\s\\\"'$-][^\s\\\"']*)")
_PRODUCTS = {"a3": r"\bA3\b", "a2": r"\bA2\b|910B", "infer": r"310P|300I|Atlas inference", "950": r"\b950|\bA5\b"}
_HEADING = re.compile(r"^[ ]*(?:#+ |=== |:+\{tab-item\})(?P<text>[^\n]*)", re.MULTILINE)
_FEWEST = 3
"""A launch that sets less is no recipe."""
_SURFACES = frozenset(
    {"env", "vllm", "vllm_args", "additional_config", "sglang", "sglang_args", "mindspeed", "torchrun"}
)


class Recipe(NamedTuple):
    """What a page sets."""

    name: str
    model: str
    products: tuple[str, ...]
    version: str
    date: str
    source: str
    settings: Mapping[str, str | list[str]]


def of_page(text: str, path: str, version: str, date: str, prefix: str, catalog: Catalog) -> Iterator[Recipe]:
    """Yield what the launches of a page set. Heredocs and other texts in a fence count with it."""
    page = Path(path).stem
    around = _products(text)
    for fence in _FENCE.finditer(text):
        script = textwrap.dedent(fence["text"])
        if not _LAUNCH.search(script):
            continue
        settings = settings_of(script, catalog)
        if len(settings) < _FEWEST:
            continue
        model = next(iter(_MODEL.findall(script)), page)
        role = _BY_TRANSFER.get(settings.get("vllm_args.kv_transfer_config.kv_role", ""), "")
        yield Recipe(
            slug(f"{page} {role}"),
            model.rstrip("/").rpartition("/")[2],
            _nearest(text[: fence.start()], settings) or (around if len(around) == 1 else ()),
            version,
            date,
            f"{prefix}:{path}@v{version}",
            settings,
        )


def settings_of(script: str, catalog: Catalog) -> dict[str, str]:
    """Return what a script sets that doesn't belong to one machine, by `surface.name`."""
    found: dict[str, str] = {}
    for row in rows("", Document(script, kind=Kind.SHELL), catalog):
        name = f"{row.surface}.{row.option}"
        if (
            row.surface not in _SURFACES
            or of_machine(row.option)
            or catalog.option(Surface(row.surface), row.option) is None
        ):
            continue
        if row.known and not isinstance(row.value, (list, dict)) and "$" not in str(row.value):
            found[name] = _written(row.value)
        elif row.surface in ("vllm", "sglang", "mindspeed") and not row.known:
            found.setdefault(name, "")
    # A flag that holds JSON is told by its keys.
    return {name: value for name, value in found.items() if not value.lstrip().startswith("{")}


def slug(text: str) -> str:
    """Return a name in small letters without blanks and underscores."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def _written(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _products(text: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _PRODUCTS.items() if re.search(pattern, text))


def _nearest(before: str, _settings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the product that the headings and lines right above a fence name, the nearest first."""
    lines = before.splitlines()
    for number in range(len(lines) - 1, max(len(lines) - 60, -1), -1):
        found = _products(lines[number])
        if len(found) == 1:
            return found
        if found or re.match(r"#{1,3} ", lines[number]):
            return found if len(found) == 1 else ()
    return ()


def git(clone: Path, *words: str) -> str:
    """Return what git says of a clone."""
    return subprocess.run(["git", "-C", str(clone), *words], capture_output=True, check=True).stdout.decode(
        "utf-8", "replace"
    )


def vllm_ascend(clone: Path, tags: list[str], catalog: Catalog) -> Iterator[Recipe]:
    """Yield the recipes of the tutorials, newest tag first."""
    for tag in tags:
        date = git(clone, "log", "-1", "--format=%cs", tag).strip()
        for path in git(clone, "ls-tree", "-r", "--name-only", tag, "docs/source/tutorials").split():
            if path.endswith(".md") and not path.endswith("index.md"):
                text = git(clone, "show", f"{tag}:{path}")
                yield from of_page(text, path, tag.removeprefix("v"), date, "vllm-ascend", catalog)


def mindspeed_llm(clone: Path, branches: list[str], catalog: Catalog) -> Iterator[Recipe]:
    """Yield what the examples of training scripts set."""
    for branch in branches:
        date = git(clone, "log", "-1", "--format=%cs", branch).strip()
        for path in git(clone, "ls-tree", "-r", "--name-only", branch, "examples/mcore").split():
            if path.endswith(".sh") and re.search(r"/(?:pretrain|tune)_[^/]*\.sh\Z", path) and "mindspore" not in path:
                text = git(clone, "show", f"{branch}:{path}")
                settings = settings_of(text, catalog)
                if len(settings) > _FEWEST:
                    products = ("a3",) if re.search(r"(?i)_a3", path) else ()
                    name = slug(Path(path).stem.removesuffix("_ptd"))
                    yield Recipe(
                        name, Path(path).parent.name, products, branch, date, f"mindspeed-llm:{path}@{branch}", settings
                    )


_BY_TRANSFER = {"kv_producer": "prefill", "kv_consumer": "decode"}
"""What a launch is for, by which end of the cache's way it stands at (vLLM: `vllm/config/kv_transfer.py`)."""
_PAGES = "docs_new/docs/hardware-platforms/ascend-npus/best_practice"
_SAID_MODEL = re.compile(r"^\*\*Model\*\*: *(\S[^\n]*)", re.MULTILINE)
_ROLE = re.compile(r"--disaggregation-mode[ =](?P<role>prefill|decode)")
_LOOP, _LOOP_END = re.compile(r"^for ", re.MULTILINE), re.compile(r"^done\b[^\n]*\n", re.MULTILINE)


def sglang(clone: Path, branches: list[str], catalog: Catalog) -> Iterator[Recipe]:
    """Yield what the best practices of SGLang set, by role where prefill and decode are apart."""
    for branch in branches:
        date = git(clone, "log", "-1", "--format=%cs", branch).strip()
        for path in git(clone, "ls-tree", "-r", "--name-only", branch, _PAGES).split():
            text = git(clone, "show", f"{branch}:{path}")
            for fence in _FENCE.finditer(text) if path.endswith(".mdx") else ():
                before = text[: fence.start()]
                heading, model = re.findall(r"^### ([^\n]+)", before, re.MULTILINE), _SAID_MODEL.findall(before)
                for role, script in _roles(textwrap.dedent(fence["text"])) if heading and model else ():
                    settings = settings_of(script, catalog) if _LAUNCH.search(script) else {}
                    if len(settings) > _FEWEST:
                        name, source = slug(f"{heading[-1]} {role}"), f"sglang:{path}@{branch}"
                        yield Recipe(name, model[-1], _nearest(before, settings), branch, date, source, settings)


def _roles(script: str) -> Iterator[tuple[str, str]]:
    """Yield the role of each launch with what is set for it: of a script for prefill and decode, what stands in front of both and its own."""
    parts = _LOOP_END.split(script)
    if len({match["role"] for match in _ROLE.finditer(script)}) < 2 or len(parts) < 2:
        yield "", script
        return
    first = _LOOP.search(parts[0])
    common = parts[0][: first.start()] if first is not None else ""
    for part in parts:
        role = _ROLE.search(part)
        if role is not None:
            yield role["role"], common + part.removeprefix(common) + "done\n"


_SCENES = {
    "deepseek-ep@a2": {"deploy_mode": "ep", "npu_type": "A2", "model_type": "deepseek", "arch": "arm"},
    "deepseek-ep@a3": {"deploy_mode": "ep", "npu_type": "A3", "model_type": "deepseek", "arch": "arm"},
    "deepseek@a2": {"deploy_mode": "pd_mix", "npu_type": "A2", "model_type": "deepseek", "arch": "arm"},
    "deepseek@a3": {"deploy_mode": "pd_mix", "npu_type": "A3", "model_type": "deepseek", "arch": "arm"},
    "pd-mix@a2": {"deploy_mode": "pd_mix", "npu_type": "A2", "model_type": "", "arch": "arm"},
    "vllm-ep": {"deploy_mode": "ep"},
}
"""What the rules of `msprechecker` must be told."""


def msprechecker(clone: Path, branches: list[str], _catalog: Catalog) -> Iterator[Recipe]:
    """Yield the values that the rules of `msprechecker` advise, scene by scene; of several roles each has its own."""
    for branch in branches:
        date = git(clone, "log", "-1", "--format=%cs", branch).strip()
        for name, scene in _SCENES.items():
            path = f"msprechecker/msprechecker/presets/{'vllm' if name.startswith('vllm') else 'mindie'}.cmate"
            settings: dict[str, list[str]] = {}
            for rule in house_rules_of(git(clone, "show", f"{branch}:{path}"), scene).rules.values():
                if "one-of" in rule and "require" in rule and not of_machine(rule["setting"]):
                    held = settings.setdefault(f"{rule['surface']}.{rule['setting']}", [])
                    held += [each for each in map(_plain, rule["one-of"]) if each not in held]
            model, _, product = name.partition("@")
            yield Recipe(model, model, (product,) if product else (), branch, date, f"msit:{path}", settings)


def _plain(value: Any) -> str:
    return _written(value) if not isinstance(value, (list, dict)) else json.dumps(value)


def distinct(recipes: Iterator[Recipe]) -> dict[str, Recipe]:
    """Return the recipes under names of their own; what an older release sets likewise is left out."""
    found: dict[str, Recipe] = {}
    told: set[tuple[Any, ...]] = set()
    for each in recipes:
        key = (each.name, each.products, str(sorted(each.settings.items())))
        if key in told:
            continue
        told.add(key)
        name = each.name + (f"@{each.products[0]}" if each.products else "")
        newest = next((one.version for one in found.values() if one.name == each.name), each.version)
        name += "" if newest == each.version else f":{each.version}"
        count = 1
        while (unique := name if count == 1 else f"{name}#{count}") in found:
            count += 1
        found[unique] = each
    return found


def written(recipes: Mapping[str, Recipe], command: str) -> str:
    """Return the file."""
    lines = [f"# What official pages set, written by `python -m tests.authoring.recipes {command}`.", ""]
    for name, each in recipes.items():
        lines.append(f'[recipes."{name}"]')
        lines += [f'model = "{each.model}"', f"products = [{', '.join(_quoted(p) for p in each.products)}]"]
        lines += [f'version = "{each.version}"', f'date = "{each.date}"', f'source = "{each.source}"']
        lines.append(f'[recipes."{name}".settings]')
        for key, value in each.settings.items():
            shown = _quoted(value) if isinstance(value, str) else f"[{', '.join(map(_quoted, value))}]"
            lines.append(f"{_quoted(key)} = {shown}")
        lines.append("")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text or "\\" in text else f'"{text}"'


_KINDS = {"vllm-ascend": vllm_ascend, "sglang": sglang, "mindspeed-llm": mindspeed_llm, "msprechecker": msprechecker}


def main() -> None:
    """Write the file of one source."""
    kind, clone, *revisions = sys.argv[1:]
    recipes = distinct(_KINDS[kind](Path(clone), revisions, load()))
    (DATA / "recipes").mkdir(exist_ok=True)
    path = DATA / "recipes" / f"{kind.replace('-', '_')}.toml"
    path.write_text(written(recipes, f"{kind} CLONE {' '.join(revisions)}"), encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(recipes)}\n")


if __name__ == "__main__":
    main()
