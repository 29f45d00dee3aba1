"""JSON Schemas (draft 2020-12) of the files and values in JSON that the catalog knows, for editors and other programs.

They say no more than the catalog: names, types, values, ranges, defaults, what is deprecated. What depends on other settings, on
versions and on products is a matter of `npu-lsp check`.

Source of the form: https://json-schema.org/draft/2020-12
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, as_text
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Target
from npu_lsp.docs.wording import heading
from npu_lsp.text.bilingual import Language, Text

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
Json = dict[str, Any]


class FileForm(NamedTuple):
    """A file, or a value, in JSON."""

    surface: Surface
    under: str = ""
    """What the names of its options begin with: `compilation_config`."""
    listed: bool = False
    """Its objects stand in a list."""
    each: str = ""
    """The option that stands for every key that people choose: the layers of AMCT."""
    parts: tuple[tuple[str, Surface], ...] = ()
    """What else stands in it, by key; the options of the surface itself stand under the first one."""
    sections: tuple[tuple[str, Surface], ...] = ()
    """What else stands in it, by key, beside the options of the surface itself."""
    texts: bool = False
    """Every value is a text, whatever it says."""
    closed: bool = False
    """Its reader stops at a name that it doesn't know."""
    loose: bool = False
    """Its reader takes other types than those of the docs in some places: values are proposed, and none is wrong."""


_DEPLOYED = (
    ("deploy_config", Surface.MINDIE_DEPLOY),
    ("mindie_server_prefill_config", Surface.MINDIE),
    ("mindie_server_decode_config", Surface.MINDIE),
    ("mindie_ms_controller_config", Surface.MS_CONTROLLER),
    ("mindie_ms_coordinator_config", Surface.MS_COORDINATOR),
    ("node_manager_config", Surface.NODE_MANAGER),
)
FORMS: Mapping[str, FileForm] = {
    **{
        surface.value: FileForm(surface)
        for surface in (
            *(Surface.MINDIE, Surface.MS_CONTROLLER, Surface.MS_COORDINATOR, Surface.NODE_MANAGER),
            *(Surface.RANK_TABLE, Surface.ACL_JSON, Surface.ADDITIONAL_CONFIG, Surface.FUSION_SWITCH),
            Surface.MINDFORMERS,
        )
    },
    "mindie_deploy": FileForm(Surface.MINDIE_DEPLOY, parts=_DEPLOYED),
    "pymotor": FileForm(
        Surface.PYMOTOR,
        sections=tuple(
            (f"motor_engine_{role}_config", Surface.PYMOTOR_ENGINE) for role in ("prefill", "decode", "encode", "union")
        ),
    ),
    "mixlist": FileForm(Surface.MIXLIST, closed=True),
    "single_op": FileForm(Surface.SINGLE_OP, listed=True, loose=True),
    "amct": FileForm(Surface.AMCT, each="layer"),
    "ge": FileForm(Surface.GE, texts=True),
    **{
        name: FileForm(Surface.VLLM_ARGS, under=name)
        for name in (
            *("compilation_config", "kv_transfer_config", "speculative_config", "kv_events_config", "eplb_config"),
            *("structured_outputs_config", "attention_config", "ec_transfer_config", "weight_transfer_config"),
            *("kernel_config", "pooler_config", "profiler_config", "reasoning_config"),
        )
    },
    "cuda_graph_config": FileForm(Surface.SGLANG_ARGS, under="cuda_graph_config"),
}
"""By name: a surface, or the argument that takes the JSON."""

_TYPES = {
    "string": "string",
    "path": "string",
    "bool": "boolean",
    "int": "integer",
    "float": "number",
    "list": "array",
    "dict": "object",
}
"""Types of JSON by those of the catalog; those left out may be several."""
_AS_TEXT = {
    "integer": r"^[+-]?\d+$",
    "number": r"^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$",
    "boolean": "^([Tt]rue|[Ff]alse|[01])$",
}
"""How a text says a value of these types."""
_GONE = Text(" Removed.", "已移除。")
_OLD = Text(" Deprecated: {0}", "已废弃：{0}")


def json_schema(name: str, catalog: Catalog, language: Language, target: Target) -> Json:
    """Return the schema of one of `FORMS`."""
    form = FORMS[name]
    made = _Maker(catalog, language, target, form)
    title = heading(form.surface, catalog, language)
    return {"$schema": _DIALECT, "$id": f"npu-lsp:{name}", "title": f"{name} ({title})", **made.whole()}


