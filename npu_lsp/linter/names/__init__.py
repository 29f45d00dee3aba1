"""Names that the catalog doesn't have: which of them are wrong, what they were meant to be, and the group they stand in."""
