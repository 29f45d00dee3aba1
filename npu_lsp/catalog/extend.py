"""Lays users' catalog files over the catalog: `catalog = ["my-options.toml"]` in the configuration.

Such a file has `[options.<topic>]` tables. A topic that is new needs a surface with a type or a slot; for one that is
known, what the file says replaces what the catalog says, key by key, and the rest stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog.compile import IN_DOCS, Compiled, relate
from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.form import LENIENT
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.merge import Facts, inherited, key_of, merged, told
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.catalog.vocabulary import MOVES, SURFACES
from npu_lsp.text.bilingual import Text
from npu_lsp.text.small_file import read_text, reason
from npu_lsp.text.toml import TomlError, line_of, parse
from npu_lsp.text.toml_shape import ShapeProblem

_LIMIT = 2_000_000
_TEXTS = ("summary", "text", "note", "why", "result", "stays")


def extended(catalog: Catalog, paths: Sequence[Path]) -> Catalog:
    """Return `catalog` with the options of users' files at `paths` on top; later files win.

    Raises `CatalogError` for the first file that can't be read or used.
    """
    if not paths:
        return catalog
    compiled = _unpacked(catalog)
    for path in paths:
        text, data = _read(path)
        for problem in LENIENT.many.problems(data, ""):
            raise _error(path, text, problem)
        for topic, option in data["options"].items():
            if topic not in compiled.docs and (docs := catalog.store.part(f"docs:{topic}")):
                compiled.docs[topic] = docs
            for problem in _lay(compiled, topic, _completed(option, path)):
                raise _error(path, text, problem)
    relate(compiled)
    return Catalog(catalog.store.overlaid(compiled))


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = read_text(path, _LIMIT)
        return text, parse(text)
    except OSError as error:
        raise CatalogError(path, None, reason(error)) from error
    except UnicodeDecodeError as error:
        raise CatalogError(path, None, Text("is not UTF-8", "不是 UTF-8 编码")) from error
    except TomlError as error:
        raise CatalogError(path, error.line, str(error)) from error


def _error(path: Path, text: str, problem: ShapeProblem) -> CatalogError:
    return CatalogError(path, line_of(text, problem.at), problem.placed, problem.suggestion)


def _unpacked(catalog: Catalog) -> Compiled:
    """Return names and facts as plain data of their own, relations as they were written."""
    store = catalog.store
    compiled = Compiled(
        names={surface: dict(names) for surface, names in store.names.items()},
        aliases={surface: dict(names) for surface, names in store.aliases.items()},
    )
    written = store.part("written") or {}
    for surface in store.names:
        options: dict[str, Facts] = store.part(f"facts:{surface}") or {}
        for name, facts in options.items():
            facts.pop("relations", None)
            if name in written.get(surface, {}):
                facts["relations"] = written[surface][name]
        compiled.facts[surface] = options
    return compiled


def _completed(value: Any, path: Path, key: str = "") -> Any:
    """Return `value` with every text in both languages and a source for every fact."""
    if key in _TEXTS and isinstance(value, str):
        return {"en": value, "zh": value}
    if isinstance(value, list):
        return [_completed(item, path) for item in value]
    if not isinstance(value, dict):
        return value
    made = {name: _completed(inner, path, name) for name, inner in value.items()}
    if key in _TEXTS or "en" in made or "zh" in made:
        one = made.get("en", made.get("zh", ""))
        made = {**made, "en": one, "zh": made.get("zh", one)}
    if key in MOVES:
        made.setdefault("why", {"en": f"See {path.name}.", "zh": f"见 {path.name}。"})
    if key in MOVES or "kind" in made or "when" in made or "version" in made:
        made.setdefault("source", path.name)
    return made


def _lay(compiled: Compiled, topic: str, data: Mapping[str, Any]) -> Iterator[ShapeProblem]:
    """Add to the catalog what a user's file says of one option, or change what it has; yield what is wrong with that."""
    at = f"options.{topic}"
    known = {
        surface: (name, compiled.facts[surface][name])
        for surface, names in compiled.names.items()
        for name, each in names.items()
        if each == topic
    }
    if not known and not any(surface in data for surface in SURFACES):
        missing = Text("a new option needs a table for a surface", "新配置项需要一个配置入口的表")
        yield ShapeProblem(at, missing, Text("for instance [options.NAME.session]", "例如 [options.NAME.session]"))
        return
    top = inherited(data)
    for surface in SURFACES:
        if surface in data or (surface in known and top):
            name, old = known.get(surface, (topic, {}))
            new = merged(name, {**top, "values": data.get("values", {}), surface: data.get(surface, {})})[surface]
            told = list(_surface(compiled, surface, topic, name, old, new, data))
            yield from told
            if told:
                return
    docs = compiled.docs.setdefault(topic, {"summary": {"en": topic, "zh": topic}})
    docs.update({key: data[key] for key in ("summary", "text") if key in data})
    if "values" in data:
        texts = {key: {"en": each.get("en", key), "zh": each.get("zh", key)} for key, each in data["values"].items()}
        docs["values"] = {**docs.get("values", {}), **texts}


