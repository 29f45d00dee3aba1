"""Findings that are known: counted by path and code in a file, and not reported again.

The count says no line, so that code may move. When a file has fewer findings of a code than are known, the count
shrinks; when it has more, the surplus is reported.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from npu_lsp.checking.report import ReportedFinding
from npu_lsp.checking.writing import replace_or_create
from npu_lsp.config.errors import ConfigError, ConfigProblem
from npu_lsp.text.bilingual import Text
from npu_lsp.text.links import behind_link_below, is_link
from npu_lsp.text.small_file import read, reason
from npu_lsp.text.terminal import as_json

VERSION = 1
_LIMIT = 100_000_000
NAME = "npu-lsp-baseline.json"
"""What a baseline is called when nobody says otherwise."""
_COMMAND = "`npu-lsp check --write-baseline`"
_MADE_BY = Text(f"{_COMMAND} makes a baseline", f"可用 {_COMMAND} 生成基线")
_MADE_ANEW_BY = Text(f"{_COMMAND} makes it anew", f"可用 {_COMMAND} 重新生成")

_NOT_OURS = Text(
    "lies behind a link, or is no baseline of npu-lsp, and is left as it is",
    "路径中包含链接，或不是 npu-lsp 的基线文件，保持原样",
)

Counts = dict[str, dict[str, int]]
"""By path, relative to the baseline's folder with `/`, and by code."""


class Baseline:
    """The known findings of one baseline file."""

    def __init__(self, path: Path, here: str, counts: Counts | None = None) -> None:
        """Start with `counts`; entries' paths are relative to `here`."""
        self.path = path
        self.counts: Counts = counts or {}
        self._here = here

    @classmethod
    def read(cls, path: Path, here: str) -> Baseline:
        """Return the baseline at `path`; raise `ConfigError` where it can't be used."""
        if _is_linked(path, here):
            raise ConfigError([ConfigProblem(path, None, _NOT_OURS)])
        try:
            # Names of files may be no text.
            content = json.loads(read(path, _LIMIT, links=False).decode("utf-8-sig", "surrogateescape"))
            if content["version"] != VERSION:
                found = repr(content["version"])
                message = Text(f"is of version {found}, not {VERSION}", f"版本为 {found}，而不是 {VERSION}")
                raise ConfigError([_problem(path, message)])
            counts = {
                str(file): {str(code): int(count) for code, count in codes.items()}
                for file, codes in content["findings"].items()
            }
        except OSError as error:
            raise ConfigError([ConfigProblem(path, None, reason(error), _MADE_BY)]) from error
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(
                [_problem(path, Text("is not a baseline of npu-lsp", "不是 npu-lsp 的基线文件"))]
            ) from error
        return cls(path, here, counts)

    @classmethod
    def of(cls, path: Path, here: str, entries: Iterable[ReportedFinding]) -> Baseline:
        """Return a baseline of all `entries` that no comment silences."""
        found = cls(path, here)
        found.counts = found._count(entry for entry in entries if entry.silenced != "comment")
        return found

    def silenced(self, entries: Iterable[ReportedFinding]) -> Iterator[ReportedFinding]:
        """Yield `entries`, sorted ones, with those marked that are known."""
        left = {(file, code): count for file, codes in self.counts.items() for code, count in codes.items()}
        for entry in entries:
            key = (self._name(entry.path), entry.code)
            if not entry.silenced and left.get(key, 0) > 0:
                left[key] -= 1
                yield entry._replace(silenced="baseline")
            else:
                yield entry

    def shrunk(
        self, entries: Iterable[ReportedFinding], checked: Iterable[str], gone: Collection[str], codes: Collection[str]
    ) -> Baseline:
        """Return a baseline without what was mended.

        Only the `checked` files, and those that are `gone`, count, and only the `codes` that could have been found.
        Paths are relative to where the command runs.
        """
        now = self._count(entry for entry in entries if entry.silenced == "baseline")
        looked_at = {self._name(path) for path in (*checked, *gone)}
        counts: Counts = {}
        for file, known in self.counts.items():
            left = {
                code: min(count, now.get(file, {}).get(code, 0)) if file in looked_at and code in codes else count
                for code, count in known.items()
            }
            left = {code: count for code, count in left.items() if count}
            if left:
                counts[file] = left
        return Baseline(self.path, self._here, counts)

    def missing(self, here: str) -> list[str]:
        """Return the files of the baseline that don't exist any more, relative to `here`."""
        folder = self.path.parent
        return [os.path.relpath(folder / file, here) for file in self.counts if not (folder / file).exists()]

    def write(self) -> None:
        """Put the baseline in its file; raise `OSError` where that isn't possible, `ConfigError` where it is another's."""
        if _is_linked(self.path, self._here) or not _may_be_ours(self.path):
            raise ConfigError([ConfigProblem(self.path, None, _NOT_OURS)])
        ordered: Mapping[str, Mapping[str, int]] = {
            file: dict(sorted(codes.items())) for file, codes in sorted(self.counts.items())
        }
        text = as_json({"version": VERSION, "findings": ordered})
        replace_or_create(os.fspath(self.path), text.encode("utf-8", "surrogateescape"))

    @property
    def total(self) -> int:
        """How many findings are known."""
        return sum(count for codes in self.counts.values() for count in codes.values())

    def _count(self, entries: Iterable[ReportedFinding]) -> Counts:
        counts: dict[str, Counter[str]] = {}
        for entry in entries:
            counts.setdefault(self._name(entry.path), Counter())[entry.code] += 1
        return {file: dict(codes) for file, codes in counts.items()}

    def _name(self, path: str) -> str:
        whole = os.path.normpath(os.path.join(self._here, path))
        return os.path.relpath(whole, self.path.parent).replace(os.sep, "/")


def _is_linked(path: Path, here: str) -> bool:
    return is_link(os.fspath(path)) or behind_link_below(path, here)


def _may_be_ours(path: Path) -> bool:
    """Return whether a file at `path` may be replaced: there is none, or it is a baseline, be it a broken one."""
    try:
        content = read(path, _LIMIT, links=False)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return not content.strip() or (b'"findings"' in content and b'"version"' in content)


def _problem(path: Path, message: Text) -> ConfigProblem:
    return ConfigProblem(path, None, message, _MADE_ANEW_BY)
