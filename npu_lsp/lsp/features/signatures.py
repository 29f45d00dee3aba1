"""What the call that is being written takes: `NPURunConfig(`, `DumpConfig(` and their like."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.usage import ranks
from npu_lsp.docs.markdown import prose
from npu_lsp.languages import cursor
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.lsp.features.markup import plaintext
from npu_lsp.lsp.session import DocumentView

_SHOWN = 5
"""Arguments that are shown where none has been chosen: those that people set most."""
_MORE = "…"


def signatures(view: DocumentView, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """Answer the call around a position with the argument that stands there; a long list is shortened to what is of use."""
    at = cursor(view.document, view.source.offset(params.position))
    if at is None or at.surface.row.nested != "calls":
        return None
    catalog = view.project.analyzer.catalog
    option = catalog.option(at.surface, at.option) if at.wanted is CompletionKind.VALUE and at.option else None
    if option is None and at.wanted is not CompletionKind.KEY:
        return None
    owner, arguments = _arguments(catalog, at, option)
    if not arguments:
        return None
    active = arguments.index(option) if option in arguments else None
    parameters: list[types.ParameterInformation] = []
    label = f"{owner}("
    for number, each in enumerate(arguments):
        label += ", " if number else f"{_MORE}, " if option is not None else ""
        said = f"{each.name.rpartition('.')[2]}: {each.type}"
        start = len(label.encode("utf-16-le")) // 2
        label += said
        summary = prose(catalog.docs(each.surface, each.name).summary.to(view.language))
        where = (start, start + len(said.encode("utf-16-le")) // 2)
        parameters.append(types.ParameterInformation(where if view.client.label_offsets else said, plaintext(summary)))
    signature = types.SignatureInformation(f"{label}, {_MORE})", parameters=parameters, active_parameter=active)
    return types.SignatureHelp([signature], active_signature=0, active_parameter=active)


def _arguments(catalog: Catalog, at: CompletionContext, option: Option | None) -> tuple[str, list[Option]]:
    """Return the name of the call, and the arguments to show: the one that is written, or those that are used most."""
    inside = option.name.rpartition(".")[0] if option is not None else at.prefix.rstrip(".")
    owner = inside.rpartition(".")[2] or at.surface.row.tool
    if option is not None:
        return owner, [option]
    prefix = f"{inside}." if inside else ""
    names = [n for n in catalog.names(at.surface) if n.startswith(prefix) and "." not in n[len(prefix) :]]
    usage = ranks(catalog, at.surface)
    names.sort(key=lambda name: (usage.get(name, len(usage)), name))
    free = [name for name in names if name[len(prefix) :] not in at.present and name not in at.present]
    found = (catalog.option(Surface(at.surface), name) for name in free[:_SHOWN])
    return owner, [each for each in found if each is not None]
