"""Management commands, one per module."""
