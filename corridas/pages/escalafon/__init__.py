"""Pages of the ranking and of the record book."""
