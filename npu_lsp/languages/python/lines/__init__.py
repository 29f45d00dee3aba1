"""Logical lines of a text, where words occur in them, and what surrounds them: nothing here is parsed."""
