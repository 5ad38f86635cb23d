"""Members of leagues, guests, merges and the marks of players."""
