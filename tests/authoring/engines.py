"""Renews what the catalog says of the arguments of vLLM and SGLang by what their own parsers show, release by release.

`python -m tests.authoring.engines vllm FOLDER`: a folder with a file `vllm-VERSION.json` for each release, each with the first line that
`tests/peers/engine_child.py` prints for it. With `values` behind it only the releases that brought or dropped a value are renewed, for which
some releases are enough. Else it writes types, values, defaults, spellings and versions into `files/vllm` of the catalog, for
flags, for the same as keywords of calls, and for the keys of their JSON; what people wrote there (summaries, texts, groups, relations, ranges, `open`) stays as it is. An option that a
release later than those known by then brings has a summary that only names its class.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read

_WRITTEN = (
    "group",
    "summary",
    "text",
    "values",
    "relations",
    "examples",
    "deprecated",
    "preferred",
    "status",
    "stability",
)
"""What people write of an option."""
_WRITTEN_OF_SURFACE = (
    "open",
    "extended_by",
    "case_sensitive",
    "minimum",
    "maximum",
    "above",
    "grammar",
    "relations",
    "examples",
    "note",
    "page",
    "nonempty",
    "nullable",
)
"""The same in the table of the surface: what a parser doesn't show."""
_GROUPS = (
    ("parallel|transfer|events|elastic|eplb|dist", "distributed"),
    ("cache|memory|offload|hicache", "memory"),
    ("compil|graph|kernel", "compile"),
    ("load|model|tokeniz|lora|quant", "model"),
    ("observ|log|metric|trace|profil", "log"),
    ("sched|specul|attention|mamba|moe|optim|throughput", "performance"),
    ("multi|pool|structured|reason|frontend|mm", "input"),
    ("debug|deprecated", "debug"),
)
_PAIRS = {"0.8.5rc1": "0.8.5.post1", "0.10.1rc1": "0.10.1.1", "0.14.0rc1": "0.14.1"}
"""Releases of vLLM-Ascend that go with a vLLM of another number, by its table of versions."""
_OF_CHILD = frozenset({"help", "model_tag", "version"})
_TYPES = {
    "int": "int",
    "float": "float",
    "human_readable_int": "int",
    "human_readable_int_or_auto": "int",
    "loads": "dict",
    "parse_dataclass": "dict",
    "union_dict_and_str": "dict",
    "json_list_type": "list",
}
_JSON = frozenset(
    {
        "attention-config",
        "default-chat-template-kwargs",
        "ec-transfer-config",
        "hf-overrides",
        "kernel-config",
        "media-io-kwargs",
        "model-loader-extra-config",
        "override-generation-config",
        "override-neuron-config",
        "override-pooler-config",
        "pooler-config",
        "profiler-config",
        "reasoning-config",
        "rope-scaling",
        "tokenizer-pool-extra-config",
        "weight-transfer-config",
    }
)
"""Arguments of vLLM that are an object in JSON and nothing else, and that no reader of their own has."""
_READABLE = frozenset({"human_readable_int", "human_readable_int_or_auto"})
_RENAMED = frozenset({"DeprecatedAliasStoreAction", "DeprecatedStoreTrueAction"})
_OF_MODELS = frozenset({"trust_remote_code", "world_size", "pipeline_parallel_size", "load_format"})
"""Fields of classes that are made by the program itself."""
_BY_NAME_TOO = frozenset({"compilation_config.mode"})
"""Constants that a validator of the class takes by their names, too."""
_HINTS = (
    ("bool", "bool"),
    ("int", "int"),
    ("float", "float"),
    ("list", "list"),
    ("dict", "dict"),
    ("dataclass", "dict"),
    ("str", "string"),
)


class Engine(NamedTuple):
    """How the arguments of one program stand in the catalog."""

    surface: str
    """Of flags; that of keywords and keys has `_args` behind it."""
    component: str
    title: str
    root: str
    """Where the folder of its package is, as a source."""
    parser: str
    """The module of its parser, below that."""
    folds: bool
    """Whether `_` in a flag is `-`."""


ENGINES = {
    "vllm": Engine("vllm", "vllm-ascend", "vLLM", "vllm:", "vllm/engine/arg_utils.py", folds=True),
    "sglang": Engine("sglang", "sglang", "SGLang", "sglang:python/", "sglang/srt/server_args.py", folds=False),
}


