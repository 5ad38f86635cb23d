"""Leagues, matches, tables, standings and ratings of any game."""
