"""What isn't shown of a machine unless it is asked for: keys, tokens, passwords, and addresses. Names and shapes tell them."""

from __future__ import annotations

from npu_lsp.text import lazy_re as re

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET = frozenset(
    [
        "key",
        "keys",
        "token",
        "tokens",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "pwd",
        "pass",
        "passphrase",
        "credential",
        "credentials",
        "auth",
        "cookie",
        "private",
        "apikey",
        "pk",
    ]
)
_ADDRESS = frozenset(
    [
        "addr",
        "address",
        "ip",
        "ips",
        "host",
        "hosts",
        "hostname",
        "hostnames",
        "url",
        "urls",
        "uri",
        "endpoint",
        "endpoints",
        "proxy",
        "domain",
        "mac",
    ]
)
_RANK = frozenset(["rank", "ranks"])
_OWN = frozenset({"HOSTNAME", "HOST", "RANK", "RANK_ID", "DEVICE_ID", "POD_NAME", "PWD", "OLDPWD", "SHLVL", "_"})
_IS_ADDRESS = re.compile(
    r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\Z|\[?[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){3,7}\]?(?::\d+)?\Z|\w[\w+.-]*://"
)
_CREDENTIALS = re.compile(r"://[^\s/@]{1,400}:[^\s/@]{1,400}@")
"""A name and a password in front of a host."""
_LOCAL = ("127.0.0.1", "0.0.0.0", "::1")  # noqa: S104 - compared with, not listened at
SECRET = "<secret>"  # noqa: S105 - what is shown in its place
ADDRESS = "<address>"


def _is_secret(name: str) -> bool:
    """Return whether what has that name is nobody else's business: `HF_TOKEN`, `tlsPkPwd`."""
    return not _SECRET.isdisjoint(_words(name))


def _is_address(name: str, value: str) -> bool:
    """Return whether a value says where a machine is."""
    if value in _LOCAL:
        return False
    return not _ADDRESS.isdisjoint(_words(name)) or any(
        _IS_ADDRESS.match(part) is not None for part in re.split(r"[,;\s]+", value[:2000])
    )


def is_of_one_node(name: str) -> bool:
    """Return whether nodes that belong together differ in it: ranks, names, addresses."""
    words = _words(name)
    return name in _OWN or not _RANK.isdisjoint(words) or not _ADDRESS.isdisjoint(words)


def masked(name: str, value: str) -> str:
    """Return a value, or what is shown in its place."""
    if _is_secret(name) or _CREDENTIALS.search(value):
        return SECRET
    return ADDRESS if value and _is_address(name, value) else value


def _words(name: str) -> frozenset[str]:
    """Return the words of a name in small letters: of `tlsPkPwd` and of `HF_TOKEN`."""
    return frozenset(word.lower() for word in _WORDS.findall(name[:200]))
