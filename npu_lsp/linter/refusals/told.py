"""What a launch is told, asked by name: its options, the keys of their JSON, the variables that it gets, its model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from math import prod
from typing import Any, Literal, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.launch import Known, Launch, options_of, whole
from npu_lsp.linter.launch.programs import plain, programs
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_OFF = frozenset({"false", "0", "off", "none", "null", ""})
_MODEL = ("model", "model-path")
_SERVED = re.compile(r"\bvllm[ \t]+serve[ \t]+['\"]?(?P<model>[^\s\"'$`;&|<>-][^\s\"'$`;&|<>]{0,400})")
_SIZES = ("heads", "kv", "experts")
_RECURRENT = re.compile(r"(?i)rwkv")
"""Models that keep a state and have no attention."""
_FILES = ("config",)
"""Options that name a file with more options."""
_FILE = re.compile(r"\bllamafactory-cli[ \t]+train[ \t]+\S+\.(?:ya?ml|json)\b")
"""The same without an option."""
_OPEN_KEY = re.compile(r"[\"']?[ \t]*:[ \t]*(?:#|\r|\n|\Z)")
"""Behind a key of YAML: nothing on its line, which is null, or a mapping below."""
_MEGATRON = re.compile(r"\bmegatron[ \t]+(?:pt|sft|rlhf)\b")
"""A command of ms-swift that trains with Megatron, and asks for other things than `swift` does."""


class LaunchAnswer(NamedTuple):
    """What is known of one name: its value, that it is not set, or nothing."""

    state: Literal["known", "absent", "unknown"]
    data: Scalar = None
    said: tuple[Setting, ...] = ()
    """The settings that say it; none where it holds without one."""

    @property
    def is_on(self) -> bool | None:
        """Whether it is switched on, or given; `None` where nobody knows."""
        if self.state == "unknown":
            return None
        if self.data is None:
            return self.state == "known" and self.said[-1].value.kind is not ValueKind.NONE
        return str(self.data).lower() not in _OFF

    @property
    def items(self) -> Sequence[str]:
        """Its value as text; of a list, that of each item."""
        return tuple(map(str, self._listed or (self.data,)))

    @property
    def numbers(self) -> Sequence[int]:
        """The whole number that it is, or those that its items are; none where one of them is no such number."""
        # For Python `true` is 1.
        found = [int(each) if isinstance(each, bool) else whole(each) for each in self._listed or (self.data,)]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) else ()

    @property
    def _listed(self) -> Sequence[object]:
        data = self.said[-1].value.data if self.said else None
        return data if isinstance(data, (list, tuple)) else ()


_UNKNOWN = LaunchAnswer("unknown")


def model_sizes(name: str, catalog: Catalog) -> Mapping[str, int]:
    """Return the sizes of the model that is called so, as `models.toml` has them; none where it doesn't know it."""
    rows: Sequence[Mapping[str, Any]] = catalog.plain("models")["patterns"]
    nothing: Mapping[str, Any] = {}
    name = name.replace("_", "-")
    row = next((row for row in rows if any(fnmatchcase(name, each) for each in row["names"])), nothing)
    return {what: row[what] for what in _SIZES if what in row}


