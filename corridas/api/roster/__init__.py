"""Matadors, plazas, herds, decks and roster files under `/api/v1/`."""
