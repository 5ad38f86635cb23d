"""API resources of live tables."""
