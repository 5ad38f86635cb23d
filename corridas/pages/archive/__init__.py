"""Pages of season files."""
