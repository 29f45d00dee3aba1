"""Renews what the catalog says of the arguments of MindSpeed, MindSpeed-LLM and MindSpeed-MM by their own parsers, line by line.

`python -m tests.authoring.mindspeed FOLDER`: a folder with clones of `MindSpeed`, `MindSpeed-LLM`, `MindSpeed-MM` and `Megatron-LM`.
It writes `files/mindspeed` (types, values, defaults, versions, deprecations that the help tells; what people wrote stays) and the flags
of Megatron, which the same commands take, into `other_flags.toml`. Of options with a file in `mindspeed/` it prints what differs.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.files import DATA
from npu_lsp.text.toml import read
from tests.authoring.engines import _key, _value
from tests.authoring.parsers import Argument, fields, git, listed, made_of, write_others
from tests.authoring.parsers import read as arguments_of

_BELOW = {
    "MindSpeed": ("mindspeed/arguments.py", "mindspeed/features_manager"),
    "MindSpeed-LLM": (
        *(
            "mindspeed_llm/training",
            "mindspeed_llm/features_manager",
            "modellink/arguments.py",
            "mindspeed_llm/mindspore/training",
        ),
        *("mindspeed_llm/tasks/evaluation", "mindspeed_llm/tasks/inference", "mindspeed_llm/tasks/posttrain"),
        *("mindspeed_llm/tasks/megatron_adaptor.py", "modellink/tasks/evaluation", "modellink/tasks/inference"),
    ),
    "MindSpeed-MM": ("mindspeed_mm/arguments.py", "mindspeed_mm/configs/config.py"),
    "Megatron-LM": ("megatron/training", "megatron/inference", "megatron/arguments.py"),
}
"""Where the parsers of training programs are; those that convert weights or data are other programs."""
_LINES = {
    "1.0": (
        ("1.0.RC2", "1.0.RC3_core_r0.6.0", "1.0.RC3_core_r0.7.0", "1.0.0_core_r0.6.0", "1.0.0_core_r0.7.0"),
        ("1.0.RC1", "1.0.RC2", "1.0.RC3", "1.0.0"),
        ("1.0.RC3", "1.0.0"),
        ("core_v0.6.0", "core_v0.7.0"),
    ),
    "2.0": (("2.0.0_core_r0.8.0",), ("2.0.0",), ("2.0.0",), ("core_v0.8.0",)),
    "2.1": (
        ("2.1.0_core_r0.8.0", "2.1.0_core_r0.12.1"),
        ("2.1.0",),
        ("2.1.0",),
        ("core_v0.8.0", "core_v0.12.1"),
    ),
    "2.2": (("2.2.0_core_r0.12.1",), ("2.2.0",), ("2.2.0",), ("core_v0.12.1",)),
    "2.3": (("2.3.0_core_r0.12.1",), ("2.3.0",), ("2.3.0",), ("core_v0.12.1",)),
    "26.0": (("26.0.0_core_r0.12.1",), ("26.0.0",), ("26.0.0",), ("core_v0.12.1",)),
    "26.1": (("26.1.0_core_r0.12.1",), ("26.1.0",), ("26.1.0",), ("core_v0.12.1",)),
    "": (
        ("core_r0.14.0", "core_r0.15.3", "core_r0.16.0", "core_r0.17.0", "core_r0.18.0", "dev", "master"),
        ("master",),
        ("master",),
        ("core_v0.9.0", "core_v0.15.3", "core_v0.16.1", "core_v0.18.2", "HEAD"),
    ),
}
"""The refs of each line, by repository; without a name: what no line has yet, and what may come back."""
_PREFIXES = {"MindSpeed": "mindspeed", "MindSpeed-LLM": "mindspeed-llm", "MindSpeed-MM": "mindspeed-mm"}
_KINDS = {"int": "int", "float": "float", "str": "string"}
_WRITTEN = ("group", "summary", "text", "values", "relations", "status", "stability")
_WRITTEN_OF_SURFACE = (
    *("open", "minimum", "maximum", "above", "grammar", "relations", "shared", "deprecated", "enforced"),
    *("values", "type", "note", "page", "default", "examples"),
)
_OWN = frozenset({"use-mc2", "use-deter-comp", "use-ascend-coc", "ai-framework"})
"""Names that no other trainer has."""
_FACTS = frozenset(
    {"values", "default", "page", "minimum", "maximum", "above", "grammar", "relations", "examples", "removed"}
)
"""What there is to say of an option beside its summary."""
_ADDS = r"choices_value\("
_ADDED = re.compile(r"choices_value\(\s*\w+,\s*['\"]--([\w-]+)['\"],\s*['\"]([^'\"]+)['\"]")
"""A feature that adds to what a flag of Megatron takes."""
_LITERAL = re.compile(r"(\w+)\s*:\s*(?:Optional\[)?Literal\[([^\]]*)\]")
_QUOTED = re.compile(r"['\"]([^'\"]+)['\"]")
_USE = re.compile(r"deprecated.{0,40}?please use (?:--)?([\w-]+)", re.IGNORECASE)


class _Seen(NamedTuple):
    """An argument, and where it was read."""

    line: str
    ref: str
    repository: str
    argument: Argument


def main(arguments: Sequence[str]) -> int:
    """Write the files, and tell what differs from those written by hand."""
    folder = Path(arguments[0])
    seen: dict[str, list[_Seen]] = {}
    for line, refs in _LINES.items():
        for (repository, below), of in zip(_BELOW.items(), refs, strict=True):
            for ref in of:
                for each in arguments_of(folder / repository, ref, below):
                    for name in each.names:
                        if name.startswith("--"):
                            seen.setdefault(name[2:], []).append(_Seen(line, ref, repository, each))
    taken, made = _megatron(folder, seen)
    _others(taken, made, dict(_closed(folder, seen, taken)), _numbers(seen, taken))
    by_hand = {path.stem: read(path) for path in (DATA / "mindspeed").glob("*.toml")}
    options = {}
    for name, having in sorted(seen.items()):
        wanted = any(each.repository != "Megatron-LM" for each in having) or name in _replacements(seen)
        if wanted:
            option = _option(name, having, also=name in taken or name in made)
            if name in by_hand:
                _compare(name, by_hand[name]["mindspeed"], option["mindspeed"])
            else:
                options[name] = option
    _write(options)
    return 0


def _megatron(folder: Path, seen: Mapping[str, Sequence[_Seen]]) -> tuple[set[str], set[str]]:
    """Return the flags that Megatron's parsers show, and those that newer ones make of fields."""
    taken = {name for name, having in seen.items() if any(each.repository == "Megatron-LM" for each in having)}
    where, made = folder / "Megatron-LM", set()
    for refs in _LINES.values():
        for ref in refs[-1]:
            classes = made_of(where, ref, ["megatron/training"])
            made |= {flag[2:] for flag in fields(where, ref, classes, ["megatron"]) if flag.startswith("--")}
    return taken, made - taken


