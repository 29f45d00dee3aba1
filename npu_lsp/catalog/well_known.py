"""Names of other tools that stand beside an NPU's, in a text: those that have a slip, and what was meant.

Modules, commands and their words, variables, packages, devices, hosts. What is close to one of its list, and isn't in it, has one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from npu_lsp.catalog.near import Ends, distance
from npu_lsp.catalog.surfaces import ROWS, Surface
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import before
from npu_lsp.text.word_search import in_lines_with, lines_with, matches

ABOUT = re.compile(r"(?i)(?<![a-z])npus?(?![a-z])|ascend|mindspore|mindspeed|mindie|torch_npu|hccl|davinci")
"""A word of a text, or of what was meant, without which nobody runs it on NPUs."""
_BEGIN = r"(?:^|[;&|(`]|\$\(|\b(?:if|then|else|do|while|time|exec|nohup|sudo)[ \t])[ \t]*(?:[A-Z_]\w{0,40}=[^\s;&|(]{0,80}[ \t]+){0,3}"
_COMMAND = re.compile(rf"{_BEGIN}(?P<command>[a-z][\w-]{{4,24}})(?=[ \t]+[\w/.$-])", re.MULTILINE)
_BEGINS = re.compile(_BEGIN + r"\Z", re.MULTILINE)
_SUBCOMMAND = re.compile(
    r"(?P<command>[vnrsald](?<!\w.)(?:(?<=v)llm|(?<=n)pu-smi|(?<=r)ay|(?<=s)wift|(?<=a)ccelerate|(?<=l)lamafactory-cli|(?<=d)ocker))[ \t]+(?P<sub>[a-z][a-z-]{2,20})(?=[ \t\r\n])"
)
_RUN_MODULE = re.compile(
    r"p(?<=\bp)ython[\d.]*[ \t]+(?:-[a-ln-zA-Z]{1,12}[ \t]+){0,3}-m[ \t]+(?P<module>[A-Za-z_][\w.]{2,100})(?=[ \t\r\n\\])"
)
_INSTALL = re.compile(r"p(?<=\bp)ip[\d.]*[ \t]+install[ \t](?P<packages>[^\r\n;&|#]{1,400})")
_PACKAGE = re.compile(
    r"(?<![\w/.@+=-])(?P<package>[A-Za-z][\w.-]{3,40})(?=(?:\[[\w,]{1,40}\])?(?:[=<>~!]=|[ \t\r\n'\"]|$))"
)
_REQUIRED = re.compile(
    r"^(?P<package>[A-Za-z][\w-]{3,40})(?=(?:\[[\w,]{1,40}\])?[ \t]*(?:[=<>~!]=|[;#\r\n]|$))", re.MULTILINE
)
_IMPORT = re.compile(
    r"^[ \t]*(?:(?:>>>|\.\.\.)[ \t]+)?(?:from[ \t]+(?P<package>[A-Za-z_][\w.]{2,100})[ \t]+import[ \t]+\(?(?P<names>[A-Za-z_][\w, \t]{0,200})|import[ \t]+(?P<module>[A-Za-z_][\w.]{2,100}))",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{4,60}")
_CAPITALS, _LOWER = re.compile(r"[A-Z][A-Z0-9_]{6,60}"), re.compile(r"l[a-z]{6,9}")
_SET = re.compile(
    r"(?:^[ \t]*(?:-[ \t]+[\"']?)?|[;&][ \t]*|\\n|\b(?:export|ENV|env|-e)[ \t]+[\"']?)(?P<variable>[A-Z][A-Z0-9_]{6,60})(?:=(?!=)|:[ \t])"
    r"|^[ \t]*ENV[ \t]+(?P<old>[A-Z][A-Z0-9_]{6,60})[ \t]+\S"
    r"|environ(?:\[|\.setdefault\([ \t]*)[\"'](?P<item>[A-Z][A-Z0-9_]{6,60})[\"'](?:\][ \t]*=(?!=)|,)",
    re.MULTILINE,
)
_READ = re.compile(r"\$\{?(?P<plain>[A-Z]\w*)|(?:getenv\(|\.get\(|environ\[)[\"'](?P<asked>[A-Z]\w*)[\"'](?!\][ \t]*=)")
_GIVEN = re.compile(
    r"^[ \t]*(?i:ENV|ARG)[ \t]+[^=\s]{1,80}(?:[ \t]+\w{1,80}(?=[ \t\r\n]|\Z)){0,20}|\b[A-Z_]\w{0,80}(?==)"
    r"|\b(?:for|read|local|declare|unset|source)\b[^\r\n;&|]{0,200}",
    re.MULTILINE,
)
_DEFAULT = re.compile(r":?[-=+?]")
"""What stands behind a name in braces that may well be empty: `${A:-b}`."""
_MEMBERS = tuple(
    (owner, re.compile(rf"{owner}\.(?<![\w.]{owner}\.)(?P<member>[A-Za-z]\w{{6,40}})(?![\w.]|[ \t]*=[^=])"))
    for owner in ("mindspore", "ms", "torch")
)
"""A pattern for each: with a word in front it looks for that first, where one that begins with several is tried at each sign."""
_SHORT_FOR = re.compile(r"^[ \t]*import mindspore as ms\b", re.MULTILINE)
_GIVEN_DEVICE = r"(?:[ \t]{0,26}[=(])?[ \t]{0,26}[\"']?(?<=[\"' =])(?P<device>(?:(?i:nup|pnu|unp|upn|pun|ascend)|NPU)(?::?\d{1,2})?|npu(?:\d{1,2}|[:：](?!\d)\w?|：\d))(?=[\"' \t\r\n\\]|$)(?![\"'][ \t]*[+%.])"
_DEVICES = tuple(re.compile(word + _GIVEN_DEVICE) for word in (r"device(?:_map)?", "map_location", r"\.to\("))
_TAKES_DEVICE = re.compile(
    r"(?:(?P<any>\bdevice[ \t]*=[ \t]*[\"']|(?P<flag>--device(?:=|[ \t]+)))|(?:device_map|map_location)[ \t]*=[ \t]*[\"']|(?:torch\.device|\.to|npu\.set_device)\([ \t]*[\"'])\Z"
)
_AUTOCAST = re.compile(r"\bautocast\([ \t]*(?:device_type[ \t]*=[ \t]*)?[\"'](?P<device>npu:\d+)[\"']")
_NUMBERED = re.compile(r"npu:\d+|npu")
_NO_NUMBER = re.compile(r"(?P<kind>[^\W\d]{2,7})[:：]?(?P<number>\w{0,3})")
_BACKEND = re.compile(
    r"init_process_group\([^()\r\n]{0,100}?[\"'](?P<backend>h\w{2,4})[\"']|--(?:dist[_-])?backend(?:=|[ \t]+)(?P<flag>h\w{2,4})(?=[ \t\r\n\\]|$)"
)
_HOST = re.compile(
    r"(?:(?i:addr(?:ess)?|host|ip|url|endpoint)[\"']?\]?[ \t]{0,4}[=:][ \t]{0,4}[\"']?|--[\w-]{0,20}(?:addr|host|ip|address)[= ][\"']?|(?:https?|tcp)://)"
    r"(?P<host>l[a-z]{6,9})(?![\w.(\[-])"
)
_LOCAL = "localhost"
_OPTION = re.compile(
    r"(?:docker(?<=\bdocker)[ \t]+(?:container[ \t]+)?run|\.(?<=[\w./${}-]\.)run(?!\())\b(?P<rest>(?:[^\r\n;&|\\]|\\\r?\n){1,3000})"
)
_FILE, _PATH = re.compile(r"[./][\w./${}-]{2,120}\Z"), 125
_FLAG = re.compile(r"(?<=[ \t\n])(?P<dashes>-{1,3})(?P<flag>[a-z][a-z_-]{3,30})(?=[ \t=\r\n\\]|$)")
_OTHERWISE = {"port": "publish", "ports": "publish", "volumes": "volume", "devices": "device"}
_OTHERWISE |= {"environment": "env", "envs": "env"}
"""What an option of `docker run` is called elsewhere, as in the keys of Compose."""
_RUN = frozenset(
    ("ais_bench", "sglang_router.launch_router", *(module for row in ROWS.values() for module in row.modules))
)
"""Modules that are run."""
_WORDS = re.compile(r"(?:\"[^\"]*\"|'[^']*'|\\[^\r\n]|[^\s\"'\\])+")
_SHORT = re.compile(r"-(?P<switches>[ditPq]+)|-[a-zA-Z]")
_DASHES = re.compile(
    r"^(?:(?!\b(?:echo|printf)\b)[^\r\n])*?[ \t](?P<flag>-{3,6}[a-z][\w-]{0,39}\w)(?=[ \t=\r\n\\]|$)", re.MULTILINE
)
"""What is printed may be a line of dashes."""
_LEAST, _SURE = 5, 6
"""Letters of a name, and of one in which a slip makes no other name."""
_DIGITS = re.compile(r"\d+")


class WellKnown(NamedTuple):
    """A misspelt name in a text, where it stands, and the name that was meant."""

    kind: str
    start: int
    """Code points from the beginning of the text."""
    end: int
    near: str


def misspelt(text: str, kind: str, about: str = "") -> Iterator[WellKnown]:
    """Yield the names with a slip in a text; `kind` is what it is: `python`, `shell`, `requirements`, or a host's."""
    if kind not in _PLACES:
        return
    found = list(_OF_ANY[kind](text))
    # Few texts have a word that is close to one of the lists: where words stand is looked at in these alone.
    close = frozenset(filter(_is_close, _table().ends.alike({*_WORD.findall(text)})))
    found += _PLACES[kind](text, close) if close else ()
    if found and (ABOUT.search(text) or ABOUT.search(about)):
        yield from found
    else:
        yield from (each for each in found if ABOUT.search(each.near))


