"""Drawing of a game of El Toro for pages: the town as a map, and a player's possible actions."""
