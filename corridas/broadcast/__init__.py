"""The page and the feed of a corrida, moment by moment."""
