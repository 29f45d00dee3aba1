"""Commands that install packages and start containers: `pip install`, `docker run` and their kin.

Flags as in the manual pages of pip, uv, docker, podman and nerdctl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.languages.requirements import known, may_require, requirement
from npu_lsp.languages.shell.flag_values import value_of
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_COMMAND = re.compile(
    r"[pdn](?:(?<=p)ip(?<![\w$./-]pip)(?:[\d.]{0,6})[ \t]+(?:-[^\s]+[ \t]+){0,4}install"
    r"|(?:(?<=d)ocker|(?<=p)odman|(?<=n)erdctl)[ \t]+(?:container[ \t]+)?(?:run|create))(?![\w-])"
)
_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})
_PIP = re.compile(r"pip(?:3(?:\.\d+)?)?")
_VALUED = frozenset(
    (
        *("-r", "--requirement", "-c", "--constraint", "-e", "--editable", "-i", "--index-url"),
        *("--extra-index-url", "-f", "--find-links", "--trusted-host", "-t", "--target", "--prefix"),
        *("--root", "--python", "-p", "--no-binary", "--only-binary", "--platform", "--python-version"),
        *("--abi", "--implementation", "--timeout", "--retries", "--proxy", "--cache-dir", "--src"),
        *("--log", "--index", "--default-index", "--torch-backend", "-C", "--config-settings"),
    )
)
"""Flags of pip and uv whose value is the next word."""
_OTHERS = frozenset({"-r", "--requirement", "-e", "--editable", "-c", "--constraint"})
"""Those that install more than can be seen, or less."""
_APART = "--no-deps"
_ALONE = frozenset(
    (
        *("rm", "privileged", "init", "detach", "interactive", "tty", "read-only", "no-healthcheck"),
        *("oom-kill-disable", "publish-all", "disable-content-trust", "quiet", "help", "tls-verify"),
        *("replace", "rmi", "no-hosts"),
    )
)
"""Flags of `docker run` and of its kin without a value."""
_LETTERS = "ditqP"
_NAMES = {
    **{name: name for name in ("device", "volume", "privileged", "cap-drop", "cap-add", "user", "runtime")},
    **{name: name for name in ("shm-size", "ipc")},
    "v": "volume",
    "mount": "volume",
    "u": "user",
    "group-add": "user",
}
_FLAG = re.compile(r"--(?P<name>[\w-]+)(?P<equals>=?)")
_NPU = re.compile(r"davinci|[aA]scend/|vllm[-_]ascend|torch[-_]npu|huawei\.com/|ASCEND_VISIBLE_DEVICES")
"""The words of `triggers` that tell: without one of them no such file is read."""
_IMAGE = re.compile(r"image|img|镜像", re.IGNORECASE)
_VERBS = 4
"""Words between the program and its verb at the most: `docker --context x container run`."""


def commands_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the places at which a command seems to install packages, or to start a container, that has to do with NPUs."""
    if may_deploy(text):
        yield from _COMMAND.finditer(text)


def may_deploy(text: str) -> bool:
    """Return whether a text seems to hold such a command; False is certain."""
    named = "pip" in text or any(name in text for name in _CONTAINERS)
    about = "davinci" in text or "ASCEND_VISIBLE" in text or "torch" in text or "vllm" in text or may_require(text)
    return named and about and _COMMAND.search(text) is not None


def deployed(arguments: Sequence[Argument], statement: Span, lookup: Lookup | None) -> Block | None:
    """Return what a command installs, or how it starts a container; `None` where it does neither."""
    names = [(each.word.text or "").rpartition("/")[2] for each in arguments]
    for at, name in enumerate(names):
        if name in _CONTAINERS:
            verb = next(
                (v for v in range(at + 1, min(at + 1 + _VERBS, len(names))) if names[v] in ("run", "create")), None
            )
            return _container(arguments, verb, statement, lookup) if verb is not None else None
        if name.startswith("pip") and _PIP.fullmatch(name):
            verb = next((v for v in range(at + 1, len(names)) if not names[v].startswith("-")), None)
            return (
                _installed(arguments, verb, statement, lookup)
                if verb is not None and names[verb] == "install"
                else None
            )
    return None


