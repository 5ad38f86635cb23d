"""The home page, the calendar, the director's desk and the winter."""
