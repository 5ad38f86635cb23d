"""A corrida played with real cards: begun, written down card by card or by the sheet, handed in."""
