"""Corridas played with real cards: fixtures given to tables, their scoresheets and the referee."""
