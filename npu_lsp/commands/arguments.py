"""Arguments that several commands take: which configuration, which files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Language

_SEVERITIES = tuple(each.value for each in Severity)


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Declare what says which configuration is in force."""
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE|KEY=VALUE",
        help="use this file instead of the nearest one, or set one key, as in --config 'max-file-size = 5_000_000'",
    )
    group.add_argument("--isolated", action="store_true", help="ignore all configuration files")
    group.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="check for versions and products: --target cann=9.0,vllm-ascend=0.23, --target product=a2; may be given again",
    )
    group.add_argument(
        "--catalog", action="append", metavar="FILE", help="use your own file of options besides the catalog"
    )
    group.add_argument("--lang", choices=("auto", "en", "zh"), help="language of messages; default: that of the locale")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Declare what says which rules run."""
    group = parser.add_argument_group("rules (codes such as NPU101, prefixes such as NPU3, names, or ALL)")
    group.add_argument("--select", metavar="RULES", type=_words, action="extend", help="run only these, with commas")
    group.add_argument("--extend-select", metavar="RULES", type=_words, action="extend", help="run these too")
    group.add_argument("--ignore", metavar="RULES", type=_words, action="extend", help="don't run these")
    group.add_argument(
        "--per-file-ignores",
        metavar="GLOB:RULE",
        type=_words,
        action="extend",
        default=[],
        help="don't run a rule in the files that a glob matches",
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    """Declare what says which files are read."""
    group = parser.add_argument_group("files")
    group.add_argument(
        "--exclude", metavar="GLOBS", type=_words, action="extend", help="pass over these, not the default ones"
    )
    group.add_argument("--extend-exclude", metavar="GLOBS", type=_words, action="extend", help="pass over these too")
    group.add_argument(
        "--include", metavar="GLOBS", type=_words, action="extend", help="read these whatever their name"
    )
    group.add_argument(
        "--force-exclude", action="store_true", default=None, help="pass over excluded files even when they are named"
    )
    group.add_argument(
        "--no-respect-gitignore",
        action="store_false",
        default=None,
        dest="respect_gitignore",
        help="read what Git ignores",
    )


def add_logging(parser: argparse.ArgumentParser) -> None:
    """Declare how much is said on stderr."""
    parser.add_argument("-v", "--verbose", action="store_true", help="say on stderr what is done")


def discovery(arguments: argparse.Namespace, more: Mapping[str, Any] | None = None) -> Discovery:
    """Return what finds configurations under these arguments; raise `ConfigError` for what can't be used.

    `more` has further keys that the command line sets.
    """
    given = vars(arguments)
    values: dict[str, Any] = {
        key: given.get(key.replace("-", "_"))
        for key in (
            "select", "extend-select", "ignore", "exclude", "extend-exclude", "include", "force-exclude",
            "respect-gitignore", "catalog",
        )
    }  # fmt: skip
    values["language"] = given.get("lang")
    words, ignores = given.get("target") or (), given.get("per_file_ignores") or ()
    files: Sequence[str] = given.get("config") or ()
    values = {key: value for key, value in {**values, **(more or {})}.items() if value is not None}
    if not (values or words or ignores or files):
        return Discovery(isolated=arguments.isolated)
    from npu_lsp.config import overrides

    pairs = [word for word in files if overrides.is_pair(word)]
    names = [word for word in files if word not in pairs]
    values |= {
        key: value
        for key, value in (
            ("target", overrides.target(words)),
            ("per-file-ignores", overrides.per_file_ignores(ignores)),
        )
        if value is not None
    }
    return Discovery(
        fixed=Path(os.path.expanduser(names[-1])) if names else None,
        isolated=arguments.isolated,
        overrides=overrides.overrides(values, pairs),
    )


def language_of(choice: str) -> Language:
    """Return the language that a configuration chooses; `auto` goes by the locale's environment variables."""
    if choice == "auto":
        locale = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), "")
        return "zh" if locale.lower().startswith("zh") else "en"
    return "zh" if choice == "zh" else "en"


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def complain(error: ConfigError, arguments: argparse.Namespace) -> None:
    """Say on stderr what is wrong with the configuration, in the language of the command line or the locale."""
    from npu_lsp.text.terminal import shown

    language = language_of(arguments.lang or "auto")
    for problem in error.problems:
        print(f"npu-lsp: {shown(problem.told(language))}", file=sys.stderr)
