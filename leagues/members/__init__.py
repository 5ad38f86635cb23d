"""Players and members of leagues, guests and merges."""
