"""Management commands of leagues and their games."""
