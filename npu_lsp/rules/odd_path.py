"""NPU722: a part of a path that stands once, and differs by a letter from what the other paths of the file have there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from npu_lsp.catalog.near import slip_of
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import manifests
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PATH = re.compile(r"(?<![\w:/.$}-])(?:[\w.-]+|\$\w+|\$\{\w+\})?(?:/[\w.-]+)+")
_COMMENT = re.compile(r"(?:^|[ \t])#[^\n]*", re.MULTILINE)
_LEAST, _NEAR = 5, 4
"""Letters of a part, and of what it may have been meant to be: `bin` and `sbin` are two folders."""
_OFTEN, _MOST = 2, 50
_TLS = (
    '{{"deploy_config": {{"p_pod_npu_num": 8, "d_pod_npu_num": 8, "tls_config": {{"infer_tls_items": {{\n'
    ' "ca_cert": "./security/infer/certs/ca.pem", "tls_cert": "./{}/infer/certs/cert.pem"}},\n'
    ' "management_tls_items": {{"ca_cert": "./security/management/certs/ca.pem", "tls_cert": "./security/infer/{}/cert.pem"}}}}}}}}\n'
)


class _Part(NamedTuple):
    name: str
    start: int
    beside: tuple[tuple[str, str], ...]
    """What stands in front of it, and behind it."""


class OddPath(Rule):
    """A part of a path that the file has once, with a letter other than its other paths.

    ## What it does
    Compares the parts of the paths in a file of a deployment, of MindIE or Kubernetes: one that stands once, beside the same neighbour as
    another one that stands more often and differs by a slip. A plural or another number is no slip.

    ## Why is this bad?
    Nothing checks a path before it is opened: the pods start, and a certificate, a script or a log isn't where it is looked for.

    ## Example
    ```json
    {"tls_config": {"infer_tls_items": {"ca_cert": "./security/infer/certs/ca.pem", "tls_cert": "./secirity/infer/certs/cert.pem",
     "tls_key": "./security/infer/keys/key.pem"}}}
    ```

    Use instead:
    ```json
    {"tls_config": {"infer_tls_items": {"ca_cert": "./security/infer/certs/ca.pem", "tls_cert": "./security/infer/certs/cert.pem",
     "tls_key": "./security/infer/keys/key.pem"}}}
    ```

    ## Fix safety
    Unsafe: there may be both.
    """

    code = "NPU722"
    title = Text(en="Path that differs by a letter from the others", zh="路径与其他路径仅差一个字母")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='No other path of this file has "{value}", and {number} have "{near}" there. Was that meant?',
            zh="该文件中只有此处的路径为“{value}”，另有 {number} 处为“{near}”，是否拼写错误？",
        ),
    }
    examples_in = Kind.MINDIE
    VALID = (
        _TLS.format("security", "certs"),
        # A plural, another number, another word, and something that stands nowhere else.
        *(Valid(_TLS.format(one, "certs"), Kind.MINDIE) for one in ("securitys", "security2", "safety", "sec")),
        _TLS.format("security", "cert"),
        Valid('{"a": ["./security/a", "./security/b", "./secirity/c"]}\n', Kind.JSON),
    )
    INVALID = (
        _TLS.format("«secirity→security»", "certs"),
        _TLS.format("security", "«crets→certs»"),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        found = manifests(context)
        if context.document.kind is not Kind.MINDIE and not found:
            return
        mounts = {entry.text for each in found for entry in each if entry.path[-1] == "mountPath"}
        parts = [*_parts(context, mounts)]
        counts = Counter(each.name for each in parts)
        known: dict[tuple[str, str], dict[str, None]] = {}
        for each in parts:
            for beside in each.beside if counts[each.name] >= _OFTEN and len(each.name) >= _NEAR else ():
                if len(known.setdefault(beside, {})) < _MOST:
                    known[beside][each.name] = None
        for each in parts:
            near = _meant(each, known) if counts[each.name] == 1 and len(each.name) >= _LEAST else None
            if near is not None:
                span = Span(each.start, each.start + len(each.name))
                fixes = self.renamed_at(context, span, near)
                yield self.finding(context, span, "found", fixes=fixes, value=each.name, near=near, number=counts[near])


def _parts(context: Context, mounts: Collection[str]) -> Iterator[_Part]:
    text = context.document.text
    if context.document.kind is Kind.YAML:
        text = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    for match in _PATH.finditer(text):
        if match[0] not in mounts and slip_of(match[0], mounts) is not None:
            continue  # What was to be a mount is told with the mounts.
        names = match[0].split("/")
        at = match.start()
        for before, (name, behind) in zip(["", *names], pairwise([*names, ""]), strict=False):
            beside = (("<", before), (">", behind))
            yield _Part(name, at, tuple(each for each in beside if len(each[1]) >= _OFTEN and each[1] != ".."))
            at += len(name) + 1


def _meant(part: _Part, known: Mapping[tuple[str, str], Mapping[str, None]]) -> str | None:
    near = slip_of(part.name, {name for beside in part.beside for name in known.get(beside, ())})
    plural = near is not None and "." not in near and part.name in (f"{near}s", near[:-1] if near.endswith("s") else "")
    return None if plural else near
