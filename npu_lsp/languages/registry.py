"""The languages that npu-lsp reads, one row each: nothing else lists them, and what isn't in a row can't be asked.

A row names modules and imports none: the command in CI asks for kinds of files long before it reads one.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from npu_lsp.languages.json.flags import OF_FLAGS
from npu_lsp.text.kinds import Kind


class Language(NamedTuple):
    """All that differs from one language to the next, but for its grammar."""

    kind: Kind
    reader: str
    """The module below `npu_lsp.languages` that has `read(document)` and `cursor(document, offset)`."""
    words: Literal["python", "shell", "host", "notebook"] | None = None
    """Which words of `triggers` a text must hold to be read; `None`: every such file is read."""
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of files, in small letters; what follows a dot behind a name that has none itself makes no difference."""
    within: tuple[str, ...] = ()
    """Words that the name of a file holds whose suffix tells nothing, in small letters: `Dockerfile_a3`."""
    habit: str = ""
    """A pattern of names that such files have by habit; they share their suffix with files of other programs."""
    contents: tuple[str, ...] = ()
    """Patterns of what only such a file starts with or holds, for files whose suffix tells nothing."""
    editor_ids: tuple[str, ...] = ()
    """What clients call the language (`languageId`)."""
    begins: str = ""
    """A pattern of what a file without a suffix starts with that has no first line `#!`, behind blank lines and comments."""
    interpreters: tuple[str, ...] = ()
    """Patterns of the programs that a first line `#!` names."""
    labels: tuple[str, ...] = ()
    """What a fence in Markdown calls it."""
    host: bool = False
    """True: its texts hold texts of other languages."""
    writer: str | None = None
    """Hosts: the module below `npu_lsp.languages` that changes what an inner text sets."""
    hash_comments: bool = False
    """True: a comment starts with `#`, all over such a file or where settings stand."""
    json: bool = False
    """True: a file is JSON, which has no comments, or it is damaged."""
    shown_by: tuple[str, ...] = ()
    """Words by which JSON in a fence of Markdown shows a part of such a file."""
    pictures: bool = False
    """True: most of a large file are pictures, which nobody reads."""
    page: bool = False
    """True: what people read. It shows parts of programs, tells what stands there, and is run by nobody."""
    keys: tuple[str, ...] = ()
    """Keys that tell such a mapping in YAML from others: one of them is enough."""
    perhaps: str = ""
    """Pattern of names that such files have, and others too: below a folder these are opened, and `contents` tells."""
    named_by: tuple[str, ...] = ()
    """The options, by their topics, whose value is the path of such a file."""
    found_in: tuple[tuple[str, str], ...] = ()
    """The options whose value is the path of a folder, and the name that such a file has there."""
    longest: int | None = None
    """Characters of the largest text that is read; what is larger is no such file."""


_LONGEST_CONFIG_FILE = 1 << 20


def _config_format(kind: Kind, **facts: object) -> Language:
    """Return the row of a format that an option points to; its reader is the module of its name."""
    return Language(kind, f"config_formats.{kind.value}", longest=_LONGEST_CONFIG_FILE, **facts)  # type: ignore[arg-type]


_HOST_WRITER = "hosts.writer"


def _host(kind: Kind, **facts: object) -> Language:
    """Return the row of a language whose texts hold texts of others; its reader is the module of its name."""
    given = {"words": "host", "writer": _HOST_WRITER, "hash_comments": True, **facts}
    return Language(kind, f"hosts.{kind.value}", host=True, **given)  # type: ignore[arg-type]


