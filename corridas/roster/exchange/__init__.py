"""Rosters in and out of a circuit: export, preview, commit and undo."""
