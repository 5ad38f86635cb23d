"""What a table prints to play Indulto with real cards: the game in paper, out of a circuit's rows."""
