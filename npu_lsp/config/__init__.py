"""Configuration: one typed tree with defaults, from files, from the command line, from an editor's settings."""
