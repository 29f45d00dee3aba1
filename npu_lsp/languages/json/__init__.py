"""Reads JSON: the files that options point to, notebooks, values that are JSON themselves."""
