"""Slips that the shell takes in silence and that break a setting: one idea a module, certain cases only."""
