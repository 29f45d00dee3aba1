"""The kinds of files, by name. What is known of each is its row in `npu_lsp.languages.registry`."""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """A kind of file that a reader exists for."""

    PYTHON = "python"
    SHELL = "shell"
    MARKDOWN = "markdown"
    NOTEBOOK = "notebook"
    DOCKERFILE = "dockerfile"
    YAML = "yaml"
    MAKEFILE = "makefile"
    DOTENV = "dotenv"
    JSON = "json"
    INI = "ini"
    OP_PRECISION = "op_precision"
    OP_CACHE = "op_cache"
    MIXLIST = "mixlist"
    CUSTOMIZE_DTYPES = "customize_dtypes"
    KEEP_DTYPE = "keep_dtype"
    FUSION_SWITCH = "fusion_switch"
    OP_DEBUG = "op_debug"
    COMPRESSION = "compression"
    SINGLE_OP = "single_op"
    GE_OPTIONS = "ge_options"
    AIPP = "aipp"
    ADDITIONAL_CONFIG = "additional_config"
    MINDIE = "mindie"
    RANK_TABLE = "rank_table"
    ACL_JSON = "acl_json"
    MINDFORMERS = "mindformers"
    MSLITE = "mslite"
    AMCT = "amct"
    OTHER = "other"
