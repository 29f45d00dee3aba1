"""Which versions of components a text runs on, where nobody says so in a configuration: what it, its repository and READMEs name."""
