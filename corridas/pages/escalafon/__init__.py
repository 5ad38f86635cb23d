"""Pages of the escalafón (the ranking of matadors) and of the record book."""