class Told:
    """A launch that is asked about names: `max-model-len`, `compilation_config.cudagraph_mode`, `$HCCL_IF_IP`, `@processes`."""

    def __init__(self, launch: Launch, context: Context) -> None:
        self.launch = launch
        self._context = context
        self._asked: dict[str, LaunchAnswer] = {}

    def ask(self, name: str) -> LaunchAnswer:
        """Return what is known of a name."""
        found = self._asked.get(name)
        if found is None:
            found = self._asked[name] = self._find(name)
        return found

    def may_be_set(self, name: str) -> bool:
        """Return whether something says a name; False: `ask` tells its default, or nothing."""
        if name.startswith("$"):
            return self.ask(name).state != "absent"
        return name in self._keys or plain(name) in self._options

    @cached_property
    def model(self) -> str | None:
        """The last part of the model's name, in small letters, where the launch names one."""
        said = next(
            (each for name in _MODEL if (each := self.launch.setting(self.launch.spelling(name))) is not None), None
        )
        name = str(said.value.data) if said is not None else None
        if name is None and (served := _SERVED.search(self._context.text(self.launch.span))) is not None:
            name = served["model"]
        return name.rstrip("/").rpartition("/")[2].lower() if name else None

    def _find(self, name: str) -> LaunchAnswer:
        if name.startswith("$"):
            return self._variable(name[1:])
        if name.startswith("@"):
            counted = self._counted(name[1:])
            return LaunchAnswer("known", counted.number, counted.said) if counted is not None else _UNKNOWN
        catalog, surface = self._context.catalog, self.launch.block.surface
        own = not self.launch.program.called and (catalog.option(surface, name) or catalog.of_others(surface, name))
        return self._key(name) if ("." in name or "_" in name) and not own else self._option(name)

    def _counted(self, what: str) -> Known | None:
        """Return how many processes there are here, in all (`total`), or copies of the model; `container`: 1 inside of one.

        `recurrent`: 1 where the text is about models without attention. `megatron`: 1 for the commands of ms-swift that train with it.
        `heads`, `kv` and `experts` are those of the model, where its name tells.
        """
        if what in _SIZES:
            number = model_sizes(self.model, self._context.catalog).get(what) if self.model is not None else None
            return Known(number) if number is not None else None
        if what == "recurrent":
            return Known(int(_is_recurrent(self._context.document)))
        if what == "container":
            return Known(int(any(each.holds(self.launch.block.head) for each in containers(self._context))))
        if what == "megatron":
            return Known(int(_MEGATRON.search(self._context.text(self.launch.span)) is not None))
        if what == "processes":
            return self.launch.processes
        total, sizes = self.launch.total, self.launch.factors()
        if what == "total" or total is None or sizes is None:
            return total if what == "total" else None
        number = prod(each.number for each in sizes)
        return Known(total.number // number) if number and total.number % number == 0 else None

    def _variable(self, name: str) -> LaunchAnswer:
        said = self.launch.environment.value(name)
        if said is not None:
            return LaunchAnswer("known", _scalar(said), (said,))
        if self.launch.environment.is_set(name) or self._has_more_variables:
            return _UNKNOWN
        return _unset(self._context.catalog, Surface.ENV, name)

    def _option(self, name: str) -> LaunchAnswer:
        launch, option, catalog = self.launch, self.launch.spelling(name), self._context.catalog
        own = launch.inner is None or catalog.option(launch.block.surface, option) is not None
        block = launch.block if own or launch.inner is None else launch.inner
        found = launch.settings(option, block)
        if not found:
            return _UNKNOWN if block.open or self._has_more_options else _unset(catalog, block.surface, option)
        last = launch.last(found, block)
        if last is None:
            return _UNKNOWN
        if last.value.known:
            return LaunchAnswer("known", _scalar(last), (last,))
        if _OPEN_KEY.match(self._context.document.text, last.key.end):
            return LaunchAnswer("unknown", None, (last,))
        known = catalog.option(block.surface, option)
        switch = known is None or (known.type == "bool" and known.nargs is None)
        alone = last.value.span.start == last.value.span.end if switch else _is_switch(known)
        return LaunchAnswer("known", True, (last,)) if alone else LaunchAnswer("unknown", None, (last,))

    def _key(self, name: str) -> LaunchAnswer:
        """Return what is known of a key of the JSON or the dict in an argument."""
        found = self._keys.get(name)
        if found:
            known = found[-1].value.known and len({str(each.value.data) for each in found}) == 1
            return LaunchAnswer("known", _scalar(found[-1]), (found[-1],)) if known else _UNKNOWN
        if self.launch.block.open or self._has_more_options:
            return _UNKNOWN
        top, catalog = name.partition(".")[0], self._context.catalog
        vllm = catalog.option(Surface.VLLM_ARGS, top) is not None
        if self.launch.is_set(self.launch.spelling(plain(top) if vllm else "additional-config")):
            others = (each for said in self._keys.values() for each in said)
            beside = (each for each in others if (each.surface is Surface.ADDITIONAL_CONFIG) is not vllm)
            if not any(each.name.partition(".")[0] == top or not vllm for each in beside):
                return _UNKNOWN
        return _unset(catalog, Surface.VLLM_ARGS if vllm else Surface.ADDITIONAL_CONFIG, name)

    @cached_property
    def _options(self) -> frozenset[str]:
        """The options that are set, as `plain` has them."""
        blocks = (each for each in (self.launch.block, self.launch.inner) if each is not None)
        return frozenset().union(*(options_of(self._context, each) for each in blocks))

    @cached_property
    def _keys(self) -> Mapping[str, list[Setting]]:
        launch = self.launch
        inside = [
            setting
            for block in self._context.parsed.blocks
            if block.command is None and block.surface is Surface.ADDITIONAL_CONFIG and block.span.within(launch.span)
            for setting in block.settings
        ]
        found: dict[str, list[Setting]] = {}
        for each in (*launch.keys, *(each for each in inside if each not in launch.keys)):
            found.setdefault(each.name, []).append(each)
        return found

    @cached_property
    def _is_part(self) -> bool:
        """Whether the text shows a part of what is run, or is damaged: what isn't there may be set all the same."""
        return self._context.document.kind in PAGES or self._context.parsed.damaged

    @cached_property
    def _has_more_options(self) -> bool:
        named = _FILE.search(self._context.text(self.launch.span))
        return self._is_part or named is not None or any(map(self.launch.is_set, _FILES))

    @cached_property
    def _has_more_variables(self) -> bool:
        # What PyMotor's `user_config.json` starts gets its variables from another file.
        return self._is_part or self._context.document.kind is Kind.MINDIE or self.launch.sources_before()


def _is_switch(option: Option | None) -> bool:
    return option is not None and (option.nargs == "0" or option.type == "none")


@lru_cache(maxsize=2048)
def _unset(catalog: Catalog, surface: Surface, name: str) -> LaunchAnswer:
    """Return what is known of a name that isn't set."""
    row, option = programs(catalog).get(surface), catalog.option(surface, name)
    default = row.default.get(plain(name)) if row is not None else None
    if default is not None:
        return LaunchAnswer("absent", default)
    values = {each.value for each in option.defaults} if option is not None else set()
    return LaunchAnswer("absent", values.pop()) if len(values) == 1 else LaunchAnswer("absent")


def defaults(name: str, catalog: Catalog, surfaces: Iterable[Surface]) -> set[LaunchAnswer]:
    """Return all that may be known of a name that isn't set, where the options are those of `surfaces`."""
    if name.startswith("$"):
        return {_unset(catalog, Surface.ENV, name[1:])}
    asked = (*surfaces, Surface.VLLM_ARGS, Surface.ADDITIONAL_CONFIG)
    return {_unset(catalog, surface, said) for surface in asked for said in {name, name.replace("-", "_")}}


def _scalar(setting: Setting) -> Scalar:
    data = setting.value.data
    return data if data is None or isinstance(data, (str, int, float, bool)) else str(data)


@Memoized
def _is_recurrent(document: Document) -> bool:
    return _RECURRENT.search(f"{document.path}\n{document.text}") is not None
