"""What a person may choose for a finding besides its own fixes: another value, the same fix everywhere, the rule's end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.availability import foreign, values_on
from npu_lsp.catalog.model import Allowed, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.findings import Finding, NewFile
from npu_lsp.linter.fixing.gate import Proven
from npu_lsp.linter.values import allowed_value
from npu_lsp.lsp.features.edits import can_create
from npu_lsp.lsp.features.fix_all import mended
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

_FEW = 8
"""So many values are offered one by one."""


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


@Memoized
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


def all_of(view: DocumentView, code: str) -> tuple[Proven | None, list[NewFile]]:
    """Return the edits of all fixes of one rule, also of those that a person has to look at, and the files that they need."""
    find = view.project.analyzer.findings
    # What other rules say counts too: no fix may bring a finding. Theirs just aren't made.
    return mended(
        view,
        lambda document: [f if f.code == code else f._replace(fixes=()) for f in find(document)],
        unsafe=True,
        creates=can_create(view),
    )
