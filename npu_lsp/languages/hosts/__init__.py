"""Shell and Python inside other files: a reader for each host finds the regions, the inner readers do the rest.

The hosts are read by hand: `languages/README.md` tells what each tree-sitter grammar loses of what is said here.
"""
