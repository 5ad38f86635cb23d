"""What the pages draw of a game: the town as a map, and what a player may do there."""
