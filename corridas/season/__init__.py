"""A season: planned, played, posted, followed by a winter; the director's desk."""
