"""`npu-lsp config`: shows the configuration that is in force, and where each part of it comes from."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from npu_lsp.checking import stderr
from npu_lsp.commands.arguments import (
    add_configuration,
    add_files,
    add_format,
    add_logging,
    add_rules,
    discovery,
)
from npu_lsp.commands.language import CommandError, chosen, language_of, told
from npu_lsp.commands.output import write_out
from npu_lsp.config import keys
from npu_lsp.config.keys import KEYS
from npu_lsp.config.verify import verify
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import as_json, one_line, printable

_EPILOG = Text(
    """\
The nearest npu-lsp.toml, .npu-lsp.toml or pyproject.toml with a [tool.npu-lsp] table above a file is in force for it;
files further up don't count, unless that one extends them. The command line has the last word.

examples:
  npu-lsp config                     what is in force in the current folder
  npu-lsp config scripts/train.py    what is in force for a file
  npu-lsp config --keys              every key and what it means
  npu-lsp config --schema            a JSON Schema for editors
  npu-lsp config --test              try house rules on their examples
""",
    """\
文件所在目录及其上级目录中最近的 npu-lsp.toml、.npu-lsp.toml 或含 [tool.npu-lsp] 表的 pyproject.toml 对该文件生效；
更上级的配置文件不生效，除非被扩展（extend）。命令行参数优先级最高。

示例：
  npu-lsp config                     当前目录生效的配置
  npu-lsp config scripts/train.py    某个文件生效的配置
  npu-lsp config --keys              所有键及其含义
  npu-lsp config --schema            供编辑器使用的 JSON Schema
  npu-lsp config --test              用示例检验自定义规则
