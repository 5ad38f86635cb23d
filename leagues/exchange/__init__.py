"""Import and export of the match results of a league as files."""
