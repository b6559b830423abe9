"""Bringing in what another program exported."""
