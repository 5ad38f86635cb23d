"""What the search finds of leagues: players and leagues, by name."""
