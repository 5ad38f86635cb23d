"""API resources of members, guests and players."""
