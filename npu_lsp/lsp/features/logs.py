"""Logs in an editor: what they tell stands as diagnostics in the log, and as a page with links to the lines that may have caused it.

A log that is opened is looked at by itself. The files of the workspace are gone through only when somebody asks for the page.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.features.markup import plaintext
from npu_lsp.lsp.features.registrations import EXPLAIN
from npu_lsp.lsp.projects import Workspace
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import from_path, name_of, to_path
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo

if TYPE_CHECKING:
    from npu_lsp.checking.causes import Evidence
    from npu_lsp.checking.diagnosis import Diagnosis, Explained
    from npu_lsp.checking.logs.reader import LogMention

_LOG = re.compile(r"(?:\.(?:log|out|err)(?:\.\d+)?|nohup\.out)\Z|\A(?:plog|device)-\d+", re.IGNORECASE)
_LANGUAGE = "log"
_LARGEST = 1 << 26
"""Bytes of a log that is read from a file."""
_MOST = 100
"""Diagnostics of a log."""
_ERROR, _WARNING, _INFORMATION, _HINT = 1, 2, 3, 4
_SEVERITY = {"cause": _ERROR, "general": _ERROR, "echo": _INFORMATION, "wrapper": _HINT, "harmless": _HINT}
_CAUSE = Text("may come from this line", "可能由此行导致")
_TOLD: Memo[Document, dict[Language, tuple[Diagnosis, list[dict[str, Any]]]]] = Memo()
_NOTHING = Text("No known error.", "没有已知的错误。")


def is_log(source: OpenDocument) -> bool:
    """Return whether an open document is a log, by its language or its name."""
    return source.language_id == _LANGUAGE or _LOG.search(name_of(source.uri)) is not None


def of_log(view: DocumentView) -> list[dict[str, Any]]:
    """Return the diagnostics of a log, as JSON: what it tells by itself, or with its folder once the page was asked for."""
    return told(view)[1]


def told(view: DocumentView) -> tuple[Diagnosis, list[dict[str, Any]]]:
    """Return what a log tells, with its diagnostics."""
    known = _TOLD.known(view.document) or _TOLD.keep(view.document, {})
    if view.language not in known:
        # In another language it tells the same.
        found = next((each for each, _ in known.values()), None) or _diagnosed(view.session, view.document.text, ())
        known[view.language] = (found, _diagnostics(found, view.language))
    return known[view.language]


async def explain(session: Session, params: Any) -> dict[str, Any]:
    """Answer the Markdown about a log, which is a document, a file, or `text`; raise `JsonRpcInvalidParams` where there is none.

    The files of the workspace's folders are looked at for what may have caused it. A log that is a document gets diagnostics, too.
    """
    from npu_lsp.reports.explanation import markdown

    uri, text = _asked(session, params)
    language = session.projects.find("").language
    diagnosis = await session.work.result(partial(_diagnosed, session, text, session.projects.workspaces))
    if diagnosis is None:
        return {"markdown": "", "errors": 0}
    source = session.documents.find(uri) if uri else None
    if source is not None and is_log(source):
        shown = _diagnostics(diagnosis, language)
        _TOLD.keep(source.text, {language: (diagnosis, shown)})
        if not session.client.pulls:
            session.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": shown})
    page = "".join(markdown(diagnosis, language, partial(_link, uri)))
    return {"markdown": page or _NOTHING.to(language) + "\n", "errors": len(diagnosis.errors)}


def _asked(session: Session, params: Any) -> tuple[str, str]:
    """Return the address and the text of the log that is asked about."""
    from npu_lsp.checking.logs.lines import decoded

    asked = params if isinstance(params, dict) else {}
    text = asked.get("text")
    if isinstance(text, str):
        return "", text
    document = asked.get("textDocument")
    uri = document.get("uri") if isinstance(document, dict) else None
    if isinstance(uri, str):
        source = session.documents.find(uri)
        if source is not None:
            return uri, source.text.text
        try:
            with Path(to_path(uri)).open("rb") as file:
                return uri, decoded(file.read(_LARGEST))
        except OSError:
            pass
    raise JsonRpcInvalidParams(f"{EXPLAIN} takes a text, or a textDocument that can be read")


def _diagnosed(session: Session, text: str, workspaces: Sequence[Workspace]) -> Diagnosis:
    from npu_lsp.checking.diagnosis import diagnosed
    from npu_lsp.checking.logs.reader import LogReader

    catalog = session.projects.find("").analyzer.catalog
    reader = LogReader(catalog)
    reader.read(io.BytesIO(text.encode("utf-8", "replace")))
    return diagnosed(reader.log(), catalog, _evidence(session, workspaces) if workspaces else None)


def _evidence(session: Session, workspaces: Sequence[Workspace]) -> Evidence:
    """Return what the files below the folders of the client set, and what is wrong in them; paths are absolute."""
    from npu_lsp.checking.causes import Evidence
    from npu_lsp.checking.checked import Request
    from npu_lsp.checking.progress import Progress
    from npu_lsp.checking.run import Plan, run
    from npu_lsp.checking.written import WrittenTexts

    project = session.projects.find("")
    request = Request(inventory=True, language=project.language)
    outcomes = []
    for workspace in workspaces:
        folder = os.fspath(workspace.folder)
        plan = Plan([folder], folder, request, cache=False)
        outcomes.append((folder, run(plan, session.projects.discovery(workspace), Progress(None))))
    rows = [row._replace(path=str(Path(folder, row.path))) for folder, found in outcomes for row in found.rows]
    entries = [
        entry._replace(path=str(Path(folder, entry.path)))
        for folder, found in outcomes
        for entry in found.entries
        if not entry.silenced
    ]
    texts = WrittenTexts(str(Path(folder, path)) for folder, found in outcomes for path in found.configs)
    return Evidence(rows, entries, project.analyzer.catalog, texts)


def _diagnostics(diagnosis: Diagnosis, language: Language) -> list[dict[str, Any]]:
    told = [each for each in diagnosis.errors if not each.unknown or each.code.code][:_MOST]
    gravest = _WARNING if diagnosis.warned else _ERROR
    return [_diagnostic(each, each.mention, gravest, language) for each in told if each.mention is not None]


def _diagnostic(each: Explained, mention: LogMention, gravest: int, language: Language) -> dict[str, Any]:
    code = each.code
    remedy = code.remedy.to(language) if code.remedy is not None else ""
    found: dict[str, Any] = {
        "range": _line(mention.line),
        "severity": max(gravest, _ERROR if each.unknown else _SEVERITY[code.kind]),
        "code": code.code,
        "source": "npu-lsp",
        "message": plaintext("\n".join(filter(None, (code.what.to(language), remedy)))),
    }
    if each.causes:
        found["relatedInformation"] = [
            {"location": {"uri": from_path(cause.path), "range": _line(cause.line)}, "message": _CAUSE.to(language)}
            for cause in each.causes[:_MOST]
        ]
    return found


def _line(number: int) -> dict[str, Any]:
    # A client takes what is behind the end of a line as its end.
    return {"start": {"line": number - 1, "character": 0}, "end": {"line": number - 1, "character": 10_000}}


def _link(log: str, path: str, line: int) -> str:
    """Return the address of a line; that of the log where there is no path, and nothing where it has none."""
    uri = from_path(path) if path else log
    return f"{uri}#L{line}".replace("(", "%28").replace(")", "%29") if uri else ""