class Releases:
    """The releases that were read, and the versions of the component that goes with them."""

    def __init__(self, engine: Engine, versions: Sequence[str]) -> None:
        self.read = sorted(versions, key=Version.parse)
        lines = read(DATA / "versions.toml")[engine.component].values()
        known = sorted((each for line in lines for each in line["releases"]), key=Version.parse)
        self._known = [(each, paired(each) if engine.component == "vllm-ascend" else each) for each in known]

    def first_with(self, version: str) -> str | None:
        """Return the first version of the component that goes with `version` or a later one; `None`: none does yet."""
        wanted = Version.parse(version)
        return next((each for each, goes in self._known if Version.parse(goes) >= wanted), None)

    def after(self, version: str) -> str | None:
        """Return the first version of the component that goes with a later one than `version`."""
        wanted = Version.parse(version)
        return next((each for each, goes in self._known if Version.parse(goes) > wanted), None)

    def unreleased(self, of: Mapping[str, Sequence[Any]]) -> set[Any]:
        """Return the values that only releases have which no version of the component goes with yet: all there are refuse them."""
        by_now = [version for version in of if self.first_with(version) is not None]
        if not by_now:
            return set()  # The option itself is in none.
        return {each for values in of.values() for each in values} - {each for at in by_now for each in of[at]}

    def life(self, having: Sequence[str]) -> tuple[str | None, str | None, bool]:
        """Return since and until when something is there, and whether no version of the component has it yet."""
        since = self.first_with(having[0]) if having[0] != self.read[0] else None
        later = self.read[self.read.index(having[-1]) + 1 :]
        until = self.first_with(later[0]) if later else None
        return since, until, having[0] != self.read[0] and since is None


def paired(release: str) -> str:
    """Return the vLLM that a release of vLLM-Ascend goes with."""
    return _PAIRS.get(release) or re.sub(r"(?:rc|\.post)\d+\Z", "", release)


def main(arguments: Sequence[str]) -> int:
    """Write the files."""
    engine, folder = ENGINES[arguments[0]], Path(arguments[1])
    facts = {
        path.stem.partition("-")[2]: json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob(f"{arguments[0]}-*.json")
    }
    releases = Releases(engine, list(facts))
    if "values" in arguments[2:]:
        write(engine.surface, _dated(engine, releases, facts))
        return 0
    options = dict(_flags(engine, releases, facts))
    for name, option in _keys(engine, releases, facts):
        flag = name.replace("_", "-")
        if flag in options:
            own = options[flag][f"{engine.surface}_args"] = {"name": name, **option[f"{engine.surface}_args"]}
            instead = options[flag][engine.surface].get("removed", {}).get("replacement", "").replace("-", "_")
            if "removed" in own and instead:
                own["removed"]["replacement"] = instead
        else:
            options[name] = option
    write(engine.surface, options)
    return 0


# -- flags ------------------------------------------------------------------------------------------------


