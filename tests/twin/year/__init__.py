"""A simulated year of a cat and a child: what was said and tapped, and what the book must hold of it."""
