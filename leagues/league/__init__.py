"""A league: creation, settings, invitation and closing."""
