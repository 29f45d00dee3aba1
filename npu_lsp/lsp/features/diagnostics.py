"""Findings as the client's diagnostics: sent when a document changes, or on request."""

from __future__ import annotations

import json
from typing import Any

from lsprotocol import types

from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features.logs import is_log, of_log
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.protocol import Encoded
from npu_lsp.lsp.session import DocumentView

SOURCE = "npu-lsp"

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3, Severity.HINT: 4}
_TAGS = {Tag.UNNECESSARY: 1, Tag.DEPRECATED: 2}

EMPTY = types.FullDocumentDiagnosticReport(items=[])
"""What a client gets for a document that there is nothing to say about."""


def diagnostics(view: DocumentView) -> list[dict[str, Any]]:
    """Return the diagnostics of a document, as JSON: there may be hundreds after each key stroke."""
    if is_log(view.source):
        return of_log(view)
    return [diagnostic(view, finding) for finding in view.findings()]


def diagnostic(view: DocumentView, finding: Finding) -> dict[str, Any]:
    """Return one finding in the form that the client takes."""
    client = view.client
    made: dict[str, Any] = {
        "range": range_json(view, finding.span),
        "severity": _SEVERITIES[finding.severity],
        "source": SOURCE,
        "message": finding.message,
    }
    if finding.code:
        made["code"] = finding.code
    tags = [_TAGS[tag] for tag in finding.tags if _TAGS[tag] in client.diagnostic_tags]
    if tags:
        made["tags"] = tags
    if client.related_information and finding.related:
        made["relatedInformation"] = list(_related(view, finding))
    if client.diagnostic_data:
        made["data"] = {"name": finding.name, "option": finding.option, "fixable": finding.fixable}
        if finding.surface is not None:
            made["data"]["surface"] = finding.surface.value
    return made


def of_entry(client: Client, uri: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return what a run told of a file that nobody has opened, in the form that the client takes."""
    made = {**told, "severity": _SEVERITIES[Severity(told["severity"])], "source": SOURCE}
    tags = [_TAGS[Tag(tag)] for tag in made.pop("tags") if _TAGS[Tag(tag)] in client.diagnostic_tags]
    notes = made.pop("notes")
    if tags:
        made["tags"] = tags
    if client.related_information and notes:
        made["relatedInformation"] = [
            {"location": {"uri": uri, "range": place}, "message": message} for place, message in notes
        ]
    if not client.diagnostic_data:
        del made["data"]
    return made


def pull(view: DocumentView, params: types.DocumentDiagnosticParams) -> Encoded:
    """Answer a request for diagnostics; what the client has already is not sent again."""
    items = json.dumps(diagnostics(view), separators=(",", ":"))
    # 64 bits of a hash that nobody outside can steer. What hashlib has would cost a new server milliseconds to load.
    result = f"{hash(items):x}"
    if params.previous_result_id == result:
        return Encoded(f'{{"kind":"unchanged","resultId":"{result}"}}')
    return Encoded(f'{{"kind":"full","resultId":"{result}","items":{items}}}')


def _related(view: DocumentView, finding: Finding) -> Any:
    for related in finding.related:
        member = view.source.unit.member_at(related.span)
        if member is not None:
            where = range_json(view.session.view(member), related.span)
            yield {"location": {"uri": member.uri, "range": where}, "message": related.message}
