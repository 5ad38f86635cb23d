"""Matadors and their cards, plazas and herds: pages, history, import and export."""
