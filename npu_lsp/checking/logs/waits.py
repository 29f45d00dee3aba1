"""Which rank the others wait for, or which is elsewhere: what HCCL prints of links that weren't made and of notifies that didn't come, put together.

A rank whose link isn't made names the one at the other end. That one may wait for a third itself; who is waited for and waits for none is where
to look, although its own log may hold no error at all. Of ranks that wait within a collective operation each says which one that is: one that
waits in another than all others left the common way. Who is which rank stands in `SetupAgent`, which each process logs as it starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from npu_lsp.checking.logs.stamps import process_of
from npu_lsp.text import lazy_re as re

_SAYS = re.compile(
    rb"SetupAgent rankNum|\(\) *\|.*\(\) *\||remote physic id:|remoteUserrank\[|NOTIFY WAIT|, index\[|remote rank:\[|connected rankinfo|need connect rankNum|connect agent\["
)
"""What is left without its digits of a line that says so."""
WORDS = (
    b"SetupAgent rankNum",
    b"remote physic id:",
    b"remoteUserrank[",
    b"NOTIFY WAIT",
    b", index[",
    b"remote rank:[",
    b"connected rankinfo",
    b"need connect rankNum",
    b"connect agent[",
    b"time out",
    b"timeout",
    b"no connect",
)
"""Without one of them it says nothing."""
_SELF = re.compile(
    rb"SetupAgent rankNum\[\d+\], rank\[(?P<rank>\d{1,6})\](?:.{0,400}?phydevId\[(?P<device>\d{1,4})\])?"
)
_LINK = re.compile(
    rb"\|\s*[\w.:]{2,45}\((?P<other>\d{1,6})\)\s*\|(?:\s*\d+\s*\|)?\s*[\w.:]{2,45}\((?P<own>\d{1,6})\)\s*\|.{0,80}(?:time ?out|no connect)"
)
_PEER = re.compile(rb"local logicDevid:(?P<own>\d{1,4}), remote physic id:(?P<other>\d{1,4})")
_DESTINATION = re.compile(rb"(?:dst_rank|remoteRank)\[\d+\]-remoteUserrank\[(?P<other>\d{1,6})\]")
_NOTIFY = re.compile(rb"type:NOTIFY WAIT, localRank:(?P<own>\d{1,6}), remoteRank:(?P<other>\d{1,6}),")
_AWAITS = re.compile(rb"notify id:?.{0,60}remote rank:\[(?P<other>\d{1,6})\]")
_WITHIN = re.compile(rb"taskType\[Notify Wait\], tag\[(?P<tag>[^\]]{1,300})\], index\[(?P<index>\d{1,12})\]")
_CAME = re.compile(rb"connected rankinfo\[LINE \d+\]: (?P<ranks>[\[\]\d, ]{3,400})")
_LOST = re.compile(rb"connect agent\[(?P<ranks>[\d,]{1,4000})\]")
_WANTED = re.compile(rb"need connect rankNum is \[(?P<count>\d{1,6})\]")
_PID = re.compile(rb"\b[A-Z]{2,9}\((?P<pid>\d{1,9}),")
_HOME = re.compile(r"(?:^|/)(?:process_log|debug|run|plog)/")
_MOST = 20_000
_SHOWN = 4
_COMPARED = 3
"""So many processes tell which of them is elsewhere."""

Node = int | tuple[str, str]
"""A rank; before it is known which, the home of a process with its device or its name."""


Why = Literal["awaited", "circle", "elsewhere", "missing"]


class Waited(NamedTuple):
    """The ranks that all others wait for, directly or through others, when a collective operation hangs."""

    names: tuple[str, ...]
    """`rank 9 (worker-1, device 1)`; several that wait for each other."""
    waiting: int
    """How many wait for them, at first or at last hand; of one that is elsewhere, how many are together; of those that never came, how many
    came."""
    why: Why
    """It waits for none itself; they wait for each other; it waits in another collective operation than all others; they never came to the
    root of the communicator."""


class Waits:
    """Gathers from lines of logs which rank waits for which other one in collective operations."""

    def __init__(self) -> None:
        self.ranks: dict[tuple[str, str], int] = {}
        self.known: dict[int, str] = {}
        self.edges: set[tuple[Node, Node]] = set()
        self.within: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        self.came: set[int] = set()
        self.lost: set[int] = set()
        self.wanted = 0

    @staticmethod
    def says(template: bytes) -> bool:
        """Return whether a line without its digits may say who waits for whom, or which rank a process is."""
        return _SAYS.search(template) is not None

    def note(self, line: bytes, path: str) -> None:
        """Take a line of the log at `path`."""
        home = path[: found.start()] if (found := _HOME.search(path)) else path.rpartition("/")[0]
        pid = _PID.search(line)
        # A name that tells no process is a file of its own, which may hold several.
        process = process_of(path) or (f"{path} pid {pid['pid'].decode()}" if pid is not None else "")
        own = _SELF.search(line)
        within = _WITHIN.search(line)
        for pattern, ranks in ((_CAME, self.came), (_LOST, self.lost)):
            told = pattern.search(line)
            if told is not None and len(ranks) < _MOST:
                ranks.update(int(each) for each in re.findall(rb"\d{1,16}", told["ranks"]))
        if (wanted := _WANTED.search(line)) is not None:
            self.wanted = max(self.wanted, min(int(wanted["count"]), _MOST))
        if own is not None:
            rank, device = int(own["rank"]), (own["device"] or b"").decode()
            self.ranks[home, process] = self.ranks[home, device] = rank
            self.known[rank] = ", ".join((*filter(None, [home]), *([f"device {device}"] if device else [])))
        elif within is not None and len(self.within) < _MOST:
            self.within[home, process] = within["tag"], within["index"]
        elif len(self.edges) < _MOST:
            self.edges.update(_edges(line, home, process))

    @classmethod
    def together(cls, several: Sequence[Waits]) -> Waits:
        """Return what was gathered from several logs as one."""
        if len(several) == 1:
            return several[0]
        made = cls()
        for each in several:
            made.ranks |= each.ranks
            made.known |= each.known
            made.edges |= each.edges
            made.within |= each.within
            made.came |= each.came
            made.lost |= each.lost
            made.wanted = max(made.wanted, each.wanted)
        return made

    def waited(self) -> Waited | None:
        """Return whom the others wait for; `None` where nobody waits."""
        told = self._elsewhere() or self._missing()
        if told is not None:
            return told
        after: dict[Node, set[Node]] = {}
        for source, target in self.edges:
            own, other = self._rank(source), self._rank(target)
            # A number that no process has, where it is known what they are, is what a broken table holds.
            if own != other and not (self.known and isinstance(other, int) and other not in self.known):
                after.setdefault(own, set()).add(other)
        ends = {node: _reached(node, after) for node in after}
        last = {node for nodes in ends.values() for node in nodes if node not in after}
        circle = not last
        if circle:
            last = {node for node, nodes in ends.items() if node in nodes}
        waiting = {node: sum(node in nodes for own, nodes in ends.items() if own != node) for node in last}
        most = max(waiting.values(), default=0)
        if not most:
            return None
        names = sorted(self._name(node) for node, count in waiting.items() if count == most)
        return Waited(tuple(names[:_SHOWN]), most, "circle" if circle else "awaited")

    def _elsewhere(self) -> Waited | None:
        """Return the one process that waits in another collective operation than all others."""
        counts = Counter(self.within.values())
        if len(self.within) < _COMPARED or len(counts) != 2 or min(counts.values()) != 1:
            return None
        (place,) = (place for place, count in counts.items() if count == 1)
        (node,) = (node for node, within in self.within.items() if within == place)
        return Waited((self._name(self._rank(node)),), len(self.within) - 1, "elsewhere")

    def _missing(self) -> Waited | None:
        """Return the ranks that never came to the root of the communicator: all of those that are few, since nothing else lists them."""
        count = self.wanted or max(self.came, default=0)
        lost = sorted(self.lost or (set(range(count)) - self.came if self.came else ()))
        return Waited(tuple(map(self._name, lost[: 2 * _SHOWN])), len(self.came), "missing") if lost else None

    def _rank(self, node: Node) -> Node:
        return node if isinstance(node, int) else self.ranks.get(node, node)

    def _name(self, node: Node) -> str:
        if not isinstance(node, int):
            return " ".join(filter(None, node))
        where = self.known.get(node)
        return f"rank {node} ({where})" if where else f"rank {node}"


def _edges(line: bytes, home: str, process: str) -> Iterator[tuple[Node, Node]]:
    for pattern in (_LINK, _NOTIFY):
        found = pattern.search(line)
        if found is not None:
            yield int(found["own"]), int(found["other"])
    peer = _PEER.search(line)
    if peer is not None:
        yield (home, peer["own"].decode()), (home, peer["other"].decode())
    destination = _DESTINATION.search(line)
    awaits = _AWAITS.search(line)
    for found in (destination, awaits):
        if found is not None and process:
            yield (home, process), int(found["other"])


def _reached(start: Node, after: dict[Node, set[Node]]) -> set[Node]:
    """Return all that a node waits for, at first or at last hand; itself, where that is a circle."""
    found: set[Node] = set()
    left = [start]
    while left:
        for node in after.get(left.pop(), ()):
            if node not in found:
                found.add(node)
                left.append(node)
    return found
