"""Telling people that something waits."""
