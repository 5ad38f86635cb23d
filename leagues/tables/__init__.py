"""Live tables of any game: play, bots, clock, records and broadcasts."""
