"""What a person may choose for a finding besides its own fixes: another value, the same fix everywhere, the rule's end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from npu_lsp.catalog.availability import foreign, values_on
from npu_lsp.catalog.model import Allowed, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.config.discover import NAMES
from npu_lsp.config.mistakes import LONGEST, section
from npu_lsp.config.switching import switched_off
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.findings import Finding, NewFile
from npu_lsp.linter.values import allowed_value
from npu_lsp.lsp.features.edits import can_create
from npu_lsp.lsp.features.fix_all import mended
from npu_lsp.lsp.features.ranges import span_range
from npu_lsp.lsp.session import DocumentView
from npu_lsp.lsp.uris import from_path, to_path
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.kinds import Kind
from npu_lsp.text.small_file import read_text
from npu_lsp.text.spans import Edit, Span

_FEW = 8
"""So many values are offered one by one."""
_NAME = "npu-lsp.toml"


def values(view: DocumentView, finding: Finding) -> list[tuple[str, tuple[Edit, ...]]]:
    """Return the values that can stand where a wrong one does, each with its edits; none where there are many."""
    setting = _setting(view, finding)
    option = view.context.option(setting) if setting is not None else None
    if setting is None or option is None or option.open or allowed_value(option, setting.value) is not None:
        return []
    target = view.project.analyzer.target
    listed = [each for each in values_on(option, target) if each.value is not None and _fits(each, target)]
    if len(listed) > _FEW:
        return []
    writer = writer_for(setting)
    made = [(str(e.value), writer.set_value(view.document, setting, e.value, slot=setting.slot)) for e in listed]
    own = {edit.text for fix in finding.fixes for edit in fix.edits}
    return [(value, edits) for value, edits in made if edits and not {edit.text for edit in edits} <= own]


def _fits(allowed: Allowed, target: Target) -> bool:
    return allowed.supported and not allowed.deprecated and not foreign(allowed.products, target)


def _setting(view: DocumentView, finding: Finding) -> Setting | None:
    return _by_value(view.document).get((finding.surface, finding.span))


@Derived
def _by_value(document: Document) -> dict[tuple[Surface | None, Span], Setting]:
    """Return the settings whose values are known, by their surface and the place of the value, with its quotes and without."""
    found: dict[tuple[Surface | None, Span], Setting] = {}
    for setting in read(document).settings:
        for span in (setting.value.content, setting.value.span) if setting.value.known else ():
            if span is not None:
                found.setdefault((setting.surface, span), setting)
    return found


def repeated(view: DocumentView, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the codes of `findings` of which the document has several that can be mended."""
    creates = can_create(view)
    able = [f for f in view.findings() if (fix := f.choice(unsafe=True)) is not None and (creates or not fix.files)]
    for code in dict.fromkeys(finding.code for finding in findings):
        if sum(each.code == code for each in able) > 1:
            yield code


def all_of(view: DocumentView, code: str) -> tuple[list[Edit], list[NewFile]]:
    """Return the edits of all fixes of one rule, also of those that a person has to look at, and the files that they need."""
    find = view.project.analyzer.findings
    # What other rules say counts too: no fix may bring a finding. Theirs just aren't made.
    return mended(
        view,
        lambda document: [f if f.code == code else f._replace(fixes=()) for f in find(document)],
        unsafe=True,
        creates=can_create(view),
    )


def off(view: DocumentView, code: str) -> types.WorkspaceEdit | None:
    """Return the edit of the configuration that switches a rule off; `None` where there is no place for it."""
    path = _configuration(view)
    if path is None:
        return None
    uri = from_path(path)
    opened = view.session.documents.find(uri)
    there = opened is not None or path.exists()
    try:
        text = opened.text.text if opened is not None else read_text(path, LONGEST) if there else ""
    except (OSError, UnicodeDecodeError):
        return None
    document = Document(text, kind=Kind.OTHER)
    encoding = view.session.documents.encoding
    edits = switched_off(text, section(path.name), code)
    made = [types.TextEdit(span_range(document, edit.span, encoding), edit.text) for edit in edits]
    if not made:
        return None
    if there and not view.client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: made})
    version = opened.version if opened is not None else None
    change = types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(made))
    return types.WorkspaceEdit(document_changes=[change] if there else [types.CreateFile(uri=uri), change])


def _configuration(view: DocumentView) -> Path | None:
    """Return the configuration that holds for the document; where there is none, that of the client's folder around it."""
    path = view.project.config.path
    if path is not None:
        return path if path.name in NAMES else None
    if not can_create(view):
        return None
    folders = [Path(to_path(folder.uri)) for folder in view.client.folders if to_path(folder.uri)]
    holding = [folder for folder in folders if Path(view.document.path).is_relative_to(folder)]
    return max(holding, key=lambda each: len(each.parts)) / _NAME if holding else None
