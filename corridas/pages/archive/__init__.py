"""Pages of season files and of records."""