# -- packages ---------------------------------------------------------------------------------------------


def _installed(arguments: Sequence[Argument], verb: int, statement: Span, lookup: Lookup | None) -> Block | None:
    settings: list[Setting | None] = []
    more, apart, skip = False, False, False
    for argument in arguments[verb + 1 :]:
        word, lead = argument.word, argument.word.lead
        if skip or lead.startswith("-"):
            more = more or lead.partition("=")[0] in _OTHERS
            apart = apart or lead == _APART
            skip = not skip and lead in _VALUED
            continue
        value = value_of(word.pieces, word.span, lookup) if argument.whole and word.pieces else None
        if value is None or not value.known or not isinstance(value.data, str):
            more = True
            continue
        where = value.content
        found = requirement(value.data, where or word.span, word.span, argument.statement, written=where is not None)
        settings.append(found._replace(branch=argument.branch) if found is not None else None)
    found_ones = known(settings)
    if not found_ones:
        return None
    head = arguments[verb].word.span
    receiver = _APART if apart else ""
    return Block(0, Surface.PACKAGE, head, statement, found_ones, more, receiver=receiver, command=statement)


# -- containers -------------------------------------------------------------------------------------------


# branches: one arm for each form of a flag.
def _container(arguments: Sequence[Argument], verb: int, statement: Span, lookup: Lookup | None) -> Block | None:
    settings: list[Setting] = []
    more, at = False, verb + 1
    while at < len(arguments):
        argument = arguments[at]
        word, lead = argument.word, argument.word.lead
        at += 1
        if not lead.startswith("-"):
            image = _image(argument, lookup)
            if image is None:
                more = True
                continue
            settings.append(image)
            break
        match = _FLAG.match(lead)
        name, value, taken = match["name"] if match is not None else "", None, None
        if match is None:
            # `-it`, `-v/a:/b`, `-itv /a:/b`: letters without a value, and one that may have one, with the rest of the word.
            letters = lead[1:].lstrip(_LETTERS)
            name = letters[:1]
            if len(letters) > 1 or word.end > word.start + len(lead):
                rest = word.after(len(lead) - len(letters) + 1)
                value = value_of(rest.pieces, rest.span, lookup)
        elif match["equals"]:
            rest = word.after(match.end())
            value = value_of(rest.pieces, rest.span, lookup)
        if value is None and name and name not in _ALONE and at < len(arguments):
            taken = arguments[at].word
            at += 1
            value = value_of(taken.pieces, taken.span, lookup)
        value = value or Value(ValueKind.BOOL, word.span, known=True, data=True)
        if name in _NAMES:
            own = Span(word.start, taken.end if taken is not None else word.end)
            key = Span(
                word.start, min(word.end, word.start + match.end("name") if match is not None else word.start + 2)
            )
            sign = " " if taken is not None else "" if value.kind is ValueKind.BOOL else "="
            settings.append(
                Setting(
                    Surface.CONTAINER,
                    _NAMES[name],
                    key,
                    value,
                    Form.FLAG,
                    argument.statement,
                    own,
                    branch=argument.branch,
                    separator=sign,
                )
            )
    said = " ".join(_said(each.word) for each in arguments[verb + 1 :])
    if not settings or not _NPU.search(said):
        return None
    return Block(0, Surface.CONTAINER, arguments[verb].word.span, statement, tuple(settings), more, command=statement)


def _image(argument: Argument, lookup: Lookup | None) -> Setting | None:
    """Return the image that a word is; `None` where it may be more flags: a variable of another name that nobody knows."""
    word = argument.word
    if not word.pieces:
        return None
    value = value_of(word.pieces, word.span, lookup)
    first = word.pieces[0]
    if not value.known and not word.lead and not (first.kind is PieceKind.NAME and _IMAGE.search(first.text)):
        return None
    return Setting(
        Surface.CONTAINER, "image", word.span, value, Form.ENTRY, argument.statement, word.span, branch=argument.branch
    )


def _said(word: ShellWord) -> str:
    return "".join(piece.text for piece in word.pieces)
