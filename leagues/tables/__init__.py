"""Live tables of any game: play, bots, time limits, records and broadcasts."""