def _flags(engine: Engine, releases: Releases, facts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    named: dict[str, str] = {}
    by_name: dict[str, dict[str, Any]] = {}
    for version in reversed(releases.read):
        for each in facts[version]["arguments"]:
            inverse = "--disable-" if each["action"] == "EnableDisableAction" else "--?"
            long = [flag for flag in each["flags"] if flag.startswith("--") and not flag.startswith(inverse)]
            if long and each["dest"] not in _OF_CHILD:
                # What had another main name before is known by one of its other flags.
                name = next((named[flag] for flag in long if flag in named), _name(each))
                named |= dict.fromkeys(long, name)
                by_name.setdefault(name, {})[version] = each
    for name, having in by_name.items():
        made = _flag(engine, releases, name, dict(reversed(having.items())), facts)
        # What was an option of its own before, or is said to be again, stays one.
        own = made[engine.surface]
        own["aliases"] = [each for each in own.get("aliases", ()) if each not in by_name]
        if not own["aliases"]:
            del own["aliases"]
        yield name, made


def _name(argument: Mapping[str, Any]) -> str:
    """Return the main name of an argument: the flag that its value is stored under, else the first long one."""
    flags = [flag[2:] for flag in argument["flags"] if flag.startswith("--")]
    own: str = argument["dest"].replace("_", "-")
    return own if own in flags else flags[0] if flags else argument["flags"][0].lstrip("-")


def _flag(
    engine: Engine, releases: Releases, name: str, having: Mapping[str, Any], facts: Mapping[str, Any]
) -> dict[str, Any]:
    newest = having[list(having)[-1]]
    own: dict[str, Any] = {}
    # One dash is a part of the name, two are none.
    flags = {flag for each in having.values() for flag in each["flags"]}
    others = sorted({flag.removeprefix("--") for flag in flags} - {name})
    negations = {f"no-{name}", *(f"no-{each}" for each in others)}
    aliases = [each for each in others if each not in negations]
    if aliases:
        own["aliases"] = aliases
    kind = "bool" if newest["nargs"] == 0 else _TYPES.get(newest["type"], "string")
    own["type"] = kind
    if newest["nargs"] is not None:
        own["nargs"] = str(newest["nargs"])
    if any(f"--{each}" == flag for each in negations for one in having.values() for flag in one["flags"]):
        own["negatable"] = True
    values = [value for each in having.values() for value in each["choices"] or () if value is not None]
    if newest["choices"] and kind != "bool":
        own["values"] = _unique(values)
    if newest["type"] in _READABLE:
        own["grammar"] = "human-number"
    if kind == "dict":
        own["open"] = True
        if name in _JSON:
            own["grammar"] = "json"
    default = newest["default"]
    if (
        isinstance(default, (str, int, float))
        and default not in ("", "==SUPPRESS==")
        and newest["nargs"] != "?"
        and kind not in ("dict", "list")
    ):
        own["default"] = default
    if own.get("values") and own.get("default", own["values"][0]) not in own["values"]:
        del own["default"]
    own |= _life(engine, releases, list(having), newest["dest"], facts)
    # The last that had it warned, and took its value for that of another.
    instead = newest["dest"].replace("_", "-")
    standing = {flag for each in facts[releases.read[-1]]["arguments"] for flag in each["flags"]}
    if "removed" in own and newest["action"] in _RENAMED and instead != name and f"--{instead}" in standing:
        own["removed"]["replacement"] = instead
    title = (newest.get("group") or "").strip()
    of = title if re.fullmatch(r"[A-Za-z]+Config", title) else "its server"
    said = newest["dest"]
    return {
        "group": _group(f"{title} {name}"),
        "summary": {
            "en": f"`{said}` of {engine.title}'s {of}."
            if of != "its server"
            else f"`{said}` of the server of {engine.title}.",
            "zh": f"{engine.title} {of} 的 `{said}` 参数。"
            if of != "its server"
            else f"{engine.title} 服务的 `{said}` 参数。",
        },
        engine.surface: {"component": engine.component, **own},
    }


def _life(
    engine: Engine, releases: Releases, having: Sequence[str], name: str, facts: Mapping[str, Any]
) -> dict[str, Any]:
    since, until, unreleased = releases.life(having)
    made: dict[str, Any] = {}
    if unreleased:
        made["undated"] = "unreleased"
    elif since is not None:
        made["since"] = since
    if until is not None:
        gone = releases.read[releases.read.index(having[-1]) + 1]
        made["removed"] = {
            "version": until,
            "rejected": True,
            "why": {
                "en": f"{engine.title} {gone} has no such argument.",
                "zh": f"{engine.title} {gone} 已无此参数。",
            },
            "source": _source(engine, gone, name, facts[gone]),
        }
    made["sources"] = [_source(engine, having[-1], name, facts[having[-1]])]
    return made


def _source(engine: Engine, version: str, name: str, told: Mapping[str, Any]) -> str:
    """Return where a release declares an argument, or has those that one was among."""
    fields = told.get("fields", {})
    *owners, last = name.split(".")
    for owner in owners:
        fields = fields.get(owner, {}).get("fields", {})
    beside: Mapping[str, Any] = next(iter(fields.values()), {}) if owners else {}
    path = fields.get(last, beside).get("path") or engine.parser
    return f"{engine.root}{path}@v{version}"


# -- values -----------------------------------------------------------------------------------------------


def _dated(engine: Engine, releases: Releases, facts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the options of the catalog whose values came or went, with the releases that brought or dropped them."""
    flags: dict[str, dict[str, Sequence[Any]]] = {}
    keys: dict[str, dict[str, Any]] = {}
    for version in releases.read:
        for each in facts[version]["arguments"]:
            if each["flags"]:
                flags.setdefault(_name(each), {})[version] = each["choices"] or ()
        for name, field in facts[version].get("fields", {}).items():
            _collect(name, field, version, keys)
    fields = {name: {version: field["values"] for version, field in of.items()} for name, of in keys.items()}
    made: dict[str, dict[str, Any]] = {}
    for path in sorted((DATA / "files" / engine.surface).glob("*.toml")):
        for name, option in read(path)["options"].items():
            for surface, known in ((engine.surface, flags), (f"{engine.surface}_args", fields)):
                own = option.get(surface, {})
                # Releases before the first that lists values took any text. What a parser doesn't show in a later one, people wrote.
                # A keyword without a list of its own goes by that of its flag.
                of = next(filter(None, map(_listed, (known.get(own.get("name", name)), flags.get(name)))), {})
                if own.get("values") and len(of) > 1 and all(of.values()):
                    own["values"] = [each for each in own["values"] if each not in releases.unreleased(of)]
                    own.pop("changes", None)
                    dated = changes(engine, releases, own, of)
                    own |= {"changes": dated} if dated else {}
            made[name] = option
    return made


def _listed(of: Mapping[str, Sequence[Any]] | None) -> dict[str, Sequence[Any]]:
    """Return the releases from the first on that lists values."""
    return dict(itertools.dropwhile(lambda each: not each[1], (of or {}).items()))


def changes(
    engine: Engine,
    releases: Releases,
    own: Mapping[str, Any],
    of: Mapping[str, Sequence[Any]],
    path: str | None = None,
) -> list[dict[str, Any]]:
    """Return which version brought a value, or dropped it: where a release between them wasn't read, the one that nobody can doubt."""
    made: dict[str, dict[str, Any]] = {}
    read = list(of)
    for before, now in itertools.pairwise(read):
        for key, some, others, version in (
            ("added", of[now], of[before], releases.after(before)),
            ("dropped", of[before], of[now], releases.first_with(now)),
        ):
            values = [each for each in own["values"] if each in some and each not in others]
            if values and version is not None:
                change = made.setdefault(
                    version, {"version": version, "source": f"{engine.root}{path or engine.parser}@v{now}"}
                )
                change[key] = [*change.get(key, ()), *values]
    return list(made.values())


def _group(text: str) -> str:
    return next((group for pattern, group in _GROUPS if re.search(pattern, text.lower())), "runtime")


def _unique(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


# -- keys of JSON -----------------------------------------------------------------------------------------


def _keys(engine: Engine, releases: Releases, facts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    found: dict[str, dict[str, Any]] = {}
    flagged = {each["dest"] for told in facts.values() for each in told["arguments"]}
    for version in releases.read:
        told = facts[version]
        flags = {each["dest"]: each for each in told["arguments"]}
        for name in dict.fromkeys((*told.get("fields", ()), *(each for of in told["calls"].values() for each in of))):
            field = told.get("fields", {}).get(name)
            if name not in ("self", "kwargs") and not name.startswith("_"):
                _collect(name, _of_both(field, flags.get(name)), version, found)
        if not told.get("fields"):
            for name, flag in flags.items():
                _collect(name, _of_flag(flag), version, found)
    for name, having in sorted(found.items()):
        if name not in _OF_CHILD and (name in flagged or not any(field.get("derived") for field in having.values())):
            yield name, _keyword(engine, releases, name, having, facts)


def _of_both(field: Mapping[str, Any] | None, flag: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what a field says of itself; the choices of a flag are those that its program knows, not all that it takes."""
    if field is None:
        return _of_flag(flag)
    if field["values"] or field.get("fields") or flag is None or not flag["choices"] or "bool" in field["types"]:
        return field
    return {**field, "types": [*field["types"], "unknown"], "values": _of_flag(flag)["values"]}


def _of_flag(flag: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a flag shows of the keyword with its name."""
    if flag is None:
        return {"types": ["unknown"], "values": [], "default": None}
    several = flag["nargs"] in ("*", "+")
    kind = (
        "bool"
        if flag["nargs"] == 0
        else "list"
        if several
        else _TYPES.get(flag["type"], "str" if flag["type"] == "str" else "unknown")
    )
    return {"types": [kind], "values": flag["choices"] or [] if not several else [], "default": flag["default"]}


def _keyword(
    engine: Engine, releases: Releases, name: str, having: Mapping[str, Any], facts: Mapping[str, Any]
) -> dict[str, Any]:
    newest = having[list(having)[-1]]
    last, owner = name.rpartition(".")[2], name.partition(".")[0]
    own: dict[str, Any] = {"type": _hinted(newest)}
    values = _unique(value for each in having.values() for value in each["values"] if value is not None)
    if newest["values"] and own["type"] != "bool":
        # A number stands for a constant as well as its name does: where people write it, both are right.
        numbers = [value for value in values if isinstance(value, int)]
        own["values"] = [value for value in values if value not in numbers] or numbers
        if numbers and last != "cudagraph_mode" and own["values"] != numbers:
            own |= {"type": "int", "values": numbers, "open": True}
        if name in _BY_NAME_TOO:
            named = [value for value in values if value not in numbers]
            own |= {"type": "string", "enforced": False, "values": named, "open": True}
    kinds = {*newest["types"], *(["enum"] if newest["values"] else [])} - {"NoneType"}
    if (
        not kinds
        or kinds & {"unknown", "Any", "object"}
        or len(kinds) > 1
        or (own["type"] == "dict" and "fields" not in newest)
    ):
        own["open"] = True
    default = newest["default"]
    if (
        isinstance(default, (str, int, float))
        and default not in ("", "==SUPPRESS==")
        and own["type"] not in ("dict", "list")
    ):
        own["default"] = default
    if own.get("values") and own.get("default", own["values"][0]) not in own["values"]:
        del own["default"]
    own |= _life(engine, releases, list(having), name, facts)
    said = {"en": f"`{last}` in `{owner}`.", "zh": f"`{owner}` 中的 `{last}`。"}
    if "." not in name:
        said = {"en": f"`{name}` of {engine.title}'s engine.", "zh": f"{engine.title} 引擎的 `{name}` 参数。"}
    return {"group": _group(name), "summary": said, f"{engine.surface}_args": {"component": engine.component, **own}}


def _collect(name: str, field: Mapping[str, Any], version: str, found: dict[str, dict[str, Any]]) -> None:
    found.setdefault(name, {})[version] = field
    for key, inner in field.get("fields", {}).items():
        if not key.startswith("_") and not inner.get("fields", {}).keys() & _OF_MODELS:
            _collect(f"{name}.{key}", inner, version, found)


def _hinted(field: Mapping[str, Any]) -> str:
    if field["values"]:
        return "string" if any(isinstance(value, str) for value in field["values"]) else "int"
    return next((kind for hint, kind in _HINTS if hint in field["types"]), "string")


# -- files ------------------------------------------------------------------------------------------------


def write(surface: str, options: Mapping[str, dict[str, Any]]) -> None:
    folder = DATA / "files" / surface
    folder.mkdir(exist_ok=True)
    said: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.toml")):
        said |= read(path)["options"]
        path.unlink()
    by_file: dict[str, dict[str, dict[str, Any]]] = {}
    for name in sorted({*options, *said}):
        made = _merged(surface, options.get(name), said.get(name, {}))
        where = name.partition(".")[0] if "." in name else made["group"]
        by_file.setdefault(where, {})[name] = made
    for where, each in by_file.items():
        (folder / f"{where}.toml").write_text("\n".join(_toml(each)), encoding="utf-8")


def _merged(surface: str, made: dict[str, Any] | None, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a parser shows, with what people wrote."""
    if made is None:
        return dict(said)
    for each in (surface, f"{surface}_args"):
        own, written = made.get(each, {}), said.get(each, {})
        own |= {key: written[key] for key in _WRITTEN_OF_SURFACE if key in written}
        # What a text rests on stands behind the parser's own file, the first.
        own["sources"] = list(dict.fromkeys([*own.get("sources", ()), *written.get("sources", ())[1:]]))
        replacement = written.get("removed", {}).get("replacement")
        if replacement and "removed" in own:
            own["removed"]["replacement"] = replacement
    return {**made, **{key: said[key] for key in _WRITTEN if key in said}}


def _toml(options: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for name, option in options.items():
        yield from _table(f"options.{_key(name)}", option)


def _table(at: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield f"[{at}]"
    inner: list[tuple[str, Mapping[str, Any]]] = []
    lists: list[tuple[str, list[Mapping[str, Any]]]] = []
    for key, value in table.items():
        if isinstance(value, dict) and (key == "values" or "relations" in value):
            inner.append((key, value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            lists.append((key, value))
        else:
            yield f"{_key(key)} = {_value(value)}"
    yield ""
    for key, each in inner:
        yield from _table(f"{at}.{_key(key)}", each)
    for key, many in lists:
        for one in many:
            yield f"[[{at}.{_key(key)}]]"
            yield from (f"{_key(name)} = {_value(value)}" for name, value in one.items())
            yield ""


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
