"""Lists of corridas, bulls and matadors."""
