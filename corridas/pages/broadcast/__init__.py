"""Pages of corridas on air."""
