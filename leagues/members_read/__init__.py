"""Queries and statistics of members and players."""
