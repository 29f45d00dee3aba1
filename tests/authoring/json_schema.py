"""Writes the shapes of TOML values down as JSON Schema, for editors: what checks a file and what completes it can't drift apart."""

from __future__ import annotations

from functools import singledispatch

from npu_lsp.text.toml_shape import Choice, Either, Items, Json, NamedTable, Only, Plain, Shape, TableShape, WordShape
from tests.authoring.form import Pair


@singledispatch
def json_schema(shape: Shape) -> Json:
    """Return what a shape says as JSON Schema."""
    raise TypeError(shape)


@json_schema.register
def _(shape: WordShape) -> Json:
    form = f"^(?:{shape.form})$" if shape.form else r"\S"
    return {"type": "string", "pattern": form, "description": str(shape.says)}


@json_schema.register
def _(shape: Choice) -> Json:
    return {"enum": list(shape.words)}


@json_schema.register
def _(shape: Plain) -> Json:
    return {"type": shape.types[0] if len(shape.types) == 1 else list(shape.types)}


@json_schema.register
def _(shape: Only) -> Json:
    return {"const": shape.value}


@json_schema.register
def _(shape: Items) -> Json:
    least = {"minItems": shape.least} if shape.least else {}
    return {"type": "array", "items": json_schema(shape.of), **least}


@json_schema.register
def _(shape: TableShape) -> Json:
    found: Json = {"type": "object"}
    if shape.keys:
        found["properties"] = {key: json_schema(each) for key, each in shape.keys.items()}
    found["additionalProperties"] = json_schema(shape.rest) if shape.rest else False
    if shape.needs:
        found["required"] = list(shape.needs)
    if shape.some_of:
        found["anyOf"] = [{"required": [key]} for key in shape.some_of]
    return found


@json_schema.register
def _(shape: Either) -> Json:
    return {"anyOf": [json_schema(each) for each in shape.shapes]}


@json_schema.register
def _(shape: NamedTable) -> Json:
    return {"$ref": f"#/$defs/{shape.name}"}


@json_schema.register
def _(shape: Pair) -> Json:
    return json_schema(shape.table)  # no schema can tell a language
