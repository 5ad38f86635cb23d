"""Pages of matadors, plazas and herds, and of roster files."""
