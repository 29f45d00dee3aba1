"""What a log tells, the likeliest cause first: each error with what it means, the lines that may have caused it, and how the processes failed.

The order is by what a message is worth: a signature that tells the cause, then codes, exceptions, what others' failing brings, and what only
says that something failed; a finding or a setting in the folder that belongs to it counts, and so does being the first to fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.error_codes import ErrorCode
from npu_lsp.catalog.load import Catalog
from npu_lsp.checking.causes import Cause, Evidence, with_wishes
from npu_lsp.checking.logs.lines import MILD, WARNS, level_of
from npu_lsp.checking.logs.named import PLACES, spoken_in, words_of
from npu_lsp.checking.logs.reader import EXCEPTION, FAULT, Log, LogMention
from npu_lsp.checking.logs.runs import Ranks, ranks_of
from npu_lsp.checking.logs.stamps import When
from npu_lsp.checking.logs.waits import Waited
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.linter.severity import Severity
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

_PYTHON = Text("Python", "Python")
_LOG = Text("the log", "日志")
_UNKNOWN = 3
"""Exceptions and other lines without a known form that are told of."""
_WORDS = 12
_HEAD = 160
"""Characters of a message that tell how it was logged."""
_SAYS = 400
"""Characters of a message that tell whose it is."""
_SAID = re.compile(
    r"(?<![\w.-])(?P<what>(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception|Failure|Interrupt)|Exception)|[\w.-]+: error): (?P<said>\S.*)"
)
_REASON = re.compile(r"(?:Reason|Cause|reason|原因)[:：=] ?\[?(?P<said>[^\[\]]{4,300})(?P<whole>\]|\[FUNC|\Z)?")
_INNER = re.compile(
    r".{0,200}?\bE[0-9A-Z]9999:? ?\[PID: ?\d{1,9}\] ?[\d:.-]{10,30} ?(?:\(E[0-9A-Z]9999\):)? {0,4}(?P<said>[A-Za-z][^\[]{9,300}?)(?=\[FUNC| TraceBack|\Z)"
)
"""What an inner error says itself."""
_REMEDY = re.compile(r" (?:Possible|Solution)")
"""What follows a reason where no bracket ends it."""
_WORTH = {"cause": 40, "general": 32, "echo": 22, "wrapper": 5, "harmless": 0}
_MILD = -80
"""What is logged as a warning stands behind errors: a run went on after it."""
_GOES_ON = re.compile(
    r"(?i)\bfall(?:s|ing)?[ -]?back\b|\bretry(?:ing)?\b|\binstead\b(?! of)|\bautomatically\b|\b(?:skip|ignor|disabl|chang|reduc)ing\b|\b(?:changed?|reset|adjusted|reduced) (?:\w+ ){1,3}to\b"
    r"|\b(?:will (?:be|not) (?:\w+ )?|is |are )(?:disabled?|ignored?|skipped|overridden|overwritten|enabled?|used?)\b|\brunning with\b|\bsucceed(?:s|ed)?\b|\bsuccess(?:ful|fully)?\b|\bnormally\b|\bdefault value\b|\bby default\b"
)
"""What a program says that found a way round, of a line that tells of no error."""
_ENDS = re.compile(r"(?i)error|exception|\bfail|fatal|traceback|assert|\babort")
"""Words of lines without a level that tell of an end all the same."""
_CALL = re.compile(r"(?:return |await |yield )?[A-Za-z_][\w.\[\]'\"]{0,120}\([^()]{0,200}\)?(?!\S)(?! \S)")
"""A line of a traceback that shows a call: what stands in it was called, and may have failed for any reason."""
_FRAME = re.compile(r"""File "[^"\n]{1,300}", line \d+""")
"""A line of a traceback that only says where something was called, which the level of a log makes one of an error."""
_SPEAKS = re.compile(
    r"\A\s*(?:\+{1,4} [\w./\"'-]|#{1,6} |\|.{0,300}\|\s*\Z|\* [0-9a-f]{7,40} |[-*] (?:[Ff]ix|[Aa]dd|[Cc]hange)(?:e?[ds])?\b|(?:PASSED|SKIPPED|XFAIL)\b|diff --git |commit \w{1,40}[: ]"
    r"|(?:User|Human|Question|Q|A|Tip|FAQ): |[Ss]earching for |grep )|[\"']role[\"']: ?[\"'](?:user|assistant|system)|\b(?:PASSED|SKIPPED|XFAIL)\b[\s\d%\[\]]{0,20}\Z|\(#\d{1,6}\)\s*\Z"
    r"|\A(?:(?!(?:Error|Exception): |\b(?:ERROR|FATAL)\b).){0,400}?\b[Ii]f (?:it |you |this |that )?(?:says?|sees?|gets?|hits?|encounters?|meets?)\b"
)
"""What prints a message that isn't its own: commands that a shell traces, tests, documentation, chats. An error may end with advice."""
_OF_CALL = -30
_SIGNATURE, _WITHOUT_REMEDY, _EXCEPTION, _FAULT = 25, -15, 30, 8
_FINDING, _SETTING, _FIRST, _VALUES = 25, 6, 8, 4
_INNER_CODE = re.compile("E[0-9A-Z]9999")
_SAYS_WHY = 35
"""What an inner error is worth at least that says more than that there is one: its number says nothing."""
_NUMBER_ALONE = -8
"""What a function returned stands behind the code of what went wrong."""
_END = 20
"""Lines that may follow the last one that tells something, besides those of the other processes."""
_OFTEN = 3
"""What a signature that was the confirmed cause more often is worth at most: it goes before its likes, and before nothing that says more."""
_GRAVE = (Severity.ERROR, Severity.WARNING)


