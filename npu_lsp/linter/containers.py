"""The containers that a file starts, as far as their settings tell: devices, what is mounted, image, rights.

Made from blocks of `docker run`, Compose and Kubernetes. What each product needs: `docs/source/installation.md` and the tutorials of
vLLM-Ascend, `component/ascend-docker-runtime/build/scripts` of mind-cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import distance
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES, SCRIPTS
from npu_lsp.linter.context import Context
from npu_lsp.text import lazy_re as re
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_CARD = re.compile(r"/dev/davinci\d+")
_MANAGER, _MEMORY, _HOST = "/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"
_DEVICES = (_MANAGER, _MEMORY, _HOST)
_DEVICES_950 = (_MANAGER, _HOST, "/dev/ummu", "/dev/uburma")
_OTHER_DEVICES = frozenset({"/dev/davinci_manager_docker", "/dev/devmm_svm0", "/dev/hisi_hdc0"})
_ALIKE = re.compile(r"/dev/(?:dav|devm|hisi|his_|divinci|dvinci)\w*", re.IGNORECASE)
_CARDS = re.compile(r"/dev/davinci(?:\d+|\[[\d-]+\])")
_FARTHEST = 4
"""Slips: `dav` for `davinci` has four."""
_DRIVER = "/usr/local/Ascend/driver"
_LIBRARIES = f"{_DRIVER}/lib64"
_BESIDE = re.compile(rf"{_DRIVER}/(?:version\.info|tools(?:/\S*)?|topo|script|kernel)/?")
"""Parts of the driver in which its libraries aren't."""
_INSTALLED, _SMI = "/etc/ascend_install.info", "/usr/local/bin/npu-smi"
_ADDRESSES = "/etc/hccn.conf"
_ON_CHIP = re.compile(
    r"/dev/(?:svm0|ts_aisle|upgrade|sys|vdec|vpc|pngd|venc|log_drv|acodec|ao|vo|hdmi|mipi)|310b|200i", re.IGNORECASE
)
"""Boards on which the NPU is part of the host's chip have devices of their own."""
_VISIBLE = "ASCEND_VISIBLE_DEVICES"
_VLLM_ASCEND = re.compile(r"(?:^|/)vllm-ascend(?::|@|$)")
_TAG = re.compile(
    r"(?:^|/)(?P<name>vllm-ascend|cann|llamafactory|verl|sglang|mindie|ascend-pytorch|mindspeed-(?:llm|mm|rl)):(?P<tag>[\w.-]+)"
)
_CHIPS = (
    ("950", re.compile(r"(?:^|-)(?:a5|950(?:dt|pr)?)(?:-|$)")),
    ("a3", re.compile(r"(?:^|-)[aA]3(?:-|$)")),
    ("infer", re.compile(r"(?:^|-)(?:310p|300I-(?:Duo|Pro))(?:-|$)")),
    ("200i", re.compile(r"(?:^|-)310b(?:-|$)")),
    ("a2", re.compile(r"(?:^|-)(?:910b|[aA]2)(?:-|$)")),
)
_RELEASE = re.compile(r"v?\d[\w.]*\d(?:-openeuler)?")
_LEFT_OUT = re.compile(r"\.{3}|…|\\[ \t]+#")
"""What shows that a command has more than is written down: dots, and a remark behind its last backslash, which ends it there."""


_ENV_FILE = re.compile(r"--env-file\b|\benv_file[ \t]*:")
_SHARED = re.compile(r"/dev/shm|--pod[= \t]")  # noqa: S108
"""What gives a container other shared memory than its own: a mount of whatever kind, or the pod that it is put into."""
_PART = re.compile(r"-(?:memory|core|\d+c)")
"""Resources that are a part of an NPU."""
_AMOUNT = re.compile(
    r"[\"']?[ \t]*:[ \t]*[\"']?(?P<number>\d{1,9})(?P<unit>[A-Za-z.][\w.]*)?[\"']?[ \t]*(?=#|$|\r|\n|,|\})"
)


class Mount(NamedTuple):
    """A file or folder of the host in a container."""

    source: str
    target: str
    setting: Setting


