"""What is decided about documents: what a file is, how its text reads, what it says."""
