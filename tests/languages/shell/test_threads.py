"""A server reads a long script in a thread, and short ones beside it."""

from __future__ import annotations

import subprocess
import sys
import textwrap

from tests.patience import PATIENCE

_PROGRAM = """
    import sys
    from threading import Thread
    from npu_lsp.languages.shell.tree import fresh_tree

    sys.setswitchinterval(1e-6)
    long, short = b"echo a b c\\n" * 20_000, b"if a; then export A=1; fi\\n" * 20
    for _ in range(5):
        trees = []
        thread = Thread(target=lambda: trees.append(fresh_tree(long)))
        thread.start()
        while thread.is_alive():
            trees.append(fresh_tree(short))
        assert all(tree.root_node.end_byte and not tree.root_node.has_error for tree in trees)
"""


def test_two_scripts_at_a_time() -> None:
    """A parser that two threads use at a time ends the process, or says that parsing failed."""
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_PROGRAM)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 0, ran.stderr
