"""What names stand for: the one place where they are followed."""
