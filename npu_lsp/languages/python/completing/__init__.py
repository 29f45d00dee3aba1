"""What the cursor is in, told from its statement's text alone."""
