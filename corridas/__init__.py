"""Indulto, the card game of bullfighting, and the season made of it."""
