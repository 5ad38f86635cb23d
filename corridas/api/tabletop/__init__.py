"""Resources of corridas at real tables."""
