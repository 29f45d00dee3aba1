"""Starts the server that came with the extension, in `lib`: what is compiled there is for the Pythons that it was packed for."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from os import path

LIBRARY = path.join(path.dirname(path.abspath(__file__)), "lib")
if not any(path.isfile(path.join(LIBRARY, "libcst", "native" + suffix)) for suffix in EXTENSION_SUFFIXES):
    sys.exit("no server came with the extension for Python " + sys.version)
sys.path.insert(0, LIBRARY)
# The folder of an extension is read-only for many, and is compared with what was installed.
sys.dont_write_bytecode = True

if sys.argv[1:] == ["--version"]:
    # Asked whether it would run: not where the system's C library is too old for what is compiled.
    import libcst.native  # noqa: F401

from npu_lsp.commands.main import main  # noqa: E402

sys.exit(main())
