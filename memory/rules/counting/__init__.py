"""What is counted: levels of a day, pairs of levels, when a pair is a pattern, and how sure that is. Pure."""
