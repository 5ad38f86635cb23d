"""Import and export of the roster of a circuit: export, preview, commit and undo."""
