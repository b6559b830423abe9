"""Past one box: several hosts on one database, and many households on one server."""
