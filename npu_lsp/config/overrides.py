"""What a command line says about the configuration, in the form of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from npu_lsp.config.errors import ConfigError, ConfigProblem
from npu_lsp.config.keys import FORM
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.toml import TomlError, parse

_SOURCE = "command line"
_AS_TOML = Text("write KEY = VALUE as in TOML", "按 TOML 写成 KEY = VALUE")
_PAIR = re.compile(r"\s*[\w.\"-]+\s*=")


def overrides(values: Mapping[str, Any], pairs: Iterable[str] = ()) -> dict[str, Any]:
    """Return `values` with `pairs` (`key = value` in TOML) below them; raise `ConfigError` for what can't be used.

    Values that are `None` were not given.
    """
    table: dict[str, Any] = {}
    for pair in pairs:
        try:
            table |= parse(pair)
        except TomlError as error:
            said = Text(f"--config {pair!r}: {error}", f"--config {pair!r}：{error.told.zh}")
            problem = ConfigProblem(_SOURCE, None, said, _AS_TOML)
            raise ConfigError([problem]) from error
    table |= {key: value for key, value in values.items() if value is not None}
    problems = [ConfigProblem(_SOURCE, None, each.placed, each.suggestion) for each in FORM.problems(table, "")]
    if problems:
        raise ConfigError(problems)
    return table


def is_pair(text: str) -> bool:
    """Return whether the argument of `--config` is `KEY = VALUE`; otherwise it names a file."""
    return bool(_PAIR.match(text)) and not Path(text).exists()


def target(words: Iterable[str]) -> dict[str, Any] | None:
    """Return the target that `cann=9.0,product=a2` and the like mean; raise `ConfigError` where they mean none.

    What is no component is told by whoever reads the result, as in a file.
    """
    found: dict[str, Any] = {}
    for word in (part for each in words for part in each.split(",")):
        key, sign, value = word.partition("=")
        # Of `torch_npu` one name is the package's, the other the distribution's.
        key, value = key.strip().lower().replace("_", "-"), value.strip()
        if sign and value and key in ("product", "products"):
            found.setdefault("products", []).append(value)
        elif sign and value and key:
            found[key] = value
        elif not sign and word.strip() and "products" in found:
            # `products=a2,a3`
            found["products"].append(word.strip())
        else:
            form, example = "COMPONENT=VERSION or product=NAME", "--target cann=9.0,product=a2"
            raise ConfigError([_malformed(f"--target {word!r}", form, example)])
    return found or None


def per_file_ignores(words: Iterable[str]) -> dict[str, list[str]] | None:
    """Return what `GLOB:CODE` and the like mean; raise `ConfigError` where they mean nothing."""
    found: dict[str, list[str]] = {}
    for word in words:
        glob, sign, code = word.rpartition(":")
        if not sign or not glob.strip() or not code.strip():
            raise ConfigError([_malformed(f"--per-file-ignores {word!r}", "GLOB:CODE", "'tests/**:NPU301'")])
        found.setdefault(glob.strip(), []).append(code.strip())
    return found or None


def _malformed(written: str, form: str, example: str) -> ConfigProblem:
    message = Text(f"{written} is not {form}", f"{written} 的写法应为 {form.replace(' or ', ' 或 ')}")
    return ConfigProblem(_SOURCE, None, message, Text(f"for instance {example}", f"例如 {example}"))
