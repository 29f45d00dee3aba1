"""`python -m npu_lsp` is `npu-lsp`."""

import sys

from npu_lsp.commands.main import main

sys.exit(main())
