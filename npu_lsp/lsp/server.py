"""The language server: each message of the client is wired here, once, to the feature that answers it.

Features that only answer requests are loaded with the first one: a file that is opened as soon as the server has
started doesn't wait for them.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from npu_lsp.lsp.endpoint import Endpoint
from npu_lsp.lsp.features.configuration import Configuration
from npu_lsp.lsp.features.diagnostics import EMPTY, pull
from npu_lsp.lsp.features.prefetch import Prefetch
from npu_lsp.lsp.features.publishing import Publisher
from npu_lsp.lsp.features.referenced_files import ReferencedFiles
from npu_lsp.lsp.features.registrations import REGISTRATIONS, Registration
from npu_lsp.lsp.features.synchronization import Synchronization
from npu_lsp.lsp.features.workspace_diagnostics import WorkspaceDiagnostics
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.warm_up import WarmUp

_log = logging.getLogger(__name__)

Feature = Callable[[DocumentView, Any], Any]
AboutSession = Callable[[Session, Any], Any]


def wire(endpoint: Endpoint) -> Callable[[], Awaitable[None]]:
    """Register every feature; return what is to be done once the client takes requests."""
    session = Session(endpoint.client, endpoint.protocol.notify, endpoint.more_to_come)
    publisher = Publisher(session, endpoint.protocol.notify, endpoint.more_to_come)
    settings = Configuration(session, publisher, endpoint.protocol)
    referenced = ReferencedFiles(session, lambda files: settings.look_anew([file.unit for file in files]))
    ahead = Prefetch(session, endpoint.more_to_come, _all(settings.watch, referenced.looked_at))
    texts = Synchronization(session, publisher, ahead, referenced)
    others = WorkspaceDiagnostics(session, endpoint.protocol)
    settings.on_change = others.renew
    on, answers = endpoint.on, _Answers(session, endpoint)

    on(types.TEXT_DOCUMENT_DID_OPEN, _all(texts.opened, settings.opened, _about(others.opened)))
    on(types.TEXT_DOCUMENT_DID_CHANGE, texts.changed)
    on(types.TEXT_DOCUMENT_DID_SAVE, settings.saved)
    on(types.TEXT_DOCUMENT_DID_CLOSE, _all(texts.closed, settings.closed, _about(others.closed)))
    on(types.NOTEBOOK_DOCUMENT_DID_OPEN, _all(texts.notebook_opened, _about_notebook(others.opened)))
    on(types.NOTEBOOK_DOCUMENT_DID_CHANGE, texts.notebook_changed)
    on(types.NOTEBOOK_DOCUMENT_DID_CLOSE, _all(texts.notebook_closed, _about_notebook(others.closed)))

    on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, settings.settings_changed)
    on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _all(settings.files_changed, others.files_changed))
    on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, settings.folders_changed)

    answers.about_document(types.TEXT_DOCUMENT_DIAGNOSTIC, pull, empty=EMPTY)
    on(types.WORKSPACE_DIAGNOSTIC, others.pull)
    on(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, others.cancelled)
    for offer in REGISTRATIONS:
        answers.wire(offer)

    WarmUp(lambda: endpoint.more_to_come() or session.work.busy).start()
    return settings.follow


def _all(*tell: Callable[[Any], None]) -> Callable[[Any], None]:
    def handle(params: Any) -> None:
        for each in tell:
            each(params)

    return handle


def _about(tell: Callable[[str], None]) -> Callable[[Any], None]:
    """Return what tells the URI of the document that a notification is about."""
    return lambda params: tell(params.text_document.uri)


def _about_notebook(tell: Callable[[str], None]) -> Callable[[Any], None]:
    """Return what tells the URI of the notebook that a notification is about."""
    return lambda params: tell(params.notebook_document.uri)


class _Answers:
    """Wires requests. Here is the boundary: a feature that fails is logged, once, and answers nothing."""

    def __init__(self, session: Session, endpoint: Endpoint) -> None:
        self._session = session
        self._endpoint = endpoint

    def wire(self, offer: Registration) -> None:
        """Register the handler of one request, by what it is about."""
        handler = _late(offer.handler)
        if offer.about == "document":
            self.about_document(offer.method, handler, whole=offer.whole)
        elif offer.about == "item":
            self.about_item(offer.method, handler)
        else:
            self.about_session(offer.method, handler)

    def about_document(self, method: str, feature: Feature, *, empty: Any = None, whole: bool = True) -> None:
        """Wire a request about an open document. `whole`: all of the document must have been read for it."""
        work = self._session.work

        def handle(params: Any) -> Any:
            source = self._session.documents.find(params.text_document.uri)
            if source is None:
                return empty
            view = self._session.view(source)
            if view.too_large:
                return empty
            if not whole or work.ready(view.document, view.project):
                return _guarded(feature, view, params, empty=empty)
            return later(view, params)

        async def later(view: DocumentView, params: Any) -> Any:
            await work.prepare(view.source.unit, view.project)
            found = _guarded(feature, view, params, empty=empty)
            return await found if inspect.isawaitable(found) else found

        self._endpoint.on(method, handle)

    def about_item(self, method: str, feature: AboutSession) -> None:
        """Wire a request to complete an item that the client got from here."""

        def handle(item: Any) -> Any:
            if not isinstance(item, dict):
                raise JsonRpcInvalidParams(f"{method}: not an object")
            return _guarded(feature, self._session, item, empty=item)

        self._endpoint.on(method, handle)

    def about_session(self, method: str, feature: AboutSession) -> None:
        """Wire a request about no document in particular; one that fails is refused."""
        self._endpoint.on(method, lambda params: feature(self._session, params))


def _late(name: str) -> Callable[[Any, Any], Any]:
    """Return what calls a feature by `module.function`; the module is loaded with the first call."""
    module, _, function = name.partition(".")

    def call(about: Any, params: Any) -> Any:
        return getattr(import_module(f"npu_lsp.lsp.features.{module}"), function)(about, params)

    call.__name__ = name
    return call


def _guarded(feature: Callable[..., Any], *arguments: Any, empty: Any) -> Any:
    try:
        return feature(*arguments)
    except JsonRpcException:
        raise
    except Exception:
        _log.exception("%s failed", feature.__name__)
        return empty
