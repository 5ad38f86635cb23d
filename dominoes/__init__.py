"""Matador dominoes: settled place, no game yet."""
