"""One statement as libcst reads it: its nodes, what they say as they stand, and where."""
