"""Drawing of a game for pages: the town as a map, and a player's possible actions."""
