"""Pages of the lists of corridas, bulls and matadors."""
