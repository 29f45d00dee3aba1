"""`npu-lsp schema`: prints JSON Schemas for editors and programs that know nothing of npu-lsp."""

from __future__ import annotations

import argparse
from pathlib import Path

from npu_lsp.catalog import environment, toolkit
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import load
from npu_lsp.commands.language import add_language, chosen, language_of, told
from npu_lsp.commands.output import write_out
from npu_lsp.config.discover import Discovery
from npu_lsp.docs.json_schema import FORMS, json_schema
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import as_json

_EPILOG = Text(
    """\
examples:
  npu-lsp schema mindie > mindie.schema.json    the server's config.json
  npu-lsp schema additional_config --lang zh    the value of --additional-config
  npu-lsp schema --list                         every name
""",
    """\
示例：
  npu-lsp schema mindie > mindie.schema.json    MindIE Server 的 config.json
  npu-lsp schema additional_config --lang zh    --additional-config 的取值
  npu-lsp schema --list                         所有名称
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Prints the JSON Schema (draft 2020-12) of a file, or of an argument's value, in JSON: names, types, values, ranges,\n"
        "defaults, what is deprecated. Options that the configuration of this folder adds (`catalog`) are in it.",
        "输出 JSON 文件或参数取值的 JSON Schema（draft 2020-12）：名称、类型、取值、范围、默认值和废弃标记。\n"
        "其中包括当前目录的配置（`catalog`）增加的配置项。",
    )
    parser.epilog = _EPILOG.to(chosen())
    name = told("a surface, or an argument that takes JSON", "入口名，或取值为 JSON 的参数")
    parser.add_argument("name", nargs="?", choices=sorted(FORMS), metavar="SURFACE", help=name)
    parser.add_argument("--list", action="store_true", help=told("list the names", "列出名称"))
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a schema, or the names."""
    if arguments.list or not arguments.name:
        write_out(f"{name}\n" for name in sorted(FORMS))
        return 0
    config = Discovery().config_for(Path.cwd())
    catalog = extended(load(), config.catalog)
    target = config.target.resolved(toolkit.find(), environment.installed())
    language = language_of(config.language if arguments.lang == "auto" else arguments.lang)
    write_out([as_json(json_schema(arguments.name, catalog, language, target))])
    return 0
