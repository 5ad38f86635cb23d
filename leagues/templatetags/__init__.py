"""Tags and filters of leagues and tables."""
