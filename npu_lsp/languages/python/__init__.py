"""Reads Python: finds each place that sets an NPU option, also in code that doesn't parse.

The way through the package:

    text ─► logical_lines ─► occurrences (which lines matter) ─► statement (one line parsed by libcst) ─► recognisers ─► blocks

- No module is parsed as a whole. `logical_lines` and `recovery` find logical lines in any text, `occurrences` where a word
  occurs;
  both are carried over from the version before. `source` holds what is known of one version.
- `scopes` tells functions and branches from indentation, `names` what a name is bound to, `members` and `imports` the same
  for attributes and other modules, `evaluate` and `abstract_value` what an expression is worth as far as the text tells, `call_contexts` what loops and calls fill in.
- One recogniser a file: `parameter_map` (with `entries` and `receivers`), `session_setup`, `run_config`, `global_options` and
  `torch_npu` (with `attributes`), `dict_calls` and `environ` (with `mappings`), `commands` (with `composition`).
- `reading` runs them. Nothing of a reading is carried over: of a version's lines and trees nearly all are.
- `at_*` and `answers` tell what the cursor is in, from the statement's text alone (`fragment`).
"""

from __future__ import annotations

from npu_lsp.languages.json.flags import named_in
from npu_lsp.languages.model import Cursor, Reading
from npu_lsp.languages.python.triggers import is_of_interest
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def read(document: Document) -> Reading:
    """Return what `document` sets. Never raises for what a text can hold."""
    if not is_of_interest(document.text):
        return Reading()
    from npu_lsp.languages.python.reading import read_source

    return read_source(document)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, told from the statement's own text."""
    from npu_lsp.languages.python.at_cursor import cursor_at

    if named_in(document.text):
        from npu_lsp.languages import read as read_known
        from npu_lsp.languages.embedding import cursor_in_regions, regions

        read_known(document)
        inside = (region for region in regions(document) if region.found.kind is Kind.ADDITIONAL_CONFIG)
        found = cursor_in_regions(offset, inside)
        if found is not None:
            return found
    return cursor_at(document, offset)
