"""Pages of the game: handing in, the scoresheet, the rules, the front."""
