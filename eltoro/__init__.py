"""Running with the Bulls: settled place, no game yet."""