@lru_cache(maxsize=20000)
def _is_close(word: str) -> bool:
    """Return whether a word is no name of the lists, and may be one with a slip: without a letter of each they are the same."""
    table = _table()
    if len(word) < _SURE or not {word, word.casefold(), word.rstrip("s"), f"{word}s"}.isdisjoint(table.all):
        return word.isupper() and f"{word}S" in table.all
    return not table.lacking.isdisjoint(_lacking(word)) and any(
        abs(len(each) - len(word)) < 2 and distance(word, each, 1) is not None for each in table.all
    )


def _lacking(word: str) -> Iterator[str]:
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _in_shell(text: str, close: Collection[str]) -> Iterator[WellKnown]:
    known = _table().commands
    for match in in_lines_with(_COMMAND, text, *(word for word in close if _near(word, known))):
        near = _near(match["command"], known)
        if near is not None:
            yield WellKnown("command", *match.span("command"), near)
    for match in _INSTALL.finditer(text):
        yield from _packages(_PACKAGE.finditer(text, *match.span("packages")))
    yield from _variables(text)


def _imports(text: str) -> Iterator[WellKnown]:
    for match in matches(_IMPORT, text, (start for start, _ in lines_with(text, "import"))):
        owner = "module" if match["module"] else "package"
        found = list(_module(match[owner], match.start(owner)))
        yield from found
        for name in _NAME.finditer(match["names"] or "") if not found else ():
            start = match.start("names") + name.start()
            near = _child(match["package"], name.group())
            if near is not None and near.startswith(name.group()):
                continue  # It has functions, too: `schedule` beside `scheduler`.
            if near is not None and min(len(name.group()), len(near)) >= _SURE + 2:
                yield WellKnown("module", start, start + len(name.group()), near)
    yield from _devices(text)


