"""What a text says of checks is what the catalog checks: else people read of an error that nothing tells them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Removal, Surface
from npu_lsp.catalog.target import Version

_NEEDED = re.compile(
    r"(?:(?:[A-Z]\w+(?: \d[\w.]*)?|[Tt]he \w+) stops without it\b|Without it (?:[A-Z]\w+|the \w+) stops\b)"
)
_REFUSED = re.compile(
    r"(?:Another|Any other|Other|another|any other|other) (value|key)s?\b(?: in it)? (?:stops?|raises?|(?:is|are) an error)\b"
)
_RANGE = re.compile(r"(?:\A|[,;] )(?:[Ff]rom )?(-?\d[\d.]*\b) to (-?\d[\d.]*\b)(?=[.;,:)]|\Z| \()")
_ABOVE = re.compile(r"(?:\A|; |\band )(?:[Mm]ore|[Gg]reater) than (\d[\d.]*\b)(?=[.;,]|\Z)")
_DEFAULT = re.compile(
    r"(?:Out of range(?: means|:) |Without it:? )(\d+(?:\.\d+)?)(?![\d.]*\d)(?=[.;]|\Z)|\A(\d[\d.]*\b)(?= by default)"
)
_NAMED = re.compile(r"(?<![\w.-])--[a-z][\w-]+|(?<![\w./-])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_ELSEWHERE = {
    *("--key", "NHR_V1", "TORCHINDUCTOR_CATLASS"),  # a form, an algorithm, the head of names
    *("--autofuse_disable_pass", "--autofuse_enable_pass", "--enable_autofuse"),  # in AUTOFUSE_FLAGS
    *(
        "--cxx_abi",
        "--default_kv_lease_ttl",
        "--no-async-scheduling",
    ),  # set_env.sh of ATB, Mooncake's master, vLLM's negation
    *("ACL_AICORE_PIPE_UTILIZATION", "DT_FLOAT", "DYNAMIC_INPUT", "OPTION_GLOBAL_RESOURCE_CONFIG"),  # constants
    *("ACL_ALLOW_HF32", "ACL_OP_JIT_COMPILE", "AICPU_FLAG", "TUNE_DEVICE_IDS"),  # names in CANN's source
    *(
        "DNN_VM_AICPU",
        "D_R",
        "UB_CTP",
        "UB_RTP",
        "DAC_OVERRIDE",
        "IPC_LOCK",
        "SYS_PTRACE",
    ),  # engines, algorithms, transports, capabilities of Linux
    *("LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHINDUCTOR_CACHE_DIR"),  # PyTorch's variables
    *("POD_IP", "VLLM_USE_RUST_FRONTEND"),  # of Kubernetes' files, of vLLM
}
"""What texts name that is no option, and whose it is."""
_SENTENCE = re.compile(r"(?<=[.;,])\s+")


def _sentences(catalog: Catalog, option: Option) -> Iterator[str]:
    docs = catalog.docs(option.surface, option.name)
    for text in (docs.summary, docs.text, docs.note):
        if text is not None:
            yield from _SENTENCE.split(text.en.replace("\n", " "))


def _options() -> list[Option]:
    catalog = load()
    return [option for surface in Surface for option in catalog.options(surface) if option.removed is None]


def unmarked(catalog: Catalog, options: Iterable[Option]) -> set[str]:
    """Return the options whose text says that a program stops without them, and that nobody misses."""
    return {
        option.name
        for option in options
        if not option.required and any(_NEEDED.match(sentence) for sentence in _sentences(catalog, option))
    }


def unchecked(catalog: Catalog, options: Iterable[Option]) -> set[str]:
    """Return the options whose text says that other values, or keys in them, are refused, and whose facts say otherwise."""
    found = set()
    for option in options:
        for told in map(_REFUSED.match, _sentences(catalog, option)):
            if told is None:
                continue
            bounds = (option.minimum, option.maximum, option.above, option.grammar)
            typed = option.type in ("int", "float", "bool")
            listed = bool(option.values) and not option.open
            known = listed or typed or any(each is not None for each in bounds)
            checked = (
                option.enforced and known
                if told[1] == "value"
                else bool(option.enforced or option.refuses or catalog.checked(option.surface))
            )
            if not checked:
                found.add(option.name)
    return found


def misnumbered(catalog: Catalog, options: Iterable[Option]) -> dict[str, str]:
    """Return the options whose text names a range or a default that their facts don't have, with the sentence."""
    found = {}
    for option in options:
        if option.type not in ("int", "float"):
            continue
        bounds = {float(each) for each in (option.minimum, option.maximum, option.above) if each is not None}
        above = {option.above, option.minimum - 1 if option.type == "int" and option.minimum is not None else None}
        values = {float(each.value) for each in option.values if isinstance(each.value, (int, float))}
        defaults = {str(each.value).removesuffix(".0") for each in option.defaults}
        for sentence in _sentences(catalog, option):
            if any(not set(map(float, each)) <= bounds | values for each in _RANGE.findall(sentence)):
                found[option.name] = sentence
            if any(float(each) not in above for each in _ABOVE.findall(sentence)):
                found[option.name] = sentence
            if any((each or other) not in defaults for each, other in _DEFAULT.findall(sentence)):
                found[option.name] = sentence
    return found


