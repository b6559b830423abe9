"""Questions taken apart: what is asked for, about which matter, of which days. Pure."""
