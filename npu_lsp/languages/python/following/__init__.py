"""What is followed over several statements: dicts, lists and texts that are built up, loops, calls, other names."""
