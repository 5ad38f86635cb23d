"""Pages of a league and of its settings."""