def _options(text: str) -> Iterator[WellKnown]:
    for match in _SUBCOMMAND.finditer(text):
        sub = match["sub"]
        near = _near(sub, _table().subcommands[match["command"]], 4, any_word=True)
        # A word of the language may be said: `echo the vllm server runs`.
        said = before(text, match.start()) if near is not None and sub in _table().ours else ""
        if near is not None and said is not None and _BEGINS.search(said):
            yield WellKnown("command", *match.span("sub"), near)
    yield from _run_modules(text)
    for match in _OPTION.finditer(text):
        start, end = match.span("rest")
        installs = text[match.start()] == "."
        if installs and not ((file := _FILE.search(text, max(0, start - _PATH), start)) and ABOUT.search(file[0])):
            continue
        known = _table().options["run" if installs else "docker"]
        for flag in _FLAG.finditer(text, start, end if installs else _image(text, start, end)):
            name = flag["flag"]
            right = _option(name, known)
            if right is not None and f"--{right}" != flag["dashes"] + name:
                yield WellKnown("option", flag.start(), flag.end(), f"--{right}")
    for match in _DASHES.finditer(text) if "---" in text else ():
        yield WellKnown("option", *match.span("flag"), f"--{match['flag'].lstrip('-')}")
    yield from _devices(text)


def _run_modules(text: str) -> Iterator[WellKnown]:
    for match in _RUN_MODULE.finditer(text):
        slips = [*_module(match["module"], match.start("module"))]
        near = _near(match["module"], _RUN) if not slips else None
        if (file := match["module"]).endswith(".py"):
            slips, near = [], file.removesuffix(".py")
        yield from slips if near is None else (WellKnown("module", *match.span("module"), near),)


