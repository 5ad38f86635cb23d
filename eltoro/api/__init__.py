"""API resources of Running with the Bulls."""
