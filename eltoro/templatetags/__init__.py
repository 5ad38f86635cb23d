"""Template tags of El Toro."""
