"""Matadors and their cards, plazas and herds: changes, history, import and export."""
