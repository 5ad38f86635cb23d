"""Corridas played with real cards: printing, entry, referee, and fixtures for tables."""