class Explained(NamedTuple):
    """One error, what it means, and where it may come from."""

    code: ErrorCode
    mention: LogMention | None
    """Its message in the log; `None` where it was asked for by name."""
    causes: Sequence[Cause] = ()
    names: tuple[str, ...] = ()
    """Settings that it is about or names, which nothing in the folder sets; all of them without a folder."""
    unknown: bool = False
    """An exception or another line: the catalog doesn't know what it means."""
    reason: str = ""
    """What the message itself gives as its reason."""


class RunTold(NamedTuple):
    """What logs of one run tell together."""

    begin: When | None
    ranks: Ranks | None = None
    waited: Waited | None = None
    """The rank that the others wait for."""


class Diagnosis(NamedTuple):
    """What `explain` answers: the errors of logs by likelihood of being the cause, and findings of the folder."""

    errors: Sequence[Explained]
    """The likeliest cause first."""
    findings: Sequence[ReportedFinding] = ()
    """What else is wrong in the folder."""
    runs: Sequence[RunTold] = ()
    """What is told of each run, the newest first."""
    warned: bool = False
    """The log has no error: what stands here was logged as a warning, and the run went on."""


def diagnosed(log: Log, catalog: Catalog, evidence: Evidence | None) -> Diagnosis:
    """Return what a log tells, with what a folder shows of it."""
    found: list[tuple[float, int, Explained]] = []
    lines: set[tuple[str, int]] = set()
    mentions = [each for each in log.mentions if not _is_frame(each) and _SPEAKS.search(each.text[:_SAYS]) is None]
    warned = all(map(_went_on, mentions))
    mentions = [each for each in mentions if not warned or _warns(each)]
    runs = _runs(log, warned=warned)
    firsts = {run.ranks.first for run in runs if run.ranks is not None}
    for number, mention in enumerate(mentions):
        explained = _explained(mention, catalog, evidence, log.lines)
        # Of what was only warned of, what nobody knows and nothing here sets is no matter.
        if explained is not None and not (warned and explained.unknown and not explained.causes):
            worth = _worth(explained, firsts)
            # Of a line the longest phrase comes first, and what it leaves out others don't make up for.
            if (mention.path, mention.line) not in lines:
                worth += _said_more(explained, mention)
            lines.add((mention.path, mention.line))
            found.append((-worth, number, explained))
    errors = [each for _, _, each in sorted(found, key=lambda each: each[:2])]
    errors = list(_shortened(errors))
    others = _others(errors, evidence.entries if evidence is not None else ())
    return Diagnosis(errors, others, runs, warned and bool(errors))


def _others(errors: Sequence[Explained], entries: Sequence[ReportedFinding]) -> list[ReportedFinding]:
    """Return what is wrong in the folder besides what the errors are explained with, the gravest first."""
    told = {cause.entry for each in errors for cause in each.causes}
    others = [entry for entry in entries if entry.severity in _GRAVE and entry not in told]
    return sorted(others, key=lambda entry: entry.severity is not Severity.ERROR)


def _runs(log: Log, *, warned: bool) -> list[RunTold]:
    return [RunTold(run.begin, None if warned else ranks_of(run), run.waited) for run in log.runs]


def named(code: ErrorCode, evidence: Evidence | None) -> Explained:
    """Return an error that was asked for by name."""
    code = code.filled({})
    return Explained(code, None, evidence.causes(code) if evidence is not None else ())


def _is_frame(mention: LogMention) -> bool:
    return mention.code == FAULT and _FRAME.search(mention.text[: 2 * _HEAD]) is not None


def _level(mention: LogMention) -> str:
    return level_of(mention.text[:_HEAD].encode())


def _went_on(mention: LogMention) -> bool:
    """Return whether a line tells of no error: by its level, or where it has none because the program found a way round."""
    level = _level(mention)
    if level or not mention.code.islower():
        return level in MILD
    return _GOES_ON.search(mention.text) is not None and _ENDS.search(mention.text) is None


def _warns(mention: LogMention) -> bool:
    """Return whether a line that tells of no error warns of something that was left as it is."""
    return _level(mention) == WARNS and _GOES_ON.search(mention.text) is None


