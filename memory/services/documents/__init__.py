"""Documents: handing in, reading by stages, correcting, deciding on findings, forgetting."""
