"""Rosters (matadors with cards, plazas, herds): changes, their history, import and export."""
