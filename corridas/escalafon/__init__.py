"""The escalafón (ranking of matadors in a season), with records, awards and yearbook."""
