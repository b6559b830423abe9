"""Reading what other programs export: which table a file is, what each row says. Pure."""
