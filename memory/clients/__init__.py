"""The outside world: the embedder."""
