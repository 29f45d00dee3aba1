"""Readers of the files that options point to: one format a module, each imported when a file needs it."""
