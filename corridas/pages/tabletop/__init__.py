"""Pages of corridas at real tables."""
