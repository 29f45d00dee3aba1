"""Logs as they are: many files, packed ones, of many processes; and what stands in them of errors."""
