"""Shell and Python inside other files: a reader for each host finds the regions, the inner readers do the rest.

The hosts are read by hand, since each tree-sitter grammar loses what is said here (tried in November 2026):

- YAML 0.7: one line that stands wrong, a template's `{{- if }}` or a quoted text over several lines that ends further out,
  as tests of vLLM-Ascend have it, makes the whole file an error; 254 levels write over memory (its issue 48).
- Markdown 0.5: an error in each tenth of 1,600 READMEs, 2.5 times as slow as the reader here, and issue 243 of it, a write
  past a buffer, is open.
- Make 1.1: an error in 14 of 52 makefiles.
- Dockerfile 0.2: no wheel for aarch64.
"""
