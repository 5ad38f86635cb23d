"""Template tags for pages about seasons and circuits."""
