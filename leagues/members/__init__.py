"""Members of leagues, guests, merges of players, and the marks that identify players at a table."""
