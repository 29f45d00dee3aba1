"""Which names say that environment variables are in what they stand for, in whatever language."""

from __future__ import annotations

from npu_lsp.text import lazy_re as re

_ENVIRONMENT = re.compile(
    r"(?:\A|[_.]|(?<=[a-z]))(?:env(?:iron(?:ments?)?)?|Env(?:ironment)?)(?:_?vars?|Vars?|s)?(?:[_.]|[A-Z]|\d|\Z)"
)
_OTHERS = re.compile(r"(?:names?|keys?|map|types?|defaults?|prefix(?:es)?|to)\Z", re.IGNORECASE)
"""What the word behind makes of it: names of variables, not variables."""


def is_environment(label: str) -> bool:
    """Return whether a name says that environment variables are in it: `env_dict`, `SERVER_ENV`, `runtimeEnv`."""
    said = label if not label.isupper() else label.lower()
    return _ENVIRONMENT.search(said) is not None and _OTHERS.search(label) is None
