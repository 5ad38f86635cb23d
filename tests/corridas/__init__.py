"""TODO: say what this is."""
