"""Questions to the book, and their answers."""