def _surface(
    compiled: Compiled, surface: str, topic: str, name: str, old: Facts, new: Facts, data: Mapping[str, Any]
) -> Iterator[ShapeProblem]:
    at = f"options.{topic}.{surface}"
    missing = _missing(at, surface, new) if not old else None
    if missing is not None:
        yield missing
        return
    renamed = new.pop("name")
    owner = compiled.names.get(surface, {}).get(renamed, topic)
    if owner != topic:
        taken = Text(f"{renamed!r} is an option of {owner!r} already", f"{renamed!r} 已是 {owner!r} 的配置项")
        yield ShapeProblem(f"{at}.name", taken)
        return
    facts = _joined(old, new, data, surface) | {"topic": topic}
    docs = compiled.docs.setdefault(topic, {"summary": {"en": topic, "zh": topic}})
    for key in IN_DOCS:
        if key in facts:
            docs.setdefault("on", {}).setdefault(surface, {})[key] = facts.pop(key)
    if renamed != name:
        compiled.names.get(surface, {}).pop(name, None)
        compiled.facts.get(surface, {}).pop(name, None)
    compiled.names.setdefault(surface, {})[renamed] = topic
    compiled.facts.setdefault(surface, {})[renamed] = {key: value for key, value in facts.items() if value != []}
    for alias in new.get("aliases", ()):
        compiled.aliases.setdefault(surface, {})[alias] = renamed


def _missing(at: str, surface: str, new: Facts) -> ShapeProblem | None:
    """Return what a new option can't do without."""
    if "type" not in new:
        needed = Text("a new option needs a type", "新配置项需要 type")
        return ShapeProblem(at, needed, Text("or, for session, a slot", "session 中也可写 slot"))
    if Surface(surface).row.typing is Typing.SLOTS and "slot" not in new:
        needed = Text("a new session option needs a slot", "session 中的新配置项需要 slot")
        return ShapeProblem(at, needed, Text("s, i, f or b", "s、i、f 或 b"))
    return None


def _joined(old: Facts, new: Facts, data: Mapping[str, Any], surface: str) -> Facts:
    """Return what holds of an option on one surface: the new facts, and the old ones that they leave alone."""
    own: Mapping[str, Any] = data.get(surface, {})
    facts = {**old, **new}
    for one, other in (("default", "defaults"), ("defaults", "default")):
        if one in new and other not in new:
            facts.pop(other, None)
    for key in MOVES:
        if own.get(key, data.get(key)) is False:
            facts.pop(key, None)
    texts = data.get("values", {})
    values = [told(value, texts) for value in new["values"]]
    if "values" not in own:
        named = ((each, each["value"] if isinstance(each, dict) else each) for each in old.get("values", []))
        kept = [each for each, value in named if key_of(value, texts) is None]
        values = kept + values
    facts["values"] = values
    facts["relations"] = [*old.get("relations", []), *new.get("relations", [])]
    return facts
