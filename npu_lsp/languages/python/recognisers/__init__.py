"""One shape of code a file that sets options."""
