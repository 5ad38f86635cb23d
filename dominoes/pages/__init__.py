"""Pages of the game Matador dominoes."""
