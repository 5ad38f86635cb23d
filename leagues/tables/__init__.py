"""Live tables: play, bots, pages and broadcasts. Knows no game by name."""
