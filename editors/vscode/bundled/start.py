"""Starts the server that came with the extension; it fits the Pythons that it was packed for (`npm run bundle`)."""

import sys
from pathlib import Path

TAG = sys.implementation.cache_tag
LIBRARY = Path(__file__).parent / f"lib-{TAG}"
if not LIBRARY.is_dir():
    sys.exit(f"no server came with the extension for {TAG}")
sys.path.insert(0, str(LIBRARY))

from npu_lsp.commands.main import main  # noqa: E402

sys.exit(main())
