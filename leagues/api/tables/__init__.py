"""API resources of tables."""
