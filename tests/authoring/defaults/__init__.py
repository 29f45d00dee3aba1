"""Tells which default each option has had in each version of its component, as the sources of all versions show it.

`python -m tests.authoring.defaults tf=CHECKOUT torch=CHECKOUT …` reads checkouts (bare ones will do) of the
repositories of `data/sources.toml` and prints what the catalog says otherwise: changes of a default that it lacks, and such
as no version shows. `--all` prints every option with its defaults instead; `--store FILE` also keeps them there, and a test
compares the catalog with what is kept. The exit code is 1 where they differ.

Read are the sources of the components, as far as they say a default in one place: arguments, tables of options, reads of
variables. A default that is made up on the way, or that several places give differently, is not known.
"""
