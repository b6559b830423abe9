"""Answers written by rules from the rows of the book, each sentence with what it rests on. Pure."""
