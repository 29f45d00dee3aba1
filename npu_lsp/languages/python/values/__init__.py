"""What names are bound to, and what expressions come to, as far as the text tells."""
