"""Read-only queries and statistics of members and players."""
