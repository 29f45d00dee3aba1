"""Makes house rules of the assertions of msprechecker's rule files, and tells of each other one why it can't be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.config.cmate_syntax import Assertion, Cmate, CmateNode, parse
from npu_lsp.config.house_rules import KEYS
from npu_lsp.config.house_verify import wrong
from npu_lsp.linter.house.rows import Ref
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_CASTS = ("int", "float", "str")
_WHERE = ("setting", "surface", "part")
_INDEX = re.compile(r"\[\d+\]")

_ARITHMETIC = Text("it calculates, or calls a function", "含有运算或函数调用")
_NO_OPTION = Text("npu-lsp knows no option {0} there", "npu-lsp 中没有相应的配置项 {0}")
_NO_FILE = Text("npu-lsp has no settings of {0}", "npu-lsp 不读取 {0} 的配置项")
_CONDITIONAL = Text("it holds only under another condition: {0}", "仅在其他条件下成立：{0}")
_CONTEXT = Text(
    "it holds only in one context: name it with --context {0}=...", "仅在特定场景下成立：请用 --context {0}=... 指定"
)
_LOOPED = Text("it stands in a loop", "位于循环中")
_UNKNOWN = Text("its form has no counterpart", "没有对应的写法")


class Left(Exception):  # noqa: N818 - nothing went wrong
    """Raised for an assertion that no house rule can say, with the reason."""

    def __init__(self, why: Text, word: str = "") -> None:
        super().__init__(why.en)
        self.why = Text(why.en.format(word), why.zh.format(word))


class Unconverted(NamedTuple):
    """An assertion that is left."""

    line: int
    message: str
    why: Text


class Converted(NamedTuple):
    """What became of a rule file."""

    assertions: int
    converted: int
    rules: Mapping[str, Mapping[str, Any]]
    left: tuple[Unconverted, ...]

    def toml(self, language: Language) -> str:
        """Return the rules as a configuration has them, and the assertions that are left as comments."""
        parts = []
        for name, table in self.rules.items():
            lines = [f"{key} = {_literal(table[key])}" for key in KEYS if key in table]
            parts.append(f"[house-rules.{name}]\n" + "\n".join(lines) + "\n")
        for each in self.left:
            said = " ".join(each.message.split())
            parts.append(f"# {each.line}: {said} -- {each.why.to(language)}\n")
        return "\n".join(parts[: len(self.rules)]) + "\n" + "".join(parts[len(self.rules) :])


def house_rules_of(text: str, context: Mapping[str, str] | None = None) -> Converted:
    """Return the house rules that a rule file says; raise `CmateError` for a text that is none.

    `context` says in which scene: `deploy_mode`, `npu_type`, `model_type` and others, as `msprechecker run -C` takes them.
    """
    read = parse(text)
    rules: dict[str, Mapping[str, Any]] = {}
    left: list[Unconverted] = []
    count = done = 0
    for assertion in read.assertions:
        try:
            # What belongs to another scene isn't asked of this one.
            condition = _Condition(context or {}).of(assertion)
        except Left as error:
            count += 1
            left.append(Unconverted(assertion.line, assertion.message, error.why))
            continue
        if condition is None:
            continue
        count += 1
        try:
            made = [*_tables(assertion, read, context or {})]
        except Left as error:
            left.append(Unconverted(assertion.line, assertion.message, error.why))
            continue
        done += 1
        for table in made:
            rules[_name(table["setting"], rules)] = {**table, **condition, **_said(assertion)}
    for rule, _, message, _, _ in [*wrong(rules, load())]:
        if rule in rules:
            said = rules.pop(rule)
            left.append(Unconverted(0, str(said["message"]["zh"]), message))
            done -= 1
    return Converted(count, done, rules, tuple(left))


class _Condition:
    """Turns the `if`s around an assertion into keys that narrow a house rule."""

    def __init__(self, context: Mapping[str, str]) -> None:
        self._context = context

    def of(self, assertion: Assertion) -> Mapping[str, Any] | None:
        """Return the keys that narrow a rule; `None` where it belongs to another scene. Raises `Left`."""
        if assertion.looped:
            raise Left(_LOOPED)
        narrowed: dict[str, list[str]] = {}
        unclear: Left | None = None
        for test, wanted in assertion.conditions:
            try:
                holds = self._holds(test)
            except Left as error:
                key = _narrowing(test) if wanted else None
                if key is not None:
                    narrowed.setdefault(key[0], []).append(key[1])
                else:
                    unclear = error
                continue
            if holds is not wanted:
                return None
        if unclear is not None:
            raise unclear
        return {"for": narrowed} if narrowed else {}

    def _holds(self, test: CmateNode) -> bool:
        if test.kind in ("and", "or"):
            told: list[bool | Left] = []
            for part in test.parts:
                try:
                    told.append(self._holds(part))
                except Left as error:
                    told.append(error)
            decides = test.kind == "or"
            if decides in told:
                return decides
            unclear = next((each for each in told if isinstance(each, Left)), None)
            if unclear is not None:
                raise unclear
            return not decides
        if test.kind == "not":
            return not self._holds(test.parts[0])
        name, value = _of_context(test)
        if name is None:
            raise Left(_CONDITIONAL, _words(test))
        if name not in self._context:
            raise Left(_CONTEXT, name)
        values = value if isinstance(value, list) else [value]
        return (self._context[name] in values) is (test.kind in ("==", "in"))


def _of_context(test: CmateNode) -> tuple[str | None, Any]:
    """Return the name of the context that a comparison asks for, and the value."""
    if test.kind in ("==", "!=", "in", "not in") and test.parts[0].kind == "path":
        path = str(test.parts[0].parts[0])
        value = _constant(test.parts[1])
        if path.startswith("context::") and value is not None:
            return path.removeprefix("context::"), value
    return None, None


def _constant(node: CmateNode) -> Any:
    if node.kind == "constant":
        return node.parts[0]
    if node.kind == "list" and all(each.kind == "constant" for each in node.parts):
        return [each.parts[0] for each in node.parts]
    return None


def _narrowing(test: CmateNode) -> tuple[str, str] | None:
    """Return what a house rule can say of a context that nobody names: the product, the model."""
    name, value = _of_context(test)
    if test.kind != "==" or not isinstance(value, str):
        return None
    if name == "npu_type" and value.upper() in ("A2", "A3"):
        return "products", value.lower()
    return ("models", f"{value}*") if name == "model_type" else None


def _tables(assertion: Assertion, read: Cmate, context: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the rules that an assertion makes. Raises `Left`."""
    test, paths = assertion.test, _Paths(assertion.section, read, context)
    parts = _conjuncts(test)
    bounds = _range(parts, paths)
    if bounds is not None:
        yield bounds
        return
    for part in parts:
        yield _table(part, paths)


