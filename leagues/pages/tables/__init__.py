"""Pages of live tables."""
