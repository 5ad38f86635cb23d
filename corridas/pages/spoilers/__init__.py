"""Pages that stand before a result."""
