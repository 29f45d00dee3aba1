"""Files that options point to: which ones a text names, and what stands in some of them."""
