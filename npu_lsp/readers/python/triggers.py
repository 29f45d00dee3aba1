"""Words without which a Python text sets nothing. Looking for them costs next to nothing."""

from __future__ import annotations

WORDS = (
    "npu-lsp:",
    "parameter_map",
    "custom_optimizers",
    "NPURunConfig",
    "global_options",
    "environ",
    "putenv",
    "os.system",
    "subprocess",
    "popen",
    "set_option",
    "set_compile_mode",
    "CompilerConfig",
    "DumpConfig",
    "ProfilingConfig",
)


def is_of_interest(text: str) -> bool:
    """Tell whether `text` holds a word that a setting needs."""
    return any(word in text for word in WORDS)
