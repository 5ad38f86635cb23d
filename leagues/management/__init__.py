"""Management commands of leagues and games."""
