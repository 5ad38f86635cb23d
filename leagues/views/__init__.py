"""Pages of leagues, matches, players and tables: translate, then one call."""