def _conjuncts(test: CmateNode) -> list[CmateNode]:
    return [*_conjuncts(test.parts[0]), *_conjuncts(test.parts[1])] if test.kind == "and" else [test]


def _range(parts: list[CmateNode], paths: _Paths) -> dict[str, Any] | None:
    """Return the rule of `1 <= x and x <= 8`."""
    if len(parts) != 2:
        return None
    both = [_table(part, paths) for part in parts]
    least = next((each["at-least"] for each in both if "at-least" in each), None)
    most = next((each["at-most"] for each in both if "at-most" in each), None)
    if least is None or most is None or any(both[0].get(key) != both[1].get(key) for key in _WHERE):
        return None
    rest = {key: value for key, value in both[0].items() if key not in ("at-least", "at-most")}
    return {**rest, "between": [least, most]}


def _table(test: CmateNode, paths: _Paths) -> dict[str, Any]:
    if test.kind == "not":
        return _never(test.parts[0], paths)
    if test.kind == "or":
        return _either(test, paths)
    if test.kind not in (*_FLIPPED, "in", "not in"):
        raise Left(_UNKNOWN)
    left, right = (_bare(part) for part in test.parts)
    sign = test.kind
    if left.kind != "path" and right.kind == "path" and sign in _FLIPPED:
        left, right, sign = right, left, _FLIPPED[sign]
    if left.kind != "path":
        raise Left(_ARITHMETIC)
    setting = paths.setting(str(left.parts[0]))
    if right.kind == "path":
        if sign != "==":
            raise Left(_UNKNOWN)
        return {**setting, "equals": paths.setting(str(right.parts[0]))}
    return {**setting, **_constraint(sign, right)}


def _constraint(sign: str, right: CmateNode) -> dict[str, Any]:
    """Return the keys that a comparison with a constant says."""
    if right.kind == "NA" and sign in ("==", "!="):
        return {"forbid": True} if sign == "==" else {"require": True}
    parts = right.parts if right.kind == "list" else (right,)
    values = [each.parts[0] for each in parts if each.kind == "constant" and each.parts[0] is not None]
    absent = any(each.kind == "NA" for each in parts)
    if len(values) + absent != len(parts) or not values:
        raise Left(_ARITHMETIC)
    if sign in ("==", "in"):
        return {"one-of": values} | ({} if absent else {"require": True})
    if sign in ("!=", "not in"):
        return {"forbid": values}
    value = values[0]
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or (sign in ("<", ">") and isinstance(value, float))
    ):
        raise Left(_UNKNOWN)
    step = {">": 1, "<": -1}.get(sign, 0)
    return {"at-least" if sign in (">", ">=") else "at-most": value + step}


def _never(inner: CmateNode, paths: _Paths) -> dict[str, Any]:
    """Return the rule of `not (a == 1 and b == 2)`: never with."""
    parts = _conjuncts(inner)
    if len(parts) != 2 or any(part.kind != "==" or part.parts[0].kind != "path" for part in parts):
        raise Left(_UNKNOWN)
    values = [_constant(part.parts[1]) for part in parts]
    if any(value is None or isinstance(value, list) for value in values):
        raise Left(_ARITHMETIC)
    setting = paths.setting(str(parts[0].parts[0].parts[0]))
    other = paths.setting(str(parts[1].parts[0].parts[0]))
    return {**setting, "value": values[0], "never-with": {**other, "value": values[1]}}


