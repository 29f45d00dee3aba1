"""Checking whole trees: which files, in which process, what is remembered, what is fixed."""
