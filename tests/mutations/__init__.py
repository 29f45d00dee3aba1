"""Small changes to the program that a test must notice: `python -m tests.mutations`. No part of the suite."""
