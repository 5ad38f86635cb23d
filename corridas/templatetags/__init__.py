"""Template tags of the season."""