class Container:
    """One container that is started. Everything is found out when it is asked for."""

    def __init__(self, block: Block, context: Context) -> None:
        self.block = block
        self._context = context

    def settings(self, name: str) -> list[Setting]:
        """Return where an option is set."""
        return [each for each in self.block.settings if each.name == name]

    def texts(self, name: str) -> list[str]:
        """Return what is known of the values of an option."""
        return [str(each.value.data) for each in self.settings(name) if each.value.known]

    @cached_property
    def is_open(self) -> bool:
        """Whether it may be given more than can be seen; an image whose name is a path shows that a flag lost its value."""
        return (
            self.block.open
            or self._is_cut_short
            or any(text.startswith("/") for text in self.texts("image"))
            or any(not each.value.known for name in ("volume", "device") for each in self.settings(name))
        )

    @cached_property
    def _is_cut_short(self) -> bool:
        """Whether more belongs to its command than stands there."""
        if self.block.command is None:
            return False
        document, command = self._context.document, self.block.command
        return (
            _LEFT_OUT.search(document.text, command.start, document.line_end(document.line_of(command.end))) is not None
        )

    @cached_property
    def devices(self) -> list[tuple[str, Setting]]:
        """The devices of the host that it gets, with their settings."""
        return [(str(each.value.data).split(":")[0], each) for each in self.settings("device") if each.value.known]

    @cached_property
    def cards(self) -> list[tuple[str, Setting]]:
        """Those that are NPUs."""
        return [each for each in self.devices if _CARD.fullmatch(each[0])]

    @cached_property
    def mounts(self) -> list[Mount]:
        """What it sees of the host's files."""
        return [
            mount
            for each in self.settings("volume")
            if each.value.known
            for mount in [_mount(each)]
            if mount is not None
        ]

    @cached_property
    def npus(self) -> int | None:
        """How many NPUs it gets; `None` where nobody knows, since it may get all, or others may give it more."""
        if self.is_privileged or self.is_open:
            return None
        resources = self.settings("resource")
        if not resources:
            return None if self.is_given or self.is_on_chip or not self.cards else len({path for path, _ in self.cards})
        counts = {
            str(each.value.data): self._count(each) for each in resources if not _PART.search(str(each.value.data))
        }
        known = [count for count in counts.values() if count is not None]
        return known[0] if len(counts) == len(known) == 1 else None

    def _count(self, setting: Setting) -> int | None:
        """Return how many of a resource are asked for, as stands behind its name."""
        found = _AMOUNT.match(self._context.document.text, setting.value.span.end)
        return int(found["number"]) if found is not None and not found["unit"] else None

    @property
    def span(self) -> Span:
        """Where it stands: what is set for it, and what runs in it."""
        return self.block.command or self.block.span

    def holds(self, place: Span) -> bool:
        """Return whether something is set for it, or runs in it."""
        return place.within(self.span)

    @property
    def is_privileged(self) -> bool:
        """Whether it gets every device of the host, or may."""
        return any(
            not each.value.known or str(each.value.data).lower() != "false" for each in self.settings("privileged")
        )

    @cached_property
    def is_given(self) -> bool:
        """Whether something else gives it devices and driver: the runtime for NPUs, a device plugin, the host's whole `/dev`."""
        if self.settings("resource") or any(text != "runc" for text in self.texts("runtime")):
            return True
        if any(mount.source.rstrip("/") in ("", "/dev") for mount in self.mounts):
            return True
        return self.block.command in _choosing(self._context)

    @property
    def asks_runtime(self) -> bool:
        """Whether it leaves its NPUs to the runtime for NPUs, and doesn't name that: it must be the one that is taken where none is."""
        return (
            self.block.command in _choosing(self._context)
            and not self.is_open
            and not self.settings("runtime")
            and not self.devices
            and not any("driver" in mount.target.lower() for mount in self.mounts)
            and not any(mount.source.rstrip("/") in ("", "/dev") for mount in self.mounts)
        )

    @cached_property
    def image(self) -> Setting | None:
        """Its image."""
        return next(iter(self.settings("image")), None)

    @property
    def _is_vllm_ascend(self) -> bool:
        """Whether it is certainly one of vLLM-Ascend."""
        return any(_VLLM_ASCEND.search(text) for text in self.texts("image"))

    @property
    def has_little_shared_memory(self) -> bool:
        """Whether it certainly has the 64 MB that it gets where nothing is said, though its image is one of vLLM-Ascend."""
        given = any(self.settings(each) for each in ("shm-size", "ipc")) or _SHARED.search(
            self._context.document.text, *self.span
        )
        shared = any(mount.target.rstrip("/") in ("", "/dev") for mount in self.mounts)
        return self._is_vllm_ascend and not self.is_open and not given and not shared

    @property
    def is_without_npus(self) -> bool:
        """Whether it is certainly given none, though its image is one of vLLM-Ascend, whose servers need them."""
        return (
            self._is_vllm_ascend
            and not self.devices
            and not self.is_open
            and not self.is_privileged
            and not self.is_given
        )

    @property
    def manages_none(self) -> Setting | None:
        """The `--device /dev/davinci_manager` of a container that certainly gets no NPU beside it; `None` for any other."""
        if self.cards or self.is_privileged or self.is_open or self.is_given or self.is_on_chip:
            return None
        if any(path == "/dev" or path.startswith(("/dev/davinci[", "/dev/vdavinci")) for path, _ in self.devices):
            return None
        # Which devices the runtime for NPUs gives it, a file of variables may say.
        if _ENV_FILE.search(self._context.document.text, *self.span):
            return None
        told = next((each for path, each in self.devices if path == _MANAGER), None)
        return told if any(_TAG.search(text) for text in self.texts("image")) else None

    @cached_property
    def product(self) -> str | None:
        """The product that its image is for, by id; `None` where its tag doesn't tell."""
        return next((found for text in self.texts("image") if (found := _product_of(text)) is not None), None)

    @cached_property
    def lacks_devices(self) -> list[str]:
        """The devices that each container with NPUs needs, and that this one doesn't get."""
        # One that is misspelt is told there.
        said = {meant(path) or path for path, _ in self.devices}
        needed = _DEVICES_950 if self._is_950 else _DEVICES
        return [path for path in needed if path not in said and f"{path}_docker" not in said]

    @cached_property
    def _is_950(self) -> bool:
        said = {path for path, _ in self.devices}
        return (
            self._context.target.products == ("950",) or self.product == "950" or not said.isdisjoint(_DEVICES_950[2:])
        )

    @cached_property
    def lacks_tools(self) -> list[str]:
        """What the commands of vLLM-Ascend's pages mount besides: for Mooncake, the addresses of the NPUs' own network."""
        document = self._context.document
        # A guide in another file shows many containers, and only what runs in one tells what that needs.
        around = document.text if document.kind in SCRIPTS else self._context.text(self.span)
        mooncake = not self._is_950 and "Mooncake" in around and document.kind not in PAGES
        wanted = (_SMI, _INSTALLED, *((_ADDRESSES,) if mooncake else ()))
        return [path for path in wanted if self._is_vllm_ascend and not self._has(path)]

    @cached_property
    def lacks_driver(self) -> str | None:
        """The folder of the driver that it must see and doesn't."""
        if self._is_950:
            return None if self._sees(_DRIVER) else _DRIVER
        return (
            None
            if self._sees(_LIBRARIES)
            or any("driver" in mount.target.lower() and not _BESIDE.fullmatch(mount.target) for mount in self.mounts)
            else _DRIVER
        )

    def _has(self, path: str) -> bool:
        """Return whether a file of the host, or a folder around it, is mounted."""
        return self._sees(path) or any(
            mount.target.rpartition("/")[2] == path.rpartition("/")[2] for mount in self.mounts
        )

    def _sees(self, path: str) -> bool:
        return any(f"{path}/".startswith(f"{mount.target.rstrip('/')}/") for mount in self.mounts)

    @property
    def is_on_chip(self) -> bool:
        """Whether it may be for a board that has other devices."""
        return any(_ON_CHIP.search(path) for path, _ in self.devices) or any(map(_ON_CHIP.search, self.texts("image")))


