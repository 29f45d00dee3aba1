"""Values that Python puts into the environment, which holds texts only."""

from __future__ import annotations

from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped.conversion import rewritten
from npu_lsp.linter.mistyped.model import TELLING, Mistyped, given


def mistyped(setting: Setting, context: Context) -> Mistyped | None:
    """Return what is wrong with a value that is no text: `os.environ` raises TypeError."""
    if setting.value.kind not in TELLING - {ValueKind.STRING, ValueKind.BYTES}:
        return None
    value = str(setting.value.data) if setting.value.known else None
    return Mistyped("environment", "", given(setting.value), correction=rewritten(setting, value, context))