def _explained(mention: LogMention, catalog: Catalog, evidence: Evidence | None, lines: int) -> Explained | None:
    code, unknown = _code_of(mention, catalog, lines), mention.code in (EXCEPTION, FAULT)
    if code is None:
        return None
    said = spoken_in(catalog, mention.text) if code.code and (unknown or code.kind == "general") else ()
    words = list(dict.fromkeys((*words_of(mention.text, keys=True), *said)))[:_WORDS]
    causes = with_wishes(evidence.causes(code, mention, words), code.wants, code.code) if evidence is not None else []
    if not code.code:
        # Of a line of any other kind only what is written as a variable or a flag is one, unless the folder sets it.
        words = list(words_of(mention.text, keys=False))
    # Where the message has a place for the setting, those that it may be are no matter any more.
    about = code.looks if mention.named and not PLACES.isdisjoint(mention.places) else code.names
    names = (*(each.name for each in mention.named), *about)
    if unknown or code.kind == "general":
        # A form of a message says that it names settings, and not which.
        names = (*names, *(word for word in words if not causes))
    set_here = {cause.row.option for cause in causes if cause.row is not None}
    absent = tuple(
        name for name in dict.fromkeys(names) if name not in set_here and not (evidence and evidence.sets(name))
    )
    return Explained(code, mention, causes, absent, unknown, _reason(mention.text))


def _code_of(mention: LogMention, catalog: Catalog, lines: int) -> ErrorCode | None:
    """Return what is known of a message; nothing of one that counts only at the end of a log, where it goes on."""
    if mention.code in (EXCEPTION, FAULT):
        return _unknown(mention)
    code = catalog.error_codes.find(mention.code)
    if code is None or (code.last and lines - mention.line > _END + 2 * mention.times):
        return None
    return code.filled(mention.places).read_from(mention.text)


def _reason(text: str) -> str:
    """Return the reason that a message gives itself, which ends with a bracket, with what may be done, or with the message."""
    for match in _REASON.finditer(text):
        said = match["said"]
        remedy = _REMEDY.search(said, 4)
        if remedy is not None:
            return said[: remedy.start()].rstrip(" ").removesuffix(".").strip()
        if match["whole"] is not None:
            return said.strip()
    inner = _INNER.match(text)
    return inner["said"].strip() if inner is not None else ""


def _unknown(mention: LogMention) -> ErrorCode:
    match = _SAID.search(mention.text)
    if match is None:
        return ErrorCode("", _LOG, Text(mention.text, mention.text), None, (), Text("", ""))
    what = match["what"].removesuffix(": error").rpartition(".")[2]
    return ErrorCode(what, _PYTHON, Text(match["said"], match["said"]), None, (), Text("", ""))


def _worth(each: Explained, firsts: Collection[str]) -> float:
    code, mention = each.code, each.mention
    if each.unknown:
        worth = _EXCEPTION if code.code else _FAULT
    else:
        worth = _WORTH[code.kind]
        if code.kind == "cause":
            worth += _SIGNATURE if code.code.islower() else _WITHOUT_REMEDY if code.remedy is None else 0
    if each.reason and _INNER_CODE.fullmatch(code.code):
        worth = max(worth, _SAYS_WHY)
    elif code.code.isdecimal():
        worth += _NUMBER_ALONE
    if any(cause.entry is not None for cause in each.causes):
        worth += _FINDING
    elif any(not cause.advised for cause in each.causes):
        worth += _SETTING
    if mention is not None and mention.process in firsts:
        worth += _FIRST
    if mention is not None and _CALL.fullmatch(mention.text.strip()):
        worth += _OF_CALL
    return worth + (_MILD if mention is not None and _level(mention) in MILD else 0)


def _said_more(each: Explained, mention: LogMention) -> float:
    """Return what a cause is worth besides: it tells a value, or was the confirmed one more often where the folder shows nothing."""
    code = each.code
    if code.kind != "cause":
        return 0
    tells = any(said and said in code.what.en for said in mention.places.values())
    often = 0 if any(cause.entry is not None for cause in each.causes) else min(code.confirmed, 2 * _OFTEN) / 2
    return (_VALUES if tells else 0) + often


def _shortened(errors: Sequence[Explained]) -> Iterator[Explained]:
    """Yield one error of a kind for each line, and of those without a known form the first few."""
    lines: set[tuple[str, int, str]] = set()
    known = {(each.mention.path, each.mention.line) for each in errors if each.mention is not None and not each.unknown}
    told = 0
    knows = any(not each.unknown and each.code.kind == "cause" for each in errors)
    for each in errors:
        if each.mention is not None:
            place = each.mention.path, each.mention.line
            # Of what any program says, what is known of this one says more.
            kinds = (each.code.kind, "cause") if each.code.kind == "general" else (each.code.kind,)
            if any((*place, kind) in lines for kind in kinds) or (each.unknown and place in known):
                continue
            lines.add((*place, each.code.kind))
        told += each.unknown
        if not each.unknown or (told <= _UNKNOWN and (each.code.code or not knows)):
            yield each
