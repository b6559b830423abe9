"""What keeps the box standing: its database, its processes, its first code. Starts without Django."""
