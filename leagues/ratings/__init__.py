"""Ratings of players, in a league and on the site."""