def _either(test: CmateNode, paths: _Paths) -> dict[str, Any]:
    """Return the rule of `a == 1 or a == 2`."""
    made = [_table(part, paths) for part in test.parts]
    setting = {key: made[0][key] for key in _WHERE if key in made[0]}
    same = all({key: each[key] for key in _WHERE if key in each} == setting for each in made)
    if not same or not all("one-of" in each or each.get("forbid") is True for each in made):
        raise Left(_UNKNOWN)
    values = [value for each in made for value in each.get("one-of", ())]
    required = all(each.get("require") for each in made)
    return {**setting, "one-of": values} | ({"require": True} if required else {})


def _bare(node: CmateNode) -> CmateNode:
    """Return what stands inside of `int(...)`."""
    if node.kind == "call" and node.parts[0] in _CASTS and len(node.parts) == 2:
        inner: CmateNode = node.parts[1]
        return inner
    return node


SURFACES: Mapping[str, Surface] = {
    "env": Surface.ENV,
    "mies_config": Surface.MINDIE,
    "ms_config": Surface.MINDIE,
    "ms_controller": Surface.MS_CONTROLLER,
    "ms_coordinator": Surface.MS_COORDINATOR,
    "user_config": Surface.MINDIE_DEPLOY,
    "mindie_env": Surface.ENV,
}
"""The surface of each file that the presets name.

Source: https://github.com/Ascend/msit, msprechecker/msprechecker/presets/mindie.cmate.
"""
_WITH_ENVIRONMENT = ("common", "ms_controller", "ms_coordinator", "server_prefill", "server_decode")
PARTS: Mapping[str, Surface] = {
    "deploy_config": Surface.MINDIE_DEPLOY,
    "mindie_server_prefill_config": Surface.MINDIE,
    "mindie_server_decode_config": Surface.MINDIE,
    "mindie_ms_controller_config": Surface.MS_CONTROLLER,
    "mindie_ms_coordinator_config": Surface.MS_COORDINATOR,
    **dict.fromkeys((f"mindie_{part}_env" for part in _WITH_ENVIRONMENT), Surface.ENV),
}
"""Those of the parts of `user_config.json` and `mindie_env.json`."""


class _Paths:
    """Finds the options that paths into files name."""

    def __init__(self, section: str, read: Cmate, context: Mapping[str, str]) -> None:
        self._section = section
        self._assigned: dict[str, CmateNode | None] = {}
        for each in read.assigned:
            try:
                holds = _Condition(context).of(Assertion("", each.value, "", "", 0, each.conditions, each.looped)) == {}
            except Left:
                holds = False
            if holds:
                # What two give differently isn't known.
                self._assigned[each.name] = None if each.name in self._assigned else each.value
            else:
                self._assigned.setdefault(each.name, None)

    def setting(self, path: str) -> dict[str, Any]:
        """Return the keys that name the option at `path`. Raises `Left`."""
        section, path = self._resolved(path)
        name = _INDEX.sub("", path).lstrip(".")
        if section not in SURFACES:
            raise Left(_NO_FILE, section)
        first, _, rest = name.partition(".")
        part = first if rest and first in PARTS else ""
        surface, name = (PARTS[part], rest) if part else (SURFACES[section], name)
        if not Ref(name, surface).names(load()):
            raise Left(_NO_OPTION, name)
        found = {"setting": name, "surface": surface.value}
        # `deploy_config` is there once, in a surface of its own.
        return found | ({"part": part} if part and surface is not Surface.MINDIE_DEPLOY else {})

    def _resolved(self, path: str) -> tuple[str, str]:
        """Return the file and the path in it that a path or the name of a variable means."""
        if path in self._assigned:
            value = self._assigned[path]
            if value is not None and value.kind == "or":
                # `... or 1`: the default where nothing is set.
                value = _bare(value.parts[0])
            if value is None or value.kind != "path":
                raise Left(_ARITHMETIC)
            path = str(value.parts[0])
        section, sign, inner = path.partition("::")
        return (section, inner) if sign else (self._section, path)


def _said(assertion: Assertion) -> dict[str, Any]:
    message = " ".join(assertion.message.split())
    return {"message": {"zh": message}, "severity": assertion.severity}


def _name(setting: str, taken: Mapping[str, object]) -> str:
    """Return a name for a rule about `setting` that no other one has."""
    words = re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", setting.rpartition(".")[2]).lower())
    base = f"cmate-{words.strip('-')}"
    number = 1
    name = base
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def _words(node: CmateNode) -> str:
    """Return an expression in short, as it was written."""
    if node.kind == "path":
        return f"${{{node.parts[0]}}}"
    if node.kind == "constant":
        return repr(node.parts[0])
    if len(node.parts) == 2 and all(isinstance(part, CmateNode) for part in node.parts):
        return f"{_words(node.parts[0])} {node.kind} {_words(node.parts[1])}"
    return "..."


def _literal(value: object) -> str:
    """Return a value in TOML, whose strings, numbers and lists are those of JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_literal(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
