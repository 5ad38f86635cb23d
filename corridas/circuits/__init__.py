"""Circuits: creation, settings, transfer, freezing and ending; permissions to see and direct."""