def meant(path: str) -> str | None:
    """Return the device that a path nearly is; `None` for one that there is, and for what is none of the driver's."""
    known = {*_DEVICES, *_DEVICES_950}
    if path in known or path in _OTHER_DEVICES or _CARDS.fullmatch(path) or not _ALIKE.fullmatch(path):
        return None
    found = [(far, each) for each in known if (far := distance(path, each, _FARTHEST)) is not None]
    return min(found)[1] if found else None


def _product_of(image: str) -> str | None:
    """Return the product that an image of vLLM-Ascend or of CANN is for; `None` where its tag doesn't tell."""
    found = _TAG.search(image)
    if found is None:
        return None
    for product, pattern in _CHIPS:
        if pattern.search(found["tag"]):
            return product
    return "a2" if found["name"] == "vllm-ascend" and _RELEASE.fullmatch(found["tag"]) else None


def _mount(setting: Setting) -> Mount | None:
    said = str(setting.value.data)
    if "=" in said and ("type=" in said or "target=" in said or "dst=" in said):
        parts = dict(part.partition("=")[::2] for part in said.split(","))
        source = parts.get("source", parts.get("src", ""))
        target = parts.get("target", parts.get("dst", parts.get("destination", "")))
        return Mount(source or target, target, setting) if target else None
    parts_of = said.split(":")
    return Mount(parts_of[0], parts_of[1] if len(parts_of) > 1 else parts_of[0], setting)


@Memoized
def _choosing(context: Context) -> frozenset[Span]:
    """Return the statements that say which devices Ascend Docker Runtime gives."""
    return frozenset(each.statement for each in context.named(Surface.ENV, _VISIBLE) if each.name == _VISIBLE)


@Memoized
def containers(context: Context) -> tuple[Container, ...]:
    """Return the containers that a file starts, in the order of the text."""
    return tuple(_containers(context))


def _containers(context: Context) -> Iterator[Container]:
    for block in context.parsed.blocks:
        if block.surface is Surface.CONTAINER:
            yield Container(block, context)