""",
)

_HOLDS = Text("{0} examples, as they say", "{0} 个示例均符合")
_UNTRIED = Text("no examples", "没有示例")
_FAILED = Text("{0} examples, not as they say", "{0} 个示例，存在不符")
_EXAMPLE = Text("example {0}: ", "示例 {0}：")
_NONE = Text("there are no house rules", "没有自定义规则")
_LARGEST = 1_000_000
"""Bytes of a rule file at the most."""
_SCHEMA = Path(keys.__file__).with_name("schema.json")
"""The published file; a test keeps it equal to what the keys say."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Shows the configuration that is in force for a file or a folder, and where it comes from.",
        "显示文件或目录生效的配置及其来源。",
    )
    parser.epilog = _EPILOG.to(chosen())
    path = told("default: the current folder", "默认为当前目录")
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help=path)
    add_format(parser, "toml", "json")
    parser.add_argument("--keys", action="store_true", help=told("explain every key", "解释所有键"))
    schema = told("print the JSON Schema of configuration files", "输出配置文件的 JSON Schema")
    parser.add_argument("--schema", action="store_true", help=schema)
    test = told("try house rules on their examples", "用示例检验自定义规则")
    parser.add_argument("--test", action="store_true", help=test)
    cmate = told(
        "make house rules of a rule file of msprechecker, and tell what can't be converted",
        "将 msprechecker 的规则文件转换为自定义规则，并说明无法转换的部分",
    )
    parser.add_argument("--from-cmate", metavar="FILE", help=cmate)
    context = told(
        "the scene of --from-cmate, as in `msprechecker run -C`: deploy_mode=ep,npu_type=A2,model_type=deepseek",
        "--from-cmate 的场景，与 `msprechecker run -C` 相同：deploy_mode=ep,npu_type=A2,model_type=deepseek",
    )
    parser.add_argument("--context", metavar="KEY=WORD", help=context)
    add_logging(parser)
    add_rules(parser)
    add_configuration(parser)
    add_files(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what was asked for; 2 when the configuration can't be used."""
    if arguments.schema:
        write_out([_SCHEMA.read_text(encoding="utf-8")])
        return 0
    if arguments.from_cmate:
        return _converted(arguments.from_cmate, arguments.context or "")
    path = os.path.abspath(arguments.path)
    config = discovery(arguments).config_for(path if os.path.isdir(path) else os.path.dirname(path))
    if arguments.keys:
        return _explain(config)
    if arguments.test:
        verify(config, stderr.warn)
        return _test(config)
    write_out([_json(config) if arguments.format == "json" else _toml(config)])
    verify(config, stderr.warn)
    return 0


def _test(config: Config) -> int:
    """Print what house rules do on their examples; 1 where one does something else."""
    from npu_lsp.config.house_verify import trials

    language, failed = language_of(config.language), 0
    for trial in trials(config):
        failed += bool(trial.failures)
        word = _FAILED if trial.failures else _HOLDS if trial.examples else _UNTRIED
        write_out([f"{trial.rule}: {word.to(language).format(trial.examples)}\n"])
        for failure in trial.failures:
            write_out([f"    {_EXAMPLE.to(language).format(failure.number)}{one_line(failure.said.to(language))}\n"])
    if not config.house_rules:
        write_out([_NONE.to(language) + "\n"])
    return 1 if failed else 0


def _converted(path: str, context: str) -> int:
    """Print the house rules that a rule file of msprechecker says."""
    from npu_lsp.config.cmate import house_rules_of
    from npu_lsp.config.cmate_syntax import CmateError
    from npu_lsp.text.small_file import read_text

    try:
        made = house_rules_of(read_text(Path(path), _LARGEST), _scene(context))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8", f"{path} 不是 UTF-8 编码") from error
    except CmateError as error:
        raise CommandError(f"{path}: {error.told.en}", f"{path}：{error.told.zh}") from error
    write_out([made.toml(chosen())])
    counted = told(
        f"{made.converted} of {made.assertions} assertions are converted; {len(made.left)} are left, each with its reason",
        f"共 {made.assertions} 条断言，已转换 {made.converted} 条；{len(made.left)} 条未转换，原因见注释",
    )
    stderr.tell(counted)
    return 0


def _scene(context: str) -> dict[str, str]:
    pairs = [each.partition("=") for each in context.split(",") if each.strip()]
    if not all(key.strip() and sign and value.strip() for key, sign, value in pairs):
        raise CommandError(
            f"--context {context!r} is not KEY=WORD, as in deploy_mode=ep,npu_type=A2",
            f"--context {context!r} 的写法应为 KEY=WORD，例如 deploy_mode=ep,npu_type=A2",
        )
    return {key.strip(): value.strip() for key, _, value in pairs}


def _explain(config: Config) -> int:
    language = language_of(config.language)
    for key in KEYS:
        write_out([f"{key.name}\n    {key.about.to(language)}\n"])
    return 0


def _toml(config: Config) -> str:
    """Return the configuration as a file that would give it, with a comment on each line that says where it is from."""
    lines = [f"# {_found(config)}"]
    tables: list[str] = []
    for name, value in _values(config).items():
        origin = config.origins.get(name, "default")
        if value is None:
            lines.append(f"# {name} is not set")
        elif isinstance(value, dict):
            tables += ["", f"[{_key(name)}]  # {origin}", *(f"{_key(k)} = {_literal(v)}" for k, v in value.items())]
        else:
            lines.append(f"{_key(name)} = {_literal(value)}  # {origin}")
    return "".join(f"{printable(line, _escaped, _escaped('#'))}\n" for line in [*lines, *tables])


def _escaped(char: str) -> str:
    """Return a character as strings of TOML may have it; a path in a comment has it, too."""
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _json(config: Config) -> str:
    content = {
        "version": 1,
        "path": os.fspath(config.path) if config.path else None,
        "root": os.fspath(config.root) if config.root else None,
        "values": _values(config),
        "origins": {name: config.origins.get(name, "default") for name in _values(config)},
    }
    return as_json(content)


def _values(config: Config) -> dict[str, Any]:
    """Return the value of each key in the form of a file; what only adds to another key is in that one."""
    found: dict[str, Any] = {}
    for key in KEYS:
        if key.name == "per-file-ignores":
            found[key.name] = {glob: list(words) for glob, words in config.per_file_ignores}
        elif key.name == "target":
            target = {**config.target.versions, "products": list(config.target.products)}
            found[key.name] = {name: value for name, value in target.items() if value}
        elif key.name not in ("extend", "extend-exclude"):
            found[key.name] = _plain(getattr(config, key.field))
    return found


def _plain(value: object) -> Any:
    if isinstance(value, Severity):
        return value.value
    if isinstance(value, Path):
        return os.fspath(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _found(config: Config) -> str:
    return f"from {config.path}" if config.path else "no configuration file: these are the defaults"


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else json.dumps(name, ensure_ascii=False)


def _literal(value: object) -> str:
    """Return a value in TOML, whose strings, numbers and lists are those of JSON."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(name)} = {_literal(each)}' for name, each in value.items())} }}"
    return json.dumps(value, ensure_ascii=False)
