"""API resources of matches and sheets."""
