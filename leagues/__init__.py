"""Leagues of any game: members, rounds, matches, live game tables, standings and ratings."""
