"""Live tables of any game: play, bots, pages and broadcasts."""
