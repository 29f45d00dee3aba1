"""The end of the client that started the server.

Its end of the pipe is closed then, and that ends the session; but not when somebody else has inherited the pipe, an editor's
other children for one. So the system is asked, too, now and then.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

PAUSE = 5.0
"""Seconds between two looks."""


def watch_parent(claimed: object, gone: Callable[[], None]) -> None:
    """Have `gone` called soon after the process that started this one has ended, if the client says that it is that one.

    `claimed` is the client's `processId`. A client behind a shell or outside of a container has a number that means nothing
    here; whether it lives can't be told, and nothing is done.
    """
    if os.name != "posix" or claimed != os.getppid():
        return
    loop = asyncio.get_running_loop()

    def look() -> None:
        if os.getppid() != claimed:
            gone()
        else:
            loop.call_later(PAUSE, look)

    loop.call_later(PAUSE, look)
