"""Pages of the game Running with the Bulls (El Toro)."""
