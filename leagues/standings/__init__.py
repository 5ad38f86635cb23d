"""Standings of a league: scores, tie-breaks, shared places and the cut-off line."""
