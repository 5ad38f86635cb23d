"""Template tags and filters of leagues and live tables."""
