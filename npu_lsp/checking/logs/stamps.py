"""When a line of a log was written, and by which process: as the tools around NPUs write it.

CANN's plog has `2025-12-04-14:46:07.911.312`, vLLM `03-25 12:50:16`, glog `E20260608 14:45:44.404` and `E0611 12:35:44.114`, others
ISO 8601. Ranks stand in `[rank3]:`, `RankID:3`, `rank=3`, `Worker_TP3`, `[default3]:`. A date without a year is taken as it is: the lines of
one run are compared, not those of years.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import PurePath

from npu_lsp.text import lazy_re as re

_TIME = re.compile(
    rb"(?<!\d)(?:(?:20\d\d[-/]?)?(?P<month>[01]\d)[-/]?(?P<day>[0-3]\d)[-T ])"
    rb"(?P<hour>[0-2]\d):(?P<minute>[0-5]\d):(?P<second>[0-6]\d)(?:[.,](?P<milli>\d{3})(?:\.?(?P<micro>\d{3}))?)?"
)
_RANK = re.compile(
    rb"\[rank:?\s?(?P<a>\d+)\]|RankID: ?(?P<b>\d+)|\brank[ =_](?P<c>\d+)|\[default(?P<d>\d+)\]:|Worker_(?P<e>(?:[A-Z]{2}\d+_?)+)"
    rb"|\bEngineCore_DP(?P<f>\d+)|\blocalRank\[(?P<g>\d+)\]"
)
_OF_RANK = (b"rank", b"RankID", b"Rank[", b"[default", b"Worker_", b"EngineCore_DP")
"""Without one of them a line names no rank."""
_PID = re.compile(rb"\bpid[ =:]{1,2}(?P<a>\d+)|\[pid: ?(?P<b>\d+)\]|\(pid:(?P<c>\d+)")
_OF_PLOG = re.compile(rb"\[(?:error|warning|event|info)\] [a-z]\w*\((?P<d>\d+),")
_BEGAN = re.compile(
    r"_20\d\d(?P<month>[01]\d)(?P<day>[0-3]\d)(?P<hour>[0-2]\d)(?P<minute>[0-5]\d)(?P<second>[0-5]\d)\d{0,3}\."
)
"""`plog-4711_20261102100000000.log`"""
_IN_NAME = re.compile(r"(?:rank|worker|device|proc|node)[-_]?(?P<a>\d+)|(?:plog|device)-(?P<b>\d+)", re.IGNORECASE)
_IN_FOLDER = re.compile(r"(?:rank|proc)[-_]?(?P<a>\d+)", re.IGNORECASE)
_HOST = re.compile(r"(?:worker|node|host|server|master)[-_]?\d+|(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?!\d)", re.IGNORECASE)
HEAD = 400
"""Characters of a line in which its time and its process stand."""

_YEAR = 2024
"""One with 29 February: which one it was, logs often don't say."""
_DAYS = (0, 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335)
"""Before each month, of a year with 29 February."""

When = tuple[int, int, int, int, int, int]
"""Month, day, hour, minute, second, microsecond; of the year behind the one that logs begin in, January is month 13."""


def first_time(text: bytes) -> When | None:
    """Return the first time that stands in a text."""
    found = _TIME.search(text)
    if found is None:
        return None
    return *_parts(found), int(found["milli"] or 0) * 1000 + int(found["micro"] or 0)


def last_time(text: bytes) -> When | None:
    """Return the last time that stands in a text."""
    at = last = None
    for found in _TIME.finditer(text):
        at = found.start()
    if at is not None:
        last = first_time(text[at:])
    return last


def began(path: str) -> When | None:
    """Return when a process began by the name of its log."""
    found = _BEGAN.search(PurePath(path).name)
    return (*_parts(found), 0) if found is not None else None


def _parts(found: re.Match[bytes] | re.Match[str]) -> tuple[int, int, int, int, int]:
    return int(found["month"]), int(found["day"]), int(found["hour"]), int(found["minute"]), int(found["second"])


def process_in(line: bytes) -> str:
    """Return the process that wrote a line, as far as it says so."""
    what, found = _process(line)
    return f"{what} {found[found.lastgroup].decode().rstrip('_')}" if found and found.lastgroup else ""


def place_of_process(line: bytes) -> tuple[int, int]:
    """Return where in a line the number of the process stands that wrote it; an empty place: nowhere."""
    _, found = _process(line)
    return found.span(found.lastgroup) if found and found.lastgroup else (0, 0)


def _process(line: bytes) -> tuple[str, re.Match[bytes] | None]:
    head = line[:HEAD]
    if any(map(head.__contains__, _OF_RANK)) and (rank := _RANK.search(head)) is not None:
        return "rank", rank
    head = head.lower()
    # Where the words aren't, no pattern goes through the line.
    pid = _PID.search(head) if b"pid" in head else None
    plog = _OF_PLOG.search(head) if b"] " in head else None
    return "pid", plog if pid is None or (plog is not None and plog.start() < pid.start()) else pid


def process_of(path: str) -> str:
    """Return the process that the name of a log's file or folder tells; empty: none."""
    *folders, name = PurePath(path).parts or ("",)
    found = _IN_NAME.search(name)
    if found is not None:
        return f"pid {found['b']}" if found["b"] else f"rank {found['a']}"
    # A folder of a worker, node or device is a machine with several ranks.
    ranks = (_IN_FOLDER.search(folder) for folder in reversed(folders))
    return next((f"rank {found['a']}" for found in ranks if found is not None), "")


def host_of(path: str) -> str:
    """Return the machine that the folders of a log name, as tools that collect logs do; empty: none."""
    found = (_HOST.search(folder) for folder in PurePath(path).parts[:-1])
    return next((each[0] for each in found if each is not None), "")


def shown_time(when: When) -> str:
    """Return a time as people read it."""
    month, day, hour, minute, second, micro = when
    month = (month - 1) % 12 + 1 if month > 12 else month
    return f"{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micro // 1000:03}"


def seconds_from_start(when: When) -> float:
    """Return the seconds from the start of a year to a time."""
    month, day, hour, minute, second, micro = when
    years, month = divmod(min(max(month, 1), 24) - 1, 12)
    return (((366 * years + _DAYS[month + 1] + day) * 24 + hour) * 60 + minute) * 60 + second + micro / 1e6


def seconds_between(first: When, last: When) -> float:
    """Return the seconds from `first` to `last`."""
    return (_instant(last) - _instant(first)).total_seconds()


def earlier(when: When, hours: int) -> When:
    """Return the time that is `hours` before `when`, without its year."""
    moment = _instant(when) - timedelta(hours=hours) if hours else _instant(when)
    return (
        moment.month + 12 * (moment.year - _YEAR),
        moment.day,
        moment.hour,
        moment.minute,
        moment.second,
        moment.microsecond,
    )


def _instant(when: When) -> datetime:
    month, day, hour, minute, second, micro = when
    # What no calendar has is near enough to what it was meant to be.
    years, month = divmod(min(max(month, -11), 24) - 1, 12)
    start = datetime(_YEAR + years, month + 1, 1, min(hour, 23), minute, min(second, 59), micro, timezone.utc)
    return start + timedelta(days=max(day, 1) - 1)
