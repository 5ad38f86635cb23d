"""Running with the Bulls: the whole game, played or replayed. The only door to the engine."""
