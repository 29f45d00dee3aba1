"""What people read about options: hovers, pages, examples, in both languages."""
