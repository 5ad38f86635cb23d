"""API resources of the game Running with the Bulls (El Toro)."""
