"""Matches: opening, sheets, confirmation, disputes, corrections and results."""
