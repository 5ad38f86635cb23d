"""Pages in place of results that a visitor has not watched yet."""
