"""For those who write catalog files: what is checked before a file is taken, and the form of the files."""
