"""Which value an environment variable has at a place, and which settings in which files give it."""
