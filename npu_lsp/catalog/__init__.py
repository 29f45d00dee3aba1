"""The catalog: every known option, and the facts and docs that go with it."""
