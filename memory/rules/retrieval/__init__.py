"""Decisions of finding: how words are folded, how rows are ranked, what is highlighted."""
