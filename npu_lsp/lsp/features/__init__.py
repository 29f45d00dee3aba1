"""What an editor gets: one capability of the protocol a file.

A feature takes a view of a document and what the client asks, and returns the protocol's types. It knows no syntax and
no rule.
"""
