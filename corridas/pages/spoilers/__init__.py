"""Pages that replace results which a visitor has not watched yet."""