def _replacements(seen: Mapping[str, Sequence[_Seen]]) -> set[str]:
    helps = (each.argument.help for having in seen.values() for each in having if each.repository != "Megatron-LM")
    return {found[1] for text in helps if (found := _USE.search(text)) is not None}


def _option(name: str, having: Sequence[_Seen], *, also: bool) -> dict[str, Any]:
    family = [each for each in having if each.repository != "Megatron-LM"] or list(having)
    newest = family[-1]
    own: dict[str, Any] = {"component": "mindspeed"}
    kinds = {_kind(each.argument) for each in family if each.line == newest.line}
    own["type"] = next(iter(kinds)) if len(kinds) == 1 else "string"
    if len(kinds) > 1:
        own["open"] = True
    counts = {each.argument.nargs for each in family}
    if own["type"] != "none" and counts - {None, "0"}:
        own["nargs"] = max(str(each) for each in counts if each not in (None, "0"))
    choices = [value for each in having for value in each.argument.choices if value is not None]
    # Features of MindSpeed add to the choices of Megatron's arguments.
    if newest.argument.choices and own["type"] != "none" and not also:
        own["values"] = list(dict.fromkeys(choices))
        if any(each.argument.open or not (each.argument.choices or each.argument.nargs == "0") for each in family):
            own["open"] = True
    default = newest.argument.default
    if (
        default not in (None, "")
        and not isinstance(default, bool)
        and own["type"] != "none"
        and default in (own.get("values") or [default])
    ):
        own["default"] = default
    own |= _life(having, also=also)
    for each in family:
        use = _USE.search(each.argument.help)
        if use is not None and use[1] != name and "deprecated" not in own:
            own["deprecated"] = {
                "replacement": use[1],
                "fix": "rename",
                **({"version": each.line} if each.line else {}),
                "why": {
                    "en": f"{each.repository} warns, and passes it on as `--{use[1]}`.",
                    "zh": f"{each.repository} 会打印告警，并按 `--{use[1]}` 处理。",
                },
                "source": _source(each),
            }
    latest: dict[str, _Seen] = {each.repository: each for each in family}
    own["sources"] = [_source(each) for each in latest.values()]
    titles = " / ".join(latest)
    return {
        "group": "performance",
        "summary": {"en": f"`--{name}` of {titles}.", "zh": f"{titles} 的 `--{name}` 参数。"},
        "mindspeed": own,
    }