LANGUAGES: tuple[Language, ...] = (
    Language(
        Kind.PYTHON,
        "python",
        words="python",
        suffixes=(".py", ".pyi", ".pyw"),
        editor_ids=("python", "python3"),
        interpreters=(r"python[\d.]*", r"pypy\d*"),
        labels=("python", "py", "python3", "python2", "py3", "ipython"),
        hash_comments=True,
    ),
    Language(
        Kind.SHELL,
        "shell",
        words="shell",
        suffixes=(".sh", ".bash", ".ksh", ".zsh"),
        editor_ids=("shellscript", "shell", "sh", "bash", "zsh", "ksh"),
        # A script that others source: its first statement is one that only a shell has.
        begins=r"export[ \t]+[A-Za-z_]\w*=|(?:source|\.)[ \t]+[^\s/]*/\S+[ \t]*\r?$|set[ \t]+[-+][a-z]+[ \t]*\r?$",
        interpreters=("bash", "dash", "ksh", "zsh", "sh"),
        labels=(
            *("sh", "bash", "shell", "zsh", "ksh", "console", "terminal", "shellscript", "shell-session"),
            *("shellsession", "sh-session", "bash-session", "commandline"),
        ),
        hash_comments=True,
    ),
    _host(
        Kind.MARKDOWN,
        suffixes=(".md", ".markdown", ".mdx", ".rst"),
        editor_ids=("markdown", "mdx", "restructuredtext"),
        page=True,
    ),
    _host(Kind.NOTEBOOK, words="notebook", suffixes=(".ipynb",), editor_ids=("jupyter",), json=True, pictures=True),
    _host(
        Kind.DOCKERFILE,
        suffixes=(".dockerfile",),
        names=("dockerfile", "containerfile"),
        within=("dockerfile", "containerfile"),
        editor_ids=("dockerfile",),
        labels=("dockerfile", "docker"),
    ),
    _host(Kind.YAML, suffixes=(".yml", ".yaml"), editor_ids=("yaml", "dockercompose"), labels=("yaml", "yml")),
    _host(
        Kind.MAKEFILE,
        suffixes=(".mk",),
        names=("makefile", "gnumakefile"),
        editor_ids=("makefile", "make"),
        labels=("makefile", "make"),
    ),
    _host(Kind.DOTENV, suffixes=(".env",), names=(".env",), editor_ids=("dotenv", "env"), labels=("env", "dotenv")),
    _host(Kind.PATCH, suffixes=(".patch", ".diff"), editor_ids=("diff", "patch"), hash_comments=False),
    Language(
        Kind.INI,
        "hosts.ini_variables",
        words="host",
        names=("tox.ini", "setup.cfg", "pytest.ini"),
        host=True,
        writer=_HOST_WRITER,
        hash_comments=True,
    ),
    # Files that options point to have no suffix of their own: the first row whose habit or contents fit has them.
    _config_format(
        Kind.OP_PRECISION,
        habit=r"(?:.*[-_.])?op_?precision(?:[-_].*)?\.ini",
        contents=(r"^[ \t]*\[(?:ByOpType|ByNodeName)\]",),
        hash_comments=True,
        named_by=("op_precision_mode",),
    ),
    _config_format(
        Kind.OP_CACHE,
        habit=r"op_cache\.ini",
        contents=(r"\A\s*\[op_compiler_cache\]",),
        hash_comments=True,
        found_in=(("op_compiler_cache_dir", "op_cache.ini"),),
    ),
    _config_format(
        Kind.FUSION_SWITCH,
        habit=r"(?:.*[-_.])?fusion[-_]?switch(?:[-_].*)?\.(?:cfg|json|conf)",
        contents=(
            r"\A\s*\{\s*\"Switch\"\s*:\s*\{\s*\"(?:GraphFusion|UBFusion)\"",
            r"\A\s*(?:\w+[ \t]*:[ \t]*(?:on|off)[ \t]*(?:[\r\n]+|\Z))+\Z",
        ),
        json=True,
        named_by=("fusion_switch_file",),
    ),
    _config_format(
        Kind.MIXLIST,
        habit=r"(?:.*[-_.])?(?:modify_)?mixlist(?:[-_].*)?\.json",
        contents=(r"\A\s*\{\s*\"(?:black|white|gray)-list\"\s*:\s*\{\s*\"to-(?:add|remove)\"",),
        json=True,
        named_by=("modify_mixlist",),
    ),
    _config_format(
        Kind.SINGLE_OP,
        contents=(
            (
                r"\A\s*\[?\s*(?:\{\s*\"compile_flag\"\s*:\s*\d\s*\}\s*,\s*)?"
                r"\{(?:\s*\"[\w]+\"\s*:\s*[\w\".+-]+\s*,)*\s*\"input_desc\"\s*:\s*\["
            ),
        ),
        json=True,
        named_by=("singleop",),
    ),
    _config_format(
        Kind.OP_DEBUG,
        habit=r"(?:.*[-_.])?op_debug_config(?:[-_].*)?\.(?:cfg|txt|conf|ini)",
        contents=(r"^op_debug_(?:config|list)[ \t]*=",),
        hash_comments=True,
        named_by=("op_debug_config",),
    ),
    _config_format(
        Kind.CUSTOMIZE_DTYPES,
        habit=r"(?:.*[-_.])?customize_dtypes(?:[-_].*)?\.(?:cfg|txt|conf)",
        contents=(r"^(?:OpType::\w+:|[^\s:]+::)(?:InputDtype|OutputDtype):",),
        named_by=("customize_dtypes",),
    ),
    _config_format(
        Kind.KEEP_DTYPE,
        habit=r"(?:.*[-_.])?keep_dtype(?:[-_].*)?\.(?:cfg|txt|conf)",
        contents=(r"^OpType::\w+[ \t]*$",),
        named_by=("keep_dtype",),
    ),
    _config_format(
        Kind.COMPRESSION,
        habit=r"(?:.*[-_.])?compression_optimize(?:_conf)?(?:[-_].*)?\.(?:cfg|conf|txt)",
        contents=(r"^[ \t]*calibration[ \t]*:?\s*\{\s*(?:#.*\n\s*)*input_data_dir",),
        named_by=("compression_optimize_conf",),
    ),
    _config_format(Kind.GE_OPTIONS, contents=(r"\A\s*\{\s*\"ge\.[\w.]+\"\s*:",), json=True),
    _config_format(
        Kind.AIPP,
        habit=r"(?:.*[-_.])?(?:aipp|insert_op)(?:[-_].*)?\.(?:cfg|config|conf|prototxt)",
        contents=(r"^[ \t]*aipp_op[ \t]*:?\s*\{",),
        hash_comments=True,
        named_by=("insert_op_conf",),
    ),
    _config_format(
        Kind.MSLITE,
        perhaps=r"(?:.*[-_.])?(?:lite|ascend|convert|config|cfg)(?:[-_.].*)?\.(?:ini|cfg|txt|config)",
        contents=(r"^\[ascend_context\]",),
        hash_comments=True,
        named_by=("configFile",),
    ),
    *(Language(kind, "config_formats.vllm_json", longest=_LONGEST_CONFIG_FILE, json=True) for kind in OF_FLAGS),
    _config_format(
        Kind.RANK_TABLE,
        habit=r"(?:.*[-_.])?rank_?table(?:[-_].*)?\.json",
        perhaps=r"(?:.*hccl|rt|.*rank)(?:[-_.\d].*)?\.json",
        contents=(
            r"\"server_list\"\s*:\s*\[\s*\{",
            r"\"group_list\"\s*:\s*\[\s*\{\s*\"(?:device_count|device_num|group_name|instance_\w+)\"",
        ),
        json=True,
        named_by=("RANK_TABLE_FILE",),
    ),
    _config_format(
        Kind.ACL_JSON,
        perhaps=r"acl(?:[-_.].*)?\.json",
        contents=(
            (
                r"\A\ufeff?\s*\{\s*\"(?:dump\"\s*:\s*\{\s*\"dump_\w+|profiler\"\s*:\s*\{\s*\"(?:switch|output)"
                r"|defaultDevice\"\s*:\s*\{\s*\"default_device|StackSize\"\s*:\s*\{\s*\"(?:aicore|simt)_\w+"
                r"|err_msg_mode|max_opqueue_num|sim[dt]_printf_fifo_size\w*)\"\s*:"
            ),
        ),
        json=True,
        named_by=("TORCH_ACL_INIT_CONFIG_PATH",),
    ),
    _config_format(
        Kind.MINDIE,
        perhaps=r"(?:.*[-_.])?(?:config|ms_controller|ms_coordinator|node_manager)(?:[-_. ].*)?\.json",
        contents=(
            r"\"(?:ServerConfig|BackendConfig|ModelDeployParam)\"\s*:\s*\{",
            r"\"mindie_(?:server_(?:prefill|decode)_config|ms_\w+_config|env_path|host_log_path|ms_coordinator_port)\"\s*:",
            r"\"(?:single_[pd]_instance_pod_num|[pd]_pod_npu_num|role_decision_methods|string_token_rate|heartbeat_interval_seconds|running_mode|node_manager_\w+)\"\s*:",
            r"\"digs_scheduler_config\"\s*:\s*\{",
            r"\"motor_(?:deploy|controller|coordinator|nodemanger|engine_[a-z]+)_config\"\s*:",
        ),
        json=True,
        shown_by=(
            *("ServerConfig", "BackendConfig", "ModelDeployConfig", "ModelDeployParam", "ScheduleConfig"),
            *("digs_scheduler_config", "mindie_ms_coordinator_port", "single_p_instance_pod_num"),
            *("role_decision_methods", "string_token_rate", "heartbeat_interval_seconds"),
            *("motor_deploy_config", "motor_controller_config", "motor_coordinator_config"),
            *(f"motor_engine_{role}_config" for role in ("prefill", "decode", "encode", "union")),
        ),
        named_by=("MIES_CONFIG_JSON_PATH",),
    ),
    _config_format(
        Kind.AMCT,
        perhaps=r"(?:.*[-_.])?(?:amct|quant|calibration)(?:[-_.].*)?\.json",
        contents=(
            (
                r"\"activation_quant_params\"\s*:\s*\{\s*"
                r"\"(?:num_bits|m(?:ax|in)_percentile|search_(?:range|step)|act_algo|num_of_bins|asymmetric)\""
            ),
            r"\"weight_quant_params\"\s*:\s*\{\s*\"(?:num_bits|wts_algo)\"",
        ),
        json=True,
        shown_by=("activation_quant_params", "weight_quant_params"),
    ),
    _config_format(
        Kind.REQUIREMENTS,
        names=("pyproject.toml",),
        habit=r"(?:.*[-_.])?requirements?(?:[-_.].*)?\.txt",
        editor_ids=("pip-requirements",),
        hash_comments=True,
    ),
    # A mapping in YAML, where nothing else of the file is ours.
    _config_format(
        Kind.MINDFORMERS,
        hash_comments=True,
        keys=(
            *("device_target", "max_device_memory", "max_call_depth", "save_graphs", "ascend_config"),
            *("memory_optimize_level", "mempool_block_size"),
            *("parallel_mode", "gradients_mean", "enable_parallel_optimizer", "strategy_ckpt_config"),
            *("strategy_ckpt_save_file", "dataset_strategy", "full_batch"),
        ),
    ),
    # Whatever else a file in JSON is, it may hold variables: these names are those of editors, containers and launchers.
    Language(
        Kind.JSON,
        "hosts.json_variables",
        words="host",
        contents=(
            r"\"(?=[\w.]{3,60}\"\s*:\s*[\[{])[^\"]*[eE][nN][vV]",
            r"\"(?:cmd|command|script|run|[a-zA-Z]{1,20}Command)\"\s{0,20}:\s{0,20}\"[^\"]{0,300}\bexport ",
        ),
        labels=("json", "jsonc", "json5"),
        host=True,
        writer=_HOST_WRITER,
        json=True,
        perhaps=r"(?:launch|tasks|settings|kernel|devcontainer|\.devcontainer)\.json|(?:.*[-_.])?envs?(?:[-_.].*)?\.json",
    ),
)
BY_KIND: dict[Kind, Language] = {language.kind: language for language in LANGUAGES}
BY_LABEL: dict[str, Kind] = {label: language.kind for language in LANGUAGES for label in language.labels}
"""What people call a language, in small letters: beside a fence, as the mark of a here-document."""


def kinds(**facts: bool) -> frozenset[Kind]:
    """Return the kinds whose rows say so: `kinds(host=True)`."""
    return frozenset(row.kind for row in LANGUAGES if all(getattr(row, name) == fact for name, fact in facts.items()))


SCRIPTS = frozenset(row.kind for row in LANGUAGES if row.interpreters)
"""What is run as it is: the paths in it are those of files."""
PAGES = kinds(page=True)


def _check() -> None:
    """Refuse a table that would be wrong about a file: better no program than a wrong fix."""
    if len(BY_KIND) < len(LANGUAGES) or set(BY_KIND) != set(Kind) - {Kind.OTHER}:
        raise ValueError("every kind of file needs one row")
    for row in LANGUAGES:
        if row.host and row.writer is None:
            raise ValueError(f"{row.kind.value}: a host whose inner texts nobody can change")
    for field in ("suffixes", "names", "editor_ids", "labels", "named_by"):
        words = [word for row in LANGUAGES for word in getattr(row, field)]
        if len(words) > len(set(words)):
            raise ValueError(f"two rows share one of their {field}")


_check()
