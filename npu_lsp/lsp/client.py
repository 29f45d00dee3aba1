"""What the client can do, read from its `initialize` request.

It is read from the plain JSON, so that a capability or a value that nobody here has heard of does no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from npu_lsp.text.bilingual import Language
    from npu_lsp.text.document import PositionEncoding

FIRST = "!"
"""The first character of what a list is sorted by: where it is known what stands at a place, that comes before the words of others in the same window: theirs start with
digits or letters."""


_ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")


class Folder(NamedTuple):
    """A folder that the client works in."""

    uri: str
    name: str


class Raw:
    """JSON that may hold anything anywhere."""

    def __init__(self, value: object) -> None:
        self._value = value

    def value(self, path: str) -> Any:
        """Return what stands at a dotted `path`, `None` where nothing does."""
        value: Any = self._value
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def at(self, path: str) -> Raw:
        """Return what stands at a path, to be asked further."""
        return Raw(self.value(path))

    def has(self, path: str) -> bool:
        """Return whether an object stands there."""
        return isinstance(self.value(path), dict)

    def true(self, path: str) -> bool:
        """Return whether `true` stands at the dotted `path`."""
        return self.value(path) is True

    def text(self, path: str) -> str:
        """Return the text there, empty for anything else."""
        value = self.value(path)
        return value if isinstance(value, str) else ""

    def texts(self, path: str) -> list[str]:
        """Return the texts of the list there."""
        value = self.value(path)
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def numbers(self, path: str) -> frozenset[int]:
        """Return the whole numbers of the list there."""
        value = self.value(path)
        return frozenset(v for v in value if isinstance(v, int)) if isinstance(value, list) else frozenset()


class Client(NamedTuple):
    """One client's abilities. What it doesn't say, it can't do."""

    name: str = ""
    version: str = ""
    locale: str = ""
    encoding: PositionEncoding = "utf-16"
    """The unit of columns that both sides use: the client's first choice."""
    folders: tuple[Folder, ...] = ()
    options: Mapping[str, Any] | None = None
    """`initializationOptions`."""
    trace: str = "off"

    pulls: bool = False
    """It asks for diagnostics itself, so that none are sent."""
    refreshes_diagnostics: bool = False
    diagnostic_versions: bool = False
    diagnostic_tags: frozenset[int] = frozenset()
    related_information: bool = False
    diagnostic_data: bool = False

    hover_markdown: bool = False
    completion_formats: frozenset[str] = frozenset()
    """What the documentation of a completion may be in; none: it takes strings alone."""
    insert_replace: bool = False
    snippets: bool = False
    completion_tags: frozenset[int] = frozenset()
    deprecated_flag: bool = False
    preselect: bool = False
    label_details: bool = False

    action_literals: bool = False
    """It takes code actions; an older one takes commands only."""
    action_preferred: bool = False
    action_resolves_edit: bool = False
    versioned_edits: bool = False
    change_annotations: bool = False
    """It shows edits that are to be agreed to, each with what it is for."""
    creates_files: bool = False
    writes_files: bool = False
    """What it creates is on the disk with its text, in the same step that can be undone; others open it unsaved."""

    symbol_tree: bool = False
    label_offsets: bool = False
    """An argument of a signature may be told by where it stands in the label."""
    shows_references: bool = False
    """It has a command of its own that shows where else something is set."""
    sorts_definitions: bool = False
    """It shows several in an order of its own, the nearest line first: what is overridden would stand before what counts."""
    shows_recipes: bool = False
    """It has a command of its own that shows how a document differs from a recipe."""
    semantic_tokens: bool = False
    prepares_rename: bool = False
    """It asks what would be renamed before it asks for a name."""
    link_tooltips: bool = False
    location_links: bool = False
    configuration: bool = False
    """It answers `workspace/configuration`."""
    registers_watchers: bool = False
    shows_progress: bool = False
    """It shows how far something is that the server does of itself."""
    notebooks: bool = False

    @property
    def language(self) -> Language:
        """The language that the client shows."""
        return "zh" if self.locale.lower().startswith("zh") else "en"

    @classmethod
    def read(cls, params: object) -> Client:
        """Return what an `initialize` request tells; whatever it holds, there is an answer."""
        raw = Raw(params)
        text, space = raw.at("capabilities.textDocument"), raw.at("capabilities.workspace")
        completion, action, pushed = (
            text.at("completion.completionItem"),
            text.at("codeAction"),
            text.at("publishDiagnostics"),
        )
        edit = space.at("workspaceEdit")
        creates = "create" in edit.texts("resourceOperations")
        options = raw.value("initializationOptions")
        return cls(
            name=raw.text("clientInfo.name"),
            version=raw.text("clientInfo.version"),
            locale=raw.text("locale"),
            encoding=_encoding(raw.texts("capabilities.general.positionEncodings")),
            folders=_folders(raw),
            options=options if isinstance(options, dict) else None,
            trace=raw.text("trace") or "off",
            shows_progress=raw.true("capabilities.window.workDoneProgress"),
            pulls=text.has("diagnostic"),
            refreshes_diagnostics=space.true("diagnostics.refreshSupport") or space.true("diagnostic.refreshSupport"),
            diagnostic_versions=pushed.true("versionSupport"),
            diagnostic_tags=pushed.numbers("tagSupport.valueSet") | text.numbers("diagnostic.tagSupport.valueSet"),
            related_information=pushed.true("relatedInformation") or text.true("diagnostic.relatedInformation"),
            diagnostic_data=pushed.true("dataSupport") or text.true("diagnostic.dataSupport"),
            hover_markdown="markdown" in text.texts("hover.contentFormat"),
            completion_formats=frozenset(completion.texts("documentationFormat")),
            insert_replace=completion.true("insertReplaceSupport"),
            snippets=completion.true("snippetSupport"),
            completion_tags=completion.numbers("tagSupport.valueSet"),
            deprecated_flag=completion.true("deprecatedSupport"),
            preselect=completion.true("preselectSupport"),
            label_details=completion.true("labelDetailsSupport"),
            action_literals=action.has("codeActionLiteralSupport"),
            action_preferred=action.true("isPreferredSupport"),
            action_resolves_edit="edit" in action.texts("resolveSupport.properties") and action.true("dataSupport"),
            # A client that creates files takes them in `documentChanges` and nowhere else.
            versioned_edits=edit.true("documentChanges"),
            change_annotations=edit.has("changeAnnotationSupport"),
            creates_files=creates,
            writes_files=creates and raw.true("capabilities.experimental.npuLsp.writesFiles"),
            label_offsets=text.true("signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport"),
            shows_references=raw.true("capabilities.experimental.npuLsp.showsReferences"),
            sorts_definitions=raw.true("capabilities.experimental.npuLsp.sortsDefinitions"),
            shows_recipes=raw.true("capabilities.experimental.npuLsp.showsRecipes"),
            semantic_tokens=text.has("semanticTokens"),
            prepares_rename=text.true("rename.prepareSupport"),
            symbol_tree=text.true("documentSymbol.hierarchicalDocumentSymbolSupport"),
            link_tooltips=text.true("documentLink.tooltipSupport"),
            location_links=text.true("definition.linkSupport"),
            configuration=space.true("configuration"),
            registers_watchers=space.true("didChangeWatchedFiles.dynamicRegistration"),
            notebooks=raw.has("capabilities.notebookDocument"),
        )


def _encoding(offered: list[str]) -> PositionEncoding:
    for wanted in offered:
        for encoding in _ENCODINGS:
            if wanted == encoding:
                return encoding
    return "utf-16"


def _folders(raw: Raw) -> tuple[Folder, ...]:
    found = raw.value("workspaceFolders")
    folders = found if isinstance(found, list) else []
    named = [Raw(f) for f in folders if isinstance(f, dict)]
    told = tuple(Folder(f.text("uri"), f.text("name")) for f in named if f.text("uri"))
    if told:
        return told
    uri = raw.text("rootUri")
    if not uri and (path := raw.text("rootPath")):
        from npu_lsp.lsp.uris import from_path

        uri = from_path(path)
    return (Folder(uri, ""),) if uri else ()
