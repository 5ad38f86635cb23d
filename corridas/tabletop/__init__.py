"""Corridas played with real cards: entry, referee, and fixtures given to tables."""
