"""Carrying out everything a family put in, and reading it back."""
