"""Reading files in a process of their own, with limits; nothing here knows Django or the database."""
