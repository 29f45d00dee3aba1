"""Texts: one version of one file, its places and its encodings. Knows no language and no option."""
