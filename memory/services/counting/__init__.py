"""Counting days into pairs and patterns: every night, for late words, and after a forgetting."""
