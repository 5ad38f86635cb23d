"""Hands from real tables: the format of their scoresheets, and the referee."""
