// Made by `python -m tests.pages`: what npu_lsp/languages/registry.py says of languages and files.

// What they are called.
export const LANGUAGES = [
  "python",
  "python3",
  "shellscript",
  "shell",
  "sh",
  "bash",
  "zsh",
  "ksh",
  "markdown",
  "mdx",
  "restructuredtext",
  "jupyter",
  "dockerfile",
  "yaml",
  "dockercompose",
  "makefile",
  "make",
  "dotenv",
  "env",
  "diff",
  "patch",
  "pip-requirements",
];

// Files that options point to have no language of their own; the server looks closer at what has such a name.
export const FILES = [
  "**/tox.ini",
  "**/setup.cfg",
  "**/pytest.ini",
  "**/*op*precision*.ini",
  "**/op_cache.ini",
  "**/*fusion*switch*.{cfg,json,conf}",
  "**/*mixlist*.json",
  "**/*op_debug_config*.{cfg,txt,conf,ini}",
  "**/*customize_dtypes*.{cfg,txt,conf}",
  "**/*keep_dtype*.{cfg,txt,conf}",
  "**/*compression_optimize*.{cfg,conf,txt}",
  "**/*{aipp,insert_op}*.{cfg,config,conf,prototxt}",
  "**/*rank*table*.json",
  "**/launch.json",
  "**/tasks.json",
  "**/devcontainer.json",
  "**/.devcontainer.json",
];

// What has no language of its own, where the contents of a file tell.
export const PLAIN = [
  "plaintext",
  "ini",
  "properties",
  "json",
  "jsonc",
  "log",
];
