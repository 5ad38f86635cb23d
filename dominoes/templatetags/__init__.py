"""Template tags of dominoes."""
