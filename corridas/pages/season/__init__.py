"""The home page, the calendar, the director's desk and the news of the winter."""
