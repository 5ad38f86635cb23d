"""Promoters, who run the plaza of a town for some seasons: they sign matadors and are judged."""
