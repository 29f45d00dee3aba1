"""One shape of code each: the entries of a `parameter_map`, calls, attributes, dicts, commands."""
