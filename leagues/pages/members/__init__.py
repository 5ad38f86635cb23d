"""Pages of members and players."""
