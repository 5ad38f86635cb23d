"""Site search for everything that has a name."""
