"""Pages of matadors, plazas and herds, and of the import and export of rosters."""
