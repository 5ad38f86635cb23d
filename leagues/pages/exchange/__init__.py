"""Pages to import and export results."""
