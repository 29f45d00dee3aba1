"""Shell and Python inside other files: a reader for each host finds the regions, the inner readers do the rest."""
