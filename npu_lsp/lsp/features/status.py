"""What a person has to know about a running server: versions, target, configuration, catalog."""

from __future__ import annotations

import os
import platform
from collections.abc import Awaitable
from hashlib import sha256
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from npu_lsp import __version__
from npu_lsp.catalog.components import CANN
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.versions.stated import stated
from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.features.logs import explain
from npu_lsp.lsp.features.registrations import EXPLAIN_COMMAND, STATUS_COMMAND
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import to_path
from npu_lsp.text.bilingual import Text

_SETTINGS = Text("the editor's settings", "编辑器设置")
_INSTALLED = Text("installed", "已安装")
_TEXT = Text("this file", "此文件")
_REQUIRED = Text("what its repository requires", "所在仓库的依赖要求")


def uri_in(params: Any) -> str | None:
    """Return the URI in what the client asks with: a `TextDocumentIdentifier` in an object, or the URI alone."""
    document = params.get("textDocument") if isinstance(params, dict) else params
    uri = document.get("uri") if isinstance(document, dict) else document
    return uri if isinstance(uri, str) else None


def status(session: Session, params: Any) -> dict[str, Any]:
    """Answer what is in force for the document that `params` name, open or not, or for the client's first folder."""
    uri = uri_in(params)
    document = session.documents.find(uri) if uri else None
    project = session.project(document.unit) if document is not None else session.projects.find(to_path(uri or ""))
    analyzer, path = project.analyzer, project.config.path
    toolkit, cann = analyzer.toolkit, analyzer.target.version()
    problems = [str(problem) for found in session.projects.problems.values() for problem in found]
    return {
        "version": __version__,
        "pid": os.getpid(),
        "python": platform.python_version(),
        "catalog": analyzer.catalog.date,
        "target": {
            "cann": str(cann) if cann is not None else None,
            "versions": {component: str(version) for component, version in analyzer.target.versions},
            "products": list(analyzer.target.products),
            "from": _origins(session, project, to_path(uri or "")),
            "said": _said(session, document) if document is not None else {},
        },
        "toolkit": {"path": str(toolkit.home), "version": toolkit.version} if toolkit is not None else None,
        "configuration": str(path) if path is not None else None,
        "problems": problems,
        "language": project.language,
        "positionEncoding": session.client.encoding,
        "diagnostics": "pull" if session.client.pulls else "push",
        "documents": sum(1 for _ in session.documents),
        "document": _facts(session, document) if document is not None else None,
    }


def execute(session: Session, params: types.ExecuteCommandParams) -> dict[str, Any] | Awaitable[dict[str, Any]]:
    """Answer the same to a client that can only run commands; raise `JsonRpcInvalidParams` for another command."""
    about = params.arguments[0] if params.arguments else None
    if params.command == EXPLAIN_COMMAND:
        return explain(session, about)
    if params.command != STATUS_COMMAND:
        raise JsonRpcInvalidParams(f"there is no command {params.command}")
    return status(session, about)


def _facts(session: Session, source: OpenDocument) -> dict[str, Any]:
    view = session.view(source)
    settings = [] if view.too_large else list(view.parsed.settings)
    return {
        "uri": source.uri,
        "kind": view.document.kind.value,
        "version": source.version,
        "followed": source.followed,
        "characters": len(source.text.text),
        "digest": sha256(source.text.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "findings": _counts(session, source),
        "settings": len(settings),
        "options": sorted({s.name for s in settings if s.name}),
    }


def _origins(session: Session, project: Project, path: str) -> dict[str, str]:
    """Return where the version of each component, and the `products`, come from: a file's path, or words for a person."""
    config, analyzer, language = project.config, project.analyzer, project.language
    editors = session.projects.set_for(path).target
    file = str(config.path) if config.path is not None else _SETTINGS.to(language)
    found: dict[str, str] = {}
    for component, _ in analyzer.target.versions:
        written = config.target.versions.get(component)
        if written is not None:
            found[component] = _SETTINGS.to(language) if editors.versions.get(component) == written else file
        elif component == CANN and analyzer.toolkit is not None:
            found[component] = str(analyzer.toolkit.home)
        else:
            found[component] = _INSTALLED.to(language)
    if analyzer.target.products:
        found["products"] = _SETTINGS.to(language) if editors.products == config.target.products else file
    return found


def _said(session: Session, source: OpenDocument) -> dict[str, list[str]]:
    """Return the versions that hold for this document alone, with where they come from."""
    view = session.view(source)
    if view.too_large:
        return {}
    own = {each.component for each in stated(view.document)}
    return {
        each.component: [each.oldest.text, (_TEXT if each.component in own else _REQUIRED).to(view.language)]
        for each in view.project.analyzer.target_of(view.document).stated
        if each.oldest is not None
    }


def _counts(session: Session, source: OpenDocument) -> dict[str, int] | None:
    """Return how many errors, other findings, and fixes to review the document has; `None` as long as nobody knows."""
    view = session.view(source)
    if not view.configures and not view.project.checked(view.document):
        return None
    found = view.findings()
    errors = sum(each.severity is Severity.ERROR for each in found)
    review = sum(each.choice(unsafe=False) is None and each.choice(unsafe=True) is not None for each in found)
    return {"errors": errors, "others": len(found) - errors, "review": review}