class _Maker:
    def __init__(self, catalog: Catalog, language: Language, target: Target, form: FileForm) -> None:
        self._catalog, self._language, self._target, self._form = catalog, language, target, form

    def whole(self) -> Json:
        form = self._form
        if form.parts:
            # The others are laid over files that have the rest: https://github.com/Ascend/MindIE-Motor `deploy_ac_job.py`, `main`.
            parts = {key: self._object(surface, whole=surface is form.surface) for key, surface in form.parts}
            return {"type": "object", "properties": parts}
        made = self._object(form.surface)
        made["properties"] |= {key: self._object(surface) for key, surface in form.sections}
        if form.each:
            # What is no option is a name that people gave.
            made["additionalProperties"] = made["properties"].pop(form.each, True)
        return {"anyOf": [{"type": "array", "items": made}, {"type": "object"}]} if form.listed else made

    def _object(self, surface: Surface, *, whole: bool = True) -> Json:
        """Return the schema of an object with the options of a surface; `whole`: it needs what its reader needs."""
        prefix = f"{self._form.under}." if self._form.under else ""
        root: Json = {"type": "object", "properties": {}}
        nodes: dict[str, Json] = {"": root}
        options: dict[str, Option] = {}
        for option in sorted(self._catalog.options(surface), key=lambda each: each.name.count(".")):
            if not option.name.startswith(prefix):
                continue
            above, _, key = option.name[len(prefix) :].rpartition(".")
            made = self._option(option)
            holder = _inside(nodes[above], options.get(above)) if above in nodes else _gap(nodes, options, above)
            nodes[option.name[len(prefix) :]], options[option.name[len(prefix) :]] = made, option
            holder.setdefault("properties", {})[key] = made
            if whole and any(condition.always for condition in option.required):
                holder.setdefault("required", []).append(key)
        for node in nodes.values() if self._form.closed else ():
            if "properties" in node:
                node["additionalProperties"] = False
        return root

    def _option(self, option: Option) -> Json:
        made = self._shape(option)
        about = self._about(option)
        made["description"] = about.to(self._language)
        if about.en != about.zh:
            # No keyword of the standard holds two languages.
            made["x-description"] = {"en": about.en, "zh": about.zh}
        stands = standing(option, self._target)
        if stands.deprecated or stands.removed:
            made["deprecated"] = True
        if option.default is not None and len({str(each.value) for each in option.defaults}) == 1:
            made["default"] = self._written(option.default)
        if option.examples:
            made["examples"] = list(option.examples)
        return made

    def _shape(self, option: Option) -> Json:
        kind = "string" if self._form.texts else _TYPES.get(option.type)
        empty = ["null"] if option.nullable else []
        # A switch is 0 or 1 for whoever doesn't ask: `"truncation": false` stands in MindIE-Motor's own `user_config.json`.
        types = [kind, *(["boolean"] if kind == "integer" and not option.enforced else ()), *empty]
        made: Json = {} if kind is None or self._form.loose else {"type": types if len(types) > 1 else kind}
        proposed = self._proposed(option, kind)
        if proposed is not None:
            if option.open or not option.case_sensitive or self._form.loose:
                # Editors propose these; others are right as well.
                return {"anyOf": [proposed, made]}
            return {"anyOf": [proposed, {"type": empty}]} if empty else proposed
        if not (self._form.texts or self._form.loose):
            made |= _range(option)
        if option.nonempty and kind == "string":
            made["minLength"] = 1
        if kind in _AS_TEXT and not option.enforced and made:
            # Its reader passes over what it can't use, or reads it from a text.
            return {"anyOf": [made, {"type": "string", "pattern": _AS_TEXT[kind]}]}
        return made

    def _proposed(self, option: Option, kind: str | None) -> Json | None:
        """Return the values that the option lists; `None` where it lists none, or parts of values."""
        values = [each.value for each in option.values if each.value is not None]
        if not values or kind in ("array", "object") or any(isinstance(v, str) and "*" in v for v in values):
            return None
        proposed: Json = {"enum": [self._written(each) for each in values]}
        described = [self._of_value(option, each) for each in values]
        if any(described):
            # What VS Code shows beside each.
            proposed["enumDescriptions"] = described
        return proposed

    def _about(self, option: Option) -> Text:
        docs = self._catalog.docs(option.surface, option.name)
        en, zh = docs.summary.en, docs.summary.zh
        if option.unit:
            en, zh = f"{en} ({option.unit})", f"{zh}（{option.unit}）"
        if option.removed is not None:
            en, zh = en + _GONE.en + f" {option.removed.why.en}", zh + _GONE.zh + option.removed.why.zh
        elif option.deprecated is not None:
            why = option.deprecated.why
            en, zh = en + _OLD.en.format(why.en), zh + _OLD.zh.format(why.zh)
        return Text(en, zh)

    def _of_value(self, option: Option, value: Any) -> str:
        said = self._catalog.value_text(option.surface, option.name, value)
        return said.to(self._language) if said is not None else ""

    def _written(self, value: Any) -> Any:
        return as_text(value) if self._form.texts else value


def _gap(nodes: dict[str, Json], options: Mapping[str, Option], path: str) -> Json:
    """Return the object at `path`, which the catalog has no option for."""
    holder, at = nodes[""], ""
    for key in path.split("."):
        at = f"{at}.{key}" if at else key
        if at not in nodes:
            nodes[at] = holder.setdefault("properties", {}).setdefault(key, {"type": "object"})
        holder = _inside(nodes[at], options.get(at))
    return holder


def _range(option: Option) -> Json:
    """Return the bounds of a number."""
    if option.type not in ("int", "float") or option.clamped:
        return {}
    bounds = (("minimum", option.minimum), ("maximum", option.maximum), ("exclusiveMinimum", option.above))
    return {name: bound for name, bound in bounds if bound is not None}


def _inside(node: Json, option: Option | None) -> Json:
    """Return the schema of the objects of a list, or of the object itself."""
    if option is None or option.type != "list":
        return node
    items: Json = node.setdefault("items", {"type": "object"} if "type" in node else {})
    return items
