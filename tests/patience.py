"""How long a test waits for what must come.

It tells something that hangs from something that takes its time, and is no measure of anything: a machine may be many times as slow
as others, and do other things besides. Where all is well nobody waits that long.
"""

PATIENCE = 300.0
"""Seconds."""
