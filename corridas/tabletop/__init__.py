"""Corridas played with real cards: printed, written down, judged, given to tables by a director."""
