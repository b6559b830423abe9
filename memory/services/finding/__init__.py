"""Finding rows: what they say, the entries beside them, and the search itself."""
