"""Dominoes hands played with real tiles: the format of their scoresheets, and the referee."""