def _option(name: str, known: frozenset[str]) -> str | None:
    """Return the option that a word is, or was meant to be; an installer has no ports and folders, and no plural of them."""
    meant = _OTHERWISE.get(name, name)
    return meant if meant in known else _near(name, known, _LEAST)


def _image(text: str, start: int, end: int) -> int:
    """Return where the options of `docker run` end: what stands behind the image is the program's."""
    known, switches = _table().options["docker"], _table().options["docker-switches"]
    takes = False
    for word in _WORDS.finditer(text, start, end):
        said, is_value = word.group(), takes
        takes = False
        if is_value or "[@]" in said or said.startswith("$("):
            continue
        if not said.startswith("-"):
            return word.start()
        short, name = _SHORT.fullmatch(said), said.lstrip("-")
        right = _option(name, known)
        takes = not short["switches"] if short is not None else right is not None and right not in switches
    return end


def _in_python(text: str, _close: Collection[str]) -> Iterator[WellKnown]:
    shortened = "import mindspore as ms" in text and _SHORT_FOR.search(text) is not None
    for owner, match in ((owner, each) for owner, pattern in _MEMBERS for each in pattern.finditer(text)):
        if owner != "ms" or shortened:
            near = _near(match["member"], _table().members["mindspore" if owner == "ms" else owner], 7)
            # What sets a thing has one beside it that gets it.
            if near is not None and (match["member"][:4], near[:4]) != ("get_", "set_"):
                yield WellKnown("member", *match.span("member"), near)
    yield from _variables(text)


def _packages(matches: Iterable[re.Match[str]]) -> Iterator[WellKnown]:
    known = _table().packages
    for match in matches:
        name = match["package"].casefold().replace("_", "-")
        near = _near(name, known) if name not in known else None
        if near is not None:
            yield WellKnown("package", *match.span("package"), near)


def _read(text: str) -> frozenset[str]:
    return frozenset(match["plain"] or match["asked"] for match in _READ.finditer(text))


def _variables(text: str, _close: Collection[str] = ()) -> Iterator[WellKnown]:
    read: frozenset[str] | None = None
    near_ones = {name: near for name in {*_CAPITALS.findall(text)} if (near := _near(name, _table().variables, 9))}
    for match in in_lines_with(_SET, text, *near_ones):
        near = near_ones.get(name := match[group := str(match.lastgroup)])
        # Whoever reads it has one of that name.
        if near is not None and name not in (read if read is not None else (read := _read(text))):
            yield WellKnown("variable", *match.span(group), near)
    hosts = {name for name in {*_LOWER.findall(text), _LOCAL} if distance(name, _LOCAL, 1) is not None} - {_LOCAL}
    found = _HOST.finditer(text) if hosts else ()
    yield from (WellKnown("host", *each.span("host"), _LOCAL) for each in found if each["host"] in hosts)


def _in_dockerfile(text: str, _close: Collection[str]) -> Iterator[WellKnown]:
    """Yield the slips in what is set, and in what is put together with a variable that nothing sets: `ENV PATH=/a:$PTAH`."""
    yield from _variables(text)
    # What the image sets is set, too; a name of the list with a slip in it is not.
    given: frozenset[str] | None = None
    for match in _READ.finditer(text):
        name = match["plain"]
        near = _near(name, _table().variables, 9) if name else None
        if near is None or (match[0][1] == "{" and _DEFAULT.match(text, match.end())):
            continue
        if given is None:
            given = frozenset(_NAME.findall(" ".join(each.group() for each in _GIVEN.finditer(text))))
        if name not in given:
            yield WellKnown("unset", *match.span("plain"), near)


def _module(name: str, at: int) -> Iterator[WellKnown]:
    """Yield the part of a module's name that has a slip."""
    owner = ""
    for part in name.split("."):
        near = _child(owner, part, any_word=bool(owner))
        if near is not None:
            yield WellKnown("module", at, at + len(part), near)
            return
        owner, at = f"{owner}.{part}".lstrip("."), at + len(part) + 1


def _child(owner: str, name: str, *, any_word: bool = False) -> str | None:
    known = _table().modules.get(owner)
    return (
        _near(name, known, _LEAST if owner else 7, any_word=any_word)
        if known and name.islower() and name[0] != "_"
        else None
    )


