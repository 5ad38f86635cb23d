"""Pages of Running with the Bulls."""