def unheard(catalog: Catalog, options: Iterable[Option], elsewhere: AbstractSet[str] = _ELSEWHERE) -> dict[str, str]:
    """Return flags and variables that texts name and that exist nowhere, each with the option whose text it is."""
    known = set(elsewhere)
    for table in ("other_flags", "other_variables"):
        known |= set(re.findall(r"[\w-]{3,99}", (DATA / f"{table}.toml").read_text("utf-8")))
    every = [option for surface in Surface for option in catalog.options(surface)]
    for option in every:
        names = {part for name in (option.name, *option.aliases, option.topic) for part in (name, *name.split("."))}
        names |= {str(each.value) for each in option.values}
        known |= {form for name in names for form in (name, name.replace("_", "-"), name.replace("-", "_"))}
    found = {}
    for option in options:
        for sentence in _sentences(catalog, option):
            for name in _NAMED.findall(sentence):
                if name not in known and name.lstrip("-") not in known:
                    found[name] = option.name
    return found


def undated(catalog: Catalog, options: Iterable[Option]) -> set[str]:
    """Return the options whose text says that slips pass, without the release from which on the tool checks all of its names and types."""
    return {
        option.name
        for option in options
        if (checked := catalog.checked(option.surface)) is not None
        and any("silently ignored" in each or "counts as true" in each for each in _sentences(catalog, option))
        and f"efore {checked}" not in " ".join(_sentences(catalog, option))
    }


def outlived(catalog: Catalog, options: Iterable[Option]) -> set[str]:
    """Return relations with an option that was gone before this one came: no release has both."""
    found = set()
    for option in options:
        for relation in option.relations:
            other = catalog.option(relation.other_surface or option.surface, relation.other)
            if other is not None and other.removed is not None and _came_after(option, other, other.removed):
                found.add(f"{option.name} {relation.kind} {other.name}")
    return found


def _came_after(option: Option, other: Option, gone: Removal) -> bool:
    if gone.version is None:
        return True
    if option.since is None or option.component != other.component:
        return False
    first, last = (Version.parse(each) for each in (option.since.split(", ")[0], gone.version.split(", ")[-1]))
    return last < first


def test_what_a_program_stops_without_is_required() -> None:
    catalog, options = load(), _options()
    assert unmarked(catalog, options) == set()
    port = catalog.option(Surface.MINDIE, "ServerConfig.metricsPort")
    assert port is not None
    assert unmarked(catalog, [port._replace(required=())]) == {"ServerConfig.metricsPort"}


def test_what_is_said_to_be_refused_is_refused() -> None:
    catalog, options = load(), _options()
    assert unchecked(catalog, options) == set()
    policy = catalog.option(Surface.MINDSPEED, "schedules-method")
    assert policy is not None
    assert unchecked(catalog, [policy._replace(enforced=False)]) == {"schedules-method"}
    assert unchecked(catalog, [policy._replace(values=())]) == {"schedules-method"}


def test_no_relation_is_with_an_option_that_was_gone_before() -> None:
    catalog, options = load(), _options()
    assert outlived(catalog, options) == set()
    option = catalog.option(Surface.SESSION, "precision_mode")
    assert option is not None
    other = option.relations[0]._replace(other="auto_tune_mode", other_surface=None)
    gone = catalog.option(Surface.SESSION, "auto_tune_mode")
    assert gone is not None
    assert gone.removed is not None
    came = option._replace(relations=(other,), since="99.0")
    assert outlived(catalog, [came]) == {f"precision_mode {other.kind} auto_tune_mode"}


def test_a_number_in_a_text_is_the_number_that_is_checked() -> None:
    catalog, options = load(), _options()
    assert misnumbered(catalog, options) == {}
    ratio = catalog.option(Surface.ENV, "INDUCTOR_ASCEND_COSTMODEL_RATIO")
    file_number = catalog.option(Surface.ENV, "ASCEND_HOST_LOG_FILE_NUM")
    assert ratio is not None
    assert file_number is not None
    wrong = [ratio._replace(above=None, minimum=0), file_number._replace(defaults=())]
    assert set(misnumbered(catalog, wrong)) == {ratio.name, file_number.name}


def test_a_flag_or_variable_that_a_text_names_is_one() -> None:
    catalog, options = load(), _options()
    assert unheard(catalog, options) == {}
    assert unheard(catalog, options, _ELSEWHERE - {"POD_IP"}) == {"POD_IP": "http_server.ip"}


def test_what_a_release_began_to_check_is_said_with_the_release() -> None:
    catalog, options = load(), _options()
    assert undated(catalog, options) == set()
    dated = [each for each in options if any("before 0.27.1rc1" in one.lower() for one in _sentences(catalog, each))]
    assert len(dated) > 20
