"""A league: creation, settings, closing and its pages."""
