"""The escalafón of a season: ranking, race, record book, awards and yearbook."""
