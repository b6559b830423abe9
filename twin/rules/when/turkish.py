"""Turkish grammar."""
RULES = ()
