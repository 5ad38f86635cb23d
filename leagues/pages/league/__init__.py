"""Pages of a league and its settings."""
