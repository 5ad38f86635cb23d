"""A league: creation, settings, invitation, closing and reopening."""
