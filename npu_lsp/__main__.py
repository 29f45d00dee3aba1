"""`python -m npu_lsp` is `npu-lsp`."""

import sys

from npu_lsp.commands.main import program

sys.exit(program())