def _kind(argument: Argument) -> str:
    return "none" if argument.nargs == "0" else _KINDS.get(argument.kind, "string")


def _life(having: Sequence[_Seen], *, also: bool) -> dict[str, Any]:
    lines = [line for line in _LINES if any(each.line == line for each in having)]
    named = [line for line in _LINES if line]
    life: dict[str, Any] = {}
    if lines[0] == "":
        life["undated"] = "unreleased"
    elif lines[0] == named[0] or also:
        life["seen"] = lines[0]
    else:
        life["since"] = lines[0]
    if "" not in lines and not also and lines[-1] != named[-1]:
        gone = named[named.index(lines[-1]) + 1]
        last = [each for each in having if each.line == lines[-1]][-1]
        life["removed"] = {
            "version": gone,
            "rejected": True,
            "why": {
                "en": f"No parser of {last.repository} {gone} has it.",
                "zh": f"{last.repository} {gone} 的参数解析器中已无此参数。",
            },
            "source": _source(last),
        }
    return life


def _source(seen: _Seen) -> str:
    prefix = _PREFIXES.get(seen.repository, "megatron")
    return f"{prefix}:{seen.argument.path}" + ("" if seen.ref in ("master", "HEAD") else f"@{seen.ref}")


def _compare(name: str, said: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Print what the parsers show of an option, and its own file doesn't say."""
    for key in ("type", "values", "default", "removed", "deprecated"):
        if said.get(key) != own.get(key):
            sys.stdout.write(f"{name}: {key} is {own.get(key)!r} in the parsers, {said.get(key)!r} in its file\n")


def _closed(folder: Path, seen: Mapping[str, Sequence[_Seen]], taken: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the flags of Megatron that take certain words alone in all releases, with all that one of them takes."""
    added: dict[str, set[str]] = {}
    for refs in _LINES.values():
        for (repository, below), of in zip(_BELOW.items(), refs, strict=True):
            for ref in of:
                files = git(folder / repository, "grep", "-hE", "-A4", _ADDS, ref, "--", *below)
                for name, value in _ADDED.findall(files):
                    added.setdefault(name, set()).add(value)
                if repository == "Megatron-LM":
                    for name, values in _LITERAL.findall(
                        git(folder / repository, "grep", "-hE", "Literal\\[", ref, "--", "megatron")
                    ):
                        added.setdefault(name.replace("_", "-"), set()).update(_QUOTED.findall(values))
    for name in sorted(taken):
        having = [each.argument for each in seen[name]]
        if all(each.choices and not each.open and each.kind == "str" and each.nargs is None for each in having):
            values = {str(value) for each in having for value in each.choices} | added.get(name, set())
            yield name, sorted(values)


def _numbers(seen: Mapping[str, Sequence[_Seen]], taken: set[str]) -> list[str]:
    """Return the flags of Megatron that take one number in all releases, whichever parser has them."""
    return [
        name
        for name in sorted(taken)
        if all(each.argument.kind in ("int", "float") and each.argument.nargs is None for each in seen[name])
    ]


def _others(taken: set[str], made: set[str], closed: Mapping[str, Sequence[str]], numbers: Sequence[str]) -> None:
    plain = {name for name in made if not name.startswith(("no-", "disable-"))}
    rest = {name for name in made - plain if name.partition("-")[2] not in plain}
    write_others(
        "mindspeed",
        [
            "# Megatron: those of its parsers, and fields of its configurations, of which newer releases make flags (`no-`, `disable-`, too).",
            'source = "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.12.1/megatron/training/arguments.py"',
            *listed("flags", sorted(taken)),
            *listed("fields", sorted(plain | rest)),
            *listed("numbers", numbers),
            "",
            "[mindspeed.choices]",
            "# What flags take that take certain words alone, in one of the releases at least.",
            *(f"{name} = {json.dumps(values)}" for name, values in closed.items()),
        ],
    )


def _write(options: Mapping[str, dict[str, Any]]) -> None:
    folder = DATA / "files" / "mindspeed"
    folder.mkdir(exist_ok=True)
    said: dict[str, dict[str, Any]] = {}
    old = DATA / "files" / "mindspeed.toml"
    for path in [*sorted(folder.glob("*.toml")), *([old] if old.exists() else ())]:
        said |= read(path)["options"]
        path.unlink()
    by_file: dict[str, dict[str, dict[str, Any]]] = {}
    for name in sorted({*options, *said}):
        written = said.get(name, {})
        made = options.get(name, written)
        own, kept = made["mindspeed"], written.get("mindspeed")
        if kept is None and name not in _OWN:
            # A name that may be another trainer's tells nothing alone.
            own["shared"] = True
        elif kept is not None:
            own |= {key: kept[key] for key in _WRITTEN_OF_SURFACE if key in kept}
        made = {**made, **{key: written[key] for key in _WRITTEN if key in written}}
        if own["type"] != "none" and not ({"text"} & made.keys() or _FACTS & own.keys()):
            own["status"] = "undocumented"
        told = made.get("values", {})
        if own.get("values"):
            made["values"] = {str(value): told.get(str(value), _line(value)) for value in own["values"]}
        by_file.setdefault(made["group"], {})[name] = made
    for where, each in by_file.items():
        text = "\n".join(line for name, option in each.items() for line in _table(f"options.{_key(name)}", option))
        (folder / f"{where}.toml").write_text(text, encoding="utf-8")


def _line(value: str | float) -> dict[str, str]:
    return {"en": f"The choice `{value}`.", "zh": f"可选值 `{value}`。"}


def _table(at: str, table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table: facts first, then those of its values and surfaces, then relations."""
    inner = {
        key: value
        for key, value in table.items()
        if key == "mindspeed" or (key == "values" and isinstance(value, dict))
    }
    many = {key: value for key, value in table.items() if key == "relations"}
    own = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in inner and key not in many]
    if own:
        yield from (f"[{at}]", *own, "")
    for key, each in inner.items():
        if key == "mindspeed":
            yield from _table(f"{at}.mindspeed", each)
        else:
            for name, said in each.items():
                yield from (
                    f"[{at}.values.{_key(name)}]",
                    *(f"{_key(one)} = {_value(text)}" for one, text in said.items()),
                    "",
                )
    for relation in many.get("relations", ()):
        yield f"[[{at}.relations]]"
        yield from (*(f"{_key(key)} = {_value(value)}" for key, value in relation.items()), "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
