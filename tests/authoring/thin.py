"""Tells which hovers don't help to choose a value: `python -m tests.authoring.thin [--all]`.

What an option takes and what becomes of another value is shown by its type, its values and its checks. A hover that says no more
than that, in other words, leaves its reader where they were. Of the options that people set (`usage.toml`) none may be thin;
`--all` lists those of the others, too.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.docs.wording import shown

ENOUGH = 16
"""Words of summary, text, note and values besides what the rest of a hover shows: fewer say what it is, and not when to use it."""

_SHOWN_ANYWAY = re.compile(
    r"""
    (?:a\ (?:text|flag\ without\ a\ value|path|number)                                  # the type
    |  (?:an?(?:other|\ wrong)|other)\ (?:value|key|type|name)s?\b(?:,\ or\ a\ number\ out\ of\ range,)?(?:\ in\ (?:it|the\ file))?
       \ (?:is|stops?|raises?|are)\b(?:[^.]|\.(?=\w))*
    |  (?:before\ [\w.]+\ )?a\ text\ such\ as\ `"false"`\ counts\ as\ true[^.]*
    |  anything\ but\ `1`\ counts\ as\ off[^.]*
    |  an\ object\ with\ keys\ of\ its\ own
    |  level\ \d | nothing | off | on )[.;]\s*
    """,
    re.IGNORECASE | re.VERBOSE,
)


def said(catalog: Catalog, option: Option) -> int:
    """Return how many words of a hover tell something that its facts don't show."""
    docs = catalog.docs(option.surface, option.name)
    texts = [docs.summary, docs.text, docs.note]
    texts += [catalog.value_text(option.surface, option.name, each.value) for each in option.values]
    return sum(len(_SHOWN_ANYWAY.sub("", text.en.replace("\n", " ")).split()) for text in texts if text is not None)


def helps(option: Option) -> bool:
    """Return whether there is a value to choose: a group has keys for that, what goes has a reason."""
    alone = len(option.values) == 1 and not option.open
    return (
        option.type not in ("dict", "object")
        and not alone
        and not (option.removed or option.deprecated or option.status in ("no_effect", "internal"))
    )


def thin(catalog: Catalog, options: Sequence[Option]) -> Iterator[tuple[Option, int]]:
    """Yield each option whose hover says too little to choose, with the words that it has."""
    for option in options:
        if helps(option) and (words := said(catalog, option)) < ENOUGH:
            yield option, words


def counted(catalog: Catalog) -> list[Option]:
    """Return the options that people set, the most frequent of each surface first."""
    found = [
        option
        for surface, names in catalog.plain("usage").items()
        for name in names
        if (option := catalog.option(Surface(surface), name)) is not None
    ]
    return list(dict.fromkeys(found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print thin hovers; the exit code is 1 when options that people set have one."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.thin", description=__doc__)
    parser.add_argument("--all", action="store_true", help="those of options that nobody was seen to set, too")
    chosen = parser.parse_args(arguments)
    catalog = load()
    often = counted(catalog)
    options = [option for surface in Surface for option in catalog.options(surface)] if chosen.all else often
    found = list(thin(catalog, options))
    for option, words in found:
        summary = catalog.docs(option.surface, option.name).summary.en
        sys.stdout.write(f"{option.surface.value} {shown(option.surface, option.name)}: {words} words: {summary}\n")
    sys.stdout.write(f"{len(found)} of {len(options)}\n")
    return int(any(option in often for option, _ in found))


if __name__ == "__main__":
    sys.exit(main())
