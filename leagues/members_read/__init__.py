"""Reads members and players."""