def _devices(text: str) -> Iterator[WellKnown]:
    torch = "torch_npu" in text or "torch.npu" in text
    for match in chain(*(pattern.finditer(text) for pattern in _DEVICES)):
        start, end = match.span("device")
        takes = _TAKES_DEVICE.search(text, max(0, start - 30), start)
        # Tools and engines have names of their own: `--device=Ascend`, `device = "NPU"`; PyTorch alone is known to have none.
        own = match["device"].startswith("NPU") or match["device"].casefold().startswith("ascend")
        mine = takes is not None and not (own and takes["any"]) and (torch or takes["flag"] is not None)
        near = _device(match["device"]) if mine else None
        if near is not None:
            yield WellKnown("device", start, end, near)
    for match in _AUTOCAST.finditer(text) if "autocast" in text else ():
        yield WellKnown("device", *match.span("device"), "npu")
    for match in _BACKEND.finditer(text) if "backend" in text or "init_process_group" in text else ():
        group = str(match.lastgroup)
        if match[group] != "hccl" and distance(match[group], "hccl", 1) is not None:
            yield WellKnown("backend", *match.span(group), "hccl")


@lru_cache(maxsize=256)
def _device(name: str) -> str | None:
    """Return the device that a name of torch was meant to be."""
    match = _NO_NUMBER.fullmatch(name)
    if match is None or _NUMBERED.fullmatch(name):
        return None
    kind, number = match["kind"], match["number"].replace("O", "0").replace("o", "0")
    meant = kind != "npu" and sorted(kind.casefold()) == sorted("npu")
    if not (kind == "npu" or meant or kind.casefold() == "ascend") or (number and not number.isdigit()):
        return None
    return f"npu:{number}" if number else "npu"


@lru_cache(maxsize=4096)
def _near(name: str, known: frozenset[str], least: int = _SURE, *, any_word: bool = False) -> str | None:
    """Return the one of `known` that a name of `least` letters or more has a slip of; other digits make another name.

    So do plurals and words of their own, but for `any_word`: where `known` is all that there is.
    """
    if name in known or len(name) < least or (not any_word and name in _table().ours):
        return None
    found = [
        each
        for each in known
        if abs(len(each) - len(name)) < 2
        and len(each) >= least
        and _DIGITS.findall(each) == _DIGITS.findall(name)
        and (any_word or each.rstrip("s") != name.rstrip("s") or (name.isupper() and each.startswith(name)))
        and distance(name, each, 1) is not None
    ]
    return found[0] if len(found) == 1 else None


class _Table(NamedTuple):
    commands: frozenset[str]
    variables: frozenset[str]
    packages: frozenset[str]
    modules: dict[str, frozenset[str]]
    """By the package that they stand in; under no name the packages themselves."""
    members: dict[str, frozenset[str]]
    subcommands: dict[str, frozenset[str]]
    options: dict[str, frozenset[str]]
    ours: frozenset[str]
    """Variables of our own, and words that are close to a name and no slip of it."""
    all: frozenset[str]
    lacking: frozenset[str]
    """All names, and each without one of its letters."""
    ends: Ends


@lru_cache(maxsize=1)
def _table() -> _Table:
    from npu_lsp.catalog.load import load

    catalog = load()
    facts, modules = catalog.plain("well_known"), dict(catalog.plain("modules")["modules"])
    for owner, names in facts["modules"].items():
        modules[owner] = [*modules.get(owner, ()), *names]
    modules[""] = [owner for owner in modules if "." not in owner]
    commands, variables, packages = (frozenset(facts[name]) for name in ("commands", "variables", "packages"))
    inside, members, subcommands = (
        {name: frozenset(names) for name, names in each.items()}
        for each in (modules, facts["members"], facts["subcommands"])
    )
    ours = frozenset((*facts["words"], *catalog.names(Surface.ENV)))
    names = {_LOCAL, *ours, *commands, *variables, *packages, *chain(*members.values()), *inside[""]}
    names |= {each.replace("-", "_") for each in facts["packages"]}
    options = {name: frozenset(found) for name, found in facts["options"].items()}
    lacking = frozenset(form for name in names - ours if len(name) >= _SURE for form in _lacking(name))
    lists = commands, variables, packages, inside, members, subcommands, options, ours
    return _Table(*lists, frozenset(names), lacking, Ends(names))


_PLACES = {
    "python": _in_python,
    "shell": _in_shell,
    "requirements": lambda text, _close: _packages(_REQUIRED.finditer(text)),
    "dockerfile": _in_dockerfile,
    "yaml": _variables,
    "dotenv": _variables,
}
_OF_ANY = dict.fromkeys(_PLACES, _devices) | {"shell": _options, "python": _imports}
"""What is no word of a list."""
