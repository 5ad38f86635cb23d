"""Corridas played with real cards: assigning them to tables, their scoresheets and the referee."""
