"""`python -m npu_lsp` is `npu-lsp`."""

import sys

from npu_lsp.cli import main

sys.exit(main())
