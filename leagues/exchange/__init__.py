"""Import and export of results."""
