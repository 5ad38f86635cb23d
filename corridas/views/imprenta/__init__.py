"""What a table prints to play with real cards: the whole game on paper, out of a circuit's rows."""
