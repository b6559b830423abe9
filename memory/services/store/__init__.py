"""The house as a holder of documents: read from rows, merged by the pure rules, the difference written."""
