"""What the companion says and what is learned from what it hears: decisions alone, tables beside them."""
